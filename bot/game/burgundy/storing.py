"""Taking tiles into storage: with a die, by an effect, by purchase (rules: take, black_depot)."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.burgundy.data import (
    BLACK,
    COLOUR_KEYS,
    COLOUR_OF,
    CONTENT,
    DEPOT_OF_WORD,
    DEPOT_WORDS,
    TILE_KEYS,
    TILE_OF_KEY,
    TILES,
    WITHIN,
    keys,
)
from bot.game.burgundy.dice import (
    DIE_OF_WORD,
    reach,
    rule_with_die,
    too_far,
    use_die,
    workers_for,
)
from bot.game.burgundy.state import BurgundyPlayer, BurgundyState, Effect, Turn, knows
from bot.game.choices import OneOf
from bot.game.contract import Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule

FREE_STEP = 12
"""The knowledge tile that gives a free step for taking a tile."""
ANYWHERE = 6
"""The knowledge tile that lets its owner buy from any depot."""

_TAKES = {
    tile: frozenset(COLOUR_KEYS.index(colour) for colour in kind.takes)
    for tile, kind in enumerate(TILES)
    if kind.takes
}
"""By building, the colours that it lets its owner take."""


class Taken(SeatEvent, frozen=True):
    """A tile has come into storage with a die."""

    tile: str
    depot: str
    die: str
    spent: int


class Bought(SeatEvent, frozen=True):
    """A tile was bought into storage for silverlings."""

    tile: str
    depot: str
    price: int


class Discarded(SeatEvent, frozen=True):
    """A stored tile has left the game."""

    tile: str


def tiles_in(state: BurgundyState, depot: int) -> list[int]:
    """The tiles of a depot that may be taken now: a building's effect is limited to some
    colours."""
    frame, tiles = state.frames[-1], state.depots[depot]
    if not isinstance(frame, Effect):
        return tiles
    return [tile for tile in tiles if COLOUR_OF[tile] in _TAKES[frame.building]]


def depots_for(state: BurgundyState, player: BurgundyPlayer, die: int) -> list[int]:
    """The numbered depots that a die can take something from, with the help of workers."""
    return [depot for depot in WITHIN[die][reach(player, FREE_STEP)] if tiles_in(state, depot)]


def ways_to_take(
    state: BurgundyState, player: BurgundyPlayer, die: int
) -> Iterator[tuple[int, int, int]]:
    """Each depot and tile that a die can take, and the workers that it takes."""
    for depot in depots_for(state, player, die):
        workers = workers_for(player, die, depot + 1, FREE_STEP)
        for tile in dict.fromkeys(tiles_in(state, depot)):
            yield depot, tile, workers


def _depots(state: BurgundyState, seat: Seat, die: str) -> OneOf:
    found = depots_for(state, state.players[seat], DIE_OF_WORD[die])
    return OneOf("depot", tuple([DEPOT_WORDS[depot] for depot in found]))


def _tiles(state: BurgundyState, seat: Seat, *words: str) -> OneOf:
    depot = words[-1]
    return OneOf("tile", keys(tiles_in(state, DEPOT_OF_WORD[depot])))


def _discards(state: BurgundyState, seat: Seat, *words: str) -> OneOf:
    """With full storage a stored tile is discarded first; it leaves the game."""
    storage = state.players[seat].storage
    return OneOf("discard", keys(storage) if len(storage) == CONTENT.storage_spaces else ("",))


def _take(
    state: BurgundyState,
    seat: Seat,
    recorder: EventRecorder,
    die: str,
    depot: str,
    tile: str,
    discard: str,
) -> None:
    place = DEPOT_OF_WORD[depot]
    spent = use_die(state, state.players[seat], DIE_OF_WORD[die], place + 1, FREE_STEP)
    _store(state, seat, recorder, place, tile, discard)
    recorder.tell(Taken(seat=seat, tile=tile, depot=depot, die=die, spent=spent))


def _store(
    state: BurgundyState, seat: Seat, recorder: EventRecorder, depot: int, tile: str, discard: str
) -> None:
    storage = state.players[seat].storage
    if discard:
        gone = TILE_OF_KEY[discard]
        storage.remove(gone)
        state.removed[gone] += 1
        recorder.tell(Discarded(seat=seat, tile=discard))
    state.depots[depot].remove(TILE_OF_KEY[tile])
    storage.append(TILE_OF_KEY[tile])


def _why_not_depot(state: BurgundyState, seat: Seat, die: str, word: str) -> Refusal:
    depot = DEPOT_OF_WORD[word]
    if depot == BLACK:
        return refuse("not_from_black")
    if not state.depots[depot]:
        return refuse("depot_empty", depot=word)
    if not tiles_in(state, depot):
        return _wrong_colour(state, word)
    return too_far(state.players[seat], die, depot + 1, FREE_STEP)


def _wrong_colour(state: BurgundyState, depot: str) -> Refusal:
    tile = TILE_KEYS[frame_of(state, Effect).building]
    return refuse("wrong_colour", "buildings", depot=depot, tile=tile)


def _why_not_tile(state: BurgundyState, seat: Seat, *words: str) -> Refusal:
    *_, depot, word = words
    if TILE_OF_KEY[word] in state.depots[DEPOT_OF_WORD[depot]]:
        return _wrong_colour(state, depot)
    return refuse("not_in_depot", tile=word, depot=depot)


def _why_not_discard(state: BurgundyState, seat: Seat, *words: str) -> Refusal | None:
    tile = words[-1]
    if len(state.players[seat].storage) < CONTENT.storage_spaces:
        return refuse("room_left")
    if not tile:
        return refuse("storage_full")
    return refuse("not_in_storage", tile=tile) if tile in TILE_OF_KEY else None


TAKE: Rule[BurgundyState] = (
    rule_with_die("take", "take", depots_for, useless="nothing_to_take")
    .word("depot", _depots, _why_not_depot, DEPOT_OF_WORD)
    .word("tile", _tiles, _why_not_tile, TILE_OF_KEY)
    .word("discard", _discards, _why_not_discard)
    .does(_take)
)


# Buying: once in a turn, never in the middle of an action


def depots_to_buy_from(state: BurgundyState, player: BurgundyPlayer) -> list[int]:
    """The black depot; with tile 6 every depot. Only where there is something."""
    depots = range(len(state.depots)) if knows(player, ANYWHERE) else (BLACK,)
    return [depot for depot in depots if state.depots[depot]]


def buy_gate(state: BurgundyState, seat: Seat) -> Refusal | None:
    """Two silverlings, one purchase a turn (rules: black_depot)."""
    player = state.players[seat]
    if frame_of(state, Turn).bought:
        return refuse("already_bought")
    if player.silverlings < CONTENT.price:
        return refuse("needs_silverlings", count=CONTENT.price, silverlings=player.silverlings)
    return None if depots_to_buy_from(state, player) else refuse("nothing_to_buy")


def purchases(state: BurgundyState) -> list[int]:
    """The depots that the seat on turn can buy from now."""
    seat = state.order[state.at]
    can_buy = isinstance(state.frames[-1], Turn) and buy_gate(state, seat) is None
    return depots_to_buy_from(state, state.players[seat]) if can_buy else []


def _shops(state: BurgundyState, seat: Seat) -> OneOf:
    found = depots_to_buy_from(state, state.players[seat])
    return OneOf("depot", tuple([DEPOT_WORDS[depot] for depot in found]))


def _buy(
    state: BurgundyState, seat: Seat, recorder: EventRecorder, depot: str, tile: str, discard: str
) -> None:
    frame_of(state, Turn).bought = True
    state.players[seat].silverlings -= CONTENT.price
    _store(state, seat, recorder, DEPOT_OF_WORD[depot], tile, discard)
    recorder.tell(Bought(seat=seat, tile=tile, depot=depot, price=CONTENT.price))


def _why_not_shop(state: BurgundyState, seat: Seat, word: str) -> Refusal:
    if DEPOT_OF_WORD[word] != BLACK and not knows(state.players[seat], ANYWHERE):
        return refuse("only_from_black")
    return refuse("depot_empty", depot=word)


BUY: Rule[BurgundyState] = (
    rule("buy", "black_depot", buy_gate)
    .word("depot", _shops, _why_not_shop, DEPOT_OF_WORD)
    .word("tile", _tiles, _why_not_tile, TILE_OF_KEY)
    .word("discard", _discards, _why_not_discard)
    .does(_buy)
)
