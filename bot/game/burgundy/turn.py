"""The course of the game: who is asked what, and what follows once nothing is left to ask."""

from __future__ import annotations

from typing import get_args

from bot.game.burgundy.data import TILE_KEYS
from bot.game.burgundy.dice import WORKERS
from bot.game.burgundy.events import Declined, Lapsed
from bot.game.burgundy.goods import LOAD, SELL, SHIPS, is_first_load, loadable
from bot.game.burgundy.placing import PLACE
from bot.game.burgundy.rounds import END
from bot.game.burgundy.setup import BOARD, CASTLE
from bot.game.burgundy.state import NONE, Castles, Effect, Frame, Load, Over, State
from bot.game.burgundy.storing import BUY, TAKE
from bot.game.contract import Action, Decision, Refusal, Seat
from bot.game.grammar import EventRecorder, Rule, rule

# Declining what may be declined: the effect of a building (section 10), and the second load of a
# ship (section 11)


def _decline_gate(state: State, seat: Seat) -> Refusal | None:
    return Refusal("must_load", SHIPS) if is_first_load(state) else None


def _decline(state: State, seat: Seat, recorder: EventRecorder) -> None:
    frame = state.frames.pop()
    recorder.tell(Declined(seat=seat, tile=_tile_of(frame)))


def _tile_of(frame: Frame) -> str:
    """The tile whose effect a frame asks for."""
    return TILE_KEYS[frame.building] if isinstance(frame, Effect) else "ship"


DECLINE: Rule[State] = rule("decline", "buildings", _decline_gate).does(_decline)


# Who is asked what

ASKED: dict[str, tuple[Rule[State], ...]] = {
    "board": (BOARD,),
    "castle": (CASTLE,),
    "turn": (PLACE, TAKE, SELL, WORKERS, BUY, END),
    "extra": (PLACE, TAKE, SELL, WORKERS),
    "warehouse": (SELL, DECLINE),
    "carpenter": (TAKE, DECLINE),
    "church": (TAKE, DECLINE),
    "market": (TAKE, DECLINE),
    "city_hall": (PLACE, DECLINE),
    "load": (LOAD, DECLINE),
    "over": (),
}
"""The kinds of action that answer each question, in the order they are shown."""

RULES: dict[str, Rule[State]] = {
    known.move.kind: known for group in ASKED.values() for known in group
}
"""The rule of each kind."""

ANSWERS = {asked: frozenset(known.move.kind for known in group) for asked, group in ASKED.items()}

_TAGS = {frame: str(frame.__struct_config__.tag) for frame in get_args(Frame)}


def question(frame: Frame) -> str:
    """The kind of what a frame asks: that of the building, where one has an effect."""
    return TILE_KEYS[frame.building] if isinstance(frame, Effect) else _TAGS[type(frame)]


def is_asked(state: State, seat: Seat) -> bool:
    """Whether the seat may answer what is being asked; castles are chosen by all at once."""
    frame = state.frames[-1]
    if isinstance(frame, (Castles, Over)):
        return isinstance(frame, Castles)
    return seat == state.order[state.at]


def kinds(state: State, seat: Seat) -> tuple[str, ...]:
    """The kinds of action open to the seat."""
    if not is_asked(state, seat):
        return ()
    group = ASKED[question(state.frames[-1])]
    return tuple([known.move.kind for known in group if known.gate(state, seat) is None])


def pending(state: State) -> tuple[Decision, ...]:
    """What is asked of whom; a castle that has been chosen may still be changed."""
    frame, name = state.frames[-1], str(state.decision)
    if isinstance(frame, Castles):
        by_need = sorted(range(len(state.players)), key=lambda seat: frame.chosen[seat] != NONE)
        return tuple(
            Decision(name, seat, "castle", frame.chosen[seat] != NONE, sealed=True)
            for seat in by_need
        )
    if isinstance(frame, Over):
        return ()
    return (Decision(name, state.order[state.at], question(frame)),)


def refusal_of_kind(state: State, seat: Seat, kind: str) -> Refusal | None:
    """Why the seat may not begin an action of this kind now, before any gate of its own."""
    frame, asked = state.frames[-1], is_asked(state, seat)
    if asked and kind in ANSWERS[question(frame)]:
        return None
    known = RULES.get(kind)
    if known is None:
        return Refusal("unknown_kind", "overview", {"kind": kind})
    if isinstance(frame, Over):
        return Refusal("game_over", "ending")
    if asked:
        return Refusal("not_now", known.move.topic, {"kind": kind, "asked": question(frame)})
    other = state.order[state.at]
    return Refusal("not_your_turn", known.move.topic, {"kind": kind, "other": other})


def carry_out(state: State, seat: Seat, action: Action, recorder: EventRecorder) -> None:
    """Do a checked action and all that follows from it without asking anybody."""
    RULES[action[0]].perform(state, seat, recorder, *action[1:])
    _drop_useless_effects(state, seat, recorder)


def _drop_useless_effects(state: State, seat: Seat, recorder: EventRecorder) -> None:
    """An effect of which no use could be made lapses without a question (section 11).

    Of a second load, to which nobody is held, it is not even said.
    """
    while True:
        frame = state.frames[-1]
        if isinstance(frame, Effect):
            useful = ASKED[question(frame)][0].gate(state, seat) is None
        elif isinstance(frame, Load):
            useful = bool(loadable(state, seat))
        else:
            return
        if useful:
            return
        if isinstance(frame, Effect) or is_first_load(state):
            recorder.tell(Lapsed(seat=seat, tile=_tile_of(frame)))
        state.frames.pop()
