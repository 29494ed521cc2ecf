"""The voices of the cast: a line of character beside a statement, at most one every few turns.

Which line it is follows from the log, and everyone who heard the statement reads it in their own language. A line
never tells a card, a count or a plan: the statement says what is meant. What was whispered takes no line away from what
all hear: it would tell of the whisper.
"""

from pathlib import Path
from typing import NamedTuple

from tavola.live.log.state import State
from tavola.show.speech import Say, marks
from tavola.talk import WORD_ACTS, Act, Conversation, Said, Status

HERE = Path(__file__).parent
ACTIONS_BETWEEN = 12
"""Actions that everyone could notice, at least, between two lines of one voice to the same ears."""


class Voice(NamedTuple):
    """What one of the cast says with a promise (or when it agrees), an offer (or a request), a no; kept, and broke."""

    promise: str
    offer: str
    decline: str
    kept: str
    broke: str


VOICES: dict[str, Voice] = {
    "orla": Voice(
        *marks(
            "There, I said it. Loudly.",
            "Give me this and I owe you one. I never count them.",
            "No! Ask me something worth a yes.",
            "Said it, did it, next!",
            "I changed my mind at the top of my voice.",
        )
    ),
    "bruno": Voice(
        *marks(
            "I will. Barring bad weather.",
            "May I ask, carefully?",
            "Twice I have said yes. Once I got wet.",
            "There. I worried about it all round.",
            "I looked twice, and then I could not.",
        )
    ),
    "amos": Voice(
        *marks(
            "You have my word. It is the only one I brought.",
            "A word for a word, and both of them good.",
            "I would have to break it. So: no.",
            "As I said.",
            "I am ashamed of that one.",
        )
    ),
    "mara": Voice(
        *marks(
            "Of course, dear. To you, always.",
            "Between friends. Nobody need know.",
            "I would love to. I shall not.",
            "You see? And you had doubted me.",
            "I promised you. Not my hand.",
        )
    ),
    "pia": Voice(
        *marks(
            "Once said is said.",
            "My price is my price. Ask the sea for less.",
            "No. And that was before you asked.",
            "As it was yesterday, and the day before.",
            "I was right. It was the world that went wrong.",
        )
    ),
    "kit": Voice(
        *marks(
            "I will. Want to bet on it?",
            "Heads I keep it, tails you get rich.",
            "Poor odds. I pass.",
            "Kept it! I had long odds on that.",
            "Lost it on a coin. It was a very good coin.",
        )
    ),
    "ines": Voice(
        *marks(
            "It adds up. Agreed.",
            "You gain, I gain. Do sign.",
            "I have checked it twice: no.",
            "Paid in full.",
            "Honesty was dearer. I checked.",
        )
    ),
    "ombra": Voice(*marks("(nods)", "You. Me.", "No.", "(bows)", "…")),
}
"""The lines of each of the cast, by face."""
PARTS = {
    Act.PROMISE: "promise",
    Act.ACCEPT: "promise",
    Act.OFFER: "offer",
    Act.REQUEST: "offer",
    Act.DECLINE: "decline",
}
OUTCOMES = {Status.KEPT: "kept", Status.BROKEN: "broke"}


class Voiced(NamedTuple):
    """The lines beside one statement, as keys (`mara.offer`), None for none: as it was made, and as it was judged."""

    said: str | None = None
    judged: str | None = None


def voices(state: State) -> dict[int, Voiced]:
    """Return the lines beside statements of bots, by number; worked out once until the next event."""
    if state.talk is None:
        return {}
    if state.voices is None:
        state.voices = _voices(state, state.talk)
    return state.voices


def _voices(state: State, talk: Conversation) -> dict[int, Voiced]:
    last: dict[tuple[int, int | None], int] = {}  # when a seat was last heard, by all or by whom it whispered to
    found: dict[int, Voiced] = {}
    for at, judged, said in sorted(_occasions(state, talk.said), key=lambda one: one[:2]):
        seat, ears = said.statement.speaker, said.statement.to if said.statement.is_whispered else None
        key = _key(state, said, judged=judged)
        before = max(last.get((seat, heard), -ACTIONS_BETWEEN) for heard in (None, ears))
        if key is not None and at - before >= ACTIONS_BETWEEN:
            last[seat, ears] = at
            known = found.get(said.number, Voiced())
            found[said.number] = known._replace(judged=key) if judged else known._replace(said=key)
    return found


def line(key: str | None, say: Say) -> str:
    """Return the line of a key in the language of `say`; empty for None."""
    if key is None:
        return ""
    face, _, part = key.partition(".")
    return Say(HERE, say.language)(str(getattr(VOICES[face], part)))


def _occasions(state: State, talk: list[Said]) -> list[tuple[int, bool, Said]]:
    made = [(state.number_of(said.moment), False, said) for said in talk]
    settled = [(said.judged_at, said) for said in talk if said.judged_at is not None and said.status in OUTCOMES]
    return made + [(state.number_of(moment), True, said) for moment, said in settled]


def _key(state: State, said: Said, *, judged: bool) -> str | None:
    member, act = state.occupants[said.statement.speaker].member, said.statement.act
    part = (OUTCOMES[said.status] if act in WORD_ACTS else None) if judged and said.status else PARTS.get(act)
    return f"{member.face}.{part}" if member is not None and member.face in VOICES and part is not None else None
