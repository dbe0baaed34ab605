"""Goods: selling them, and ships that load them and move ahead (rules: sell, ships)."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.burgundy.data import (
    CONTENT,
    DEPOT_OF_WORD,
    DEPOT_WORDS,
    DEPOTS,
    FOR_PLAYERS,
    GOODS_LETTERS,
    WITHIN,
    distance,
    goods_word,
)
from bot.game.burgundy.dice import DIE_OF_WORD, reach, rule_with_die, too_far, use_die, workers_for
from bot.game.burgundy.state import (
    NONE,
    SALE_ROW,
    BurgundyPlayer,
    BurgundyState,
    Frame,
    Load,
    has_knowledge,
    knowledge_amount,
)
from bot.game.choices import Bundle, OneOf
from bot.game.contract import Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse_for, rule

SALE_SILVERLINGS, SALE_WORKER = 3, 4
"""The knowledge tiles that add silverlings and a worker to a sale."""
SECOND_LOAD = 5
"""The knowledge tile that lets a ship load from two adjacent depots."""

GOOD_OF_WORD = {word: good for good, word in enumerate(GOODS_LETTERS)}
_ALL_DEPOTS = OneOf("depot", DEPOT_WORDS[:DEPOTS])
_NEIGHBOURS = tuple(
    OneOf("depot", tuple(DEPOT_WORDS[d] for d in range(DEPOTS) if distance(d, depot) == 1))
    for depot in range(DEPOTS)
)
"""The depots next to each one; 6 and 1 are neighbours (rules: ships)."""


class Sold(SeatEvent, frozen=True):
    """A seat sold all its goods of a kind."""

    good: str
    count: int
    points: int
    silverlings: int
    workers: int
    die: str
    spent: int


class MovedAhead(SeatEvent, frozen=True):
    """A ship moved its owner to a space of the turn track, counted from 1."""

    count: int


class Loaded(SeatEvent, frozen=True):
    """A ship loaded goods from a depot."""

    depot: str
    goods: str


# Selling


def goods_for(player: BurgundyPlayer, die: int) -> list[int]:
    """Return the kinds of goods that a die can sell, with the help of workers."""
    goods = player.goods
    return [good for good in WITHIN[die][reach(player)] if goods[good]]


def ways_to_sell(player: BurgundyPlayer, die: int) -> Iterator[tuple[int, int]]:
    """Yield each kind of goods that a die can sell, with the workers needed."""
    for good in goods_for(player, die):
        yield good, workers_for(player, die, good + 1)


def sale(state: BurgundyState, player: BurgundyPlayer, good: int) -> tuple[int, int, int]:
    """Return the points, silverlings and workers for all goods of a kind (rules: sell)."""
    points = player.goods[good] * FOR_PLAYERS[len(state.players)].sale_points
    return (
        points,
        knowledge_amount(player, SALE_SILVERLINGS, CONTENT.sale_silverlings),
        knowledge_amount(player, SALE_WORKER),
    )


def _goods(state: BurgundyState, seat: Seat, die: str) -> OneOf:
    player, value = state.players[seat], DIE_OF_WORD[die]
    return OneOf("good", tuple([GOODS_LETTERS[good] for good in goods_for(player, value)]))


def _sell(state: BurgundyState, seat: Seat, recorder: EventRecorder, die: str, good: str) -> None:
    player, value, kind = state.players[seat], DIE_OF_WORD[die], GOOD_OF_WORD[good]
    count = player.goods[kind]
    points, silverlings, workers = sale(state, player, kind)
    spent = use_die(state, player, value, kind + 1)
    player.goods[kind] = 0
    player.sold[kind] += count
    player.points[SALE_ROW] += points
    player.silverlings += silverlings
    player.workers += workers
    recorder.record(
        Sold(
            seat=seat,
            good=good,
            count=count,
            points=points,
            silverlings=silverlings,
            workers=workers,
            die=die,
            spent=spent,
        )
    )


def _why_not_good(state: BurgundyState, seat: Seat, die: str, word: str) -> Refusal:
    player, good = state.players[seat], GOOD_OF_WORD[word]
    refusal = refuse_for({"no_such_goods": not player.goods[good]}, good=word)
    return refusal or too_far(player, die, good + 1)


SELL: Rule[BurgundyState] = (
    rule_with_die(
        "sell",
        "sell",
        lambda state, player, die: goods_for(player, die),
        useless="nothing_to_sell",
        lacking="no_goods",
        has=lambda player: any(player.goods),
    )
    .word("good", _goods, _why_not_good, GOOD_OF_WORD)
    .does(_sell)
)


# Ships


def track_space(state: BurgundyState, seat: Seat) -> int:
    """Return the seat's space on the turn track, counted from 0."""
    return next(place for place, seats in enumerate(state.track) if seat in seats)


def move_ahead(state: BurgundyState, seat: Seat, recorder: EventRecorder) -> None:
    """Move the seat one space forward on the turn track, on top of the pieces there.

    The new turn order applies from the next round (ruling 8).
    """
    at = track_space(state, seat)
    state.track[at].remove(seat)
    state.track[at + 1].append(seat)
    recorder.record(MovedAhead(seat=seat, count=at + 2))


def room(player: BurgundyPlayer) -> int:
    """Return how many more kinds of goods the player has space for."""
    return CONTENT.goods_spaces - sum(map(bool, player.goods))


def loads(state: BurgundyState, player: BurgundyPlayer, depot: int, kinds: str) -> list[int]:
    """Return the goods by kind that a ship loads from a depot: `kinds`, and all kinds that the
    player already has (rules: ships)."""
    rows = zip(GOODS_LETTERS, state.goods[depot], player.goods, strict=True)
    return [count if owned or letter in kinds else 0 for letter, count, owned in rows]


def loadable(state: BurgundyState, seat: Seat) -> tuple[str, ...]:
    """Return the depots with goods that the ship can load now; for a second load only neighbours
    of the first depot (tile 5)."""
    player, first = state.players[seat], frame_of(state, Load).first
    near = _ALL_DEPOTS if first == NONE else _NEIGHBOURS[first]
    kinds = GOODS_LETTERS if room(player) else ""
    return tuple(
        [word for word in near.values if any(loads(state, player, DEPOT_OF_WORD[word], kinds))]
    )


def _depots(state: BurgundyState, seat: Seat) -> OneOf:
    """Return all depots, empty ones too (ruling 19); for a second load only depots with goods to
    load."""
    is_second = frame_of(state, Load).first != NONE
    return OneOf("depot", loadable(state, seat)) if is_second else _ALL_DEPOTS


def is_first(frame: Frame) -> bool:
    """Return whether it is a ship's compulsory load, not the second one of tile 5 (ruling 21)."""
    return isinstance(frame, Load) and frame.first == NONE


def _kinds(state: BurgundyState, seat: Seat, depot: str) -> Bundle:
    """Return the new kinds to load: as many as fit, so there is a choice only if some do not."""
    player, goods = state.players[seat], state.goods[DEPOT_OF_WORD[depot]]
    new = tuple([int(bool(n and not owned)) for n, owned in zip(goods, player.goods, strict=True)])
    size = min(room(player), sum(new))
    return Bundle("goods", GOODS_LETTERS, new, size, size)


def _load_goods(
    state: BurgundyState, seat: Seat, recorder: EventRecorder, depot: str, goods: str
) -> None:
    player, place = state.players[seat], DEPOT_OF_WORD[depot]
    loaded = loads(state, player, place, goods)
    for good, count in enumerate(loaded):
        player.goods[good] += count
        state.goods[place][good] -= count
    frame = frame_of(state, Load)
    state.frames.pop()
    if frame.first == NONE and has_knowledge(player, SECOND_LOAD):
        state.frames.append(Load(place))
    recorder.record(Loaded(seat=seat, depot=depot, goods=goods_word(loaded)))


def _why_not_depot(state: BurgundyState, seat: Seat, word: str) -> Refusal | None:
    first = frame_of(state, Load).first
    reasons = {
        "no_goods_there": word not in _ALL_DEPOTS.values,
        "nothing_fits": word in _NEIGHBOURS[first].values,
        "not_neighbours": True,
    }
    return refuse_for(reasons, depot=word, loaded=DEPOT_WORDS[first])


LOAD: Rule[BurgundyState] = (
    rule("load", "ships")
    .word("depot", _depots, _why_not_depot, DEPOT_WORDS)
    .word("goods", _kinds)
    .does(_load_goods)
)
