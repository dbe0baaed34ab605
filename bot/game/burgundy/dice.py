"""Dice and workers, and taking or buying tiles (rules: workers, take, black_depot)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.game.burgundy.data import (
    BLACK,
    COLOUR_KEYS,
    COLOUR_OF,
    CONTENT,
    DEPOT_OF_WORD,
    DEPOT_WORDS,
    KINDS,
    SIDES,
    TILE_KEYS,
    TILE_OF_KEY,
    TILES,
    WITHIN,
    distance,
    keys,
)
from bot.game.burgundy.state import (
    BurgundyPlayer,
    BurgundyState,
    Effect,
    Turn,
    has_knowledge,
    knowledge_amount,
)
from bot.game.choices import OneOf
from bot.game.contract import Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, RuleBuilder, refuse, refuse_for, rule

ANY = 0
"""The die of an effect: it has any value, so it never needs workers."""
_ANY_DIE = (ANY,)
DIE_WORDS = ("any", *(str(side + 1) for side in range(SIDES)))
DIE_OF_WORD = {word: die for die, word in enumerate(DIE_WORDS)}

NO_FREE_STEP = 0
"""Passed instead of the number of a knowledge tile that gives a free step."""
_FURTHEST = SIDES // 2
_LONG_STEP = 8
_LONG_STEPS = KINDS[f"k{_LONG_STEP}"].amount


class TileEvent(SeatEvent, frozen=True):
    """Base of the events about a tile."""

    tile: str


class WorkersTaken(SeatEvent, frozen=True):
    """A seat used a die to get workers."""

    die: str
    workers: int
    silverlings: int


def dice(state: BurgundyState) -> tuple[int, ...]:
    """Return the different dice that can be used now; for an effect only ANY."""
    frame = state.frames[-1]
    if not isinstance(frame, Turn):
        return _ANY_DIE
    return tuple(dict.fromkeys(frame.left))


def reach(player: BurgundyPlayer, free: int = NO_FREE_STEP) -> int:
    """Return how many steps the player can change a die; three reach all numbers (rules: workers).

    With tile 8 a worker changes it by two steps. `free` is the number of the tile that gives a
    free step. This step adds to the paid ones and stays one step with tile 8 (ruling 15).
    """
    owned = player.knowledge
    a_worker = _LONG_STEPS if owned >> _LONG_STEP & 1 else 1
    steps = player.workers * a_worker + (owned >> free & 1)
    return steps if steps < _FURTHEST else _FURTHEST


def workers_for(player: BurgundyPlayer, die: int, number: int, free: int = NO_FREE_STEP) -> int:
    """Return the fewest workers that change a die to the number."""
    if die == ANY:
        return 0
    steps = distance(die, number) - (player.knowledge >> free & 1)
    return max(0, -(-steps // knowledge_amount(player, _LONG_STEP, default=1)))


def use_die(
    state: BurgundyState, player: BurgundyPlayer, die: int, number: int, free: int = NO_FREE_STEP
) -> int:
    """Use up the die or the effect, and the workers that change the die to the number.

    Return the number of workers.
    """
    frame, spent = state.frames[-1], workers_for(player, die, number, free)
    if isinstance(frame, Turn):
        frame.left.remove(die)
        player.workers -= spent
    else:
        state.frames.pop()
    return spent


def too_far(player: BurgundyPlayer, die: str, number: int, free: int = NO_FREE_STEP) -> Refusal:
    """Refuse a number for which the player has too few workers."""
    count = workers_for(player, DIE_OF_WORD[die], number, free)
    return refuse("needs_workers", die=die, number=number, count=count, workers=player.workers)


def rule_with_die(
    kind: str,
    topic: str,
    can: Callable[[BurgundyState, BurgundyPlayer, int], object],
    *,
    useless: str = "",
    lacking: str = "",
    has: Callable[[BurgundyPlayer], object] = lambda player: True,
    idle: bool = False,
) -> RuleBuilder[BurgundyState, str]:
    """Start the rule of an action with a die; `can` says whether the player can use a die for it.

    Without a usable die, refuse with `lacking` if `has` is false for the player, with `dice_used`
    if no die is left, else with `useless`.
    """

    def gate(state: BurgundyState, seat: Seat) -> Refusal | None:
        player, frame = state.players[seat], state.frames[-1]
        left = frame.left if isinstance(frame, Turn) else _ANY_DIE
        for die in left:
            if can(state, player, die):
                return None
        if not has(player):
            return refuse(lacking)
        return refuse(useless if left else "dice_used")

    def able(state: BurgundyState, seat: Seat) -> OneOf:
        player = state.players[seat]
        words = [DIE_WORDS[die] for die in dice(state) if can(state, player, die)]
        return OneOf("die", tuple(words))

    return rule(kind, topic, gate, idle=idle).word("die", able, _why_not_die, DIE_OF_WORD)


def _why_not_die(state: BurgundyState, seat: Seat, word: str) -> Refusal:
    available = DIE_OF_WORD[word] in dice(state)
    return refuse("die_useless" if available else "no_such_die", die=word)


# A die for workers

DIE_SILVERLING, DIE_WORKERS = 13, 14
"""The knowledge tiles that add a silverling and give more workers."""


def gain(player: BurgundyPlayer) -> tuple[int, int]:
    """Return the workers and silverlings that the player gets for a die."""
    workers = knowledge_amount(player, DIE_WORKERS, CONTENT.die_workers)
    return workers, knowledge_amount(player, DIE_SILVERLING)


def _workers(state: BurgundyState, seat: Seat, recorder: EventRecorder, die: str) -> None:
    player, number = state.players[seat], DIE_OF_WORD[die]
    use_die(state, player, number, number)
    workers, silverlings = gain(player)
    player.workers += workers
    player.silverlings += silverlings
    recorder.record(WorkersTaken(seat=seat, die=die, workers=workers, silverlings=silverlings))


WORKERS: Rule[BurgundyState] = rule_with_die("workers", "workers", lambda *_: True, idle=True).does(
    _workers
)


# Taking tiles into storage: with a die, or by an effect

FREE_TAKING = 12
"""The knowledge tile that gives a free step for taking a tile."""
BUY_ANYWHERE = 6
"""The knowledge tile that lets a player buy from any depot."""

_TAKES = {
    tile: frozenset(COLOUR_KEYS.index(colour) for colour in kind.takes)
    for tile, kind in enumerate(TILES)
    if kind.takes
}
"""The colours that each building lets its owner take."""


class Taken(TileEvent, frozen=True):
    """A seat took a tile into storage with a die."""

    depot: str
    die: str
    spent: int


class Bought(TileEvent, frozen=True):
    """A seat bought a tile into storage for silverlings."""

    depot: str
    price: int


class Discarded(TileEvent, frozen=True):
    """A stored tile left the game."""


def tiles_in(state: BurgundyState, depot: int) -> list[int]:
    """Return the tiles of a depot that may be taken now; a building limits the colours."""
    frame, tiles = state.frames[-1], state.depots[depot]
    if not isinstance(frame, Effect):
        return tiles
    return [tile for tile in tiles if COLOUR_OF[tile] in _TAKES[frame.building]]


def depots_for(state: BurgundyState, player: BurgundyPlayer, die: int) -> list[int]:
    """Return the numbered depots from which a die can take a tile, with the help of workers."""
    within, depots = WITHIN[die][reach(player, FREE_TAKING)], state.depots
    if die == ANY:
        return [depot for depot in within if tiles_in(state, depot)]
    return [depot for depot in within if depots[depot]]


def ways_to_take(
    state: BurgundyState, player: BurgundyPlayer, die: int
) -> Iterator[tuple[int, int, int]]:
    """Yield each depot and tile that a die can take, with the workers needed."""
    for depot in depots_for(state, player, die):
        workers = workers_for(player, die, depot + 1, FREE_TAKING)
        for tile in dict.fromkeys(tiles_in(state, depot)):
            yield depot, tile, workers


def _depot_choice(depots: list[int]) -> OneOf:
    return OneOf("depot", tuple([DEPOT_WORDS[depot] for depot in depots]))


def _depots(state: BurgundyState, seat: Seat, die: str) -> OneOf:
    return _depot_choice(depots_for(state, state.players[seat], DIE_OF_WORD[die]))


def _tiles(state: BurgundyState, seat: Seat, *words: str) -> OneOf:
    return OneOf("tile", keys(tiles_in(state, DEPOT_OF_WORD[words[-1]])))


def _discards(state: BurgundyState, seat: Seat, *words: str) -> OneOf:
    """Return the stored tiles if storage is full, as one of them must leave the game."""
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
    spent = use_die(state, state.players[seat], DIE_OF_WORD[die], place + 1, FREE_TAKING)
    _store(state, seat, recorder, place, tile, discard)
    recorder.record(Taken(seat=seat, tile=tile, depot=depot, die=die, spent=spent))


def _store(
    state: BurgundyState, seat: Seat, recorder: EventRecorder, depot: int, tile: str, discard: str
) -> None:
    storage = state.players[seat].storage
    if discard:
        discarded = TILE_OF_KEY[discard]
        storage.remove(discarded)
        state.removed[discarded] += 1
        recorder.record(Discarded(seat=seat, tile=discard))
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
    return too_far(state.players[seat], die, depot + 1, FREE_TAKING)


def _wrong_colour(state: BurgundyState, depot: str) -> Refusal:
    tile = TILE_KEYS[frame_of(state, Effect).building]
    return refuse("wrong_colour", "buildings", depot=depot, tile=tile)


def _why_not_tile(state: BurgundyState, seat: Seat, *words: str) -> Refusal:
    *_, depot, word = words
    if TILE_OF_KEY[word] in state.depots[DEPOT_OF_WORD[depot]]:
        return _wrong_colour(state, depot)
    return refuse("not_in_depot", tile=word, depot=depot)


def _why_not_discard(state: BurgundyState, seat: Seat, *words: str) -> Refusal | None:
    reasons = {
        "room_left": len(state.players[seat].storage) < CONTENT.storage_spaces,
        "storage_full": not words[-1],
    }
    not_stored = {"not_in_storage": words[-1] in TILE_OF_KEY}
    return refuse_for(reasons) or refuse_for(not_stored, tile=words[-1])


TAKE: Rule[BurgundyState] = (
    rule_with_die("take", "take", depots_for, useless="nothing_to_take")
    .word("depot", _depots, _why_not_depot, DEPOT_OF_WORD)
    .word("tile", _tiles, _why_not_tile, TILE_OF_KEY)
    .word("discard", _discards, _why_not_discard)
    .does(_take)
)


# Buying: once per turn, never during an action


def depots_to_buy_from(state: BurgundyState, player: BurgundyPlayer) -> list[int]:
    """Return the black depot, with tile 6 all depots, without empty ones."""
    depots = range(len(state.depots)) if has_knowledge(player, BUY_ANYWHERE) else (BLACK,)
    return [depot for depot in depots if state.depots[depot]]


def buy_gate(state: BurgundyState, seat: Seat) -> Refusal | None:
    """Refuse a second purchase in a turn, or one without enough silverlings (rules:
    black_depot)."""
    player = state.players[seat]
    if frame_of(state, Turn).bought:
        return refuse("already_bought")
    if player.silverlings < CONTENT.price:
        return refuse("needs_silverlings", count=CONTENT.price, silverlings=player.silverlings)
    return None if depots_to_buy_from(state, player) else refuse("nothing_to_buy")


def purchases(state: BurgundyState) -> list[int]:
    """Return the depots from which the active seat can buy now."""
    seat = state.order[state.at]
    can_buy = isinstance(state.frames[-1], Turn) and buy_gate(state, seat) is None
    return depots_to_buy_from(state, state.players[seat]) if can_buy else []


def _shops(state: BurgundyState, seat: Seat) -> OneOf:
    return _depot_choice(depots_to_buy_from(state, state.players[seat]))


def _buy(
    state: BurgundyState, seat: Seat, recorder: EventRecorder, depot: str, tile: str, discard: str
) -> None:
    frame_of(state, Turn).bought = True
    state.players[seat].silverlings -= CONTENT.price
    _store(state, seat, recorder, DEPOT_OF_WORD[depot], tile, discard)
    recorder.record(Bought(seat=seat, tile=tile, depot=depot, price=CONTENT.price))


def _why_not_shop(state: BurgundyState, seat: Seat, word: str) -> Refusal:
    is_open = DEPOT_OF_WORD[word] == BLACK or has_knowledge(state.players[seat], BUY_ANYWHERE)
    return refuse("depot_empty", depot=word) if is_open else refuse("only_from_black")


BUY: Rule[BurgundyState] = (
    rule("buy", "black_depot", buy_gate)
    .word("depot", _shops, _why_not_shop, DEPOT_OF_WORD)
    .word("tile", _tiles, _why_not_tile, TILE_OF_KEY)
    .word("discard", _discards, _why_not_discard)
    .does(_buy)
)
