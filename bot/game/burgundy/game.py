"""The course of the game: its decisions, and the functions of the contract."""

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
    LAST_ROUND,
    SIDES,
    TILE_COUNTS,
    TILE_KEYS,
)
from bot.game.burgundy.dice import BUY, TAKE, WORKERS, TileEvent
from bot.game.burgundy.goods import LOAD, SELL, is_first, loadable, room
from bot.game.burgundy.placing import PLACE, REPEATABLE
from bot.game.burgundy.rounds import BOARD, CASTLE, END, ROLL, outcome, roll, set_up, turn_order
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
    has_knowledge,
    visible_goods,
    visible_tiles,
)
from bot.game.contract import Action, Option, Refusal, Seat
from bot.game.events import GameEnded, TurnEnded, kinds_of
from bot.game.frames import tag_of
from bot.game.game import Game
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.invariants import conserved, present


class Declined(TileEvent, frozen=True):
    """A seat declined the effect of a building, or a ship's second load."""


class Lapsed(TileEvent, frozen=True):
    """An effect that could not be used."""


def _decline_gate(state: BurgundyState, seat: Seat) -> Refusal | None:
    """Refuse to decline a ship's first load; buildings (ruling 17) and its second load (ruling 21)
    are optional."""
    return refuse("must_load", "ships") if is_first(state.frames[-1]) else None


def _decline(state: BurgundyState, seat: Seat, recorder: EventRecorder) -> None:
    recorder.record(Declined(seat=seat, tile=_tile_of(state.frames.pop())))


def _tile_of(frame: Frame) -> str:
    return TILE_KEYS[frame.building] if isinstance(frame, Effect) else "ship"


DECLINE: Rule[BurgundyState] = rule("decline", "buildings", _decline_gate, idle=True).does(_decline)


# Decisions

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
"""The rules whose actions answer each question, in display order."""

QUESTIONS_2 = {question: rules for question, rules in QUESTIONS.items() if question != "roll"}
"""The questions of version 2, which rolls without asking."""


def invariants(state: BurgundyState) -> list[str]:
    """Return the faults of the state, one line each for developers."""
    tiles = [state.stacks, state.black, *visible_tiles(state)]
    goods = [state.bag, *visible_goods(state)]
    names = [f"goods {letter}" for letter in GOODS_LETTERS]
    faults = [
        *conserved(tiles, TILE_KEYS, TILE_COUNTS),
        *conserved(goods, names, [CONTENT.goods_each] * SIDES),
    ]
    seats = list(range(len(state.players)))
    if sorted(chain(*state.track)) != seats:
        faults.append(f"the track has {state.track}")
    if sorted(state.order) != seats:
        faults.append(f"the order is {state.order}")
    for seat, player in enumerate(state.players):
        faults += (f"seat {seat}: {line}" for line in _player_faults(player))
    return faults


def _player_faults(player: BurgundyPlayer) -> Iterator[str]:
    estate = {space: tile for space, tile in enumerate(player.estate) if tile != NONE}
    covered, around = mask(estate), union([AROUND[space] for space in estate])
    knowledge = mask(int(TILE_KEYS[t][1:]) for t in estate.values() if COLOUR_OF[t] == KNOWLEDGE)
    derived = covered, around & ~covered, knowledge
    faults = {
        f"stores {player.storage}": len(player.storage) > CONTENT.storage_spaces,
        f"has goods {player.goods}": room(player) < 0,
        f"has {player.silverlings} silverlings": player.silverlings < 0,
        f"has {player.workers} workers": player.workers < 0,
        "covered, border or knowledge does not match the estate": (
            derived != (player.covered, player.border, player.knowledge)
        ),
        f"the estate is not connected: {covered:b}": (
            bool(estate) and connected(1 << min(estate), covered, AROUND) != covered
        ),
    }
    yield from present(faults)
    for region in BOARDS[player.board].regions if estate else ():
        tiles = [estate[space] for space in region.spaces if space in estate]
        if {COLOUR_OF[tile] for tile in tiles} - {region.colour}:
            yield f"{COLOUR_KEYS[region.colour]} has {[TILE_KEYS[tile] for tile in tiles]}"
        repeated = len(set(tiles)) < len(tiles)
        if region.colour == BUILDING and repeated and not has_knowledge(player, REPEATABLE):
            yield f"a city has {tiles}"


class Burgundy(Game[BurgundyState]):
    """The rules of The Castles of Burgundy.

    Apart from draws, no action reveals hidden information: pieces are public when they move, sold
    goods too, even if their piles are hidden later.

    In events `tile`, `colour`, `depot`, `space`, `good` and `die` are words of the notation (a
    free action's die is ``any``); `spent` is the number of workers paid to change the die.
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
        """Return the kind of question; for an effect the building's key."""
        frame = state.frames[-1]
        return TILE_KEYS[frame.building] if isinstance(frame, Effect) else tag_of(type(frame))

    def active_seat(self, state: BurgundyState) -> Seat | None:
        """Return the seat whose turn it is; before the roll, the start player of the round."""
        kind = type(state.frames[-1])
        if kind is Castles or kind is BurgundyOver:
            return None
        return turn_order(state)[0] if kind is Roll else state.order[state.at]

    def choosing(self, state: BurgundyState) -> list[tuple[Seat, bool]]:
        """Return all seats while they choose their castles."""
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
        """Perform the action, then drop effects that cannot be used.

        They lapse without a question (ruling 17); the optional second load also without an event.
        Version 2 rolls the next round immediately (ruling 7).
        """
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

    def progress(self, state: BurgundyState) -> float:
        """Return the share of rounds that are over."""
        return max(state.round - 1, 0) / LAST_ROUND

    def hand(self, state: BurgundyState, seat: Seat) -> object:
        """Return storage, goods, workers and silverlings, which other players can't change."""
        player = state.players[seat]
        return player.storage, player.goods, player.workers, player.silverlings


class Burgundy2(Burgundy):
    """Version 2, in which the last turn of a round rolls the next round immediately."""

    version = 2
    questions = QUESTIONS_2


GAME, GAME_2 = Burgundy(), Burgundy2()
"""The instances; they store no table's state."""
