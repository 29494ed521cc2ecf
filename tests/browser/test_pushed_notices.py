"""Push notifications in Chromium: enabled by a touch, shown by the worker, opened by a touch.

A browser without a screen can neither subscribe to a real push service nor show a notification, so the tests replace
`PushManager` and the list of notifications. The page, the worker, the site, and the way of messages are real.
"""

import json
from functools import partial

import pytest
from playwright.sync_api import expect

from tavola.show.speech import LANGUAGES
from tests.club.test_accounts import keep
from tests.helpers import wait_for
from tests.helpers.browser import violations
from tests.helpers.push import base64
from tests.helpers.site import begin_correspondence, site_at

SUBSCRIBING = """(() => {
  const document = DOCUMENT, kept = () => sessionStorage.getItem("subscribed");
  window.asked = { permission: 0, keys: [] };
  const given = () => ({ endpoint: document.endpoint, toJSON: () => document,
    options: { applicationServerKey: Uint8Array.from(JSON.parse(kept())).buffer },
    unsubscribe: async () => { sessionStorage.removeItem("subscribed"); return true; } });
  PushManager.prototype.getSubscription = async () => kept() ? given() : null;
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    asked.keys.push([userVisibleOnly, [...applicationServerKey]]);
    sessionStorage.setItem("subscribed", JSON.stringify([...applicationServerKey]));
    return given();
  };
  const ask = Notification.requestPermission.bind(Notification);
  Notification.requestPermission = () => { asked.permission++; return ask(); };
})()"""
SCREEN = """() => {
  self.screen = [];
  const gone = (notice) => { self.screen = self.screen.filter((other) => other !== notice); };
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
    const notice = { title, ...options, close: () => gone(notice) };
    self.screen = [...self.screen.filter((other) => other.tag !== options.tag), notice];
  };
  ServiceWorkerRegistration.prototype.getNotifications = async () => self.screen;
  WorkerNavigator.prototype.setAppBadge = async (count) => { self.badged = count; };  // without a screen it crashes
}"""
"""The notifications on a device: a later one with the same tag replaces an earlier one. And the badge of the icon."""
SHOWN = """self.screen.map(
  ({ title, body, tag, lang, data }) => ({ title, body, tag, language: lang, path: data.path }))"""
TOUCH = """async () => {
  const waited = [], opened = [];
  WindowClient.prototype.focus = async function () { opened.push(["focus", new URL(this.url).pathname]); };
  clients.openWindow = async (path) => { opened.push(["open", path]); };
  const touched = Object.assign(new Event("notificationclick"), {
    notification: self.screen[0], waitUntil: (work) => waited.push(work) });
  dispatchEvent(touched);
  await Promise.all(waited);
  return opened;
}"""
"""Touches the shown notification; returns what is opened. Only a real finger may open a window."""


@pytest.fixture
def site(tmp_path, mail, service):
    with site_at(tmp_path / "tavola.sqlite", mail=mail[1], reach=service.reach) as running:
        running.app.state.site.club.notices.pause = 0.0
        yield running


@pytest.fixture
def kept(site, mail, visit):
    with site.guest() as program:
        keep(program, mail[0])
        guest = visit(width=360, height=740, drawn=True)
        guest.become(program)
        yield program, guest


def deliver(guest, told):
    """Push a message to the worker of a page, as the browser does when its push service sends one."""
    session, found = guest.context.new_cdp_session(guest.page), []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    wait_for(lambda: guest.page.evaluate("1") and [each for each in found if not each["isDeleted"]])
    (registration,) = {each["registrationId"] for each in found if not each["isDeleted"]}
    where = {"origin": guest.page.evaluate("location.origin"), "registrationId": registration}
    session.send("ServiceWorker.deliverPushMessage", {**where, "data": told})
    session.detach()


def is_shown(worker, told):
    return worker.evaluate(SHOWN) == [told]


def endpoints(site):
    return [endpoint for (endpoint,) in site.hub.store.rows("SELECT endpoint FROM subscription")]


def test_a_touch_turns_notices_on_they_are_shown_opened_replaced_and_turned_off(kept, site, service):
    program, ada = kept
    key = site.app.state.site.club.pusher.key.public
    browser = service.browser(key)
    ada.context.grant_permissions(["notifications"])
    ada.context.add_init_script(SUBSCRIBING.replace("DOCUMENT", json.dumps(browser.document)))
    code, page = begin_correspondence(site, program), ada.page
    page.goto(f"/r/{code}")
    page.goto("/mine")
    turn_on, turn_off = (page.locator(f'[data-push-turn="{way}"]') for way in ("on", "off"))
    expect(turn_on).to_be_visible()
    expect(turn_off).to_be_hidden()
    assert page.evaluate("asked") == {"permission": 0, "keys": []}, "nobody is asked before he asks"
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    assert turn_on.bounding_box()["height"] >= 40
    ada.screenshot("push-mine")
    turn_on.click()
    expect(page.locator(".push [role=status]")).to_have_text("You’ll be notified here when it’s your turn.")
    expect(turn_off).to_be_focused()
    asked = page.evaluate("asked")
    assert (asked["permission"], endpoints(site)) == (1, [browser.endpoint])
    assert [(visible, base64(bytes(given))) for visible, given in asked["keys"]] == [(True, key)]
    page.goto("/account")
    expect(turn_off).to_be_visible()
    assert (page.evaluate("asked.permission"), violations(page, runOnly=["wcag2a", "wcag2aa"])) == (0, [])
    ada.screenshot("push-account")

    # The device shows what the site sends about a turn, and a later notification replaces it.
    begin_correspondence(site, program)
    first, worker = service.wait(1).content, ada.context.service_workers[0]
    worker.evaluate(SCREEN)
    for told in (first, {**first, "body": "It’s your turn: 1 hour left."}):
        deliver(ada, json.dumps(told))
        wait_for(partial(is_shown, worker, told))
    wait_for(lambda: worker.evaluate("self.badged") == 2)  # two matches wait
    assert worker.evaluate(TOUCH) == [["open", told["path"]]]
    wait_for(lambda: worker.evaluate(SHOWN) == [])
    page.goto(told["path"])
    deliver(ada, json.dumps(told))
    wait_for(partial(is_shown, worker, told))
    assert worker.evaluate(TOUCH) == [["focus", told["path"]]]
    deliver(ada, json.dumps(told))
    wait_for(partial(is_shown, worker, told))
    page.reload()  # a player who looks at the match needs no notification
    wait_for(lambda: worker.evaluate(SHOWN) == [])
    for nonsense in ("{", json.dumps({**told, "path": "https://elsewhere.example/"})):
        deliver(ada, nonsense)
        wait_for(lambda: [each["path"] for each in worker.evaluate(SHOWN)] == ["/mine"])

    page.goto("/mine")
    turn_off.click()
    expect(page.locator(".push [role=status]")).to_have_text("Notifications are off on this device.")
    assert endpoints(site) == []
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0


def test_a_missing_notification_channel_is_explained_and_every_language_fits(kept, site, service):
    program, ada = kept
    begin_correspondence(site, program)
    page, said = ada.page, ada.page.locator(".push [role=status]")
    for language in LANGUAGES:
        ada.context.add_cookies([{"name": "language", "value": language, "url": site.url}])
        for path in ("/mine", "/account"):
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (language, path)
            expect(page.locator("[data-push-turn=on]")).to_be_visible()
    assert violations(page, runOnly=["wcag2a", "wcag2aa"]) == []
    ada.context.add_cookies([{"name": "language", "value": "en", "url": site.url}])
    page.goto("/account")
    page.click("[data-push-turn=on]")  # no permission is granted here
    expect(said).to_contain_text("You can change that in its settings.")
    assert endpoints(site) == []
    ada.context.add_init_script("delete window.PushManager")
    page.goto("/mine")
    expect(said).to_contain_text("This browser doesn’t support notifications.")
    expect(page.locator("[data-push-turn]:visible")).to_have_count(0)
    assert violations(page, runOnly=["wcag2a", "wcag2aa"]) == []
    # Players of correspondence matches find them from every page; guests read what an account is good for.
    with site.guest() as bea:
        assert 'class="my-games"' not in bea.get("/shelf").text
        code = begin_correspondence(site, bea, name="Bea")
        bea.get(f"/r/{code}")
        for path in ("/shelf", "/account", "/games/lifeboats/rules", "/mine/away"):
            assert bea.get(path).text.count('class="my-games" href="/mine"') == 1, path
        assert "Sign up to be notified of your turns" in bea.get("/mine").text
