"""Limits as settings: for more people at one address, and each by its name; the log says which one refused."""

import contextlib
import logging
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tavola.web.requests.guard import HostNames
from tavola.web.requests.limits import PEOPLE, UNHURRIED, Limits
from tavola.web.requests.request_refusals import OF_ADDRESS
from tests.helpers import PATIENCE
from tests.helpers.site import Site, site_at

HALL = 200
"""People who play at one address."""


def test_limits_of_an_address_grow_with_its_people_and_no_others():
    some, many = vars(Limits()), vars(Limits().for_people(2 * PEOPLE))
    for name, value in some.items():
        double = tuple(2 * part for part in value) if isinstance(value, tuple) else 2 * value
        assert many[name] == (double if name.endswith(OF_ADDRESS) else value), name


@given(st.integers(1, 100_000))
def test_no_limit_of_an_address_is_ever_zero(people):
    limits = Limits().for_people(people)
    for name, value in vars(limits).items():
        if name.endswith(OF_ADDRESS):
            assert min(value if isinstance(value, tuple) else [value]) > 0, name
    assert Limits().for_people(PEOPLE) == Limits()


@given(st.sampled_from(sorted(vars(Limits()))), st.floats(0, 1e6), st.integers(0, 10**6))
def test_every_limit_can_be_changed_alone(name, rate, number):
    known = vars(Limits())[name]
    text = f"{name}={rate},{number}" if isinstance(known, tuple) else f"{name}={number}"
    expected = vars(Limits()) | {name: (rate, number) if isinstance(known, tuple) else number}
    assert vars(Limits().with_changes([text])) == expected


@pytest.mark.parametrize("text", ["sockets", "sockets=", "sockets=-1", "sockets=1,2", "rooms=1", "rooms=inf,2", "x=1"])
def test_what_is_no_limit_is_refused(text):
    with pytest.raises(ValueError, match=r"expected"):
        Limits().with_changes([text])


def watching(site: Site, code: str, form: str) -> ClientConnection:
    address = f"{site.url.replace('http', 'ws')}/r/{code}/socket?{form}"
    return connect(address, compression=None, open_timeout=PATIENCE, origin=Origin(site.url))


@pytest.mark.process
def test_a_hall_of_people_watches_from_one_address(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    limits = Limits().for_people(HALL)
    with site_at(tmp_path / "t.sqlite", limits) as site, site.guest() as host, contextlib.ExitStack() as lines:
        code = host.create()
        for _ in range(HALL):
            assert lines.enter_context(watching(site, code, "form=json")).recv(PATIENCE)
        assert caplog.records == []
        beyond = lines.enter_context(watching(site, code, "patches=yes"))
        with pytest.raises(ConnectionClosed) as closed:
            beyond.recv(PATIENCE)
    assert closed.value.rcvd.code == 4029
    assert "the limit sockets_an_address refused a request from 127.0.0.0/24" in caplog.text


def test_the_log_names_a_limit_of_requests(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    with site_at(tmp_path / "t.sqlite", replace(UNHURRIED, posts_an_address=(0.0, 1))) as site, site.guest() as guest:
        guest.post("/settings", data={"theme": "dark"})
        refused = guest.post("/settings", data={"theme": "dark"})
    assert refused.status_code == 429
    assert "too much traffic from your network" in refused.text
    assert "the limit posts_an_address refused a request from 127.0.0.0/24; --limit changes it" in caplog.text


# Proxies


@pytest.mark.parametrize(
    ("origin", "host", "ours"),
    [
        ("https://play.example:8443", "play.example:8443", True),
        ("https://play.example:8443", "play.example", True),
        ("https://play.example", "play.example", True),
        ("https://play.example:9999", "play.example", False),
        ("https://evil.example", "play.example", False),
    ],
)
def test_a_proxy_may_pass_the_name_without_the_port(origin, host, ours):
    names = HostNames.parse(["https://play.example:8443"])
    assert names.is_same_origin(Headers({"origin": origin, "host": host})) is ours


def test_the_log_says_which_public_address_is_missing(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    names = HostNames.parse(["http://play.example"])
    with site_at(tmp_path / "t.sqlite", names=names) as site:
        headers = {"Host": "play.example", "Origin": "http://play.example:8080"}
        assert httpx.post(f"{site.url}/settings", headers=headers).status_code == 403
    assert "the proxy passes the name play.example: expected --public http://play.example:8080" in caplog.text


@pytest.mark.parametrize("proxies", [(), ("127.0.0.1",)])
def test_the_log_says_once_that_a_proxy_is_not_declared(tmp_path: Path, caplog: pytest.LogCaptureFixture, proxies):
    with caplog.at_level(logging.WARNING), site_at(tmp_path / "t.sqlite", proxies=proxies) as site:
        for _ in range(2):
            httpx.get(f"{site.url}/health", headers={"X-Forwarded-For": "203.0.113.7"})
    said = [record.getMessage() for record in caplog.records]
    assert [text.partition(":")[0] for text in said] == ([] if proxies else ["127.0.0.1 forwards requests"])
