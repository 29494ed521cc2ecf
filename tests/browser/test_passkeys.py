"""Accounts in Chromium: passkeys by its virtual authenticator, two browsers, every page at both sizes."""

import pytest
from playwright.sync_api import expect

from tests.helpers.browser import Visit, in_looks, open_stopped, play_unseen, serious_faults
from tests.helpers.site import site_at

ABILITIES = "hasResidentKey", "hasUserVerification", "isUserVerified", "automaticPresenceSimulation"
AUTHENTICATOR = {"protocol": "ctap2", "transport": "internal", **dict.fromkeys(ABILITIES, True)}


@pytest.fixture(scope="module")
def site(tmp_path_factory, shared_mail):
    with site_at(tmp_path_factory.mktemp("site") / "tavola.sqlite", mail=shared_mail[1]) as running:
        running.url = running.url.replace("127.0.0.1", "localhost")  # a host that may have passkeys
        yield running


class Authenticator:
    """The virtual authenticator of one browser, which a finger, a face or a PIN would unlock."""

    def __init__(self, guest):
        self.session = guest.page.context.new_cdp_session(guest.page)
        self.session.send("WebAuthn.enable")
        self.own = self.session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})

    def send(self, command, **parameters):
        return self.session.send(f"WebAuthn.{command}", {**self.own, **parameters})


def keep_by_passkey(guest):
    guest.page.goto("/account")
    guest.page.click(".ways [data-passkey=make]")
    guest.page.wait_for_selector(".account")


def add_passkey(guest):
    guest.page.wait_for_selector(".account .set [data-passkey=make]")
    guest.page.wait_for_load_state()  # the handler is in a module, which loads after the page
    guest.page.click(".set [data-passkey=make]")


def sign_in(guest):
    guest.page.goto("/account")
    guest.page.click(".keep-more [data-passkey=enter]")


def test_a_passkey_keeps_a_seat_and_opens_it_in_another_browser(site, visit: Visit):
    ada, phone = visit(), visit(width=360, height=740, color_scheme="dark")
    keys, phone_keys = Authenticator(ada), Authenticator(phone)
    code = ada.start("lifeboats")
    keep_by_passkey(ada)
    expect(ada.page.locator("#keys-title")).to_be_visible()
    (passkey,) = keys.send("getCredentials")["credentials"]
    assert (passkey["isResidentCredential"], passkey["rpId"]) == (True, "localhost")
    sign_in(phone)  # without a passkey of this site
    phone.page.wait_for_selector(".keep-trouble:not([hidden])")
    phone_keys.send("addCredential", credential=passkey)  # as synchronised passkeys are
    own = phone.start("lifeboats")
    sign_in(phone)
    expect(phone.page.locator(".keep-words")).to_contain_text("an account without an e-mail address")
    phone.page.click("button[value=bring]")
    phone.page.wait_for_selector(".account")
    assert len({site.room(each).state.occupants[0].person.id for each in (code, own)}) == 1
    phone.page.goto(f"/r/{code}")
    expect(phone.page.locator("#room.playing")).to_be_visible()
    assert phone.page.locator('[data-place="actions"] form').count() > 0

    # In a browser whose session was ended, an open room no longer shows the seat.
    phone.page.goto(f"/r/{code}")
    phone.wait(lambda: site.room(code).watched)
    ada.page.goto("/account")
    ada.page.click('button[value="others"]')
    expect(ada.page.locator(".things button[name=session]")).to_have_count(1)
    expect(phone.page.locator('[data-place="actions"] form')).to_have_count(0)
    phone.console_errors.clear()  # about the closed WebSocket
    ada.console_errors.clear()
    phone.page.goto("/account")
    expect(phone.page.locator(".keep")).to_be_visible()


def test_a_passkey_that_is_not_verified_or_repeated_is_refused(site, visit: Visit):
    ada = visit()
    keys = Authenticator(ada)
    with ada.page.expect_request(lambda asked: asked.url.endswith("/passkey/make") and bool(asked.post_data)) as made:
        keep_by_passkey(ada)
    with site.guest() as eve:
        eve.headers["Origin"] = site.url
        for answer in (made.value.post_data, "{}", "[]", "nonsense", '{"response": {"clientDataJSON": "e30"}}'):
            refused = eve.post("/account/passkey/make", content=answer, headers={"Accept": "application/json"})
            assert refused.status_code == 400, answer
    ada.page.click('button[value="this"]')
    for verified, shown in ((False, ".keep-trouble:not([hidden])"), (True, ".account")):
        keys.send("setUserVerified", isUserVerified=verified)
        sign_in(ada)
        ada.page.wait_for_selector(shown)
    ada.console_errors.clear()


def test_a_lost_passkey_is_replaced_by_mail_and_the_other_way_round(site, visit: Visit, shared_mail):
    box, _ = shared_mail
    ada = visit()
    keys = Authenticator(ada)
    keep_by_passkey(ada)
    count = len(box.emails)
    ada.page.fill(".set [name=address]", "ada@example.org")
    ada.page.click(".set form:has([name=address][type=email]) button")
    ada.page.goto(box.link(count + 1))
    ada.page.click(".keep form button")
    expect(ada.page.locator("#mail-title small")).to_have_text("ada@example.org")
    ada.page.click(".things button[name=passkey]")  # the passkey is lost
    expect(ada.page.locator(".things button[name=passkey]")).to_have_count(0)
    keys.send("clearCredentials")
    add_passkey(ada)
    expect(ada.page.locator(".things button[name=passkey]")).to_have_count(1)
    ada.page.click("button[name=address][value=remove]")
    expect(ada.page.locator("#mail-title small")).to_have_count(0)
    ada.page.click('button[value="this"]')
    sign_in(ada)
    ada.page.wait_for_selector(".account")


SMALL = """() => [...document.querySelectorAll("main button, main a, main input")]
  .map((node) => [node.getBoundingClientRect(), node]).filter(([box]) => box.width && box.height < 39.5)
  .map(([box, node]) => node.outerHTML.slice(0, 80))"""


@in_looks
def test_every_account_page_fits_and_axe_finds_nothing_serious(visit: Visit, shared_mail, looks):
    box, _ = shared_mail
    ada, found = visit(drawn=True), dict[str, list[str]]()
    Authenticator(ada)

    def look(name, shown):
        ada.page.wait_for_selector(shown)
        ada.page.wait_for_load_state()
        for way in ada.looks(looks):
            assert ada.overflow() <= 0, (name, way)
            assert ada.page.evaluate(SMALL) == [], (name, way)
            found[f"{name} {way}"] = serious_faults(ada.page)
            ada.screenshot(f"account-{name}-{way}")

    ada.page.goto("/account")
    look("keep", "#keep-title")
    ada.page.click(".keep-more form button")
    look("device", "#seat-link")
    ada.page.goto("/account")
    count = len(box.emails)
    ada.page.fill("#address", f"{looks[0][2]}@example.org")
    ada.page.click(".bymail button")
    look("sent", ".letter .lead")
    ada.page.goto(box.link(count + 1))
    look("link", "#link-title")
    ada.page.click(".keep form button")
    add_passkey(ada)
    ada.page.wait_for_selector(".things button[name=passkey]")
    look("account", ".things button[name=passkey]")
    ada.page.goto("/account/again")
    look("again", "#keep-title")
    ada.page.goto("/account/delete")
    look("delete", ".danger")
    ada.page.goto("/")
    ada.screenshot("account-home")
    assert not any(found.values()), found


def test_the_first_match_that_ends_offers_to_keep_the_seat_once_and_over_the_table(site, visit: Visit):
    ada = visit(width=360, height=740, hurried=True)
    ada.context.add_init_script("localStorage.removeItem('tavola.seat')")
    room, over = site.room(ada.start("voyage")), ada.page.url
    open_stopped(ada.page, over, ".room.playing")
    play_unseen(site, room, [ada])
    ada.page.wait_for_selector(".room.over .keep-offer")
    sheet = ada.page.locator("dialog .keep")
    ada.page.clock.run_for(2000)
    ada.page.keyboard.press("Shift")  # an active player is not interrupted
    ada.page.clock.run_for(2000)
    expect(sheet).to_have_count(0)
    ada.page.clock.run_for(3000)
    expect(sheet).to_contain_text("You’ve finished your first match")
    box = ada.page.locator("#sheet").bounding_box()
    assert (box["x"], box["width"], round(box["y"] + box["height"])) == (0, 360, 740)
    assert box["y"] > 60, "the board is still seen"
    ada.screenshot("keep-sheet-360", full_page=False)
    ada.page.click("dialog .later")
    expect(sheet).to_be_hidden()
    assert ada.page.url == over
    ada.page.click(".keep-offer a")
    expect(sheet).to_be_visible()
