"""A computer player of The Castles of Burgundy that takes what gains most, one die at a time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bot.game.burgundy.boards import BOARDS, NEIGHBOURS, SPACE_OF_NAME
from bot.game.burgundy.data import CONTENT
from bot.game.burgundy.view import BurgundyView, Use
from bot.game.choices import Bundle, Done, OneOf
from bot.game.contract import DECLINE, END, Action, Decision
from bot.policy.burgundy.worth import BLACK_TILE, SILVERLING, WORKER, BurgundyWorth
from bot.policy.contract import Legal

Rated = tuple[float, Action]


def greedy(view: BurgundyView, decision: Decision, legal: Legal, rng: Random) -> Action:
    """The action that seems to gain most. Plays from the view alone."""
    match decision.kind:
        case "board":
            return "board", rng.choice(_values(legal(("board",))))
        case "castle":
            return _castle(view, decision.seat, legal, rng)
        case "load":
            return _load(view, legal)
    worth = BurgundyWorth(view, decision.seat)
    kinds = _values(legal(()))
    rated = [each for use in view.uses for each in _uses(worth, use)]
    if "buy" in kinds:
        rated += _purchases(worth)
    if END in kinds:
        rated.append((0.0, (END,)))
    if DECLINE in kinds:
        rated.append((0.0, (DECLINE,)))
    for _, action in sorted(rated, key=lambda each: -each[0]):
        if action[0] in kinds:
            return _whole(worth, action, legal)
    raise ValueError(f"nothing to answer {decision.kind!r} with")


def _uses(worth: BurgundyWorth, use: Use) -> Iterator[Rated]:
    """What can be done with a die that is left, or with an effect."""
    for place in use.places:
        value = worth.placed(place.tile, place.space, place.points) - WORKER * place.workers
        yield value, ("place", use.die, place.tile, place.space)
    full = len(worth.mine.storage) >= CONTENT.storage_spaces
    lost = min(map(worth.stored, worth.mine.storage), default=0.0) if full else 0.0
    for take in use.takes:
        for tile in take.tiles:
            value = worth.stored(tile) - lost - WORKER * take.workers
            yield value, ("take", use.die, take.depot, tile)
    for sale in use.sales:
        value = sale.points + SILVERLING * sale.silverlings - WORKER * sale.workers
        yield value, ("sell", use.die, sale.good)
    if use.gain is not None:
        workers, silverlings = use.gain
        value = WORKER * workers / (1 + worth.mine.workers / 6) + SILVERLING * silverlings
        yield value, ("workers", use.die)


def _purchases(worth: BurgundyWorth) -> Iterator[Rated]:
    """What can be bought, where it is worth its price."""
    if len(worth.mine.storage) >= CONTENT.storage_spaces:
        return
    price = SILVERLING * CONTENT.price
    for depot, tiles in worth.view.purchases:
        for tile in tiles:
            value = worth.stored(tile) - price + BLACK_TILE
            if value > 0:
                yield value, ("buy", depot, tile)


def _whole(worth: BurgundyWorth, action: Action, legal: Legal) -> Action:
    """The action completed with the tile to discard."""
    choices = legal(action)
    if isinstance(choices, Done):
        return action
    words = _values(choices)
    return (*action, min(words, key=lambda tile: worth.stored(tile) if tile else 0.0))


def _load(view: BurgundyView, legal: Legal) -> Action:
    """The depot with the most goods that fit, and of these as many as there are."""
    goods = {depot.depot: depot.goods for depot in view.depots}
    best: tuple[int, Action] = (-1, ())
    for depot in _values(legal(("load",))):
        choices = legal(("load", depot))
        assert isinstance(choices, Bundle)
        kinds = max(choices.each(), key=lambda word: _count(goods[depot], word))
        # The kinds already in the hold are loaded without being chosen.
        count = sum(goods[depot]) if not kinds else _count(goods[depot], kinds)
        best = max(best, (count, ("load", depot, kinds)))
    return best[1]


def _count(goods: tuple[int, ...], kinds: str) -> int:
    return sum(goods[int(kind) - 1] for kind in kinds)


def _castle(view: BurgundyView, seat: int, legal: Legal, rng: Random) -> Action:
    """The space with the most, and most varied, neighbours."""
    board = BOARDS[view.seats[seat].board]
    spaces = list(_values(legal(("castle",))))
    rng.shuffle(spaces)

    def around(space: str) -> int:
        near = NEIGHBOURS[SPACE_OF_NAME[space]]
        return len(near) + len({board.colours[each] for each in near})

    return "castle", max(spaces, key=around)


def _values(choices: object) -> tuple[str, ...]:
    assert isinstance(choices, OneOf)
    return choices.values
