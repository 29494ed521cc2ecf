"""A simulated device with a passkey, with any counter and flags (WebAuthn level 3)."""

import hashlib
import json
import secrets
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from tests.helpers.push import base64, unbase64

USER_PRESENT, USER_VERIFIED, BACKUP_ELIGIBLE, BACKED_UP, ATTESTED = 0x01, 0x04, 0x08, 0x10, 0x40


class Device:
    """One passkey on a device. `synced`: it is also on other devices; `count`: number of signatures."""

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
