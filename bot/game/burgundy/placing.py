"""Placing tiles in the estate, and their immediate effects (rules: place, regions)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from bot.game.bits import members, union
from bot.game.burgundy.data import (
    ANIMAL,
    AROUND,
    BOARDS,
    BUILDING,
    CASTLE,
    COLOUR_KEYS,
    COLOUR_OF,
    CONTENT,
    FOR_PLAYERS,
    KNOWLEDGE,
    SHIP,
    SPACE_NAMES,
    SPACE_OF_NAME,
    SPACES,
    SPACES_WITHIN,
    TILE_KEYS,
    TILE_OF_KEY,
    TILES,
    Region,
    keys,
)
from bot.game.burgundy.dice import (
    ANY,
    DIE_OF_WORD,
    TileEvent,
    reach,
    rule_with_die,
    too_far,
    use_die,
    workers_for,
)
from bot.game.burgundy.goods import move_ahead
from bot.game.burgundy.state import (
    ANIMAL_ROW,
    COLOUR_ROW,
    NONE,
    PHASE_ROW,
    REGION_ROW,
    WATCHTOWER_ROW,
    BurgundyPlayer,
    BurgundyState,
    Effect,
    Extra,
    Load,
    has_knowledge,
    knowledge_amount,
    phase_of,
)
from bot.game.choices import OneOf
from bot.game.contract import Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.grammar import EventRecorder, Rule, refuse, refuse_for

FREE_STEP = (9, 10, 10, 11, 11, 11)
"""By colour, the knowledge tile that gives a free step for placing it."""
REPEATABLE = 1
"""The knowledge tile that allows equal buildings in a city."""
ANIMAL_BONUS = 7
"""The knowledge tile that adds points for each animal tile that scores."""
_KNOWLEDGE_NUMBER = {
    tile: int(kind.key[1:]) for tile, kind in enumerate(TILES) if COLOUR_OF[tile] == KNOWLEDGE
}
_WATCHTOWER = TILE_OF_KEY["watchtower"]
_BOARDING_HOUSE = TILE_OF_KEY["boarding_house"]
_BANK = TILE_OF_KEY["bank"]


class Placed(TileEvent, frozen=True):
    """A seat placed a tile from storage in its estate."""

    space: str
    die: str
    spent: int


class RegionCompleted(SeatEvent, frozen=True):
    """A region of `count` spaces is complete; `bonus` is the points for the phase."""

    colour: str
    count: int
    points: int
    bonus: int


class ColourCompleted(SeatEvent, frozen=True):
    """A seat covered all spaces of a colour; ranks 1 and 2 get a bonus tile."""

    colour: str
    rank: int
    points: int


class AnimalsScored(TileEvent, frozen=True):
    """A tile scored the animals of its kind in a pasture."""

    space: str
    points: int


class WatchtowerScored(SeatEvent, frozen=True):
    points: int


Scoring = AnimalsScored | RegionCompleted | ColourCompleted | WatchtowerScored
_ROWS = {
    AnimalsScored: ANIMAL_ROW,
    RegionCompleted: REGION_ROW,
    ColourCompleted: COLOUR_ROW,
    WatchtowerScored: WATCHTOWER_ROW,
}
"""The row of POINTS for each of these."""


class WorkersGiven(SeatEvent, frozen=True):
    """A Boarding House gave workers."""

    workers: int


class SilverlingsGiven(SeatEvent, frozen=True):
    """A Bank gave silverlings."""

    silverlings: int


# Legal spaces


def spaces_for(player: BurgundyPlayer, tile: int, die: int) -> int:
    """Return a bit mask of the spaces where a die can place a tile, with the help of workers.

    They have its colour and the die's number, are next to a covered space, and their city does
    not have this building yet.
    """
    board, colour = BOARDS[player.board], COLOUR_OF[tile]
    spaces = board.of_colour[colour] & player.border
    if not spaces:
        return 0
    if die != ANY:
        spaces &= SPACES_WITHIN[die][reach(player, FREE_STEP[colour])]
    if colour == BUILDING and tile in player.estate and not has_knowledge(player, REPEATABLE):
        spaces &= ~_cities_with(player, tile)
    return spaces


def _cities_with(player: BurgundyPlayer, building: int) -> int:
    region_of, estate = BOARDS[player.board].region_of, enumerate(player.estate)
    return union([region_of[space].mask for space, tile in estate if tile == building])


@lru_cache(maxsize=4096)
def _named(spaces: int) -> OneOf:
    return OneOf("space", tuple([SPACE_NAMES[space] for space in members(spaces)]))


def ways_to_place(player: BurgundyPlayer, die: int) -> Iterator[tuple[int, int, int]]:
    """Yield each stored tile and space where a die can place it, with the workers needed."""
    for tile in dict.fromkeys(player.storage):
        for space in members(spaces_for(player, tile, die)):
            number, free = SPACES[space].number, FREE_STEP[COLOUR_OF[tile]]
            yield tile, space, workers_for(player, die, number, free)


def _can_place(state: BurgundyState, player: BurgundyPlayer, die: int) -> bool:
    # Not any(), which is slower: this is the function called most.
    for tile in player.storage:  # noqa: SIM110
        if spaces_for(player, tile, die):
            return True
    return False


def _tiles(state: BurgundyState, seat: Seat, die: str) -> OneOf:
    player, value = state.players[seat], DIE_OF_WORD[die]
    return OneOf("tile", keys([tile for tile in player.storage if spaces_for(player, tile, value)]))


def _spaces(state: BurgundyState, seat: Seat, die: str, tile: str) -> OneOf:
    return _named(spaces_for(state.players[seat], TILE_OF_KEY[tile], DIE_OF_WORD[die]))


def _why_not_tile(state: BurgundyState, seat: Seat, die: str, word: str) -> Refusal:
    stored = TILE_OF_KEY[word] in state.players[seat].storage
    return refuse("nowhere_to_place" if stored else "not_in_storage", tile=word)


def _why_not_space(state: BurgundyState, seat: Seat, die: str, tile: str, word: str) -> Refusal:
    player, kind, space = state.players[seat], TILE_OF_KEY[tile], SPACE_OF_NAME[word]
    region = BOARDS[player.board].region_of[space]
    reasons = {
        "space_covered": player.covered >> space & 1,
        "other_colour": region.colour != COLOUR_OF[kind],
        "not_beside": not player.border >> space & 1,
        "building_twice": region.mask & _cities_with(player, kind),
    }
    refusal = refuse_for(reasons, space=word, tile=tile, colour=COLOUR_KEYS[region.colour])
    return refusal or too_far(player, die, SPACES[space].number, FREE_STEP[region.colour])


# Placing


def _place(
    state: BurgundyState, seat: Seat, recorder: EventRecorder, die: str, tile: str, space: str
) -> None:
    player, kind, target = state.players[seat], TILE_OF_KEY[tile], SPACE_OF_NAME[space]
    number, free = SPACES[target].number, FREE_STEP[COLOUR_OF[kind]]
    spent = use_die(state, player, DIE_OF_WORD[die], number, free)
    player.storage.remove(kind)
    recorder.record(Placed(seat=seat, tile=tile, space=space, die=die, spent=spent))
    for scored in scores(state, seat, kind, target):
        recorder.record(scored)
        player.points[_ROWS[type(scored)]] += scored.points
        if isinstance(scored, RegionCompleted):
            player.points[PHASE_ROW] += scored.bonus
        elif isinstance(scored, ColourCompleted):
            state.completed[COLOUR_OF[kind]].append(seat)
    cover(player, kind, target)
    _take_effect(state, seat, kind, recorder)


def cover(player: BurgundyPlayer, tile: int, space: int) -> None:
    player.estate[space] = tile
    player.covered |= 1 << space
    player.border = (player.border | AROUND[space]) & ~player.covered
    number = _KNOWLEDGE_NUMBER.get(tile)
    if number is not None:
        player.knowledge |= 1 << number


def animals_scoring(player: BurgundyPlayer, tile: int, region: Region) -> list[int]:
    """Return the numbers of animals on the tile and on the tiles of its kind in the pasture."""
    pasture = [player.estate[space] for space in region.spaces]
    kinds = [TILES[each] for each in (tile, *pasture) if each != NONE]
    return [each.amount for each in kinds if each.kind == TILES[tile].kind]


def region_points(phase: int, region: Region) -> tuple[int, int]:
    """Return the points for completing a region: for its size, and for the phase, counted from 0
    (rules: regions)."""
    return region.points, CONTENT.phase_points[phase]


def bonuses_left(state: BurgundyState, colour: int) -> tuple[int, ...]:
    """Return the points of a colour's remaining bonus tiles, the next one first (rules:
    regions)."""
    return FOR_PLAYERS[len(state.players)].bonus[len(state.completed[colour]) :]


def completed(state: BurgundyState, seat: Seat, space: int) -> Iterator[Scoring]:
    """Yield events for what a tile on an empty space completes: its region, then its colour."""
    board, last = BOARDS[state.players[seat].board], 1 << space
    region, empty = board.region_of[space], ~state.players[seat].covered
    if region.mask & empty != last:
        return
    colour, count = COLOUR_KEYS[region.colour], len(region.spaces)
    points, bonus = region_points(phase_of(state), region)
    yield RegionCompleted(seat=seat, colour=colour, count=count, points=points, bonus=bonus)
    if board.of_colour[region.colour] & empty == last:
        rank = len(state.completed[region.colour]) + 1
        points = sum(bonuses_left(state, region.colour)[:1])
        yield ColourCompleted(seat=seat, colour=colour, rank=rank, points=points)


def scores(state: BurgundyState, seat: Seat, tile: int, space: int) -> Iterator[Scoring]:
    """Yield events for all that a tile on an empty space scores immediately."""
    player = state.players[seat]
    if COLOUR_OF[tile] == ANIMAL:
        # Tile 7 adds a point for each of these tiles, also for the new one (ruling 23).
        animals = animals_scoring(player, tile, BOARDS[player.board].region_of[space])
        points = sum(animals) + len(animals) * knowledge_amount(player, ANIMAL_BONUS)
        key, name = TILE_KEYS[tile], SPACE_NAMES[space]
        yield AnimalsScored(seat=seat, tile=key, space=name, points=points)
    yield from completed(state, seat, space)
    if tile == _WATCHTOWER:
        yield WatchtowerScored(seat=seat, points=TILES[tile].amount)


def total(scored: Iterable[Scoring]) -> int:
    return sum(each.points + getattr(each, "bonus", 0) for each in scored)


def _take_effect(state: BurgundyState, seat: Seat, tile: int, recorder: EventRecorder) -> None:
    """Apply the tile's immediate effect (rules: buildings); push its decision on the frames."""
    player, colour, amount = state.players[seat], COLOUR_OF[tile], TILES[tile].amount
    if colour == SHIP:
        move_ahead(state, seat, recorder)
        state.frames.append(Load())
    elif colour == CASTLE:
        state.frames.append(Extra())
    elif tile == _BOARDING_HOUSE:
        player.workers += amount
        recorder.record(WorkersGiven(seat=seat, workers=amount))
    elif tile == _BANK:
        player.silverlings += amount
        recorder.record(SilverlingsGiven(seat=seat, silverlings=amount))
    elif colour == BUILDING and tile != _WATCHTOWER:
        state.frames.append(Effect(tile))


PLACE: Rule[BurgundyState] = (
    rule_with_die(
        "place",
        "place",
        _can_place,
        useless="nothing_to_place",
        lacking="storage_empty",
        has=lambda player: player.storage,
    )
    .word("tile", _tiles, _why_not_tile, TILE_OF_KEY)
    .word("space", _spaces, _why_not_space, SPACE_OF_NAME)
    .does(_place)
)
