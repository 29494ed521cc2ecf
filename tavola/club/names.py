"""Names that are kept: nobody else bears one, or one that may be taken for it."""

from tavola.live.log.cast import CAST
from tavola.live.log.lookalikes import looks
from tavola.live.log.people import NOBODY
from tavola.store import Execute

HOUSE_LOOKS = frozenset().union(*(looks(member.name) for member in CAST), looks(NOBODY))
"""The looks of names that are the house's own."""
OWNERS = "SELECT look, account FROM account_name WHERE look = ? OR look = ?"


def is_free(execute: Execute, name: str, account: str | None = None) -> bool:
    """True where nobody but this account keeps a name that looks like that one."""
    seen = sorted(looks(name))
    owners = {owner for _, owner in execute(OWNERS, (seen[0], seen[-1]))} if seen else set()
    return owners <= {account}


def hold(execute: Execute, account: str, name: str) -> bool:
    """Keep a name for an account in place of the one it had; False, and nothing done, where it is not to be had.

    Two who ask at once: the table lets one of them have it, and the other's transaction fails.
    """
    if looks(name) & HOUSE_LOOKS or not is_free(execute, name, account):
        return False
    execute("DELETE FROM account_name WHERE account = ?", (account,))
    for look in sorted(looks(name)):
        execute("INSERT INTO account_name VALUES (?, ?)", (look, account))
    execute("UPDATE account SET name = ? WHERE id = ?", (name, account))
    return True
