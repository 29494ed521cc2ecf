"""Registered names, which no one else can use or imitate, and reserved names."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from tavola.club.account_refusals import ReservedName
from tavola.live.log.occupants import CAST
from tavola.live.log.people import NOBODY, looks
from tavola.store import Execute

SITE, FILLERS = "tavola", ("the", "our", "your", "of", "site", "room", "table", "match", "game", "team", "official")
"""The name of the site, and words that do not make a reserved name acceptable."""
ROLES = (
    *("host", "bot", "computer", "admin", "administrator", "moderator", "operator", "organizer", "organiser"),
    *("support", "staff", "server", "system", "spectator", "nobody"),
    *("gastgeber", "leitung", "hôte", "animateur", "padrone di casa", "amministratore", "moderatore"),
)
"""Words for roles that people trust at a table or on a site."""
ADDRESS = re.compile(r"//|\S@\S|\bwww\b|\w[.。][^\W\d_]{2,}|\w[.。]xn--|\d+(?:[.。]\d+){3}", re.IGNORECASE)
"""Signs of a web or e-mail address: mail programs turn them into links."""
WORD, NUMBER_BEHIND = re.compile(r"[^\W_]+"), re.compile(r"[\W\d_]+$")


def _squeezed_looks(names: Iterable[str]) -> frozenset[str]:
    return frozenset("".join(WORD.findall(look)) for name in names for look in looks(name))


SITE_LOOKS, FILLER_LOOKS = _squeezed_looks([SITE]), _squeezed_looks(FILLERS)
RESERVED_LOOKS = _squeezed_looks([SITE, NOBODY, *ROLES, *(member.name for member in CAST)])
OWNERS = "SELECT look, account FROM account_name WHERE look = ? OR look = ?"


@lru_cache(maxsize=4096)
def is_reserved(name: str) -> bool:
    """Return whether a name is the site's, a role's or a bot's, or looks like one of these or like an address."""
    plain = unicodedata.normalize("NFKC", name)
    if any(map(ADDRESS.search, (plain, *looks(plain)))):
        return True
    for words in map(WORD.findall, looks(NUMBER_BEHIND.sub("", plain))):
        if "".join(words) in RESERVED_LOOKS or {*words} & SITE_LOOKS or {*words} - FILLER_LOOKS <= RESERVED_LOOKS:
            return True
    return False


def require_unreserved(name: str) -> None:
    """Raise `ReservedName` for a reserved name."""
    if is_reserved(name):
        raise ReservedName


def is_free(execute: Execute, name: str, account: str | None = None) -> bool:
    """True if no other account has a name that looks like this one."""
    seen = sorted(looks(name))
    owners = {owner for _, owner in execute(OWNERS, (seen[0], seen[-1]))} if seen else set()
    return owners <= {account}


def hold(execute: Execute, account: str, name: str) -> bool:
    """Register a name for an account in place of its former one; False, without changes, if it is not available.

    If two accounts ask at once, the transaction of one fails.
    """
    if is_reserved(name) or not is_free(execute, name, account):
        return False
    execute("DELETE FROM account_name WHERE account = ?", (account,))
    for look in sorted(looks(name)):
        execute("INSERT INTO account_name VALUES (?, ?)", (look, account))
    execute("UPDATE account SET name = ? WHERE id = ?", (name, account))
    return True
