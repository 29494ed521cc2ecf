"""E-mails, as text and as HTML, and push notifications, in the recipient's language.

They load nothing from the site. Mail programs support neither external style sheets nor scripts, so styles are inline.
Notifications contain only public facts about a match.
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
from tavola.club.notices import MISSED_LASTS, PAUSE, Waiting
from tavola.club.outbox import QueuedMessage
from tavola.club.push import PushNotice, WriteNotice
from tavola.live import Room
from tavola.live.state_sentences import bot_decision_lines
from tavola.show.cards import words_of
from tavola.show.speech import Say
from tavola.web.render import game_say, game_title, render_fragment
from tavola.web.requests.visitor import site_say
from tavola.web.table.turn import match_day, time_left


class EmailPage(NamedTuple):
    """The contents of an e-mail. `day`: the day of its match, or 0 if it is not about a match.

    `facts`: pairs of a fact and its label or details; `others`: game, time left and address of other waiting matches.
    """

    title: str
    words: Sequence[str]
    button: str
    address: str
    day: int = 0
    facts: Sequence[tuple[str, str]] = ()
    others: Sequence[tuple[str, str, str]] = ()
    quiet: str = ""


SealQuiet = Callable[[str, str], str]
"""Function that returns the signed token for an account and a match, with which its reader can reduce e-mails."""


def email_writer(club: Club, server: MailServer, home: str, seal_quiet: SealQuiet) -> Write:
    """Return the function that writes each kind of e-mail; it returns None for an unknown kind.

    `home`: the site's address, used in all links regardless of the request's host; without one no e-mails are written.
    """

    async def write(queued: QueuedMessage) -> EmailMessage | None:
        if not home:
            return None
        if queued.kind == "link":
            secret = await club.links.issue(queued)
            return link_email(queued, server.sender, f"{home}/account/link/{secret}")
        if queued.kind in ("turn", "day"):
            waiting = await waiting_of(club, queued)
            quiet = f"{home}/quiet/{seal_quiet(queued.body['account'], queued.body.get('room', ''))}"
            return turn_email(queued, server.sender, waiting, home, quiet)
        return changed_email(queued, server.sender, home) if queued.kind in ("changed", "moved") else None

    return write


async def waiting_of(club: Club, queued: QueuedMessage) -> list[Waiting]:
    """Return the matches that a message is about, and others that wait for its reader."""
    waiting, body = await club.notices.waiting(queued.body["account"]), queued.body
    if stage_of(queued) != "missed":
        return waiting
    missed = await club.notices.missed(body["account"], body["room"], body["number"])
    return [] if missed is None else [missed, *(match for match in waiting if match.room is not missed.room)]


def turn_email(
    queued: QueuedMessage, sender: str, waiting: Sequence[Waiting], home: str, quiet: str
) -> EmailMessage | None:
    """Return the e-mail about a turn or the daily one; None if no match is waiting. It contains only public facts."""
    language, told = queued.body["language"], list(waiting)
    if queued.kind == "turn":
        told = [match for match in waiting if is_of(queued, match)]
    if not told:
        return None
    first, say = told[0], site_say(language)
    title, left, address = _row(first, language, home)
    subject, heading, words = stage_words(queued, first, title, left, say)
    rows = [_row(match, language, home) for match in waiting if match is not first]
    lines = [" ".join(words), address]
    if rows:
        lines.append("\n".join([say("Also waiting for you:"), *(f"  {' · '.join(row)}" for row in rows)]))
    lines.append(f"{say('Fewer e-mails, or none:')} {quiet}")
    page = EmailPage(
        title=heading,
        words=words if stage_of(queued) else [],
        button=say("Go to the table"),
        address=address,
        day=match_day(first.room),
        facts=[*([(left, say("to decide"))] if first.until else []), _where(first.room, language)],
        others=rows,
        quiet=quiet,
    )
    message = _message(queued, sender, subject, lines, page)
    message["List-Unsubscribe"], message["List-Unsubscribe-Post"] = f"<{quiet}>", "List-Unsubscribe=One-Click"
    return message


def stage_of(queued: QueuedMessage) -> str:
    """Return what has happened to the decision that a message is about; an earlier release has queued `reminded`."""
    return str(queued.body.get("stage") or ("reminded" if queued.body.get("reminded") else ""))


def stage_words(queued: QueuedMessage, match: Waiting, title: str, left: str, say: Say) -> tuple[str, str, list[str]]:
    """Return the subject, the heading and the sentences of an e-mail about a turn."""
    stage, state = stage_of(queued), match.room.state
    if stage == "missed":
        heading = say("A bot decided for you in {game}", game=title)
        if state.occupants[match.seat].is_missed:
            heading = say("A bot has your seat in {game}", game=title)
        return heading, heading, missed_words(match, queued.body["language"], say)
    if stage == "reminded":
        heading = say("Your time in {game} is up", game=title)
        word = say("Your time in {game} is up. In {left}, a bot will decide for you.", game=title, left=left)
        return heading, heading, [word, say("It decides this once, and you play on.")]
    word = say("It’s your turn in {game}. You have {left} left.", game=title, left=left)
    if stage == "warned":
        heading = say("{left} left in {game}", game=title, left=left)
        return heading, heading, [word]
    if stage == "nudged" and match.seat in state.nudges:
        name = match.room.names[state.nudges[match.seat].by]
        heading = say("{name} nudges you in {game}", name=name, game=title)
        return heading, heading, [word]
    return (
        say("Your turn in {game} ({left} left)", game=title, left=left),
        say("Your turn in {game}", game=title),
        [word],
    )


def missed_words(match: Waiting, language: str, say: Say) -> list[str]:
    """Return what a bot has decided for a late player, as far as everyone knows, and what comes next."""
    room = match.room
    told = game_say(room.state.game, language, tuple(room.names))
    lines = bot_decision_lines(room.state, match.seat, None, told)
    words = [say("Your time was up, so a bot decided for you:"), *lines]
    if not lines:
        words = [say("Your time was up, so a bot chose for you in secret.")]
    if room.state.occupants[match.seat].is_missed:
        return [*words, say("It keeps your seat until you come back. You can come back at any time.")]
    if match.until:
        left = time_left(match.until - room.now, say)
        words.append(say("It’s your turn again. You have {left} left.", left=left))
    count = room.state.settings.misses - room.state.occupants[match.seat].misses
    return [
        *words,
        say.many(
            "If you miss {count} more decision in a row, a bot keeps your seat until you come back.",
            "If you miss {count} more decisions in a row, a bot keeps your seat until you come back.",
            count,
        ),
    ]


def is_of(queued: QueuedMessage, match: Waiting) -> bool:
    """Return whether a message is still right: the decision is open, or the one that a bot has made is the last."""
    state, body, stage = match.room.state, queued.body, stage_of(queued)
    if (match.room.id, match.seat) != (body["room"], body["seat"]):
        return False
    due, made = state.dues.get(match.seat), state.bot_decisions.get(match.seat)
    if stage == "missed":
        return made is not None and made.number == body["number"]
    if due is None or due.number != body["number"]:
        return False
    if stage == "nudged":
        return True
    if due.reminded != (stage == "reminded"):
        return False
    # The message about a bot's decision has the next question, too.
    return bool(stage) or made is None or due.since > made.at + PAUSE


def _row(match: Waiting, language: str, home: str) -> tuple[str, str, str]:
    """Return the game, the time left and the address of a match."""
    left = time_left(match.until - match.room.now, site_say(language))
    return game_title(match.room.state.game, language), left, f"{home}/r/{match.room.id}"


def _where(room: Room, language: str) -> tuple[str, str]:
    """Return how far a match has come, and its players: only what a spectator can see."""
    say, told = site_say(language), game_say(room.state.game, language, tuple(room.names))
    names = [say("“{name}”", name=name) for name in room.names]
    return words_of(room.state.game).chapter(room.view(None), told), told.listing(names)


def link_email(queued: QueuedMessage, sender: str, link: str) -> EmailMessage:
    """Return the e-mail with a link. It describes what the link does, but not whether the address has an account."""
    say = site_say(queued.body["language"])
    ignore = say("If you didn’t ask for this e-mail, ignore it: nothing will happen.")
    if purpose_of(queued) == CHANGE_ADDRESS:
        subject, button = say("Confirm your e-mail address for Tavola"), say("Confirm address")
        does = say(
            "This link makes this the e-mail address of the Tavola account that asked for it. It works once, within"
            " twenty minutes, and only in the browser where you asked for it:"
        )
    else:
        subject, button = say("Your sign-in link for Tavola"), say("Sign in")
        does = say(
            "This link signs you in to Tavola with this e-mail address and creates an account if you don’t have one."
            " It works once, within twenty minutes:"
        )
    lines = (say("Hello,"), does, link, ignore)
    return _message(queued, sender, subject, lines, _page_of(subject, lines, button))


def changed_email(queued: QueuedMessage, sender: str, home: str) -> EmailMessage:
    """Return the e-mail to an account's previous address about a changed way to sign in, without the new value."""
    say = site_say(queued.body["language"])
    changed = {
        "address": say(
            "The e-mail address of your Tavola account was changed. Sign-in links are no longer sent to this one."
        ),
        "no address": say("This e-mail address was removed from your Tavola account."),
        "passkey": say("A passkey was added to your Tavola account."),
        "no passkey": say("A passkey was removed from your Tavola account."),
    }
    lines = (
        say("Hello,"),
        changed[queued.body.get("what", "address")],
        say("If this wasn’t you, sign in and undo the change. The site’s operator can help, too:"),
        f"{home}/account",
    )
    subject = say("Your Tavola account was changed")
    return _message(queued, sender, subject, lines, _page_of(subject, lines, say("Your account")))


def _page_of(title: str, lines: Sequence[str], button: str) -> EmailPage:
    address = next(line for line in lines if line.startswith("http"))
    return EmailPage(title, [line for line in lines if line != address], button, address)


def _message(
    queued: QueuedMessage, sender: str, subject: str, paragraphs: Sequence[str], page: EmailPage
) -> EmailMessage:
    message, language = EmailMessage(), queued.body["language"]
    message["From"], message["To"], message["Subject"] = sender, queued.recipient, subject
    domain = sender.rpartition("@")[2].strip("> ")
    message["Date"], message["Message-ID"] = formatdate(), f"<{secrets.token_hex(16)}@{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("\n\n".join(paragraphs) + "\n")
    markup = render_fragment("email.html", page=page, say=site_say(language), language=language)
    message.add_alternative(str(markup), subtype="html")
    return message


MOST_TOLD = 3
"""Maximum matches listed in one notification."""


def notice_writer(club: Club) -> WriteNotice:
    """Return the function that writes notifications of a turn or of a day; it returns None if no match is waiting."""

    async def write(queued: QueuedMessage) -> PushNotice | None:
        waiting = await club.notices.waiting(queued.body["account"])
        if "room" not in queued.body:
            return day_notice(queued, waiting)
        matches = await waiting_of(club, queued)
        return next((turn_notice(queued, match) for match in matches if is_of(queued, match)), None)

    return write


def turn_notice(queued: QueuedMessage, match: Waiting) -> PushNotice:
    """Return the notification of a turn: the game, the room and the time left."""
    language, room = queued.body["language"], match.room
    say, seconds = site_say(language), match.until - room.now
    left = time_left(seconds, say)
    body = say("It’s your turn: {left} left.", left=left)
    if stage_of(queued) == "reminded":
        body = say("Your time is up. In {left}, a bot will decide for you.", left=left)
    elif stage_of(queued) == "missed":
        body, seconds = " ".join(missed_words(match, language, say)), max(seconds, MISSED_LASTS)
    title = say("{game}, room {code}", game=game_title(room.state.game, language), code=room.id)
    return PushNotice(title, body, language, room.id, f"/r/{room.id}", seconds)


def day_notice(queued: QueuedMessage, waiting: Sequence[Waiting]) -> PushNotice | None:
    """Return the daily notification: how many matches are waiting, and the first of them."""
    if not waiting:
        return None
    language, count = queued.body["language"], len(waiting)
    say, now = site_say(language), waiting[0].room.now
    rows = (
        f"{game_title(match.room.state.game, language)} · {time_left(match.until - now, say)}"
        for match in waiting[:MOST_TOLD]
    )
    title = say.many("{count} match is waiting for you", "{count} matches are waiting for you", count)
    return PushNotice(title, "\n".join(rows), language, "day", "/mine", queued.expires_at - time.time())
