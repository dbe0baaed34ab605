"""What every action of The Castles of Burgundy seems to gain: for the computer player, and for the
menu that people are offered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.game.burgundy.data import BOARDS, CONTENT, GOODS_LETTERS, NEIGHBOURS, SPACE_OF_NAME
from bot.game.burgundy.view import BurgundyView, Use
from bot.game.choices import Bundle, Done, OneOf
from bot.game.contract import DECLINE, END, Action
from bot.policy.burgundy.worth import BurgundyWorth
from bot.policy.contract import Legal

Rated = tuple[float, Action]


def rated(worth: BurgundyWorth, legal: Legal) -> list[Rated]:
    """Every action of a turn or an effect, those that gain most first; `completed` makes them
    whole."""
    kinds = values(legal(()))
    found = [each for use in worth.view.uses for each in _uses(worth, use)]
    if "buy" in kinds:
        found += purchases(worth)
    found += [(0.0, (kind,)) for kind in (END, DECLINE) if kind in kinds]
    return [each for each in sorted(found, key=lambda each: -each[0]) if each[1][0] in kinds]


def completed(worth: BurgundyWorth, action: Action, legal: Legal) -> Action:
    """The action with the tile to discard, that of least worth."""
    choices = legal(action)
    if isinstance(choices, Done):
        return action
    words = values(choices)
    return (*action, min(words, key=lambda tile: worth.stored(tile) if tile else 0.0))


def best_loads(worth: BurgundyWorth, legal: Legal) -> list[Rated]:
    """How many goods a ship takes in at each depot, with the types of which there are most; the
    best first."""
    goods = {depot.depot: depot.goods for depot in worth.view.depots}
    # The types already in the hold are loaded without being chosen.
    held = "".join(letter for letter, n in zip(GOODS_LETTERS, worth.mine.goods, strict=True) if n)
    found: list[Rated] = []
    for depot in values(legal(("load",))):
        choices = legal(("load", depot))
        assert isinstance(choices, Bundle)
        kinds = max(choices.each(), key=lambda word: _count(goods[depot], word))
        found.append((_count(goods[depot], held + kinds), ("load", depot, kinds)))
    return sorted(found, key=lambda each: -each[0])


def castles(view: BurgundyView, seat: int, spaces: Sequence[str]) -> list[str]:
    """Spaces for the first castle, those with the most, and most varied, neighbours first."""
    board = BOARDS[view.seats[seat].board]

    def around(space: str) -> int:
        near = NEIGHBOURS[SPACE_OF_NAME[space]]
        return len(near) + len({board.colours[each] for each in near})

    return sorted(spaces, key=lambda space: -around(space))


def values(choices: object) -> tuple[str, ...]:
    """The words of a choice of one word."""
    assert isinstance(choices, OneOf)
    return choices.values


def _uses(worth: BurgundyWorth, use: Use) -> Iterator[Rated]:
    """What can be done with a die that is left, or with an effect."""
    worker, silverling = worth.weights.worker, worth.weights.silverling
    for place in use.places:
        value = worth.placed(place.tile, place.space, place.points) - worker * place.workers
        yield value, ("place", use.die, place.tile, place.space)
    lost = _lost(worth)
    for take in use.takes:
        for tile in take.tiles:
            value = worth.stored(tile) - lost - worker * take.workers
            yield value, ("take", use.die, take.depot, tile)
    for sale in use.sales:
        value = sale.points + silverling * sale.silverlings - worker * sale.workers
        yield value, ("sell", use.die, sale.good)
    if use.gain is not None:
        workers, silverlings = use.gain
        value = worker * workers / (1 + worth.mine.workers / 6) + silverling * silverlings
        yield value, ("workers", use.die)


def purchases(worth: BurgundyWorth) -> Iterator[Rated]:
    """What can be bought."""
    price, lost = worth.weights.silverling * CONTENT.price, _lost(worth)
    for depot, tiles in worth.view.purchases:
        for tile in tiles:
            yield worth.stored(tile) - price + worth.weights.black_tile - lost, ("buy", depot, tile)


def has_room(worth: BurgundyWorth) -> bool:
    """Whether the storage takes another tile."""
    return len(worth.mine.storage) < CONTENT.storage_spaces


def _lost(worth: BurgundyWorth) -> float:
    """What the tile is worth that makes room for another, where the storage is full."""
    if has_room(worth):
        return 0.0
    return min(map(worth.stored, worth.mine.storage), default=0.0)


def _count(goods: tuple[int, ...], kinds: str) -> int:
    return sum(goods[int(kind) - 1] for kind in kinds)
