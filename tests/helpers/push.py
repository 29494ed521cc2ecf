"""A real push service for tests: it accepts notifications for browsers, and decrypts them as these would.

It implements RFC 8291 and RFC 8292 with other code than the site's. A notification is refused if it is not encrypted
for its browser, or not signed with the key of that browser's subscription.
"""

import contextlib
import json
import secrets
import ssl
import struct
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tavola.club.sending.reach import IPAddress, Reach
from tests.helpers import serving, wait_for
from tests.helpers.mail import tls_contexts

HERE = "127.0.0.1"


class Pushed(NamedTuple):
    """A notification received: its browser, headers and content."""

    browser: str
    headers: dict[str, str]
    content: dict[str, Any]


def unbase64(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def base64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt=salt, info=info).derive(secret)


class SubscribedBrowser:
    """A browser subscribed with the key of a site: its keys, and its address at a push service."""

    def __init__(self, service: "PushService", site_key: str) -> None:
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), secrets.token_bytes(16)
        self.site_key, self.name = site_key, secrets.token_hex(8)
        self.endpoint = f"{service.url}/push/{self.name}"
        service.browsers[self.name] = self

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def document(self) -> dict[str, Any]:
        """The result of `PushSubscription.toJSON()` in this browser."""
        keys = {"p256dh": base64(self.point), "auth": base64(self.auth)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def decrypt(self, body: bytes) -> bytes:
        """Decrypt by RFC 8291: a header and one record; the key comes from both points and the shared secret."""
        salt, size, length = body[:16], *struct.unpack("!LB", body[16:21])
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size, "expected a single record"
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        material = derive(shared, self.auth, b"WebPush: info\0" + self.point + sender, 32)
        key = derive(material, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derive(material, salt, b"Content-Encoding: nonce\0", 12)
        text = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert text[-1:] == b"\2", "expected the delimiter of a last record"
        return text[:-1]

    def check_signature(self, authorization: str, origin: str) -> None:
        """Check by RFC 8292 that a token is for this service, valid for at most a day, and signed with the key."""
        scheme, _, fields = authorization.partition(" ")
        given = dict(field.strip().split("=", 1) for field in fields.split(","))
        assert (scheme, given["k"]) == ("vapid", self.site_key)
        head, claims, signature = given["t"].split(".")
        signed = unbase64(signature)
        numbers = (int.from_bytes(signed[:32], "big"), int.from_bytes(signed[32:], "big"))
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unbase64(given["k"]))
        public.verify(encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        assert json.loads(unbase64(head)) == {"typ": "JWT", "alg": "ES256"}
        told = json.loads(unbase64(claims))
        assert told["aud"] == origin
        assert time.time() < told["exp"] <= time.time() + 24 * 3600
        assert told["sub"].startswith(("https://", "mailto:"))


class PushService:
    """The notifications received, and in `answers` a status and headers for each of the next ones; otherwise 201.

    `taken` is called when a notification has arrived, before its sender gets the answer. `refusals`: the reasons.
    """

    def __init__(self, url: str, tls: ssl.SSLContext) -> None:
        self.url, self.tls = url, tls
        self.browsers: dict[str, SubscribedBrowser] = {}
        self.notifications: list[Pushed] = []
        self.answers: list[tuple[int, dict[str, str]]] = []
        self.asked = 0
        self.refusals: list[str] = []
        self.taken: Callable[[], None] = lambda: None

    @property
    def reach(self) -> Reach:
        """How a site reaches it: on any port of this machine, trusting its certificate."""
        return Reach(is_loopback, None, self.tls)

    def browser(self, site_key: str) -> SubscribedBrowser:
        return SubscribedBrowser(self, site_key)

    def take(self, name: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str]]:
        self.asked += 1
        if self.answers:
            return self.answers.pop(0)
        try:
            browser = self.browsers[name]
            browser.check_signature(headers["authorization"], self.url)
            assert headers["content-encoding"] == "aes128gcm"
            assert len(body) <= 4096, "push services may refuse more than 4096 bytes"
            self.notifications.append(Pushed(name, headers, json.loads(browser.decrypt(body))))
        except Exception as wrong:
            self.refusals.append(repr(wrong))
            return 403, {}
        self.taken()
        return 201, {}

    def wait(self, count: int = 1) -> Pushed:
        received = self.notifications
        wait_for(lambda: len(received) >= count, lambda: f"{len(received)} received, refused: {self.refusals}")
        return received[-1]


def is_loopback(address: IPAddress) -> bool:
    return address.is_loopback


class PushServer(ThreadingHTTPServer):
    """HTTP over TLS; the handshake runs in the thread of its connection."""

    daemon_threads = True

    def __init__(self, context: ssl.SSLContext) -> None:
        super().__init__((HERE, 0), PushHandler)
        self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.service: PushService

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect early."""


class PushHandler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        if len(body) < length:  # the sender was killed meanwhile
            self.close_connection = True
            return
        assert isinstance(self.server, PushServer)
        headers = {name.lower(): value for name, value in self.headers.items()}
        status, more = self.server.service.take(self.path.rpartition("/")[2], headers, body)
        self.send_response(status)
        for name, value in {"Content-Length": "0", **more}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        """Log nothing."""


@contextlib.contextmanager
def push_service(folder: Path) -> Iterator[PushService]:
    """Yield a push service on a port of this machine, with a certificate made in `folder`."""
    own, trusted = tls_contexts(HERE, folder)
    server = PushServer(own)
    server.service = PushService(f"https://{HERE}:{server.server_port}", trusted)
    with serving(server):
        yield server.service
