"""The key that signs the cookies. Who has it can be anybody on the site."""

import secrets
from pathlib import Path

from tavola.store.files import make_private, write_private
from tavola.store.refusals import BadSecret

SECRET_BYTES = 32
LEAST_DIFFERENT = 8
"""Different bytes in a key: one of 2^100 random ones has fewer."""
ENDING = ".secret"


def fresh_secret() -> bytes:
    """A new key."""
    return secrets.token_bytes(SECRET_BYTES)


def is_sound(secret: bytes) -> bool:
    """Whether that may be a key: who can guess it can be anybody."""
    return len(secret) == SECRET_BYTES and len(set(secret)) >= LEAST_DIFFERENT


def beside(database: Path) -> Path:
    """The file that holds a database file's key."""
    return database.with_name(database.name + ENDING)


def secret_beside(database: Path) -> bytes:
    """The key in a file beside the database, for its owner alone, made when first needed; `BadSecret` if damaged."""
    path = beside(database.resolve())
    try:
        if not path.exists():
            write_private(path, fresh_secret())
        make_private(path)
        secret = path.read_bytes()
    except OSError as error:
        raise BadSecret(f"{path}: expected the key of the cookies, {error.strerror}") from error
    if not is_sound(secret):
        raise BadSecret(
            f"{path}: expected the key of the cookies, {SECRET_BYTES} random bytes, found it damaged. Restore it "
            "from a backup, or delete it: a new one is made, and everybody is a new guest"
        )
    return secret
