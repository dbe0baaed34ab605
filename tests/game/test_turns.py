"""Who is asked what, in a minimal game: two seats seal a word, then speak in turn."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import msgspec
import pytest

from bot.game.chance import RandomChance
from bot.game.choices import OneOf
from bot.game.contract import (
    SPECTATOR,
    Action,
    Chance,
    IllegalAction,
    Observer,
    Outcome,
    Refusal,
    Seat,
)
from bot.game.frames import frame_of, in_short, listed, tag_of
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.turns import OVER, RuledGame, TurnLoop

WORDS = OneOf("word", ("yes", "no"))


class Talk(msgspec.Struct):
    """Who has sealed a word, and who speaks; nobody once two have."""

    players: list[str]
    sealed: list[bool]
    speaker: int = 0
    waves: int = 0
    decision: int = 0
    round: int = 0


def _open(state: Talk, seat: Seat) -> Refusal | None:
    return None


def _word(state: Talk, seat: Seat) -> OneOf:
    return WORDS


def _seal(state: Talk, seat: Seat, recorder: EventRecorder, word: str) -> None:
    state.sealed[seat] = True
    state.decision += all(state.sealed)


def _speak(state: Talk, seat: Seat, recorder: EventRecorder, word: str) -> None:
    state.speaker += 1


def _wave(state: Talk, seat: Seat, recorder: EventRecorder) -> None:
    state.waves += 1


SEAL: Rule[Talk] = rule("seal", "words", _open).word("word", _word).does(_seal)
SPEAK: Rule[Talk] = rule("speak", "words", _open).word("word", _word).does(_speak)
WAVE: Rule[Talk] = rule("wave", "signs", _open, free=True).does(_wave)


class TalkTurns(TurnLoop[Talk]):
    """All seal, then one speaks after the other."""

    def question(self, state: Talk) -> str:
        if not all(state.sealed):
            return "seal"
        return "speak" if state.speaker < len(state.players) else OVER

    def asked_seat(self, state: Talk) -> Seat | None:
        return state.speaker if self.question(state) == "speak" else None

    def choosing(self, state: Talk) -> list[tuple[Seat, bool]]:
        return list(enumerate(state.sealed)) if self.question(state) == "seal" else []

    def carry_out(
        self, state: Talk, seat: Seat, known: Rule[Talk], action: Action, recorder: EventRecorder
    ) -> None:
        known.perform(state, seat, recorder, *action[1:])


class Talking(RuledGame[Talk, int]):
    """The game; its view is how often somebody waved."""

    name = "talking"
    version = 1
    seats = (2,)
    options = ()
    events = {}  # noqa: RUF012
    turns = TalkTurns({"seal": (SEAL,), "speak": (SPEAK,), OVER: ()}, (WAVE,))
    state = Talk

    def begin(self, seats: int, options: Mapping[str, str], chance: Chance) -> Talk:
        return Talk(["somebody"] * seats, [False] * seats)

    def seen_by(self, state: Talk, observer: Observer) -> int:
        return state.waves

    def imagine(self, view: int, rng: Random) -> Talk:
        return Talk(["somebody"] * 2, [False] * 2, waves=view)

    def mix(self, state: Talk, observer: Observer, rng: Random) -> None:
        state.sealed.reverse()

    def outcome(self, state: Talk) -> Outcome | None:
        return None

    def hand(self, state: Talk, seat: Seat) -> object:
        return ()

    def invariants(self, state: Talk) -> list[str]:
        return []


GAME = Talking()
CHANCE = RandomChance(Random(0))


def table(*lines: tuple[int, str]) -> Talk:
    state = GAME.setup(2, {}, CHANCE)
    for seat, line in lines:
        GAME.apply(state, seat, tuple(line.split()), CHANCE)
    return state


def asked(state: Talk) -> list[tuple[str, int, str, bool, bool]]:
    return [(d.id, d.seat, d.kind, d.optional, d.sealed) for d in GAME.pending(state)]


def refusal(state: Talk, seat: int, line: str) -> tuple[str, Mapping[str, object]]:
    with pytest.raises(IllegalAction) as caught:
        GAME.legal(state, seat, tuple(line.split()))
    return caught.value.refusal.code, caught.value.refusal.facts


SEALED = ((0, "seal yes"), (1, "seal no"))


def test_a_sealed_choice_is_asked_of_all_and_may_be_changed_until_the_last_is_in() -> None:
    assert asked(table()) == [("0", 0, "seal", False, True), ("0", 1, "seal", False, True)]
    one = table((0, "seal yes"))
    assert asked(one) == [("0", 1, "seal", False, True), ("0", 0, "seal", True, True)]
    assert GAME.legal(one, 0) == OneOf("kind", ("seal", "wave"))


def test_one_after_the_other_is_asked_anew_after_each_action() -> None:
    assert asked(table(*SEALED)) == [("1", 0, "speak", False, False)]
    assert asked(table(*SEALED, (0, "speak no"))) == [("2", 1, "speak", False, False)]


def test_a_free_action_is_open_to_all_and_makes_no_question_new() -> None:
    state = table(*SEALED)
    assert GAME.legal(state, 1) == OneOf("kind", ("wave",))
    GAME.apply(state, 1, ("wave",), CHANCE)
    assert (state.waves, asked(state)) == (1, [("1", 0, "speak", False, False)])


def test_who_may_not_begin_an_action_is_told_why() -> None:
    state = table(*SEALED)
    assert refusal(state, 1, "speak no") == ("not_your_turn", {"kind": "speak", "other": 0})
    assert refusal(state, 0, "seal no") == ("not_now", {"kind": "seal", "asked": "speak"})
    assert refusal(state, 0, "sing") == ("unknown_kind", {"kind": "sing"})
    assert refusal(table(), 5, "seal no") == ("nothing_asked", {"kind": "seal"})


def test_nothing_is_asked_once_it_is_over() -> None:
    over = table(*SEALED, (0, "speak no"), (1, "speak no"))
    assert (asked(over), GAME.legal(over, 0)) == ([], OneOf("kind", ()))
    assert refusal(over, 0, "wave") == ("game_over", {})


def test_a_resampled_state_is_a_copy_for_somebody_who_is_there() -> None:
    state = table((0, "seal yes"))
    assert GAME.resample(state, SPECTATOR, Random(0)).sealed == [False, True]
    assert state.sealed == [True, False]
    for look in (GAME.view, lambda state, observer: GAME.resample(state, observer, Random(0))):
        with pytest.raises(ValueError, match="2"):
            look(state, 2)


# Frames: what is asked, as a stack; the top one asks


class Rest(msgspec.Struct, tag="rest"):
    """Nothing happens."""


class Storm(msgspec.Struct, tag="storm"):
    """Everything does."""

    force: int


class Weather(msgspec.Struct):
    """A state of frames alone."""

    frames: list[Rest | Storm]
    round: int = 3


def test_the_top_frame_is_the_one_that_asks() -> None:
    weather = Weather([Rest(), Storm(9)])
    assert frame_of(weather, Storm).force == 9
    with pytest.raises(AssertionError):
        frame_of(weather, Rest)
    assert (tag_of(Rest), tag_of(Storm)) == ("rest", "storm")
    assert in_short("Weather", weather) == "<Weather: round 3, storm, then rest>"
    assert (listed(["oof", "", 3]), listed([])) == ("oof - 3", "-")
