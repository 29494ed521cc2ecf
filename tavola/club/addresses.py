"""E-mail addresses: one form for each, and nothing that could be more than one address or a header of its own."""

import re

from tavola.club.account_refusals import BadAddress
from tavola.core.text import composed

LONGEST = 254
LOCAL_PART = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}"
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
ADDRESS = re.compile(rf"{LOCAL_PART}@(?:{LABEL}\.)+{LABEL}")


def clean_address(text: str) -> str:
    """Return an address in small letters; `BadAddress` for what is none. Hosts beyond ASCII in their ASCII form."""
    text = composed(text).strip()
    local, at, host = text.rpartition("@")
    try:
        host = host.encode("idna").decode().lower() if not host.isascii() else host.lower()
    except UnicodeError as error:
        raise BadAddress from error
    address = f"{local}{at}{host}"
    if len(address) > LONGEST or not ADDRESS.fullmatch(address):
        raise BadAddress
    return address.lower()


def mask_address(address: str) -> str:
    """Return an address so that its owner knows it and others cannot write to it: `a…@example.org`."""
    local, _, host = address.rpartition("@")
    return f"{local[:1]}…@{host}"
