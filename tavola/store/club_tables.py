"""Tables beside the rooms: accounts and outgoing messages. One script for both databases.

Times are seconds since 1970; only digests of secrets are stored. A later version adds its own script.
"""

from typing import Any

CLUB = """
CREATE TABLE account (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    address TEXT UNIQUE,
    language TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL
);
CREATE TABLE account_person (person TEXT PRIMARY KEY, account TEXT NOT NULL);
CREATE TABLE account_name (look TEXT PRIMARY KEY, account TEXT NOT NULL);
CREATE TABLE passkey (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    public_key TEXT NOT NULL,
    sign_count BIGINT NOT NULL,
    device TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL,
    used_at DOUBLE PRECISION NOT NULL
);
CREATE TABLE session (
    digest TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    device TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL,
    seen_at DOUBLE PRECISION NOT NULL,
    proved_at DOUBLE PRECISION NOT NULL
);
CREATE TABLE ticket (
    digest TEXT PRIMARY KEY,
    purpose TEXT NOT NULL,
    account TEXT,
    body TEXT NOT NULL,
    expires_at DOUBLE PRECISION NOT NULL
);
CREATE TABLE outbox (
    id TEXT PRIMARY KEY,
    topic TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    account TEXT,
    recipient TEXT NOT NULL,
    mark TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL,
    due_at DOUBLE PRECISION NOT NULL,
    expires_at DOUBLE PRECISION NOT NULL,
    attempts INTEGER NOT NULL,
    taken_by TEXT NOT NULL,
    ended TEXT NOT NULL
);
CREATE INDEX persons_of_account ON account_person (account);
CREATE INDEX names_of_account ON account_name (account);
CREATE INDEX passkeys_of_account ON passkey (account);
CREATE INDEX sessions_of_account ON session (account);
CREATE INDEX tickets_by_end ON ticket (expires_at);
CREATE INDEX outbox_due ON outbox (due_at) WHERE ended = '';
CREATE INDEX outbox_by_mark ON outbox (mark, created_at);
"""
"""Seats belong to `account.person`; `account_person` also lists former persons. `look` is a normal form of a name.
`outbox.ended` is empty while a message is queued, then `sent`, `failed` or `expired`."""

DAYS = """
CREATE TABLE seen (
    person TEXT NOT NULL,
    room TEXT NOT NULL,
    moment INTEGER NOT NULL,
    seen_at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (person, room)
);
CREATE TABLE hours (
    account TEXT PRIMARY KEY,
    zone TEXT NOT NULL,
    night_begins INTEGER NOT NULL,
    night_ends INTEGER NOT NULL,
    away_from DOUBLE PRECISION NOT NULL,
    away_until DOUBLE PRECISION NOT NULL,
    season INTEGER NOT NULL,
    used DOUBLE PRECISION NOT NULL
);
CREATE TABLE notice (account TEXT NOT NULL, room TEXT NOT NULL, manner TEXT NOT NULL, PRIMARY KEY (account, room));
CREATE TABLE subscription (
    endpoint TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    keys TEXT NOT NULL,
    made_at DOUBLE PRECISION NOT NULL
);
CREATE INDEX subscriptions_of_account ON subscription (account);
"""
"""Correspondence. `seen`: the last moment of a match that a person saw. `hours`: `used` is the seconds of holiday in
`season`. `notice`: notification settings; `room` is empty for all matches. `subscription`: push endpoints."""

NOTEPADS = """
CREATE TABLE notepad (
    person TEXT NOT NULL,
    room TEXT NOT NULL,
    words TEXT NOT NULL,
    version INTEGER NOT NULL,
    written_at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (person, room)
);
CREATE INDEX notepads_of_room ON notepad (room);
CREATE INDEX seen_of_room ON seen (room);
"""
"""A person's private notes on a match; `version` counts the changes."""

REFUSED = """
CREATE TABLE IF NOT EXISTS refused (
    recipient TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    way TEXT NOT NULL,
    times INTEGER NOT NULL,
    refused_at DOUBLE PRECISION NOT NULL
);
CREATE INDEX IF NOT EXISTS refused_of_account ON refused (account);
"""
"""Addresses and endpoints that have refused messages: how often in a row, and when last."""

MEASURES = """
CREATE TABLE IF NOT EXISTS measure (
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    words TEXT NOT NULL,
    made_at DOUBLE PRECISION NOT NULL,
    ends_at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (kind, subject)
);
"""
"""Measures of the site's operator, in force until `ends_at`."""

COPIED_COLUMNS = {
    "account": "id, person, name, address, language, created_at",
    "account_person": "person, account",
    "account_name": "look, account",
    "passkey": "id, account, public_key, sign_count, device, created_at, used_at",
    "session": "digest, account, device, created_at, seen_at, proved_at",
    "seen": "person, room, moment, seen_at",
    "hours": "account, zone, night_begins, night_ends, away_from, away_until, season, used",
    "notice": "account, room, manner",
    "subscription": "endpoint, account, keys, made_at",
    "notepad": "person, room, words, version, written_at",
    "refused": "recipient, account, way, times, refused_at",
    "measure": "kind, subject, words, made_at, ends_at",
}
"""The rows copied from one database to another. Tickets and queued messages are left out: they expire soon, and a
copied message would be sent twice."""
COPY_TABLES = {table: f"SELECT {columns} FROM {table}" for table, columns in COPIED_COLUMNS.items()}  # noqa: S608
FILL_TABLES = {
    table: f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns.split(', ')))})"  # noqa: S608
    for table, columns in COPIED_COLUMNS.items()
}
StoredTables = dict[str, list[tuple[Any, ...]]]
"""Rows by table."""
PERSONAL_KINDS = ("created", "joined", "said", "gestured", "muted", "reported")
"""Kinds of a room's events that name a person: `id` in the body, or `host.id` in that of the first event."""
