"""Limits by cost: heavy pages are made outside the loop, once for all viewers, and milliseconds of work are counted."""

import asyncio
import contextlib
import json
import os
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from http.cookies import SimpleCookie
from types import SimpleNamespace

import httpx
import pytest
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.routing import Route

from tavola.bots import LEVELS
from tavola.core import kernels, read_record
from tavola.show.cards import words_of
from tavola.show.speech import Say
from tavola.web.app import ROUTES, busy_answer, missing_page
from tavola.web.pages import chronicle, home, retold
from tavola.web.requests import cost as costs
from tavola.web.requests import guard
from tavola.web.requests import limits as door_limits
from tavola.web.requests.counters import Counters
from tavola.web.requests.guard import Guard, HostNames
from tavola.web.requests.limits import UNHURRIED, Limits, RateLimiter
from tavola.web.requests.request_refusals import TooFast
from tavola.web.requests.visitor import Visitors
from tavola.web.serve import offload as beside
from tavola.web.serve.offload import MOST_WAITING, Lane, Offload, start_process
from tavola.web.site import Shared
from tavola.web.site import Site as WebSite
from tavola.web.table import screen, story
from tests.helpers import PATIENCE
from tests.helpers.site import check_answer, check_text, code_of, site_at
from tests.helpers.staged import Staged, random_match
from tests.web.test_security import answer_to, socket

pytestmark = pytest.mark.process
BOUNDLESS = replace(UNHURRIED, work_an_address=(0.0, 10**9))
"""Limits of a site where work is counted and nothing comes back."""


def packed_match():
    match = random_match("lifeboats", 4, 1)
    return chronicle.pack(chronicle.MatchSource.of_match(match, ("P0", "P1", "P2", "P3"), "talvin")), match


def rest():
    return b"rested"


def one_lane():
    return contextlib.closing(Offload(1, niceness=7))


@pytest.fixture
def now(monkeypatch):
    """The time of limits and costs, a list with the seconds: it passes only where a test adds to it."""
    now = [1000.0]
    clock = SimpleNamespace(**dict.fromkeys(("monotonic", "thread_time", "process_time"), lambda: now[0]))
    for module in (beside, costs, door_limits):
        monkeypatch.setattr(module, "time", clock)
    return now


def boundless(network):
    return costs.Meter(network, RateLimiter((0, 10**9)))


async def test_heavy_work_is_done_in_another_process_that_gives_way():
    with one_lane() as offload:
        number = await offload.run("x", os.getpid)
        niceness = await offload.run("x", os.getpriority, os.PRIO_PROCESS, 0)
    assert number != os.getpid()
    assert niceness == max(7, os.getpriority(os.PRIO_PROCESS, 0))


async def test_equal_requests_share_one_computation_and_its_page_is_cached(now, monkeypatch):
    async def here(self, priority, work, arguments):
        await asyncio.sleep(0)
        return beside._timed(work, arguments)

    def spin():
        now[0] += 0.1
        return b"spun"

    monkeypatch.setattr(Lane, "run", here)
    meter = boundless("one")
    costs.current_meter.set(meter)
    with one_lane() as offload:
        assert await asyncio.gather(*(offload.page("key", "x", spin) for _ in range(5))) == [b"spun"] * 5
        assert await offload.page("key", "x", os._exit, 1) == b"spun"
    assert meter.milliseconds == pytest.approx(100), "once, and charged by the processor's time"


def test_pages_are_kept_by_their_bytes():
    offload = Offload(1, kept_bytes=100)
    offload.made("a", lambda: b"x" * 60)
    offload.made("b", lambda: b"y" * 60)
    assert offload.made("b", lambda: b"") == b"y" * 60
    assert offload.made("a", lambda: b"gone") == b"gone"
    assert offload.made("large", lambda: b"z" * 101) == b"z" * 101


async def test_the_heaviest_user_waits_longest():
    lane, order = Lane(), []

    async def ask(name, priority):
        await lane.run(priority, rest, ())
        order.append(name)

    first = asyncio.create_task(ask("first", 0.0))
    await asyncio.sleep(0)
    await asyncio.gather(first, ask("greedy", 900.0), ask("modest", 3.0))
    lane.close()
    assert order == ["first", "modest", "greedy"]


async def test_too_much_that_waits_for_one_address_is_refused():
    with one_lane() as offload:
        costs.current_meter.set(boundless("one"))
        tasks = [asyncio.create_task(offload.run("x", rest)) for _ in range(MOST_WAITING + 1)]
        found = await asyncio.gather(*tasks, return_exceptions=True)
        costs.current_meter.set(boundless("other"))
        assert await offload.run("x", rest) == b"rested"
    assert [type(each) for each in found].count(TooFast) == 1


async def test_a_process_that_dies_is_followed_by_another():
    with one_lane() as offload:
        with pytest.raises(Exception, match="terminated abruptly"):
            await offload.run("x", os._exit, 1)
        assert await offload.run("x", rest) == b"rested"


@pytest.mark.parametrize("closes", [False, True])
async def test_the_loop_goes_on_while_a_process_starts_and_it_ends_even_then(monkeypatch, closes):
    asked, opened, started = threading.Event(), threading.Event(), []

    def held_up(niceness):
        asked.set()
        assert opened.wait(PATIENCE), "the loop goes on meanwhile"
        started.append(start_process(niceness))
        return started[0]

    monkeypatch.setattr(beside, "start_process", held_up)
    with one_lane() as offload:
        running = asyncio.create_task(offload.run("x", rest))
        await asyncio.to_thread(asked.wait, PATIENCE)
        if closes:
            offload.close()
        opened.set()
        with pytest.raises((RuntimeError, BrokenProcessPool)) if closes else contextlib.nullcontext():
            assert await running == b"rested"
    with pytest.raises(RuntimeError, match=r"after shutdown|terminated abruptly"):
        started[0].submit(os.getpid)


def test_a_chronicle_plays_no_moment_twice(monkeypatch):
    source, match = packed_match()
    played, whole = [], kernels.apply_at
    monkeypatch.setattr(kernels, "apply_at", lambda *given: played.append(1) or whole(*given))
    for at in (3, 10, 7, len(match.history)):
        chronicle.replay_page(source, "en", at, None, ())
    chronicle.replay_page(source, "it", 5, 0, ())
    assert len(played) == len(match.history)


def test_what_a_chronicle_shows_is_what_was():
    source, match = packed_match()
    known = chronicle.Chronicle(chronicle.unpack(source))
    for at in (0, 5, len(match.history)):
        assert known.state(at).tobytes() == match.states_at(at).tobytes()
    assert chronicle.story_of_chronicle(source) == story.story_of_match(match)
    assert read_record(chronicle.record_text(source).decode()).match().history == match.history


def heavy(*given):
    raise AssertionError("worked out in the event loop")


def test_nothing_heavy_is_made_in_the_process_that_serves(site, ada, monkeypatch):
    heavy_work = ("replay_page", "record_text", "story_of_chronicle", "picture_of_match", "rules_page", "read_import")
    for work in (retold.scene_again, *(getattr(chronicle, name) for name in heavy_work)):
        monkeypatch.setattr(work, "__code__", heavy.__code__, raising=True)
    text = str(random_match("lifeboats", 4, 5).record())
    page = ada.post("/import", data={"text": text})
    assert page.url.path.endswith("/replay")
    code = code_of(page)
    told = (f"/r/{code}/again?at=4", f"/r/{code}/picture.svg", f"/r/{code}/replay?at=4&as=0", f"/r/{code}/record")
    for path in (*told, f"/r/{code}", "/games/voyage/rules"):
        assert ada.get(path).status_code == 200, path
    assert ada.get(f"/r/{code}/record").text.splitlines()[-3:] == text.splitlines()[-3:]


@pytest.mark.parametrize("mutes", [False, True])
def test_what_led_to_the_end_of_a_match_is_shown_while_its_story_is_worked_out(site, ada, monkeypatch, mutes):
    """Once, even for a viewer whose page differs from all others; and the story is not made in the event loop."""
    monkeypatch.setattr(screen, "story_of_match", heavy)
    told, once = threading.Event(), Offload.once

    async def held_up(self, *asked):
        await asyncio.to_thread(told.wait, PATIENCE)
        return await once(self, *asked)

    monkeypatch.setattr(Offload, "once", held_up)
    staged = Staged(site, random_match("lifeboats", 4, 8), ada)
    staged.advance_to(len(staged.match.history) - 1)
    with socket(site, ada, staged.code) as line:
        line.recv(PATIENCE)
        if mutes:
            staged.say("buy")
            line.recv(PATIENCE)
            ada.post(f"/r/{staged.code}/mute", data={"speaker": "1", "muted": "true"})
            line.recv(PATIENCE)
        staged.advance_to(len(staged.match.history))
        assert json.loads(line.recv(PATIENCE))["type"] == "scene"
        told.set()
        while (message := json.loads(line.recv(PATIENCE)))["type"] != "page":
            assert message["type"] != "scene"
    assert "The turning point" in ada.get(f"/r/{staged.code}").text, "which the page fetches anew"


# Limits are milliseconds


async def test_every_step_of_a_request_is_charged(now):
    def work(seconds):
        now[0] += seconds

    async def request():
        work(0.02)
        asyncio.get_running_loop().call_soon(work, 0.5)
        await asyncio.sleep(0)
        work(0.02)
        return "done"

    meter = boundless("one")
    assert await costs.metered(request(), meter) == "done"
    assert meter.milliseconds == pytest.approx(40), "what others do in the pause costs nothing"


async def test_dear_work_waits_where_nothing_is_left_and_goes_on_when_something_is(now, monkeypatch):
    monkeypatch.setattr(costs, "PAUSE", 0.0)
    meter = costs.Meter("one", RateLimiter((1000, 50)))
    costs.current_meter.set(meter)
    await asyncio.wait_for(costs.give_way(), PATIENCE)
    meter.charge(0.3)
    assert not meter.allows()
    waiting = asyncio.create_task(costs.give_way())
    for _ in range(20):
        await asyncio.sleep(0)
    assert not waiting.done()
    now[0] += 0.3
    await asyncio.wait_for(waiting, PATIENCE)
    assert meter.allows()


def test_what_an_address_asks_begins_one_after_another_where_it_has_had_much(now):
    pacer = costs.Pacer()
    for _ in range(50):
        pacer.note("one", 20.0)
    delays = [pacer.book("one") for _ in range(200)]
    assert delays[0] == 0.0
    step = costs.PART * 0.02
    assert delays[:20] == pytest.approx([number * step for number in range(20)])
    assert delays[-1] > costs.LONGEST_PACE > delays[-1] - 2 * step, "who waits too long takes no one's turn"
    assert pacer.book("other") == 0.0


def test_what_has_begun_counts_before_it_has_cost_anything():
    pacer, meter = costs.Pacer(), costs.Meter()
    with contextlib.ExitStack() as begun:
        for number in range(40):
            assert pacer.outstanding("one") == number * costs.MOST_BOOKED, "what is not known is taken for dear"
            begun.enter_context(pacer.working("one", meter))
        assert pacer.outstanding("one") > costs.PACED_FROM
        assert pacer.outstanding("other") == 0.0
    assert pacer.outstanding("one") == 0.0
    with pacer.working("one", meter), pacer.working("one", meter):
        assert pacer.outstanding("one") == 2 * costs.LEAST_OUTSTANDING, "cheap things count, too"


async def ignored(*_):
    """An application that sends no answer."""


async def test_a_burst_is_paced_from_its_first_pages_on(monkeypatch):
    """Before anything is charged, requests in progress count; files shared by all are not held up."""
    booked = []
    door = Guard(ignored, None, UNHURRIED, HostNames(), ignored, None, Counters(), None)
    monkeypatch.setattr(door._pacer, "book", lambda network: booked.append(network) or 0.0)

    with contextlib.ExitStack() as begun:
        await door._turn_comes({"path": "/"}, "one")
        assert booked == [], "nothing has begun"
        for _ in range(2):
            begun.enter_context(door._pacer.working("one", costs.Meter()))
        for path, network in (("/static/js/main.js", "one"), ("/health", "one"), ("/", "other"), ("/", "one")):
            await door._turn_comes({"path": path}, network)
    assert booked == ["one"]


def test_heavy_users_get_a_part_of_the_event_loop_and_others_the_rest(path, monkeypatch):
    """A page takes milliseconds; one client asks for thirty at once, and others do not wait for all of them."""
    heavy, light, order, answer = "/games/voyage/new", "/seats.css", list[str](), Guard.__call__

    async def noted(self, scope, receive, send):
        if scope["type"] == "http" and scope["path"] == light:
            order.append("asked")
        await answer(self, scope, receive, send)
        order.append(scope.get("path", ""))

    monkeypatch.setattr(Guard, "__call__", noted)
    with site_at(path, BOUNDLESS) as site, ThreadPoolExecutor(30) as pool:
        site.counters.named_limiter("work_an_address").charge("127.0.0.1", 1000)
        transport = httpx.HTTPTransport(local_address="127.0.0.2")
        with site.guest() as greedy, httpx.Client(base_url=site.url, transport=transport, timeout=PATIENCE) as other:
            other.get(light)
            greedy.get(heavy)
            order.clear()
            asked = [pool.submit(greedy.get, heavy) for _ in range(30)]
            other.get(light)
            assert {each.result().status_code for each in asked} <= {200, 429}
    assert order.count(heavy) == 30
    assert order[order.index("asked") : order.index(light)].count(heavy) <= 15


async def test_a_cancelled_request_hears_of_it():
    heard = []

    async def request():
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            heard.append("cancelled")
            raise

    task = asyncio.create_task(costs.metered(request(), costs.Meter()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert heard == ["cancelled"]


def test_without_allowance_requests_are_refused_in_their_language_before_any_work(path, monkeypatch):
    with site_at(path, replace(UNHURRIED, work_an_address=(0.001, 1))) as site, site.guest("it") as guest:
        guest.get("/seats.css")
        guest.get("/games/voyage/new")
        refused = guest.get("/")
        check_answer(refused, 429, 'lang="it"')
        assert (refused.headers["retry-after"], "content-security-policy" in refused.headers) == ("1", True)
        assert guest.get("/", headers={"Accept": "application/json"}).json()["refused"] == "TooFast"
        assert guest.get("/health").status_code == 200
        assert not {"set-cookie", "strict-transport-security"} & refused.headers.keys()
    assert busy_answer("it", False, False) is busy_answer("it", False, False), "made once"


def test_continuing_after_refusals_makes_each_refusal_slow(path, monkeypatch):
    delays = []

    async def noted(seconds):
        delays.append(seconds)

    monkeypatch.setattr(guard, "REFUSALS_AT_ONCE", (0.0, 20))
    with site_at(path, replace(UNHURRIED, work_an_address=(0.001, 1))) as site, site.guest() as visitor:
        while visitor.get("/seats.css").status_code != 429:
            pass
        monkeypatch.setattr(guard, "asyncio", SimpleNamespace(sleep=noted))
        assert [visitor.get("/seats.css").status_code for _ in range(20)] == [429] * 20
        assert delays == [guard.REFUSAL_DELAY]
        visitor.get("/seats.css")
        assert delays == [guard.REFUSAL_DELAY] * 2


def use_up(site):
    site.counters.receive("another", {"work_an_address 127.0.0.1": 10**9})


def test_players_in_good_standing_are_served_when_their_address_is_used_up(path):
    limits = replace(BOUNDLESS, work_in_standing=(0.0, 200))
    with site_at(path, limits) as site, site.guest() as player, site.guest() as stranger:
        code = player.quick()
        (name,) = (cookie for cookie in player.cookies if cookie.startswith("tavola-"))
        standing = f"{name}-standing"
        assert standing not in player.cookies
        site.finish(code)
        player.get(f"/r/{code}")
        forged = player.cookies[standing][:-2] + "xx"
        use_up(site)
        assert stranger.get("/seats.css").status_code == 429
        assert stranger.get("/seats.css", headers={"Cookie": f"{standing}={forged}"}).status_code == 429
        assert player.get("/seats.css").status_code == 200
        answers = (player.get("/seats.css").status_code for _ in range(int(200 / costs.REQUEST_COST) + 1))
        assert 429 in answers, "he has his own measure"


def test_what_is_asked_for_on_a_socket_is_charged_and_refused_where_nothing_is_left(path):
    limits = replace(BOUNDLESS, work_in_standing=(0.0, 10**9))
    with site_at(path, limits) as site, site.guest() as player, site.guest() as stranger:
        code = player.quick()
        site.finish(code)
        player.get(f"/r/{code}")
        work = site.counters.named_limiter("work_an_address")
        codes = {guest: guest.create() for guest in (player, stranger)}
        with socket(site, player, codes[player]) as his, socket(site, stranger, codes[stranger]) as hers:
            before = work.spent("127.0.0.1")
            for number in range(2):
                assert answer_to(hers, say(number))["type"] == "acknowledged"
            assert work.spent("127.0.0.1") > before
            use_up(site)
            assert answer_to(hers, say(5))["kind"] == "TooFast"
            assert answer_to(his, say(5))["type"] == "acknowledged", "who has played to the end has his own measure"


def say(number):
    return {"type": "say", "command_id": f"x{number}", "text": "hello"}


def test_what_all_share_of_the_first_page_is_made_once(site, ada, bruno, monkeypatch):
    made, whole = [], home.make_home_page
    monkeypatch.setattr(home, "make_home_page", lambda *given: made.append(1) or whole(*given))
    ada.post("/settings", data={"name": "Ada <Lovelace>", "theme": "dark"})
    first, second = ada.get("/").text, bruno.get("/").text
    assert len(made) <= 1
    check_text(first, 'value="Ada &lt;Lovelace&gt;"', 'data-theme="dark"')
    assert 'data-theme="auto"' in second
    assert not re.search("[\ue000-\uf8ff]", first)


# What is kept of a room


def test_guesses_that_change_nothing_write_nothing(site, ada):
    code = code_of(ada.post("/quick", data={"game": "voyage", "level": "random"}))
    room = site.room(code)
    words = words_of(room.state.game)
    seat = next(seat for seat, place in enumerate(room.state.occupants) if place.person is not None)
    mark = words.guess_labels(room.view(seat), Say.of(room.state.game, "en"))[0][0]
    about = str((seat + 1) % len(room.state.occupants))
    for times, given, guesses in ((5, mark, 1), (3, "", 2)):
        for _ in range(times):
            ada.post(f"/r/{code}/note", data={"about": about, "mark": given})
        assert len(room.state.guesses) == guesses


def test_two_open_tables_of_one_address_are_listed(path):
    with site_at(path) as site, site.guest() as guest:
        codes = [guest.create(public="yes") for _ in range(4)]
        listed = [code for code in codes if f'href="/r/{code}"' in guest.get("/").text]
    assert len(listed) == 2


def test_an_encrypted_site_says_so_and_its_cookie_is_its_own(path):
    with site_at(path, BOUNDLESS, names=HostNames(https=True)) as site, site.guest() as guest:
        answer = guest.get("/")
        assert "max-age" in answer.headers["strict-transport-security"]
        assert answer.headers["set-cookie"].startswith("__Host-tavola-")
        use_up(site)
        refused = guest.get("/")
        assert refused.status_code == 429
        assert refused.headers["strict-transport-security"] == answer.headers["strict-transport-security"]


def test_a_good_name_at_one_site_of_a_host_does_not_overwrite_that_at_another():
    """Cookies of one host are shared by all its ports."""
    named = Visitors(b"one" * 11, LEVELS, "greedy"), Visitors(b"another" * 5, LEVELS, "greedy")
    for scheme, prefix in (("http", ""), ("https", "__Host-")):
        cookies = SimpleCookie()
        for visitors in named:
            response = Response()
            visitors.mark_good_standing(response, asked_with("", scheme), "ada")
            cookies.load(response.headers["set-cookie"])
        assert all(name.startswith(f"{prefix}tavola-") for name in cookies)
        sent = "; ".join(f"{name}={cookie.value}" for name, cookie in cookies.items())
        assert [visitors.standing(asked_with(sent, scheme)) for visitors in named] == ["ada", "ada"]


def asked_with(cookies, scheme):
    headers = [(b"host", b"play.example"), (b"cookie", cookies.encode())]
    return HTTPConnection({"type": "http", "scheme": scheme, "path": "/", "headers": headers, "query_string": b""})


def test_sockets_of_many_networks_of_one_prefix_are_bounded():
    """A network of 48 bits has 65,536 households of 64: together they may open eight times as many as one."""
    site, opened = WebSite(None, None, Limits(sockets_an_address=2, openings_an_address=(0.0, 10**6))), 0
    for number in range(100):
        asked = asked_with("", "http")
        asked.scope["client"] = f"2001:db8:1:{number:x}::7", 1
        asked.state.visitor = SimpleNamespace(id=str(number))
        with contextlib.suppress(TooFast):
            leave = site.count_socket(asked)
            opened += 1
    assert opened == 16
    leave()
    asked.scope["client"] = "2001:db8:1:ff::7", 1
    assert site.count_socket(asked)


def test_every_form_is_counted(site):
    routes = [route for route in ROUTES if isinstance(route, Route) and "POST" in (route.methods or ())]
    assert len(routes) > 30
    assert not [route.path for route in routes if not hasattr(route.endpoint, "__wrapped__")]


def test_forms_are_limited_by_address_and_weighted_by_cost(path):
    with site_at(path, replace(UNHURRIED, posts_an_address=(0.0001, 11))) as site:
        address = site.url.replace("127.0.0.1", "localhost") + "/account/passkey/enter/options"
        statuses = [httpx.post(address).status_code for _ in range(4)]
        assert statuses == [200, 200, 200, 429], "each counts for five, and is begun while anything is left"
        assert site.hub.store.rows("SELECT count(*) FROM ticket") == [(0,)], "nothing is left behind"
        with site.guest() as guest:
            assert guest.post("/settings", data={"theme": "dark"}).status_code == 429


def test_players_and_people_in_good_standing_have_an_allowance_of_their_own():
    posts = Shared(RateLimiter((0.0001, 2)), RateLimiter((0.0001, 1)))
    for own in ("", "", "ada"):
        posts.take("1.1.1.1", own)
    for own in ("", "ada"):
        with pytest.raises(TooFast):
            posts.take("1.1.1.1", own)
    posts.take("1.1.1.1", "bruno")


def test_a_page_that_does_not_exist_is_made_once_a_language(site, ada):
    missing_page.cache_clear()
    assert [ada.get(f"/nothing/{number}").status_code for number in range(3)] == [404] * 3
    assert missing_page.cache_info().misses == 1
