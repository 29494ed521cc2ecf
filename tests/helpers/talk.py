"""Random talk in random matches, and a slow judge that knows the whole history and shares no code with the product."""

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from tavola.core import CHANCE, Game, Match
from tavola.show.cards import words_of
from tavola.show.speech import Say
from tavola.talk import BadStatement, Conversation, Language, Said, Status, language_of, parse_line


def say(talk: Conversation, match: Match, speaker: int, line: str) -> Said:
    """Make a statement; raise `BadStatement` if it is refused."""
    statement = parse_line(speaker, line, talk.language)
    talk.require(statement, match.view())
    return talk.say(statement, match)


def play(talk: Conversation, match: Match, code: str, seat: int) -> list[Said]:
    """Play an action; return the statements that it settled."""
    before = match.view()
    match.play(code, seat)
    return talk.see(before, match)


def say_at_random(talk: Conversation, match: Match, dice: random.Random) -> Said | None:
    """Make a random statement by a random seat and return it; None if it is refused."""
    speaker = dice.randrange(match.players)
    with suppress(BadStatement):
        return say(talk, match, speaker, random_line(talk, match, speaker, dice))
    return None


def random_line(talk: Conversation, match: Match, speaker: int, dice: random.Random) -> str:
    """Return a statement, which is often legal."""
    other, number = dice.randrange(match.players), dice.randint(max(1, len(talk.said) - 4), len(talk.said) + 1)
    own = dice.choice([said.number for said in talk.standing_of(speaker)] or [number])
    open_ones = [said.number for said in talk.said if said.status is Status.OPEN and said.statement.speaker != speaker]
    number = dice.choice([number, *open_ones])
    to = dice.choice(["", f"to {other} ", f"to {other} aloud "])
    one = to or f"to {other} "
    language = talk.language
    deed, condition = (random_deed(language, match, seat, dice) for seat in (speaker, other))
    fact = random_pattern(language.facts, dice) if language.facts else condition
    return dice.choice(
        [
            *[f"promise {to}{deed}"] * 2,
            f"request {to}{condition}",
            f"offer {one}{deed} if {condition}",
            f"threat {one}{deed} if {condition}",
            f"claim {to}{dice.choice([deed, fact])}",
            f"accuse {other} {fact}",
            f"ask {to}{dice.choice([condition, fact])}",
            *[f"accept {number}"] * 2,
            f"decline {number}",
            f"withdraw {own}",
            f"thank {one}",
            f"warn {other} {to}".strip(),
        ]
    )


def random_deed(language: Language, match: Match, seat: int, dice: random.Random) -> str:
    """Return the text of a deed; half of the time, its verb is legal for the seat now."""
    verbs = dict(language.deeds)
    legal = {match.game.actions.verb(number).name for number in match.legal_numbers(seat)} & verbs.keys()
    if legal and dice.random() < 0.7:
        verbs = {name: verbs[name] for name in legal}
    return f"{random_pattern(verbs, dice)} {dice.choice(['now', 'next', 'round'])}"


def random_pattern(verbs: Any, dice: random.Random) -> str:
    verb = verbs[dice.choice(sorted(verbs))]
    slots = [dice.choice(["*", dice.choice(names), f"not {dice.choice(names)}"]) for names in verb.arguments.values()]
    return " ".join([*(["not"] if dice.random() < 0.3 else []), verb.name, *slots])


class History:
    """A match with random talk, and everything that the slow judge reads, by moment."""

    def __init__(self, game: Game, players: int, seed: int, chatter: float) -> None:
        self.game, dice = game, random.Random(seed)
        self.match = Match(game, players=players, seed=seed)
        self.talk = Conversation(language_of(game))
        self.settled: list[tuple[int, int]] = []  # statement number and moment
        self.owing: list[set[int]] = []
        self.chapters: list[str] = []
        self._note()
        while not self.match.over:
            while dice.random() < chatter:
                say_at_random(self.talk, self.match, dice)
            self._play(dice)
        self.settled += [(said.number, self.moment) for said in self.talk.finish(self.match)]

    @property
    def moment(self) -> int:
        return len(self.match.history)

    def _play(self, dice: random.Random) -> None:
        # With a seed, chance plays by itself; here each of its outcomes is a separate step.
        self.match.seed = None
        if CHANCE in self.match.to_act:
            odds = self.match.chance_weights()
            code, seat = dice.choices(list(odds), list(odds.values()))[0], CHANCE
        else:
            seat = dice.choice(self.match.to_act)
            code = dice.choice(self.match.legal_codes(seat))
        settled = play(self.talk, self.match, code, seat)
        self._note()
        self.settled += [(said.number, self.moment) for said in settled]

    def _note(self) -> None:
        while len(self.owing) <= self.moment:
            self.owing.append(set(self.match.to_act))
            self.chapters.append(words_of(self.game).chapter(self.match.view(), Say.of(self.game, "en")))


# The slow judge


class SlowJudge:
    """Judges a deed by the whole history, including hidden actions."""

    def __init__(self, history: History) -> None:
        self.history, self.game = history, history.game
        code = self.game.actions.code
        self.actions = [(seat, code(number)) for seat, number in history.match.history]
        self.end = len(self.actions)

    def verdict(self, seat: int, text: str, when: str, moment: int) -> tuple[str, int]:
        """Return `kept`, `broken` or `void`, and the first moment at which all seats could know."""
        kind = next(kind for kind in words_of(self.game).talk.kinds if self._verb(text) in kind.verbs)
        decisions = list(self._turns(seat, kind) if kind.whole_turn else self._decisions(seat, moment, kind))
        return self._judge(kind, decisions, seat, text, when, moment)

    def _judge(self, kind: Any, decisions: Any, seat: int, text: str, when: str, moment: int) -> tuple[str, int]:
        coming = [d for d in decisions if d[1] >= moment]
        under_way = bool(coming) and coming[0][0] < moment and not kind.whole_turn
        if when == "next" and (under_way or seat in self.history.owing[moment]):
            coming = coming[1:]
        of_kind = [(self._since(d, moment, kind), d) for d in coming if self._since(d, moment, kind)]
        if when == "round":
            cast = [(self._since(d, 0, kind), d) for d in decisions if d[1] < moment < d[2] and not kind.whole_turn]
            return self._judge_round(kind, [*cast, *of_kind], seat, text, moment)
        if not of_kind or (when == "now" and of_kind[0][1] is not coming[0]):
            return "void", 0
        codes, decision = of_kind[0]
        if self._is_settled_by_vote(text, codes):
            decision = (*decision[:2], self._known_at(seat, decision[0]), decision[3])
        verdict = {None: "void", True: "kept", False: "broken"}[self._fits(text, codes, decision)]
        return verdict, 0 if kind.whole_turn else decision[2]

    def _is_settled_by_vote(self, text: str, codes: list[str]) -> bool:
        """True if a vote decides alone although its seat has a choice after it."""
        if len(codes) < 2 or not codes[1].startswith("choose"):
            return False
        negated, text = text.startswith("not "), text.removeprefix("not ")
        return self._with_choice(negated, text, codes) == codes[:1]

    def _judge_round(self, kind: Any, of_kind: Any, seat: int, text: str, moment: int) -> tuple[str, int]:
        here = self.history.chapters[moment]
        last = next((m for m in range(moment, self.end) if self.history.chapters[m] != here), self.end)
        came = False
        for codes, decision in of_kind:
            if not codes:
                continue
            if kind.whole_turn and text.startswith("not "):
                early = [code for place, code in decision[3] if moment <= place < last]
                forbidden = [code for code in early if self._fits_one(text.removeprefix("not "), code)]
                if any(self._verb(code) in kind.verbs for code in forbidden):
                    return "broken", 0
            if self._is_settled_by_vote(text, codes):
                decision = (*decision[:2], self._known_at(seat, decision[0]), decision[3])
            fits = self._fits(text, codes, decision) if decision[2] <= last else None
            if fits is False:
                return "broken", decision[2] if not kind.whole_turn else 0
            came = came or fits is True
        return ("kept", last) if came else ("void", 0)

    def _since(self, decision: Any, moment: int, kind: Any) -> list[str]:
        is_of_kind = bool(decision[3]) and self._verb(decision[3][0][1]) in kind.verbs
        verbs = (*kind.verbs, kind.followed_by) if is_of_kind else kind.verbs
        codes = [code for place, code in decision[3] if place >= moment or not kind.whole_turn]
        return [code for code in codes if self._verb(code) in verbs]

    # Decisions: first and last place, the moment at which all seats know, and the codes with their places

    def _decisions(self, seat: int, moment: int, kind: Any) -> Iterator[tuple[int, int, int, list[tuple[int, str]]]]:
        own = [(place, code) for place, (actor, code) in enumerate(self.actions) if actor == seat]
        while own:
            group = [own.pop(0)]
            while group[0][1].startswith("equip") and own and own[0][1].startswith("equip") and len(group) < 4:
                group.append(own.pop(0))
            voted, known = "vote" in kind.verbs and group[0][1].startswith("vote"), self._known_at(seat, group[0][0])
            chose = bool(own) and own[0][1].startswith("choose")
            if voted and chose and moment < known and not self._is_voted(known, own[0][0]):  # the choice the vote gave
                group.append(own.pop(0))
            yield group[0][0], group[-1][0], self._known_at(seat, group[-1][0]), group

    def _is_voted(self, first: int, end: int) -> bool:
        """True if there was a vote among these actions, so that a choice after them is of a later ballot."""
        return any(code.startswith("vote") for _, code in self.actions[first:end])

    def _known_at(self, seat: int, place: int) -> int:
        if not self.game.actions.verb(self.history.match.history[place][1]).secret:
            return place + 1
        waiting = self.history.owing[place] - {seat}
        at = place + 1
        while waiting and at < self.end:
            waiting.discard(self.actions[at][0])
            at += 1
        return at

    def _turns(self, seat: int, kind: Any) -> Iterator[tuple[int, int, int, list[tuple[int, str]]]]:
        turn: list[tuple[int, str]] = []
        for place, (actor, code) in enumerate([*self.actions, (-1, "")]):
            if actor == seat:
                turn.append((place, code))
            elif actor != CHANCE and turn:
                later = range(turn[-1][0] + 1, self.end)
                known = next((m for m in later if self.history.owing[m] - {CHANCE}), self.end)
                heard = [(at, said) for at, said in turn if not self.game.actions.verb_by_name[self._verb(said)].secret]
                yield turn[0][0], turn[-1][0], known, heard
                turn = []

    # Patterns, parsed independently of the product

    def _verb(self, text: str) -> str:
        return text.removeprefix("not ").split()[0]

    def _fits(self, text: str, codes: list[str], decision: Any) -> bool | None:
        negated, text = text.startswith("not "), text.removeprefix("not ")
        if len(codes) > 1 and codes[1].startswith("choose"):
            codes = self._with_choice(negated, text, codes)
        found: list[bool | None] = [self._fits_one(text, code) for code in codes]
        if text.startswith("courses"):
            found = [self._fits_courses(text, codes[0], decision[0])]
        if True in found:
            return not negated
        return None if None in found else negated

    def _with_choice(self, negated: bool, text: str, codes: list[str]) -> list[str]:
        """Captains cannot be chosen, so words about one are about the card; else the choice counts, and both if not."""
        vote, choice = codes[0], codes[1].replace("choose", "vote")
        if text.endswith("captain"):
            return [vote]
        forbids = negated != (" not " in text)
        if forbids and self._fits_one(text, vote) == negated:
            return [vote]
        return [choice]

    def _fits_one(self, text: str, code: str) -> bool:
        words, told = text.split(), code.split()
        if words.pop(0) != told.pop(0):
            return False
        for name in told:
            word = words.pop(0)
            if word == "not":
                if words.pop(0) == name:
                    return False
            elif word not in ("*", name):
                return False
        return True

    def _fits_courses(self, text: str, code: str, place: int) -> bool | None:
        """The sealed course is known only if it was sailed; a mismatch of the open course is known at once."""
        slots = text.removeprefix("courses ").split()
        openly = slots[: 2 if slots[0] == "not" else 1]
        if not self._fits_one(" ".join(["courses", *openly, "*"]), code):
            return False
        turn = int(self.history.chapters[place].split()[1])
        told = self.game.table.write(self.history.match.view().table)["turns"][turn - 1]
        is_known = slots[-1] == "*" or told["sailed"] == code.split()[2]
        return self._fits_one(text, code) if is_known else None

    # Facts

    def is_true(self, seat: int, text: str, moment: int) -> bool:
        """Return whether a fact was true at a moment, by the hand as a document."""
        hand = self.game.hand.write(self.game.state.unpack(self.history.match.states_at(moment).tobytes()).hand[seat])
        negated, text = text.startswith("not "), text.removeprefix("not ")
        return any(self._fits_one(text, fact) for fact in _facts(hand)) != negated


def _facts(hand: dict[str, Any]) -> list[str]:
    if "role" in hand:
        return [f"role {hand['role']}"]
    if "drawn" in hand:
        return [f"seek {place}" for place in hand["cards"]]
    held = [*hand.get("cards", ()), *hand.get("kings", ()), *(["joker"] if hand.get("jokers") else [])]
    return [f"hold {card}" for card in (*held, *(card for card, count in hand.get("wands", {}).items() if count))]
