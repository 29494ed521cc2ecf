/* Writes down what a process writes, cuts and syncs, in order: from that a test makes the disk as a power cut leaves it.
 *
 * TRACE names the file to write to, TRACED what the names of the files in question contain. A record is its kind (write,
 * sync, truncate, unlink), the length of the name, the offset, the length of what follows, the name, and the bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

struct record { char kind; int32_t name; int64_t offset, length; } __attribute__((packed));

static int trace = -1;
static const char *traced;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
#define REAL(result, name, ...) static result (*real_##name)(__VA_ARGS__)
REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
REAL(ssize_t, write, int, const void *, size_t);
REAL(int, fsync, int);
REAL(int, fdatasync, int);
REAL(int, ftruncate64, int, off64_t);
REAL(int, unlink, const char *);
#define FIND(name) real_##name = dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
    FIND(pwrite64); FIND(write); FIND(fsync); FIND(fdatasync); FIND(ftruncate64); FIND(unlink);
    traced = getenv("TRACED");
    if (getenv("TRACE")) trace = open(getenv("TRACE"), O_WRONLY | O_APPEND | O_CREAT, 0600);
}

static void note(char kind, const char *name, int64_t offset, const void *bytes, int64_t length) {
    struct record head = {kind, (int32_t)strlen(name), offset, length};
    struct iovec parts[3] = {{&head, sizeof head}, {(void *)name, strlen(name)}, {(void *)bytes, (size_t)length}};
    if (trace < 0 || !traced || !strstr(name, traced) || strstr(name, "-shm") || strstr(name, "-lock")) return;
    pthread_mutex_lock(&one_at_a_time);
    if (writev(trace, parts, 3) < 0) abort();
    pthread_mutex_unlock(&one_at_a_time);
}

static const char *name_of(int file, char *room, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, room, size - 1);
    room[length < 0 ? 0 : length] = 0;
    return room;
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
    char room[4096];
    ssize_t done = real_pwrite64(file, bytes, length, offset);
    if (done > 0) note('w', name_of(file, room, sizeof room), offset, bytes, done);
    return done;
}
ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) { return pwrite64(file, bytes, length, offset); }

ssize_t write(int file, const void *bytes, size_t length) {
    char room[4096];
    ssize_t done = real_write(file, bytes, length);
    if (done > 0 && file != trace) note('w', name_of(file, room, sizeof room), lseek(file, 0, SEEK_CUR) - done, bytes, done);
    return done;
}

int fsync(int file) {
    char room[4096];
    int done = real_fsync(file);
    if (done == 0) note('s', name_of(file, room, sizeof room), 0, "", 0);
    return done;
}
int fdatasync(int file) {
    char room[4096];
    int done = real_fdatasync(file);
    if (done == 0) note('s', name_of(file, room, sizeof room), 0, "", 0);
    return done;
}

int ftruncate64(int file, off64_t length) {
    char room[4096];
    int done = real_ftruncate64(file, length);
    if (done == 0) note('t', name_of(file, room, sizeof room), length, "", 0);
    return done;
}
int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int unlink(const char *name) {
    int done = real_unlink(name);
    if (done == 0) note('u', name, 0, "", 0);
    return done;
}
