"""The course of the game: who is asked what, and the contract's functions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from bot.game.bits import connected, mask, union
from bot.game.burgundy.data import (
    AROUND,
    BOARDS,
    BUILDING,
    COLOUR_KEYS,
    COLOUR_OF,
    CONTENT,
    GOODS_LETTERS,
    KNOWLEDGE,
    SIDES,
    TILE_COUNTS,
    TILE_KEYS,
)
from bot.game.burgundy.dice import BUY, TAKE, WORKERS, TileEvent
from bot.game.burgundy.goods import LOAD, SELL, is_first, loadable, room
from bot.game.burgundy.placing import PLACE, REPEATS
from bot.game.burgundy.rounds import BOARD, CASTLE, END, ROLL, outcome, play_order, roll, set_up
from bot.game.burgundy.state import (
    NONE,
    BurgundyOver,
    BurgundyPlayer,
    BurgundyState,
    Castles,
    Effect,
    Frame,
    Load,
    Roll,
    deal,
    knows,
    lying_goods,
    lying_tiles,
)
from bot.game.contract import Action, Option, Refusal, Seat
from bot.game.events import GameEnded, TurnEnded, kinds_of
from bot.game.frames import tag_of
from bot.game.game import Game
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.invariants import conserved, present


class Declined(TileEvent, frozen=True):
    """An effect its owner declined: of a building, or a ship's second load."""


class Lapsed(TileEvent, frozen=True):
    """An effect that could not be used."""


def _decline_gate(state: BurgundyState, seat: Seat) -> Refusal | None:
    """The effect of a building (ruling 17) and the second load of a ship (ruling 21) may be
    declined."""
    return refuse("must_load", "ships") if is_first(state.frames[-1]) else None


def _decline(state: BurgundyState, seat: Seat, recorder: EventRecorder) -> None:
    recorder.record(Declined(seat=seat, tile=_tile_of(state.frames.pop())))


def _tile_of(frame: Frame) -> str:
    """The tile whose effect a frame asks for."""
    return TILE_KEYS[frame.building] if isinstance(frame, Effect) else "ship"


DECLINE: Rule[BurgundyState] = rule("decline", "buildings", _decline_gate, idle=True).does(_decline)


# Who is asked what

QUESTIONS: dict[str, tuple[Rule[BurgundyState], ...]] = {
    "board": (BOARD,),
    "castle": (CASTLE,),
    "roll": (ROLL,),
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
"""The kinds of action that answer each question, in the order shown."""

QUESTIONS_2 = {question: rules for question, rules in QUESTIONS.items() if question != "roll"}
"""The same in version 2."""


def invariants(state: BurgundyState) -> list[str]:
    """Everything wrong with the state, a line each for developers; empty for a sound one."""
    tiles = [state.stacks, state.black, *lying_tiles(state)]
    goods = [state.bag, *lying_goods(state)]
    names = [f"goods {letter}" for letter in GOODS_LETTERS]
    found = [
        *conserved(tiles, TILE_KEYS, TILE_COUNTS),
        *conserved(goods, names, [CONTENT.goods_each] * SIDES),
    ]
    seats = list(range(len(state.players)))
    if sorted(chain(*state.track)) != seats:
        found.append(f"on the track are {state.track}")
    if sorted(state.order) != seats:
        found.append(f"the order is {state.order}")
    for seat, player in enumerate(state.players):
        found += (f"seat {seat}: {line}" for line in _wrong_with(player))
    return found


def _wrong_with(player: BurgundyPlayer) -> Iterator[str]:
    estate = {space: tile for space, tile in enumerate(player.estate) if tile != NONE}
    covered, around = mask(estate), union([AROUND[space] for space in estate])
    known = mask(int(TILE_KEYS[t][1:]) for t in estate.values() if COLOUR_OF[t] == KNOWLEDGE)
    follows = covered, around & ~covered, known
    faults = {
        f"stores {player.storage}": len(player.storage) > CONTENT.storage_spaces,
        f"has goods {player.goods}": room(player) < 0,
        f"has {player.silverlings} silverlings": player.silverlings < 0,
        f"has {player.workers} workers": player.workers < 0,
        "what follows from the estate does not fit it": (
            follows != (player.covered, player.border, player.knowledge)
        ),
        f"the estate falls apart: {covered:b}": (
            bool(estate) and connected(1 << min(estate), covered, AROUND) != covered
        ),
    }
    yield from present(faults)
    for region in BOARDS[player.board].regions if estate else ():
        tiles = [estate[space] for space in region.spaces if space in estate]
        if {COLOUR_OF[tile] for tile in tiles} - {region.colour}:
            yield f"on {COLOUR_KEYS[region.colour]} lies {[TILE_KEYS[tile] for tile in tiles]}"
        twice = len(set(tiles)) < len(tiles)
        if region.colour == BUILDING and twice and not knows(player, REPEATS):
            yield f"a city has {tiles}"


class Burgundy(Game[BurgundyState]):
    """The rules of The Castles of Burgundy.

    No action discloses anything: apart from draws, everything lies open when it is moved; piles of
    sold goods are hidden only from those who have forgotten what was sold.

    In events `tile`, `colour`, `depot`, `space`, `good` and `die` are words of the notation (a die
    used freely is ``any``); `spent` are workers paid for a die.
    """

    name = "burgundy"
    version = 3
    seats = (2, 3, 4)
    options = (
        Option("boards", ("beginner", "random", "choose", *map(str, BOARDS))),
        Option("ties", ("fullest", "emptiest")),
        Option("sold_goods", ("open", "hidden")),
    )
    events = kinds_of("bot.game.burgundy", TurnEnded, GameEnded)
    state = BurgundyState
    questions = QUESTIONS

    begin = staticmethod(set_up)
    deal = staticmethod(deal)
    outcome = staticmethod(outcome)
    invariants = staticmethod(invariants)

    def question(self, state: BurgundyState) -> str:
        """The kind of question: the building's, where one has an effect."""
        frame = state.frames[-1]
        return TILE_KEYS[frame.building] if isinstance(frame, Effect) else tag_of(type(frame))

    def active_seat(self, state: BurgundyState) -> Seat | None:
        """Whose turn it is, or will be once the round has been rolled."""
        kind = type(state.frames[-1])
        if kind is Castles or kind is BurgundyOver:
            return None
        return play_order(state)[0] if kind is Roll else state.order[state.at]

    def choosing(self, state: BurgundyState) -> list[tuple[Seat, bool]]:
        """All, while castles are chosen."""
        frame = state.frames[-1]
        chosen = frame.chosen if isinstance(frame, Castles) else ()
        return [(seat, space != NONE) for seat, space in enumerate(chosen)]

    def carry_out(
        self,
        state: BurgundyState,
        seat: Seat,
        rule: Rule[BurgundyState],
        action: Action,
        recorder: EventRecorder,
    ) -> None:
        """An effect that cannot be used lapses without a question (ruling 17); a second load, which
        is voluntary, without an event. In version 2 of the rules the next round is rolled at once
        (ruling 7)."""
        rule.perform(state, seat, recorder, *action[1:])
        while self._is_useless(state, seat):
            frame = state.frames.pop()
            if isinstance(frame, Effect) or is_first(frame):
                recorder.record(Lapsed(seat=seat, tile=_tile_of(frame)))
        if isinstance(state.frames[-1], Roll) and "roll" not in self.answers:
            roll(state, seat, recorder)

    def _is_useless(self, state: BurgundyState, seat: Seat) -> bool:
        frame = state.frames[-1]
        if isinstance(frame, Effect):
            return QUESTIONS[self.question(state)][0].gate(state, seat) is not None
        return isinstance(frame, Load) and not loadable(state, seat)

    def hand(self, state: BurgundyState, seat: Seat) -> object:
        """Storage, goods, workers and silverlings; nobody else can change them."""
        player = state.players[seat]
        return player.storage, player.goods, player.workers, player.silverlings


class Burgundy2(Burgundy):
    """Version 2, by which the last turn of a round rolls the next one at once."""

    version = 2
    questions = QUESTIONS_2


GAME, GAME_2 = Burgundy(), Burgundy2()
"""The instances; they hold no state of any table."""
