"""The voices of the cast: a line of character beside a statement, at most one every few turns.

The line follows from the log, and everyone who heard the statement reads it in their own language. It never reveals a
card, a count or a plan: the statement has the meaning. Whispers do not use up the lines that everyone hears, which
would reveal them.
"""

from pathlib import Path
from typing import NamedTuple

from tavola.live.log.state import State
from tavola.show.speech import Say, marks
from tavola.talk import PROMISE_ACTS, Act, Conversation, Said, Status

HERE = Path(__file__).parent
ACTIONS_BETWEEN = 12
"""Minimum number of actions that everyone could notice between two lines of one voice to the same hearers."""


class Voice(NamedTuple):
    """A character's lines for a promise or agreement, an offer or request, a refusal, a kept and a broken promise."""

    promise: str
    offer: str
    decline: str
    kept: str
    broke: str


VOICES: dict[str, Voice] = {
    "orla": Voice(
        *marks(
            "There, I said it. Loudly.",
            "Do this for me and I’ll owe you one. I never keep count.",
            "No! Ask me something worth a yes.",
            "Said it, did it. Next!",
            "I changed my mind at the top of my voice.",
        )
    ),
    "bruno": Voice(
        *marks(
            "I will. Weather permitting.",
            "May I ask, carefully?",
            "I’ve said yes twice. Once, I got wet.",
            "There. I worried about it the whole round.",
            "I looked twice, and then I couldn’t.",
        )
    ),
    "amos": Voice(
        *marks(
            "You have my word. It’s the only one I brought.",
            "My word for yours, and both of them good.",
            "I’d have to break my word. So, no.",
            "As I said.",
            "I’m ashamed of that one.",
        )
    ),
    "mara": Voice(
        *marks(
            "Of course, dear. To you, always.",
            "Just between friends. No one needs to know.",
            "I’d love to. I won’t.",
            "See? And you doubted me.",
            "I promised. My hand didn’t.",
        )
    ),
    "pia": Voice(
        *marks(
            "What’s said is said.",
            "My price is my price. Ask the sea for less.",
            "No. And that was before you asked.",
            "Same as yesterday, and the day before.",
            "I was right. The world got it wrong.",
        )
    ),
    "kit": Voice(
        *marks(
            "I will. Want to bet?",
            "Heads, I keep it. Tails, you get rich.",
            "Bad odds. I’ll pass.",
            "Kept it! The odds were long on that one.",
            "Lost it on a coin toss. It was a very good coin.",
        )
    ),
    "ines": Voice(
        *marks(
            "It adds up. Agreed.",
            "You gain, I gain. Sign here.",
            "I’ve checked it twice: no.",
            "Paid in full.",
            "Honesty cost more. I checked.",
        )
    ),
    "ombra": Voice(*marks("(nods)", "You. Me.", "No.", "(bows)", "…")),
}
"""The lines of the cast, by face."""
PARTS = {
    Act.PROMISE: "promise",
    Act.ACCEPT: "promise",
    Act.OFFER: "offer",
    Act.REQUEST: "offer",
    Act.DECLINE: "decline",
}
OUTCOMES = {Status.KEPT: "kept", Status.BROKEN: "broke"}


class Voiced(NamedTuple):
    """The lines beside one statement, as keys (`mara.offer`) or None: when it was made, and when it was judged."""

    said: str | None = None
    judged: str | None = None


def voices(state: State) -> dict[int, Voiced]:
    """Return the lines beside statements of bots, by number; cached until the next event."""
    if state.talk is None:
        return {}
    if state.voices is None:
        state.voices = _voices(state, state.talk)
    return state.voices


def _voices(state: State, talk: Conversation) -> dict[int, Voiced]:
    last: dict[tuple[int, int | None], int] = {}  # when a seat last spoke, to all or to the seat it whispered to
    found: dict[int, Voiced] = {}
    made = [(state.number_of(said.moment), False, said) for said in talk.said]
    settled = [(said.judged_at, said) for said in talk.said if said.judged_at is not None and said.status in OUTCOMES]
    occasions = made + [(state.number_of(moment), True, said) for moment, said in settled]
    for at, judged, said in sorted(occasions, key=lambda one: one[:2]):
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


def _key(state: State, said: Said, *, judged: bool) -> str | None:
    member, act = state.occupants[said.statement.speaker].member, said.statement.act
    part = (OUTCOMES[said.status] if act in PROMISE_ACTS else None) if judged and said.status else PARTS.get(act)
    return f"{member.face}.{part}" if member is not None and member.face in VOICES and part is not None else None
