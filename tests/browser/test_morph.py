"""How pages apply what the server sends, in every engine: elements keep their identity, pieces slide, scenes queue."""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser
from websockets.sync.client import ClientConnection, connect

from tavola.web.table.fragments import FragmentSet, Texts
from tavola.web.table.patches import order_patch, text_patch
from tests.helpers import PATIENCE
from tests.helpers.browser import serve_scripts

PAGE = '<!doctype html><title>Morph</title><link rel="icon" href="data:,"><div id="room"></div>'


@pytest.fixture(scope="module")
def site():
    with serve_scripts({"/": PAGE}) as address:
        yield address


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def engine(request: pytest.FixtureRequest, site: str, chromium: Browser):
    if request.param == "firefox":
        if executable() is None:
            pytest.skip("Firefox is not installed: Debian's firefox-esr would be driven")
        with firefox() as browser:
            browser.goto(site)
            yield browser.evaluate
        return
    page = chromium.new_page()
    page.goto(site)
    yield page.evaluate
    page.close()


@pytest.fixture
def morphed(engine: Callable[[str], Any]):
    """Return a function that fills the room, changes it, applies new markup, and returns the value of an expression."""

    def morph(before, after, returned, done=""):
        return engine(f"""async () => {{
            const {{ fill, parsed, apply }} = await import("/site/morph.js");
            const room = document.getElementById("room");
            room.replaceChildren();
            room.innerHTML = `{before}`;
            const by = (id) => document.getElementById(id);
            const changes = new MutationObserver(() => {{}});
            {done}
            changes.observe(room, {{ subtree: true, childList: true, attributes: true, characterData: true }});
            const fresh = fill(room, parsed(room, `{after}`));
            const touched = changes.takeRecords().length;
            return {returned};
        }}""")

    return morph


def items(names: str) -> str:
    return "".join(f'<li id="{name}">{name}</li>' for name in names)


@pytest.mark.parametrize("after", ["abcde", "edcba", "bd", "xaybzc", "eabcd", "bcdea", "cxa", ""])
def test_elements_keep_their_identity_in_any_order(morphed: Callable[..., Any], after):
    known = "for (const child of room.children) child.known = true;"
    asked = "[[...room.children].map((c) => [c.id, !!c.known]), fresh.map((c) => c.id)]"
    found = morphed(items("abcde"), items(after), asked, known)
    assert found == [[[name, name in "abcde"] for name in after], [name for name in after if name not in "abcde"]]


def test_what_is_equal_is_not_touched(morphed: Callable[..., Any]):
    assert morphed(items("abc"), items("abc"), "[touched, fresh.length]") == [0, 0]


def test_of_what_changes_only_that_is_touched(morphed: Callable[..., Any]):
    before = '<p id="a" class="x" title="t">one <b>two</b></p>'
    after = '<p id="a" class="y">one <b>three</b></p>'
    assert morphed(before, after, "[room.innerHTML, touched]") == [after, 3]


def test_focus_and_typed_text_survive(morphed: Callable[..., Any]):
    before = '<p id="a">a</p><form id="f"><input id="i"></form>'
    after = '<form id="f" class="now"><label>Say</label><input id="i" maxlength="9"></form><p id="a">b</p>'
    typed = 'const i = by("i"); i.value = "ahoy"; i.focus(); i.setSelectionRange(1, 3); room.prepend(by("a"));'
    asked = (
        '[document.activeElement.id, by("i").value, by("i").selectionStart, by("i").selectionEnd, by("f").className]'
    )
    assert morphed(before, after, asked, typed) == ["i", "ahoy", 1, 3, "now"]


def test_kept_elements_are_not_changed_and_opened_details_stay_open(morphed: Callable[..., Any]):
    before = '<details id="d"><summary>More</summary></details><div id="k" data-keep>mine</div>'
    after = '<details id="d" class="new"><summary>Less</summary></details><div id="k" data-keep>theirs</div>'
    asked = '[by("d").open, by("d").className, by("d").textContent, by("k").textContent]'
    assert morphed(before, after, asked, 'by("d").open = true;') == [True, "new", "Less", "mine"]


def pieces(**places: int) -> str:
    """Return a picture of interchangeable sailors, each at a place."""
    drawn = (
        f'<g id="{name}" data-like="sailor" transform="translate({x} 0)" data-to="translate({x}px,0px)"></g>'
        for name, x in places.items()
    )
    return f'<svg id="svg">{"".join(drawn)}</svg>'


def test_a_piece_whose_place_changes_slides(morphed: Callable[..., Any]):
    start = "(motion) => motion.effect.getKeyframes()[0].transform.slice(0, 13)"
    asked = f'[by("a"), by("b")].map((piece) => piece.getAnimations().map({start}))'
    assert morphed(pieces(a=1, b=2), pieces(a=1, b=90), asked) == [[], ["translate(2px"]]


def test_one_of_many_keeps_its_element_under_its_new_name(morphed: Callable[..., Any]):
    known = 'by("b").known = true;'
    asked = '[by("d").known, by("d").getAnimations().length, fresh.length, [...by("svg").children].map((p) => p.id)]'
    assert morphed(pieces(a=1, b=2, c=3), pieces(d=50, a=1, c=3), asked, known) == [True, 1, 0, ["d", "a", "c"]]


def test_fragments_go_where_they_belong(engine: Callable[[str], Any]):
    room = """<p data-place="prompt">Wait</p><p data-place="notice">!</p><ul data-list="log"><li id="l1">one</li></ul>
        <ul data-list="chat"><li id="c1">hi</li></ul>"""
    message = {
        "fragments": {"prompt": "<b>Choose</b>", "log:l2": '<li id="l2">two</li>', "chat:c1": '<li id="c1">ho</li>'},
        "order": {"log": ["l2", "l1"]},
    }
    found = engine(f"""async () => {{
        const {{ apply }} = await import("/site/morph.js");
        const room = document.getElementById("room");
        room.innerHTML = `{room}`;
        const first = document.getElementById("l1");
        const came = apply(room, {message});
        const texts = [...room.children].map((child) => child.textContent);
        const fresh = Object.entries(came).map(([list, elements]) => [list, elements.length]);
        return [texts, fresh, first === document.getElementById("l1")];
    }}""")
    assert found == [["Choose", "!", "twoone", "ho"], [["log", 1], ["chat", 0]], True]


SKIPPED = """async () => {
  const { Queue } = await import("/room/queue.js"), seen = [];
  const queue = new Queue((message) => { seen.push(message.name); }, () => {});
  const frame = (name, closed) => ({ name, closed, milliseconds: 60_000 });
  const first = [frame("down", true), frame("face"), frame("told")], next = [frame("next down", true), frame("end")];
  queue.add({ type: "scene", frames: [...first, ...next] });
  const shown = queue.add({ type: "fragments", name: "asked" });
  queue.skip();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const sofar = [...seen];
  queue.skip({ all: true });
  await shown;
  return [sofar, seen];
}"""


def test_a_skip_ends_where_the_next_cards_lie_face_down(engine: Callable[[str], Any]):
    first, seen = engine(SKIPPED)
    assert first == ["down", "face", "told", "next down"]
    assert seen == [*first, "end", "asked"]


LEFT = """async () => {
  const { Queue } = await import("/room/queue.js"), seen = [];
  const queue = new Queue(async ({ name }) => { await null; seen.push(name); }, (playing) => seen.push(playing));
  queue.add({ type: "scene", frames: [{ name: "face", milliseconds: 1 }] }, { followed: true });
  await queue.add({ type: "page", name: "result" });
  await queue.add({ type: "scene", frames: [{ name: "again", milliseconds: 1 }] }, { followed: true });
  await queue.add({ type: "fragments", name: "asked" });
  return seen;
}"""


def test_a_scene_lasts_until_another_page_is_shown_and_ends_before_the_next_question(engine: Callable[[str], Any]):
    assert engine(LEFT) == [True, "face", "result", False, True, "again", False, "asked"]


FAILED = """async () => {
  const { Queue } = await import("/room/queue.js"), seen = [];
  const fails = () => { throw new Error("not to be shown"); };
  const show = (message) => message.bad ? fails() : seen.push(message.name);
  const queue = new Queue(show, (playing) => playing && fails());
  queue.add({ type: "scene", frames: [] });
  queue.add({ type: "scene", frames: [{ name: "first", milliseconds: 1 }, { bad: true, milliseconds: 1 }] });
  await queue.add({ type: "fragments", name: "second" });
  await queue.add({ type: "fragments", name: "third" });
  return seen;
}"""


def test_what_could_not_be_shown_keeps_nothing_after_it_waiting(engine: Callable[[str], Any]):
    assert engine(FAILED) == ["first", "second", "third"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>Ada ist dran</p>" + "<b>1</b>" * 25, "<p>Bruno ist dran</p>" + "<b>1</b>" * 25 + "<i>✓</i>"),
        ("<p>\u2068Zoë\u2069</p>" * 19, "<p>\u2068Zoë\u2069</p>" * 9 + "<p>♟</p>" + "<p>\u2068Zoë\u2069</p>" * 10),
    ],
    ids=["twice", "beyond ASCII"],
)
def test_scripts_apply_the_patches_of_the_server(engine: Callable[[str], Any], before: str, after: str):
    lines, later = list("654321"), list("765432")
    asked = [[before, text_patch(before, after)], [lines, order_patch(lines, later)]]
    script = f"""(async () => {{
        const {{ patched }} = await import("/room/socket.js");
        return {json.dumps(asked)}.map(([before, patch]) => patched(before, patch));
    }})()"""
    assert engine(script) == [after, later]


def test_scripts_read_a_new_piece_as_a_patch_of_another(engine: Callable[[str], Any]):
    drawn = '<g id="card-{}" class="{}">' + "<path/>" * 30 + "</g>"
    cards = [{f"card-{number}": drawn.format(number, "é" * number)} for number in range(3)]
    sets = [FragmentSet({}, {"pieces-main": pieces}) for pieces in ({}, cards[0], cards[0] | cards[1] | cards[2])]
    known = Texts()
    told = [after.changes_since(before).members(known) for before, after in pairwise(sets)]
    messages = [f'{{"fragments": {{{fragments}}}, "order": {{{order}}}}}' for fragments, order in told]
    assert len(messages[1]) < 0.8 * len(messages[0])  # two cards, each like the first
    script = f"""(async () => {{
        const {{ Line }} = await import("/room/socket.js"), line = {{ __proto__: Line.prototype, texts: new Map() }};
        return [{",".join(messages)}].map((message) => (line.complete(message), message));
    }})()"""
    whole = [after.changes_since(before).members(None) for before, after in pairwise(sets)]
    assert engine(script) == [json.loads(f'{{"fragments": {{{texts}}}, "order": {{{ids}}}}}') for texts, ids in whole]


# Firefox, driven by WebDriver BiDi over a WebSocket

PREFERENCES = {
    "app.update.auto": "false",
    "browser.shell.checkDefaultBrowser": "false",
    "datareporting.policy.dataSubmissionEnabled": "false",
    "network.captive-portal-service.enabled": "false",
    "network.connectivity-service.enabled": "false",
    "toolkit.telemetry.server": '""',
}


def executable() -> str | None:
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._numbers = socket, count(1)
        self.command("session.new", capabilities={})
        self._page = self.command("browsingContext.getTree")["contexts"][0]["context"]

    def command(self, method: str, **parameters: Any) -> Any:
        """Return the answer to a command; events are ignored."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (answer := json.loads(self._socket.recv(PATIENCE))).get("id") != number:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def goto(self, address: str) -> None:
        self.command("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def evaluate(self, function: str) -> Any:
        """Return the result of an async JavaScript function, carried as JSON."""
        expression = f"({function})().then(JSON.stringify)"
        page = {"target": {"context": self._page}, "awaitPromise": True}
        answer = self.command("script.evaluate", expression=expression, **page)
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"]["value"])


@contextmanager
def firefox() -> Iterator[Firefox]:
    with tempfile.TemporaryDirectory() as profile:
        with open(f"{profile}/user.js", "w", encoding="utf-8") as preferences:
            preferences.writelines(f'user_pref("{name}", {value});\n' for name, value in PREFERENCES.items())
        command = [executable(), "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            try:
                heard = (re.search(r"WebDriver BiDi listening on (ws://\S+)", line) for line in process.stderr)
                address = next(found[1] for found in heard if found)
                with connect(f"{address}/session", open_timeout=PATIENCE, max_size=None) as socket:
                    yield Firefox(socket)
            finally:
                process.terminate()
                process.communicate()
