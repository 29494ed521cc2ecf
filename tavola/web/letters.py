"""The letters of the site, in the language of whoever asked for them: plain text, and nothing that calls home."""

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
        if letter.kind != "link":
            return None
        return link_letter(letter, server.sender, await club.issue_link(letter))

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
    message = EmailMessage()
    message["From"], message["To"] = sender, letter.recipient
    message["Subject"] = say("Your link to Tavola")
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=sender.rpartition("@")[2].strip("> "))
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("\n\n".join(lines) + "\n")
    return message
