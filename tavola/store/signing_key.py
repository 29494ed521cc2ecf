"""The key that signs cookies. Anyone who has it can impersonate any user."""

import os
import secrets
from pathlib import Path

from tavola.store.database_refusals import BadSigningKey
from tavola.store.files import make_private, write_private

KEY_BYTES = 32
LEAST_DISTINCT_BYTES = 8
"""Minimum different bytes in a key: one of 2^100 random ones has fewer."""
KEY_SUFFIX = ".secret"


def new_signing_key() -> bytes:
    """Return a new key."""
    return secrets.token_bytes(KEY_BYTES)


def is_valid_key(secret: bytes) -> bool:
    """True if a key is plausible: a guessable one lets anyone impersonate users. Random bytes are never ASCII text."""
    return len(secret) == KEY_BYTES and len(set(secret)) >= LEAST_DISTINCT_BYTES and not secret.isascii()


def signing_key_path(database: Path) -> Path:
    """Return the path of the key of a database file."""
    return database.with_name(database.name + KEY_SUFFIX)


def load_signing_key(database: Path) -> bytes:
    """Return the key beside a database, created privately when needed; raise `BadSigningKey` if damaged."""
    path = signing_key_path(database.resolve())
    try:
        if not os.path.lexists(path):
            write_private(path, new_signing_key(), like=database)
        secret = read_signing_key(path)
        make_private(path)
    except OSError as error:
        raise BadSigningKey(f"{path}: expected the cookie signing key: {error.strerror}") from error
    return secret


def read_signing_key(path: Path) -> bytes:
    """Return the key in a file without changing it; raise `BadSigningKey` unless it is a valid key."""
    try:
        if not path.is_file():
            raise BadSigningKey(f"{path}: expected the cookie signing key, found something that is not a file")
        with path.open("rb") as stream:
            secret = stream.read(KEY_BYTES + 1)
    except OSError as error:
        raise BadSigningKey(f"{path}: expected the cookie signing key: {error.strerror}") from error
    if not is_valid_key(secret):
        raise BadSigningKey(
            f"{path}: expected the cookie signing key ({KEY_BYTES} random bytes), found a damaged one. Restore it "
            "from a backup, or delete it to create a new key, which makes every visitor a new guest"
        )
    return secret


def key_beside(database: Path) -> bytes | None:
    """Return the key beside a database, None if there is none; raise `BadSigningKey` if it is damaged or not a key."""
    path = signing_key_path(database)
    return read_signing_key(path) if os.path.lexists(path) else None
