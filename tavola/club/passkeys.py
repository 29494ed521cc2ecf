"""Create and verify passkeys with py_webauthn: the server side of WebAuthn."""

import ipaddress
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import webauthn
from webauthn.authentication.verify_authentication_response import VerifiedAuthentication
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, structs
from webauthn.helpers.exceptions import WebAuthnException

from tavola.club.account_refusals import BadPasskey, CopiedPasskey

TIMEOUT = 300
"""Seconds in which a person must confirm on their device."""
logger = logging.getLogger(__name__)
UNREADABLE = (WebAuthnException, ValueError, TypeError, KeyError, AttributeError)
"""Errors that reading a browser's answer can raise."""


@dataclass(frozen=True)
class Origin:
    """The site as browsers know it: `https://play.example`, and the host that passkeys are bound to."""

    url: str
    host: str

    @property
    def has_passkeys(self) -> bool:
        """True if browsers support passkeys here: an HTTPS host with a name, or localhost."""
        try:
            ipaddress.ip_address(self.host.strip("[]"))
        except ValueError:
            return self.url.startswith("https://") or self.host == "localhost"
        return False


@dataclass(frozen=True)
class Passkey:
    """A verified passkey: its id, its public key, and how often it has signed, if it counts."""

    id: str
    public_key: str
    sign_count: int


def creation_options(origin: Origin, user: str, name: str, challenge: str, known: Sequence[str]) -> dict[str, Any]:
    """Return what a browser needs to create a passkey for `user`, unless it has one of `known`."""
    made = webauthn.generate_registration_options(
        rp_id=origin.host,
        rp_name="Tavola",
        user_id=user.encode(),
        user_name=name,
        user_display_name=name,
        challenge=base64url_to_bytes(challenge),
        timeout=TIMEOUT * 1000,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=base64url_to_bytes(key)) for key in known],
    )
    return dict(json.loads(webauthn.options_to_json(made)))


def request_options(origin: Origin, challenge: str) -> dict[str, Any]:
    """Return what a browser needs to offer any of its passkeys for this site."""
    made = webauthn.generate_authentication_options(
        rp_id=origin.host,
        challenge=base64url_to_bytes(challenge),
        timeout=TIMEOUT * 1000,
        user_verification=structs.UserVerificationRequirement.REQUIRED,
    )
    return dict(json.loads(webauthn.options_to_json(made)))


def challenge_of(answer: dict[str, Any]) -> str:
    """Return the challenge that an answer names; raise `BadPasskey` if there is none."""
    try:
        told = json.loads(base64url_to_bytes(answer["response"]["clientDataJSON"]))
        return bytes_to_base64url(base64url_to_bytes(told["challenge"]))
    except UNREADABLE as error:
        raise BadPasskey from error


def verify_creation(origin: Origin, answer: dict[str, Any], challenge: str) -> Passkey:
    """Return the passkey that a browser has created; raise `BadPasskey` if the answer does not verify."""
    try:
        made = webauthn.verify_registration_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=origin.host,
            expected_origin=origin.url,
            require_user_verification=True,
        )
    except UNREADABLE as error:
        raise BadPasskey from error
    key = bytes_to_base64url(made.credential_public_key)
    return Passkey(bytes_to_base64url(made.credential_id), key, made.sign_count)


def verify_request(origin: Origin, answer: dict[str, Any], challenge: str, known: Passkey) -> Passkey:
    """Return a passkey that has signed, with its new count.

    Raise `BadPasskey` if the answer does not verify, `CopiedPasskey` if the counter of a device-bound passkey went
    back.
    """
    try:
        shown = webauthn.verify_authentication_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=origin.host,
            expected_origin=origin.url,
            credential_public_key=base64url_to_bytes(known.public_key),
            credential_current_sign_count=0,
            require_user_verification=True,
        )
    except UNREADABLE as error:
        raise BadPasskey from error
    if known.sign_count and shown.new_sign_count <= known.sign_count:
        _judge_counter(known.sign_count, shown)
    return Passkey(known.id, known.public_key, shown.new_sign_count)


def _judge_counter(before: int, shown: VerifiedAuthentication) -> None:
    """Refuse only device-bound passkeys: the counter of a synced one goes back when it is restored.

    The signature is valid, so the refusal is shown only to someone who has the passkey or a copy of it.
    """
    synced = shown.credential_device_type == structs.CredentialDeviceType.MULTI_DEVICE
    done = "accepted, because it is synced between devices" if synced else "refused, because it is bound to one device"
    logger.warning("a passkey's counter went back from %d to %d: %s", before, shown.new_sign_count, done)
    if not synced:
        raise CopiedPasskey
