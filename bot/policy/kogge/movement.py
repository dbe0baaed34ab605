"""Where to sail: a search over short routes, with fees, loading and the turn at the end."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.game.choices import Bundle
from bot.game.contract import Action
from bot.game.kogge.data import GOODS
from bot.policy.contract import Legal
from bot.policy.kogge.situation import Situation, change, words
from bot.policy.kogge.worth import Counts

STEPS = 3
"""How many spaces are looked ahead."""

STOP: Action = ("stop",)


@dataclass(frozen=True)
class Voyage:
    """A way on from where the ship lies: the routes to take, and what the plan is worth."""

    routes: tuple[str, ...]
    worth: float


@dataclass
class _Search:
    situation: Situation
    guild_city: int
    start: int
    free: int
    best: Voyage = field(default_factory=lambda: Voyage((), float("-inf")))
    seen: dict[tuple[int, int], float] = field(default_factory=dict)


def best_voyage(situation: Situation, guild_city: int, start: int, free: int) -> Voyage:
    """The best way found. `start` is the city where trade is barred, `free` the free steps left."""
    search = _Search(situation, guild_city, start, free)
    city = situation.me.city
    _explore(search, city, (), situation.goods[:], situation.markers[:], frozenset())
    return search.best


def foundings(situation: Situation, legal: Legal) -> list[Action]:
    """The cities for a first office, by the best first voyage from there."""
    cities = sorted(
        words(legal, ("found",)),
        key=lambda word: _voyage_from(situation, int(word)).worth,
        reverse=True,
    )
    return [("found", city) for city in cities]


def _voyage_from(situation: Situation, city: int) -> Voyage:
    """The best first voyage from an office founded in `city`."""
    search = _Search(situation, situation.view.guild_city, city, 1)
    markers = situation.markers[:]
    markers[city] -= 1
    _explore(search, city, (), situation.goods[:], markers, frozenset())
    return search.best


def _explore(
    search: _Search,
    city: int,
    routes: tuple[str, ...],
    goods: Counts,
    markers: Counts,
    loaded: frozenset[int],
) -> None:
    situation = search.situation
    weights = situation.weights
    view = situation.view
    seat = situation.seat
    if city not in loaded:
        for office in view.cities[city].offices:
            if office.seat == seat:
                for good in range(GOODS):
                    goods[good] += office.goods[good]
        loaded |= {city}
    known = (city, len(routes))
    effort = weights.crowd * len(routes)
    berth = situation.berth(city, search.guild_city, may_trade=city != search.start)
    value = berth.best_turn(goods, markers, view.display) - effort
    if known in search.seen and search.seen[known] >= value:
        return
    search.seen[known] = value
    if value > search.best.worth:
        search.best = Voyage(routes, value)
    if len(routes) == STEPS:
        return
    fee = int(len(routes) >= search.free)
    if fee > sum(goods) + sum(markers):
        return
    for name, target, extra in _ways(search, city):
        goods_left, markers_left = goods[:], markers[:]
        cost = fee + extra
        if cost > sum(goods) + sum(markers):
            continue
        for _ in range(cost):
            piece = situation.worth.least_missed(goods_left, markers_left)
            change(goods_left, markers_left, piece, -1)
        on = (*routes, name)
        if target is None:
            guess = (
                situation.worth.of(goods_left, markers_left)
                + weights.unknown
                - weights.crowd * len(on)
            )
            if guess > search.best.worth:
                search.best = Voyage(on, guess)
        else:
            _explore(search, target, on, goods_left, markers_left, loaded)


def _ways(search: _Search, city: int) -> list[tuple[str, int | None, int]]:
    """Routes out of a city: name, where it leads (None: unknown), and its extra cost."""
    situation = search.situation
    cities = situation.view.cities
    seat = situation.seat
    ways: list[tuple[str, int | None, int]] = []
    for name, route in zip(("left", "right"), cities[city].routes, strict=True):
        target = route.marker
        if target is None:
            ways.append((name, None, 0))
        elif target != city and seat not in cities[target].raids:
            ways.append((name, target, 0))
    guild_city = search.guild_city
    if (
        "secret" in situation.me.chits
        and guild_city != city
        and seat not in cities[guild_city].raids
    ):
        ways.append(("secret", guild_city, 1))
    return ways


def loading(legal: Legal) -> Action:
    """Everything out of the own offices here."""
    cargo = legal(("load",))
    assert isinstance(cargo, Bundle)
    return ("load", cargo.stock())


def is_known(situation: Situation, route: str) -> bool:
    """Whether the seat knows where a route leads from where its ship is."""
    routes = situation.view.cities[situation.me.city].routes
    return route == "secret" or routes[("left", "right").index(route)].marker is not None


def known_here(situation: Situation) -> int:
    """How many of the two routes out of the city are known."""
    routes = situation.view.cities[situation.me.city].routes
    return sum(route.marker is not None for route in routes)


def look(situation: Situation) -> Action:
    """A look at the routes, for what is missed least."""
    return ("peek", situation.spare(1))


def move(situation: Situation, legal: Legal) -> Action:
    """The next step of the movement, or its end."""
    kinds = words(legal, ())
    if "load" in kinds:
        return loading(legal)
    if "sail" not in kinds:
        return STOP
    if "peek" in kinds and not known_here(situation):
        kind, fee = look(situation)
        if situation.without(fee) < situation.weights.look:
            return (kind, fee)
    view = situation.view
    assert view.start is not None, "a ship on its way began somewhere"
    voyage = best_voyage(situation, view.guild_city, view.start, free_steps(situation, legal))
    if not voyage.routes or voyage.routes[0] not in words(legal, ("sail",)):
        return STOP
    return steps(situation, legal, voyage.routes[0])[0]


def steps(situation: Situation, legal: Legal, route: str) -> list[Action]:
    """A step by a route, with each way to pay for it that is worth offering, the cheapest first."""
    fee = legal(("sail", route))
    assert isinstance(fee, Bundle)
    cheapest = situation.spare(fee.most)
    others = sorted(fee.each(), key=situation.without) if fee.most == 1 else []
    return [("sail", route, word) for word in dict.fromkeys((cheapest, *others))]


def free_steps(situation: Situation, legal: Legal) -> int:
    """How many steps cost nothing beyond the route's own price."""
    route = words(legal, ("sail",))[0]
    fee = legal(("sail", route))
    assert isinstance(fee, Bundle)
    if fee.most > (route == "secret"):
        return 0
    begun = situation.me.city != situation.view.start
    return 2 if "spaces" in situation.me.chits and not begun else 1
