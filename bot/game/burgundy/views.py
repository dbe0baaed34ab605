"""What an observer may know: a View, built up from nothing, and random states that look alike."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from bot.game.burgundy.data import (
    BLACK,
    BOARDS,
    COLOUR_KEYS,
    CONTENT,
    DEPOT_WORDS,
    GOODS_LETTERS,
    SIDES,
    SPACE_NAMES,
    TILE_KEYS,
    TILES_OF,
    Region,
    keys,
    members,
    numbers_for,
)
from bot.game.burgundy.dice import DIE_WORDS, dice, gain, workers_for
from bot.game.burgundy.ending import bonus_tiles, last_points, outcome
from bot.game.burgundy.goods import goods_for, loadable, sale
from bot.game.burgundy.placing import (
    completion_points,
    cost_of_space,
    placing_points,
    region_points,
    spaces_for,
)
from bot.game.burgundy.rounds import play_order
from bot.game.burgundy.state import (
    NONE,
    POINTS,
    BurgundyOver,
    BurgundyPlayer,
    BurgundyState,
    Castles,
    Frame,
    Load,
    Turn,
    phase_of,
)
from bot.game.burgundy.storing import (
    buy_gate,
    cost_of_depot,
    depots_for,
    depots_to_buy_from,
    tiles_in,
)
from bot.game.burgundy.view import (
    BurgundySeatView,
    BurgundyView,
    ColourView,
    DepotView,
    EstatePlace,
    RegionView,
    Rows,
    Sale,
    Take,
    Use,
)
from bot.game.contract import SPECTATOR, Observer, Seat
from bot.game.turns import TurnLoop, departures

_KEPT = 1024
"""Estates whose regions are kept, the latest ones."""
_KEY_OF = {NONE: None, **dict(enumerate(TILE_KEYS))}


def view(
    state: BurgundyState,
    observer: Observer,
    turns: TurnLoop[BurgundyState],
    known: BurgundyState,
) -> BurgundyView:
    """The table as the observer may know it."""
    turn, frame = state.frames[0], state.frames[-1]
    asked = turns.question(state)
    in_turn = isinstance(turn, Turn)
    left, bought = (turn.left, turn.bought) if isinstance(turn, Turn) else ([], False)
    # Once the game is over everything that scored is shown.
    shown = not state.rules.hidden or isinstance(frame, BurgundyOver)
    return BurgundyView(
        observer=observer,
        asked=asked,
        active=turns.awaited(state),
        phase=CONTENT.phases[phase_of(state)] if state.round else "",
        round=(state.round - 1) % CONTENT.rounds + 1 if state.round else 0,
        order=tuple(state.order),
        next_order=tuple(play_order(state)),
        track=tuple(tuple(seats) for seats in state.track),
        turn=state.order[state.at] if in_turn else None,
        left=tuple(left),
        bought=bought,
        white=state.white,
        depots=_depots(state),
        coming=tuple([GOODS_LETTERS[good] for good in state.coming]),
        stacks=_stacks(state),
        removed=tuple(state.removed),
        colours=_colours(state),
        uses=_uses(state, asked, turns) if in_turn else (),
        purchases=_purchases(state) if asked == "turn" else (),
        seats=tuple(
            _seat(state, known, seat, shown or seat == observer)
            for seat in range(len(state.players))
        ),
        chosen=_chosen(frame, observer),
        loaded=DEPOT_WORDS[frame.first] if isinstance(frame, Load) and frame.first >= 0 else None,
        loads=loadable(state, state.order[state.at]) if isinstance(frame, Load) else (),
        variants=departures(state.rules),
        outcome=outcome(state),
        known=known,
    )


def _chosen(frame: Frame, observer: Observer) -> str | None:
    if not isinstance(frame, Castles) or observer == SPECTATOR or frame.chosen[observer] == NONE:
        return None
    return SPACE_NAMES[frame.chosen[observer]]


def _depots(state: BurgundyState) -> tuple[DepotView, ...]:
    goods = [*map(tuple, state.goods), (0,) * SIDES]
    return tuple(
        DepotView(word, tuple([TILE_KEYS[tile] for tile in tiles]), there)
        for word, tiles, there in zip(DEPOT_WORDS, state.depots, goods, strict=True)
    )


def _stacks(state: BurgundyState) -> tuple[tuple[str, int], ...]:
    rows = [
        (key, sum(state.stacks[tile] for tile in TILES_OF[colour]))
        for colour, key in enumerate(COLOUR_KEYS)
    ]
    return (*rows, (DEPOT_WORDS[BLACK], sum(state.black)))


def _colours(state: BurgundyState) -> tuple[ColourView, ...]:
    bonus = numbers_for(len(state.players)).bonus
    return tuple(
        ColourView(key, tuple(seats), bonus[len(seats) :])
        for key, seats in zip(COLOUR_KEYS, state.completed, strict=True)
    )


# What the seat on turn can do


def _uses(state: BurgundyState, asked: str, turns: TurnLoop[BurgundyState]) -> tuple[Use, ...]:
    player, kinds = state.players[state.order[state.at]], turns.answers[asked]
    return tuple(
        Use(
            DIE_WORDS[die],
            _takes(state, player, die) if "take" in kinds else (),
            _places(state, player, die) if "place" in kinds else (),
            _sales(state, player, die) if "sell" in kinds else (),
            gain(player) if "workers" in kinds else None,
        )
        for die in dice(state)
        if asked != "load"
    )


def _takes(state: BurgundyState, player: BurgundyPlayer, die: int) -> tuple[Take, ...]:
    return tuple(
        Take(DEPOT_WORDS[depot], keys(tiles_in(state, depot)), cost_of_depot(player, die, depot))
        for depot in depots_for(state, player, die)
    )


def _places(state: BurgundyState, player: BurgundyPlayer, die: int) -> tuple[EstatePlace, ...]:
    return tuple(
        EstatePlace(
            TILE_KEYS[tile],
            SPACE_NAMES[space],
            cost_of_space(player, tile, die, space),
            placing_points(state, player, tile, space),
        )
        for tile in dict.fromkeys(player.storage)
        for space in members(spaces_for(player, tile, die))
    )


def _sales(state: BurgundyState, player: BurgundyPlayer, die: int) -> tuple[Sale, ...]:
    return tuple(
        Sale(
            GOODS_LETTERS[good],
            player.goods[good],
            workers_for(player, die, good + 1),
            *sale(state, player, good)[:2],
        )
        for good in goods_for(player, die)
    )


def _purchases(state: BurgundyState) -> tuple[tuple[str, tuple[str, ...]], ...]:
    seat = state.order[state.at]
    if buy_gate(state, seat) is not None:
        return ()
    return tuple(
        (DEPOT_WORDS[depot], keys(state.depots[depot]))
        for depot in depots_to_buy_from(state, state.players[seat])
    )


# A seat


def _seat(state: BurgundyState, known: BurgundyState, seat: Seat, shown: bool) -> BurgundySeatView:
    player = state.players[seat]
    board = BOARDS.get(player.board)
    over = isinstance(state.frames[-1], BurgundyOver)
    prospects = {} if over else last_points(known, seat)
    return BurgundySeatView(
        board=player.board,
        estate=tuple([_KEY_OF[tile] for tile in player.estate]),
        storage=tuple([TILE_KEYS[tile] for tile in player.storage]),
        goods=tuple(player.goods),
        sold=tuple(player.sold) if shown else None,
        sold_count=sum(player.sold),
        silverlings=player.silverlings,
        workers=player.workers,
        dice=tuple(player.dice),
        knowledge=_knowledge(player.knowledge),
        track=next(place for place, seats in enumerate(state.track, 1) if seat in seats),
        total=sum(player.points),
        points=tuple(zip(POINTS, player.points, strict=True)),
        prospects=tuple((POINTS[item], points) for item, points in prospects.items()),
        regions=_regions(player.board, player.covered, phase_of(state)) if board else (),
        worth=_worth(state, player) if board else (),
        empty=_empty(player.board, player.covered) if board else (),
        bonuses=tuple((COLOUR_KEYS[colour], points) for colour, points in bonus_tiles(state, seat)),
    )


# Of an estate, what follows from its board and its covered spaces alone; most of it stays the same
# from one view to the next, and is shared by the views of all observers


def _worth(state: BurgundyState, player: BurgundyPlayer) -> tuple[int, ...]:
    worth = [0] * len(SPACE_NAMES)
    for space in _last_spaces(player.board, player.covered):
        worth[space] = completion_points(state, player, space)
    return tuple(worth)


@lru_cache(_KEPT)
def _last_spaces(board: int, covered: int) -> tuple[int, ...]:
    """Those that complete a region: nothing else is worth anything."""
    left = [region.mask & ~covered for region in BOARDS[board].regions]
    return tuple([bits.bit_length() - 1 for bits in left if bits.bit_count() == 1])


@lru_cache(_KEPT)
def _empty(board: int, covered: int) -> Rows:
    left = [(spaces & ~covered).bit_count() for spaces in BOARDS[board].of_colour]
    return tuple(zip(COLOUR_KEYS, left, strict=True))


@lru_cache(_KEPT)
def _regions(board: int, covered: int, phase: int) -> tuple[RegionView, ...]:
    def seen(region: Region) -> RegionView:
        empty = _names(members(region.mask & ~covered))
        points = sum(region_points(phase, region)) if empty else 0
        return RegionView(COLOUR_KEYS[region.colour], _names(region.spaces), empty, points)

    return tuple(map(seen, BOARDS[board].regions))


@lru_cache(_KEPT)
def _knowledge(numbers: int) -> tuple[int, ...]:
    return tuple(members(numbers))


def _names(spaces: Iterable[int]) -> tuple[str, ...]:
    return tuple([SPACE_NAMES[space] for space in spaces])
