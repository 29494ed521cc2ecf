"""How word is sent: the settings of a site's post."""

from dataclasses import dataclass, field

from tavola.club.mail import MailServer
from tavola.club.notices import PAUSE
from tavola.club.outbox import TAKEN_FOR
from tavola.club.reach import Reach


@dataclass(frozen=True)
class PostSettings:
    """Through which mail server letters go, and how far pushes reach.

    Nobody is asked for an address without `mail`. `pause`: seconds until word of a turn is due; `taken_for`: seconds
    for which a letter is a worker's.
    """

    mail: MailServer | None = None
    reach: Reach = field(default_factory=Reach)
    pause: float = PAUSE
    taken_for: float = TAKEN_FOR
