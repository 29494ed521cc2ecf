"""The counter of a passkey: a signal that is judged by the kind of passkey, and never locks it silently."""

import hashlib
import json
import logging
import secrets
from typing import Any

import cbor2
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from tests.helpers.push import base64, unbase64
from tests.helpers.site import site_at

USER_PRESENT, USER_VERIFIED, BACKUP_ELIGIBLE, BACKED_UP, ATTESTED = 0x01, 0x04, 0x08, 0x10, 0x40


class Device:
    """One passkey on a simulated device (WebAuthn level 3). `synced`: also on others; `count`: number of signatures."""

    def __init__(self, origin: str, *, synced: bool = False) -> None:
        self.origin, self.synced, self.count = origin, synced, 0
        self.id, self._key = secrets.token_bytes(16), ec.generate_private_key(ec.SECP256R1())

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return what `navigator.credentials.create` returns."""
        numbers = self._key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        made = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(key)
        data = self._data(options["rp"]["id"], ATTESTED) + made
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        told = self._told("webauthn.create", options["challenge"])
        return self._answer({"attestationObject": base64(attestation), "clientDataJSON": base64(told)})

    def show(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return what `navigator.credentials.get` returns."""
        self.count += 1
        data, told = self._data(options["rpId"]), self._told("webauthn.get", options["challenge"])
        signature = self._key.sign(data + hashlib.sha256(told).digest(), ec.ECDSA(hashes.SHA256()))
        parts = {"authenticatorData": data, "clientDataJSON": told, "signature": signature}
        return self._answer({name: base64(part) for name, part in parts.items()})

    def _data(self, host: str, more: int = 0) -> bytes:
        flags = USER_PRESENT | USER_VERIFIED | more | (BACKUP_ELIGIBLE | BACKED_UP if self.synced else 0)
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _told(self, kind: str, challenge: str) -> bytes:
        unbase64(challenge)
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _answer(self, response: dict[str, str]) -> dict[str, Any]:
        return {"id": base64(self.id), "rawId": base64(self.id), "type": "public-key", "response": response}


@pytest.fixture
def site(tmp_path):
    with site_at(tmp_path / "tavola.sqlite") as running:
        running.url = running.url.replace("127.0.0.1", "localhost")  # an address that may have passkeys
        yield running


def make(guest, device):
    guest.get("/account")
    options = guest.post("/account/passkey/make/options").json()
    assert guest.post("/account/passkey/make", json=device.make(options)).status_code == 200


def enter(guest, device):
    guest.get("/account")
    options = guest.post("/account/passkey/enter/options").json()
    return guest.post("/account/passkey/enter", json=device.show(options), headers={"Accept": "application/json"})


def stored(site):
    return site.hub.store.rows("SELECT sign_count FROM passkey")


@pytest.mark.parametrize("restored", [0, 2])
def test_a_synced_passkey_comes_in_with_a_counter_that_went_back_and_the_log_says_so(
    site, ada, phone, caplog, restored
):
    device = Device(site.url, synced=True)
    make(ada, device)
    device.count = 7
    assert enter(ada, device).status_code == 200
    assert stored(site) == [(8,)]
    device.count = restored  # restored from a copy of last week
    with caplog.at_level(logging.WARNING, "tavola.club.passkeys"):
        assert enter(phone, device).status_code == 200
    assert f"went back from 8 to {restored + 1}: accepted" in caplog.text
    assert stored(site) == [(restored + 1,)]
    assert enter(phone, device).status_code == 200


def test_the_refusal_of_a_copied_passkey_says_why(site, ada, thief, caplog):
    device = Device(site.url)
    make(ada, device)
    for _ in range(3):
        assert enter(ada, device).status_code == 200
    device.count = 1
    refused = enter(thief, device)
    assert (refused.status_code, refused.json()["refused"]) == (403, "CopiedPasskey")
    assert "create a new passkey" in refused.text
    assert "went back from 3 to 2: refused" in caplog.text
    device.count = 3
    assert enter(ada, device).status_code == 200, "the counter is what it was"


def test_a_passkey_that_never_counts_comes_in(site, ada):
    device = Device(site.url, synced=True)
    make(ada, device)
    for _ in range(2):
        device.count = -1
        assert enter(ada, device).status_code == 200
    assert stored(site) == [(0,)]
