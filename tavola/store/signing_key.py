"""The key that signs the cookies. Whoever has it can be anybody on the site."""

import os
import secrets
from pathlib import Path

from tavola.store.database_refusals import BadSigningKey
from tavola.store.files import make_private, write_private

KEY_BYTES = 32
LEAST_DISTINCT_BYTES = 8
"""Different bytes in a key: one of 2^100 random ones has fewer."""
KEY_SUFFIX = ".secret"


def new_signing_key() -> bytes:
    """Return a new key."""
    return secrets.token_bytes(KEY_BYTES)


def is_valid_key(secret: bytes) -> bool:
    """True when that may be a key: anyone who can guess it can be anybody. No random one is a text."""
    return len(secret) == KEY_BYTES and len(set(secret)) >= LEAST_DISTINCT_BYTES and not secret.isascii()


def signing_key_path(database: Path) -> Path:
    """Return the file that holds a database file's key."""
    return database.with_name(database.name + KEY_SUFFIX)


def load_signing_key(database: Path) -> bytes:
    """Return the key in a file beside the database, its owner's alone, made when needed; `BadSigningKey` if damaged."""
    path = signing_key_path(database.resolve())
    try:
        if not os.path.lexists(path):
            write_private(path, new_signing_key(), like=database)
        secret = read_signing_key(path)
        make_private(path)
    except OSError as error:
        raise BadSigningKey(f"{path}: expected the key of the cookies, {error.strerror}") from error
    return secret


def read_signing_key(path: Path) -> bytes:
    """Return the key in a file, which stays as it is; `BadSigningKey` for a damaged one, or another program's file."""
    if not path.is_file():
        raise BadSigningKey(f"{path}: expected the key of the cookies, found something that is not a file")
    with path.open("rb") as stream:
        secret = stream.read(KEY_BYTES + 1)
    if not is_valid_key(secret):
        raise BadSigningKey(
            f"{path}: expected the key of the cookies, {KEY_BYTES} random bytes, found it damaged. Restore it "
            "from a backup, or delete it: a new one is made, and everybody is a new guest"
        )
    return secret


def check_replaceable_key(database: Path) -> None:
    """Refuse to put a key beside a database where there is a file that is none; `BadSigningKey`."""
    path = signing_key_path(database)
    if os.path.lexists(path):
        read_signing_key(path)
