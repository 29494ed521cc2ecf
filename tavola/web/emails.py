"""E-mails, as text and as HTML, and push notifications, in the recipient's language.

They load nothing from the site. Mail programs support neither external style sheets nor scripts, so styles are inline.
Notifications contain only public facts about a match.
"""

import contextlib
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from email.message import EmailMessage
from email.utils import formatdate
from typing import Any, NamedTuple

from babel.dates import format_datetime

from tavola.club import Club
from tavola.club.hours import zone_of
from tavola.club.links import CHANGE_ADDRESS, purpose_of
from tavola.club.notices import INVITATION, NEWS, NEWS_LASTS, NEWS_OF_MATCH, PAUSE, Waiting, decisions_of
from tavola.club.sending.mail import MailServer, Write
from tavola.club.sending.outbox import QueuedMessage, TooEarly
from tavola.club.sending.push import PushNotice, WriteNotice
from tavola.core import Refusal
from tavola.core.text import shorten
from tavola.live.state_sentences import bot_decision_lines
from tavola.show.speech import Say, capitalized, figure
from tavola.web.render import game_say, game_title, render_fragment
from tavola.web.requests.visitor import site_say
from tavola.web.table.brief import Brief, brief_of, match_name, named_people
from tavola.web.table.turn import day_words, match_day, time_left

MOST_IN_FULL = 6
"""Maximum matches that an e-mail describes in several lines; of more, it gives a line each."""
AFTER_TIME = ("banked", "reminded")
"""Subjects of messages about a decision whose own time is up."""


class EmailPage(NamedTuple):
    """The contents of an e-mail. `day`: the day of its match, or 0 if it is not about a match.

    `facts`: pairs of a label and a fact; `matches`: the waiting matches it is about, if they are several; `others`:
    those that it is not about.
    """

    title: str
    words: Sequence[str]
    button: str
    address: str
    day: int = 0
    facts: Sequence[tuple[str, str]] = ()
    matches: Sequence["ToldMatch"] = ()
    others: Sequence["ToldMatch"] = ()
    quiet: str = ""


class ToldMatch(NamedTuple):
    """A waiting match, or an invitation, in words: its title, pairs of a label and a fact, and its address."""

    title: str
    facts: Sequence[tuple[str, str]]
    address: str


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
        if queued.kind in ("turn", "day", INVITATION):
            decisions = decisions_of(queued.body)
            room = decisions[0]["room"] if len(decisions) == 1 else ""
            quiet = f"{home}/quiet/{seal_quiet(queued.body['account'], room)}"
            if queued.kind == INVITATION:
                return await invitation_email(club, queued, server.sender, home, quiet)
            return turn_email(queued, server.sender, await waiting_of(club, queued), home, quiet)
        return changed_email(queued, server.sender, home) if queued.kind in ("changed", "moved") else None

    return write


async def waiting_of(club: Club, queued: QueuedMessage) -> list[Waiting]:
    """Return the matches that a message is about, and others that wait for its reader.

    Raise `TooEarly` at night, and for a message about turns whose reader has only just been asked, or is at the table.
    """
    body = queued.body
    await club.notices.wait_for_morning(body["account"])
    waiting = await club.notices.waiting(body["account"])
    if stage_of(body) not in NEWS:
        told = [match for match in waiting if is_of(queued, match)]
        if not stage_of(body) and (early := club.notices.seconds_early(told)) > 0:
            raise TooEarly(early)
        return waiting
    news = await club.notices.news(body["account"], body)
    return [] if news is None else [news, *(match for match in waiting if match.room is not news.room)]


def turn_email(
    queued: QueuedMessage, sender: str, waiting: Sequence[Waiting], home: str, quiet: str
) -> EmailMessage | None:
    """Return the e-mail about turns or the daily one; None if no match is waiting. It contains only public facts."""
    told = [match for match in waiting if queued.kind == "day" or is_of(queued, match)]
    if not told:
        return None
    say = say_of(queued)
    rows = told_matches([match for match in waiting if match not in told], say, home)
    write = _one_turn if len(told) == 1 else _several_turns
    subject, lines, page = write(queued, told, home)
    if rows:
        lines.append("\n\n".join([say("Also waiting for you:"), *_paragraphs(rows, say)]))
    message = _message(queued, sender, subject, lines, page._replace(others=rows, quiet=quiet))
    if len(told) == 1:  # mail programs show the messages of a match as one conversation
        message["References"] = f"<{told[0].room.id}@{_domain(sender)}>"
    return message


def _one_turn(queued: QueuedMessage, told: Sequence[Waiting], home: str) -> tuple[str, list[str], EmailPage]:
    """Return subject, paragraphs and page of an e-mail about one match."""
    (match,), say, stage = told, say_of(queued), stage_of(queued.body)
    row, (what, heading, words) = told_match(match, say, home), stage_words(stage, match, say)
    lines, shown = [" ".join(words), _facts(row.facts, say), row.address], words if stage else []
    page = EmailPage(heading, shown, say("Go to the table"), row.address, match_day(match.room), row.facts)
    return say.labelled(capitalized(what), row.title), lines, page


def _several_turns(queued: QueuedMessage, told: Sequence[Waiting], home: str) -> tuple[str, list[str], EmailPage]:
    """Return subject, paragraphs and page of an e-mail about several matches."""
    say, address = say_of(queued), f"{home}/mine"
    rows = told_matches(told, say, home)
    heading = say.many("{count} match is waiting for you", "{count} matches are waiting for you", len(told))
    lines = [heading, *_paragraphs(rows, say), say.labelled(say("My games"), address)]
    return heading, lines, EmailPage(heading, [], say("My games"), address, matches=rows)


def stage_of(decision: Mapping[str, Any]) -> str:
    """Return what has happened to a decision in a queued message; an earlier release has queued `reminded`."""
    return str(decision.get("stage") or ("reminded" if decision.get("reminded") else ""))


def stage_words(stage: str, match: Waiting, say: Say) -> tuple[str, str, list[str]]:
    """Return what has happened in two to five words, the heading, and the sentences of an e-mail about a turn."""
    state, left = match.room.state, _left(match, say)
    game = game_title(state.game, say.language)
    if stage == "missed":
        what, heading = say("A bot decided for you"), say("A bot decided for you in {game}", game=game)
        if state.occupants[match.seat].is_missed:
            what, heading = say("A bot has your seat"), say("A bot has your seat in {game}", game=game)
        return what, heading, missed_words(match, say)
    if stage == "ended":
        return say("Match over"), say("Your match of {game} is over", game=game), ended_words(match, say)
    if stage == "rematch":
        return say("Rematch"), *rematch_words(match, game, say)
    if stage == "reminded":
        word = say("Your time in {game} is up. In {left}, a bot will decide for you.", game=game, left=left)
        words = [word, say("It decides this once, and you play on.")]
        return say("Your time is up"), say("Your time in {game} is up", game=game), words
    if stage == "banked":
        values = {"game": game, "bank": time_left(state.bank_left(match.seat), say), "left": left}
        word = say("Your time in {game} is up. Your time bank of {bank} ends in {left}.", **values)
        words = [word, say("Unused time is kept for later decisions.")]
        return say("Your time bank is running"), say("Your time bank is running in {game}", game=game), words
    words = [say("It’s your turn in {game}. You have {left} left.", game=game, left=left)]
    if stage == "warned":
        if not state.bank_left(match.seat):
            words.append(say("If you don’t decide in time, a bot decides this once, and you play on."))
        return say("{time} left", time=left), say("{left} left in {game}", game=game, left=left), words
    if stage == "nudged" and match.seat in state.nudges:
        name = match.room.names[state.nudges[match.seat].by]
        return say("{name} nudges you", name=name), say("{name} nudges you in {game}", name=name, game=game), words
    return say("Your turn"), say("Your turn in {game}", game=game), words


def ended_words(match: Waiting, say: Say) -> list[str]:
    """Return who has won a match that is over, and the place of its reader."""
    result = match.room.state.match.result() if match.room.state.match is not None else None
    assert result is not None, "the match is over"
    place, points = result.ranks[match.seat], result.points[match.seat]
    if place == 1:
        return [say.many("You won with {count} point.", "You won with {count} points.", points)]
    winners = named_people([match.room.names[seat] for seat in result.winners], say)
    return [say("{names} won. Your place: {place}.", names=winners, place=place)]


def rematch_words(match: Waiting, game: str, say: Say) -> tuple[str, list[str]]:
    """Return the heading and the sentences about a rematch that waits for its reader."""
    state = match.room.state
    ready = say.listing([match.room.names[seat] for seat in sorted(state.ready_seats)])
    word = say("Your seat is kept for you. If the match begins without you, a bot plays until you come.")
    return say("{names} would like a rematch of {game}", names=ready, game=game), [word]


def missed_words(match: Waiting, say: Say) -> list[str]:
    """Return what a bot has decided for a late player, as far as everyone knows, and what comes next."""
    room = match.room
    told = game_say(room.state.game, say.language, tuple(room.names)).to_reader(match.seat)
    lines = bot_decision_lines(room.state, match.seat, None, told)
    words = [say("Your time was up, so a bot decided for you:"), " ".join(lines)]
    if not lines:
        words = [say("Your time was up, so a bot chose for you in secret.")]
    if room.state.occupants[match.seat].is_missed:
        return [*words, say("It keeps your seat until you come back. You can come back at any time.")]
    if match.until:
        left = time_left(match.until - room.now, say)
        words.append(say("It’s your turn again. You have {left} left.", left=left))
    count = room.state.settings.misses - room.state.occupants[match.seat].misses
    warning = say.many(
        "If you miss {count} more decision in a row, a bot keeps your seat until you come back.",
        "If you miss {count} more decisions in a row, a bot keeps your seat until you come back.",
        count,
    )
    return [*words, warning]


def is_of(queued: QueuedMessage, match: Waiting) -> bool:
    """Return whether a message is still right about one of its decisions, and that decision is of this match."""
    return any(_is_still_right(decision, match) for decision in decisions_of(queued.body))


def _is_still_right(decision: Mapping[str, Any], match: Waiting) -> bool:
    """Return whether a queued decision is still open, or the one that a bot has made is the last."""
    state, stage = match.room.state, stage_of(decision)
    if (match.room.id, match.seat) != (decision["room"], decision["seat"]):
        return False
    due, made = state.dues.get(match.seat), state.bot_decisions.get(match.seat)
    if stage in NEWS_OF_MATCH:
        return True  # `Notices.news` has found it
    if stage == "missed":
        return made is not None and made.number == decision["number"]
    if due is None or due.number != decision["number"]:
        return False
    if stage == "nudged":
        return True
    if due.stage != (stage if stage in AFTER_TIME else ""):
        return False
    # The message about a bot's decision has the next question, too.
    return bool(stage) or made is None or due.since > made.at + PAUSE


def say_of(queued: QueuedMessage) -> Say:
    """Return the messages of the site in the language of a message's recipient."""
    return site_say(queued.body["language"])


def _brief(match: Waiting, say: Say) -> Brief:
    """Return a match in a few words, without what only its reader knows."""
    return brief_of(match.room, say.language, say, None, match.seat)


def _left(match: Waiting, say: Say) -> str:
    return time_left(match.until - match.room.now, say)


def told_matches(matches: Sequence[Waiting], say: Say, home: str) -> list[ToldMatch]:
    """Return what an e-mail says of several waiting matches: after `MOST_IN_FULL`, only their title and time."""
    told = [told_match(match, say, home) for match in matches]
    return [*told[:MOST_IN_FULL], *(row._replace(facts=row.facts[-1:]) for row in told[MOST_IN_FULL:])]


def told_match(match: Waiting, say: Say, home: str) -> ToldMatch:
    """Return what an e-mail says of a waiting match."""
    brief = _brief(match, say)
    facts = [
        (say("With", context="people in a match"), brief.people),
        (say("Points"), final_points(match)),
        (say("Round", context="how far a match is"), brief.chapter),
        (say("Now", context="what happens in a match"), brief.question),
        (say("Last", context="what happened in a match"), brief.last),
        (say("Time left"), _time_left(match, say)),
    ]
    told = facts[:2] if match.room.state.phase == "over" else facts
    title = match_name(brief.game, brief.people, say)
    return ToldMatch(title, [fact for fact in told if fact[1]], f"{home}/r/{match.room.id}")


def _time_left(match: Waiting, say: Say) -> str:
    """Return the time left, and the day and hour when it ends: an e-mail may be read later. Empty if nothing is due."""
    due, left = match.room.state.dues.get(match.seat), _left(match, say)
    if not match.until:
        return ""
    if due is not None and due.reminded:
        return say("{time} until a bot decides", time=left)
    if not match.zone:
        return left
    until = datetime.fromtimestamp(match.until, zone_of(match.zone))
    weekday, hour = (format_datetime(until, part, locale=say.language) for part in ("EEEE", "HH:mm"))
    day = day_words(until.date(), say.language)
    return say("{time}, until {weekday}, {day}, {hour}", time=left, weekday=weekday, day=day, hour=hour)


def final_points(match: Waiting) -> str:
    """Return everyone's points, the winners' first; empty before the end."""
    result = match.room.state.match.result() if match.room.state.match is not None else None
    if result is None:
        return ""
    seats = sorted(range(len(result.points)), key=result.ranks.__getitem__)
    return ", ".join(f"{match.room.names[seat]} {figure(result.points[seat])}" for seat in seats)


def _facts(facts: Sequence[tuple[str, str]], say: Say) -> str:
    return "\n".join(say.labelled(label, fact) for label, fact in facts)


def _paragraphs(matches: Sequence[ToldMatch], say: Say) -> Iterator[str]:
    """Yield a paragraph for each match; those with one fact share the last. Titles name the people already."""
    for match in matches[:MOST_IN_FULL]:
        yield "\n  ".join([match.title, *_facts(match.facts[1:], say).split("\n"), match.address])
    if brief := matches[MOST_IN_FULL:]:
        yield "\n".join(f"{match.title} · {match.facts[0][1]} · {match.address}" for match in brief)


def link_email(queued: QueuedMessage, sender: str, link: str) -> EmailMessage:
    """Return the e-mail with a link. It describes what the link does, but not whether the address has an account."""
    say = say_of(queued)
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
    return _plain_message(queued, sender, subject, (say("Hello,"), does, link, ignore), button)


def changed_email(queued: QueuedMessage, sender: str, home: str) -> EmailMessage:
    """Return the e-mail to an account's previous address about a changed way to sign in, without the new value."""
    say = say_of(queued)
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
    return _plain_message(queued, sender, say("Your Tavola account was changed"), lines, say("Your account"))


def _plain_message(queued: QueuedMessage, sender: str, subject: str, lines: Sequence[str], button: str) -> EmailMessage:
    """Return an e-mail of these lines, one of which is the address of its button."""
    address = next(line for line in lines if line.startswith("http"))
    page = EmailPage(subject, [line for line in lines if line != address], button, address)
    return _message(queued, sender, subject, lines, page)


def _message(
    queued: QueuedMessage, sender: str, subject: str, paragraphs: Sequence[str], page: EmailPage
) -> EmailMessage:
    message, say, fewer = EmailMessage(), say_of(queued), []
    message["From"], message["To"], message["Subject"] = sender, queued.recipient, subject
    message["Date"], message["Message-ID"] = formatdate(), f"<{secrets.token_hex(16)}@{_domain(sender)}>"
    message["Auto-Submitted"] = "auto-generated"
    if page.quiet:
        fewer = [f"{say('Fewer e-mails, or none:')} {page.quiet}"]
        message["List-Unsubscribe"], message["List-Unsubscribe-Post"] = f"<{page.quiet}>", "List-Unsubscribe=One-Click"
    message.set_content("\n\n".join([*paragraphs, *fewer]) + "\n")
    markup = render_fragment("email.html", page=page, say=say, language=say.language)
    message.add_alternative(str(markup), subtype="html")
    return message


def _domain(sender: str) -> str:
    return sender.rpartition("@")[2].strip("> ")


async def told_invitation(club: Club, queued: QueuedMessage) -> ToldMatch | None:
    """Return an invitation in words; None if the room has begun, is full, or seats its reader.

    Raise `TooEarly` at night.
    """
    say, body = say_of(queued), queued.body
    await club.notices.wait_for_morning(body["account"])
    with contextlib.suppress(Refusal):
        room, persons = await club.hub.room(body["invited"]), await club.persons_of(body["account"])
        state, host = room.state, room.state.occupants[body["by"]]
        seated = any(state.seat_of(person) is not None for person in persons)
        if state.phase != "gathering" or seated or host.person is None or not state.free_seats:
            return None
        name, game, when = host.person.name, game_title(state.game, say.language), say("Together now")
        if days := state.settings.days:
            when = say.many("Over days: {count} day per decision", "Over days: {count} days per decision", days)
        facts = [(say("Players"), str(len(state.occupants))), (say("When", context="a match is played"), when)]
        return ToldMatch(say("{name} invites you to play {game}", name=name, game=game), facts, f"/r/{room.id}")
    return None


async def invitation_email(
    club: Club, queued: QueuedMessage, sender: str, home: str, quiet: str
) -> EmailMessage | None:
    """Return the e-mail of an invitation; None if it is not right any more."""
    told, say = await told_invitation(club, queued), say_of(queued)
    if told is None:
        return None
    address, word = f"{home}{told.address}", say("You’ve played together before.")
    page = EmailPage(told.title, [word], say("Go to the table"), address, facts=told.facts, quiet=quiet)
    return _message(queued, sender, told.title, [f"{told.title}.", word, _facts(told.facts, say), address], page)


async def invitation_notice(club: Club, queued: QueuedMessage) -> PushNotice | None:
    """Return the notification of an invitation; None if it is not right any more."""
    told, lasts = await told_invitation(club, queued), queued.expires_at - time.time()
    if told is None:
        return None
    body = "\n".join(fact for _, fact in told.facts[1:])
    return PushNotice(told.title, body, queued.body["language"], queued.body["invited"], told.address, lasts)


MOST_TOLD = 3
"""Maximum matches listed in one notification."""
LONGEST_EVENT, LONGEST_NEWS = 60, 110
"""Maximum characters in a notification: of the last event, or of a question among several; of what a bot did."""


def notice_writer(club: Club) -> WriteNotice:
    """Return the function that writes notifications of turns or of a day; it returns None if no match is waiting."""

    async def write(queued: QueuedMessage) -> PushNotice | None:
        if "invited" in queued.body:
            return await invitation_notice(club, queued)
        waiting = await waiting_of(club, queued)
        told = [match for match in waiting if not decisions_of(queued.body) or is_of(queued, match)]
        if len(told) == 1 and decisions_of(queued.body):
            return turn_notice(queued, told[0])
        return several_notice(queued, told) if told else None

    return write


def turn_notice(queued: QueuedMessage, match: Waiting) -> PushNotice:
    """Return the notification of a turn: game, people, round, what happens now and last, time left."""
    room, say, stage = match.room, say_of(queued), stage_of(queued.body)
    brief, left, seconds = _brief(match, say), _left(match, say), match.until - room.now
    _, title, words = stage_words(stage, match, say)
    which = " · ".join(filter(None, [say("with {people}", people=brief.people), brief.chapter]))
    if stage in NEWS:
        body = "\n".join([which, " ".join(shorten(word, LONGEST_NEWS) for word in words)])
        return PushNotice(title, body, say.language, room.id, f"/r/{room.id}", max(seconds, NEWS_LASTS))
    last = say("{time} left", time=left) if stage != "warned" else ""  # then the title says so
    if stage == "reminded":
        last = say("Your time is up. In {left}, a bot will decide for you.", left=left)
    elif stage == "banked":
        last = say("Your time is up. Your time bank ends in {left}.", left=left)
    body = "\n".join(filter(None, [which, brief.question, shorten(brief.last, LONGEST_EVENT), capitalized(last)]))
    return PushNotice(title, body, say.language, room.id, f"/r/{room.id}", seconds)


def several_notice(queued: QueuedMessage, waiting: Sequence[Waiting]) -> PushNotice:
    """Return the notification of several turns, or of a day: how many matches are waiting, and the first of them."""
    say, count, rows = say_of(queued), len(waiting), list[str]()
    for match in waiting[:MOST_TOLD]:
        brief = _brief(match, say)
        rows.append(f"{match_name(brief.game, brief.people, say)} · {brief.chapter} · {_left(match, say)}")
        rows.append(shorten(brief.question, LONGEST_EVENT))
    if count > MOST_TOLD:
        rows.append(say.many("and {count} more match", "and {count} more matches", count - MOST_TOLD))
    title = say.many("{count} match is waiting for you", "{count} matches are waiting for you", count)
    return PushNotice(title, "\n".join(rows), say.language, "day", "/mine", queued.expires_at - time.time())
