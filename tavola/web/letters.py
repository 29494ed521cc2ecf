"""What the site sends, in the language of whoever asked: letters as text and as a page, and notices for devices.

Nothing calls home. Mail programs read neither style sheets of a site nor scripts, so every style stands at its element
of the page. A notice tells nothing of a match but that it waits.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from email.utils import formatdate
from typing import NamedTuple

from tavola.club import Club
from tavola.club.links import CHANGE_ADDRESS, purpose_of
from tavola.club.mail import MailServer, Write
from tavola.club.notices import Waiting
from tavola.club.outbox import Letter
from tavola.club.push import PushNotice, WriteNotice
from tavola.live import Room
from tavola.show.cards import words_of
from tavola.web.door.visitor import site_say
from tavola.web.render import game_say, game_title, render_fragment
from tavola.web.table.turn import match_day, time_left


class LetterPage(NamedTuple):
    """What a letter says. `day`: which day of its match it is, 0 where it is about none.

    `facts`: something in a few words, and what it is; `others`: matches that wait, too: game, time left, address.
    """

    title: str
    words: Sequence[str]
    button: str
    address: str
    day: int = 0
    facts: Sequence[tuple[str, str]] = ()
    others: Sequence[tuple[str, str, str]] = ()
    quiet: str = ""


def page_markup(page: LetterPage, language: str) -> str:
    """Return a letter as a whole page of HTML."""
    return str(render_fragment("letter.html", page=page, say=site_say(language), language=language))


SealQuiet = Callable[[str, str], str]
"""Makes the word, of an account and a match, by which its reader has fewer letters."""


def letter_writer(club: Club, server: MailServer, home: str, seal_quiet: SealQuiet) -> Write:
    """Return what writes each kind of letter; None for a kind that is not known any more.

    `home`: the address of the site, to which all links lead, whatever name a request was sent to; without one there are
    no letters.
    """

    async def write(letter: Letter) -> EmailMessage | None:
        if not home:
            return None
        if letter.kind == "link":
            secret = await club.links.issue(letter)
            return link_letter(letter, server.sender, f"{home}/account/link/{secret}")
        if letter.kind in ("turn", "day"):
            waiting = await club.notices.waiting(letter.body["account"])
            quiet = f"{home}/quiet/{seal_quiet(letter.body['account'], letter.body.get('room', ''))}"
            return turn_letter(letter, server.sender, waiting, home, quiet)
        return changed_letter(letter, server.sender, home) if letter.kind in ("changed", "moved") else None

    return write


def turn_letter(letter: Letter, sender: str, waiting: Sequence[Waiting], home: str, quiet: str) -> EmailMessage | None:
    """The letter of a turn, or that of a day; None where nothing waits any more. It tells what everybody may know."""
    say, told = site_say(letter.body["language"]), list(waiting)
    if letter.kind == "turn":
        told = [match for match in waiting if is_of(letter, match)]
    if not told:
        return None
    first, others = told[0], [match for match in waiting if match is not told[0]]
    title = game_title(first.room.state.game, letter.body["language"])
    left = time_left(first.until - first.room.now, say)
    if letter.body.get("reminded"):
        subject = say("Your time in {game} has passed", game=title)
        word = say("Your time in {game} has passed. After {left} a bot decides for you.", game=title, left=left)
    else:
        subject = say("It is your turn in {game} ({left} left)", game=title, left=left)
        word = say("It is your turn in {game}. You have {left}.", game=title, left=left)
    rows = [_row(match, letter.body["language"], home) for match in others]
    lines = [word, f"{home}/r/{first.room.id}"]
    if others:
        lines.append("\n".join([say("More that wait for you:"), *(f"  {' · '.join(row)}" for row in rows)]))
    lines.append(f"{say('Fewer letters, or none:')} {quiet}")
    page = LetterPage(
        title=subject.partition(" (")[0],
        words=[word] if letter.body.get("reminded") else [],
        button=say("Go to the table"),
        address=f"{home}/r/{first.room.id}",
        day=match_day(first.room),
        facts=[(left, say("to decide")), _where(first.room, letter.body["language"])],
        others=rows,
        quiet=quiet,
    )
    message = _message(letter, sender, subject, lines, page)
    message["List-Unsubscribe"], message["List-Unsubscribe-Post"] = f"<{quiet}>", "List-Unsubscribe=One-Click"
    return message


def is_of(letter: Letter, match: Waiting) -> bool:
    """True for the decision that a letter was put in for: it is open still."""
    due, body = match.room.state.dues.get(match.seat), letter.body
    same = (match.room.id, match.seat) == (body["room"], body["seat"])
    return same and due is not None and (due.number, due.reminded) == (body["number"], body["reminded"])


def _row(match: Waiting, language: str, home: str) -> tuple[str, str, str]:
    left = time_left(match.until - match.room.now, site_say(language))
    return game_title(match.room.state.game, language), left, f"{home}/r/{match.room.id}"


def _where(room: Room, language: str) -> tuple[str, str]:
    """Return how far a match has come, and who plays: what who only watches may know. Names are in quotes."""
    say, told = site_say(language), game_say(room.state.game, language, tuple(room.names))
    names = [say("“{name}”", name=name) for name in room.names]
    return words_of(room.state.game).chapter(room.view(None), told), told.listing(names)


def link_letter(letter: Letter, sender: str, link: str) -> EmailMessage:
    """The letter with a link: it says what the link does, and nothing of whether anybody has the address."""
    say = site_say(letter.body["language"])
    ignore = say("If you did not ask for it, ignore this e-mail: then nothing happens.")
    if purpose_of(letter) == CHANGE_ADDRESS:
        subject, button = say("Confirm your address at Tavola"), say("Confirm the address")
        does = say(
            "This link makes this the e-mail address of the Tavola account that asked for it. It works once, for "
            "twenty minutes, and only in the browser that asked for it:"
        )
    else:
        subject, button = say("Your link to Tavola"), say("Sign in")
        does = say(
            "This link signs you in to Tavola with this e-mail address, and opens an account if there is none. It "
            "works once, for twenty minutes:"
        )
    lines = (say("Hello,"), does, link, ignore)
    return _message(letter, sender, subject, lines, _page_of(subject, lines, button))


def changed_letter(letter: Letter, sender: str, home: str) -> EmailMessage:
    """What the address hears that an account had until then: which way in was changed, and not what it is now."""
    say = site_say(letter.body["language"])
    changed = {
        "address": say(
            "The e-mail address of your Tavola account was changed. Links to sign in no longer come to this one."
        ),
        "no address": say("This e-mail address was removed from your Tavola account."),
        "passkey": say("A passkey was added to your Tavola account."),
        "no passkey": say("A passkey was removed from your Tavola account."),
    }
    lines = (
        say("Hello,"),
        changed[letter.body.get("what", "address")],
        say("If that was not you, sign in and change it back. The operator of the site can help, too:"),
        f"{home}/account",
    )
    subject = say("Your Tavola account was changed")
    return _message(letter, sender, subject, lines, _page_of(subject, lines, say("Your account")))


def _page_of(title: str, lines: Sequence[str], button: str) -> LetterPage:
    address = next(line for line in lines if line.startswith("http"))
    return LetterPage(title, [line for line in lines if line != address], button, address)


def _message(letter: Letter, sender: str, subject: str, paragraphs: Sequence[str], page: LetterPage) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, letter.recipient, subject
    domain = sender.rpartition("@")[2].strip("> ")
    message["Date"], message["Message-ID"] = formatdate(), f"<{secrets.token_hex(16)}@{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("\n\n".join(paragraphs) + "\n")
    message.add_alternative(page_markup(page, letter.body["language"]), subtype="html")
    return message


MOST_TOLD = 3
"""Matches that one notice names."""


def notice_writer(club: Club) -> WriteNotice:
    """Return what writes what is pushed: of a turn, or of a day; None where nothing waits any more."""

    async def write(letter: Letter) -> PushNotice | None:
        waiting = await club.notices.waiting(letter.body["account"])
        if "room" not in letter.body:
            return day_notice(letter, waiting)
        return next((turn_notice(letter, match) for match in waiting if is_of(letter, match)), None)

    return write


def turn_notice(letter: Letter, match: Waiting) -> PushNotice:
    """Word of a turn, as a device shows it: which game and room, and how long one has."""
    language, room = letter.body["language"], match.room
    say, seconds = site_say(language), match.until - room.now
    left = time_left(seconds, say)
    body = say("It is your turn: {left} left.", left=left)
    if letter.body.get("reminded"):
        body = say("Your time has passed. After {left} a bot decides for you.", left=left)
    title = say("{game}, room {code}", game=game_title(room.state.game, language), code=room.id)
    return PushNotice(title, body, language, room.id, f"/r/{room.id}", seconds)


def day_notice(letter: Letter, waiting: Sequence[Waiting]) -> PushNotice | None:
    """Word of the day: how many matches wait, and the first of them."""
    if not waiting:
        return None
    language, count = letter.body["language"], len(waiting)
    say, now = site_say(language), waiting[0].room.now
    rows = (
        f"{game_title(match.room.state.game, language)} · {time_left(match.until - now, say)}"
        for match in waiting[:MOST_TOLD]
    )
    title = say.many("{count} match waits for you", "{count} matches wait for you", count)
    return PushNotice(title, "\n".join(rows), language, "day", "/mine", letter.expires_at - time.time())
