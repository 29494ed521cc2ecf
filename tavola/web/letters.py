"""The letters of the site, in the language of whoever asked for them: plain text, and nothing that calls home."""

from collections.abc import Sequence
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from tavola.club import Club
from tavola.club.mail import MailServer
from tavola.club.outbox import Letter
from tavola.club.postman import Write
from tavola.web.door.visitor import site_say


def letter_writer(club: Club, server: MailServer) -> Write:
    """Return what writes each kind of letter; None for a kind that is not known any more."""

    async def write(letter: Letter) -> EmailMessage | None:
        if letter.kind == "link":
            return link_letter(letter, server.sender, await club.issue_link(letter))
        return moved_letter(letter, server.sender) if letter.kind == "moved" else None

    return write


def link_letter(letter: Letter, sender: str, secret: str) -> EmailMessage:
    """The letter with a link to come in by."""
    say = site_say(letter.body["language"])
    lines = (
        say("Hello,"),
        say("with this link you come in to Tavola; it is good once, for twenty minutes:"),
        f"{letter.body['site']}/account/link/{secret}",
        say("If you did not ask for it, do nothing: nothing happens then, and nobody learns anything."),
    )
    return _message(letter, sender, say("Your link to Tavola"), lines)


def moved_letter(letter: Letter, sender: str) -> EmailMessage:
    """What the address hears that somebody had until now: not which one he has instead."""
    say = site_say(letter.body["language"])
    lines = (
        say("Hello,"),
        say("your seat at Tavola has another address from now on; links to come in by go there, no more to this one."),
        say("If that was not you, come in with a passkey and change it back; whoever runs the site can help, too:"),
        f"{letter.body['site']}/account",
    )
    return _message(letter, sender, say("Your address at Tavola was changed"), lines)


def _message(letter: Letter, sender: str, subject: str, paragraphs: Sequence[str]) -> EmailMessage:
    """A message of plain text, as a program sends it."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, letter.recipient, subject
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=sender.rpartition("@")[2].strip("> "))
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("\n\n".join(paragraphs) + "\n")
    return message
