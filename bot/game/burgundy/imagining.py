"""Random states that look like a view: what its observer may take the table to be.

The tiles that nobody has seen are divided at random among the stacks, and so are the goods that
nobody has seen, or that others have sold out of sight, among the bag and their piles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from bot.game.burgundy.boards import BOARDS, SPACE_OF_NAME
from bot.game.burgundy.data import (
    CASTLE_TILE,
    CONTENT,
    DEPOT_OF_WORD,
    DEPOTS,
    GOODS_LETTERS,
    SIDES,
    TILE_OF_KEY,
    TILES,
    TILES_OF,
)
from bot.game.burgundy.placing import cover
from bot.game.burgundy.state import (
    NONE,
    Boards,
    BurgundyOver,
    BurgundyPlayer,
    BurgundyRules,
    BurgundyState,
    Castles,
    Effect,
    Extra,
    Frame,
    Load,
    Roll,
    Turn,
)
from bot.game.burgundy.view import BurgundySeatView, BurgundyView


def imagine(view: BurgundyView, rng: Random) -> BurgundyState:
    """A state in which the view's observer would see that very view; `decision` is not in it."""
    stacks, black = _stacks(view, rng)
    bag, sold = _goods(view, rng)
    return BurgundyState(
        rules=BurgundyRules(**dict.fromkeys(view.variants, True)),
        players=[_player(seat, pile) for seat, pile in zip(view.seats, sold, strict=True)],
        stacks=stacks,
        black=black,
        bag=bag,
        order=list(view.order),
        track=[list(seats) for seats in view.track],
        frames=_frames(view, rng),
        removed=list(view.removed),
        depots=[[TILE_OF_KEY[tile] for tile in depot.tiles] for depot in view.depots],
        goods=[list(depot.goods) for depot in view.depots[:DEPOTS]],
        coming=[GOODS_LETTERS.index(good) for good in view.coming],
        completed=[list(colour.seats) for colour in view.colours],
        at=_at(view),
        round=_round(view),
        white=view.white,
    )


def _player(seat: BurgundySeatView, sold: list[int]) -> BurgundyPlayer:
    player = BurgundyPlayer(
        goods=list(seat.goods),
        sold=sold,
        silverlings=seat.silverlings,
        workers=seat.workers,
        board=seat.board,
        storage=[TILE_OF_KEY[tile] for tile in seat.storage],
        dice=list(seat.dice),
        points=[points for _item, points in seat.points],
    )
    for space, tile in enumerate(seat.estate):
        if tile is not None:
            cover(player, TILE_OF_KEY[tile], space)
    return player


def _stacks(view: BurgundyView, rng: Random) -> tuple[list[int], list[int]]:
    """The tiles still to be drawn, with coloured and with black backs.

    Nobody knows which back a tile had that has been turned up, so any of the unseen ones may lie
    in either stack.
    """
    unseen = [
        kind.coloured + kind.black - out for kind, out in zip(TILES, view.removed, strict=True)
    ]
    for depot in view.depots:
        _take_out(unseen, depot.tiles)
    for seat in view.seats:
        _take_out(unseen, seat.storage)
        _take_out(unseen, seat.estate)
    # Castles that are still to be placed are in nobody's estate yet.
    unseen[CASTLE_TILE] -= sum(not any(seat.estate) for seat in view.seats)
    stacks = [0] * len(TILES)
    for tiles_of, (_colour, count) in zip(TILES_OF, view.stacks, strict=False):
        tiles = [tile for tile in tiles_of for _ in range(unseen[tile])]
        for place in rng.sample(range(len(tiles)), count):
            stacks[tiles[place]] += 1
    black = [count - coloured for count, coloured in zip(unseen, stacks, strict=True)]
    assert sum(black) == view.stacks[-1][1], "every tile is seen, or in one of the stacks"
    return stacks, black


def _take_out(counts: list[int], tiles: Iterable[str | None]) -> None:
    for tile in tiles:
        if tile is not None:
            counts[TILE_OF_KEY[tile]] -= 1


def _goods(view: BurgundyView, rng: Random) -> tuple[list[int], list[list[int]]]:
    """The goods in the bag, and what each seat has sold."""
    unseen = [CONTENT.goods_each] * SIDES
    for counts in (*(depot.goods for depot in view.depots[:DEPOTS]), *_known_goods(view.seats)):
        for good, count in enumerate(counts):
            unseen[good] -= count
    for letter in view.coming:
        unseen[GOODS_LETTERS.index(letter)] -= 1
    hidden = [seat for seat in view.seats if seat.sold is None]
    pieces = [good for good, count in enumerate(unseen) for _ in range(count)]
    if hidden:
        rng.shuffle(pieces)
    piles: list[list[int]] = []
    for seat in view.seats:
        if seat.sold is None:
            piles.append(_counted(pieces[: seat.sold_count]))
            del pieces[: seat.sold_count]
        else:
            piles.append(list(seat.sold))
    return _counted(pieces), piles


def _known_goods(seats: Sequence[BurgundySeatView]) -> Iterable[Sequence[int]]:
    for seat in seats:
        yield seat.goods
        if seat.sold is not None:
            yield seat.sold


def _counted(goods: Iterable[int]) -> list[int]:
    counts = [0] * SIDES
    for good in goods:
        counts[good] += 1
    return counts


def _round(view: BurgundyView) -> int:
    return CONTENT.phases.index(view.phase) * CONTENT.rounds + view.round if view.round else 0


def _at(view: BurgundyView) -> int:
    if view.turn is not None:
        return view.order.index(view.turn)
    if view.asked == "board":
        return view.order.index(view.active[0])
    return len(view.order) if view.asked == "over" else 0


def _frames(view: BurgundyView, rng: Random) -> list[Frame]:
    """What is being asked, on top of the turn in which it is; a building's effect is asked for by
    its name."""
    turn = Turn(list(view.left), view.bought)
    match view.asked:
        case "board":
            return [Boards()]
        case "castle":
            return [Castles([_castle(view, seat, rng) for seat in range(len(view.seats))])]
        case "roll":
            return [Roll()]
        case "turn":
            return [turn]
        case "extra":
            return [turn, Extra()]
        case "load":
            return [turn, Load(NONE if view.loaded is None else DEPOT_OF_WORD[view.loaded])]
        case "over":
            assert view.outcome is not None
            return [BurgundyOver(view.outcome.ending)]
    return [turn, Effect(TILE_OF_KEY[view.asked])]


def _castle(view: BurgundyView, seat: int, rng: Random) -> int:
    """Where a seat has placed its castle, as far as it has: any of its board's spaces."""
    if seat in view.active:
        return NONE
    if seat == view.observer and view.chosen is not None:
        return SPACE_OF_NAME[view.chosen]
    return rng.choice(BOARDS[view.seats[seat].board].castles)
