"""The counter of a passkey: a signal that is judged by the kind of passkey, and never locks it silently."""

import logging

import pytest

from tests.helpers.passkeys import Device
from tests.helpers.site import site_at


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
