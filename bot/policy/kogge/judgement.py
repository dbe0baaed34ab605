"""The judgement of Kogge's computer players: rated actions for each question, deals, and the value
of a position.

An action is rated by the value of the seat's pieces after it and the best actions that can follow
in the same turn; a voyage by the best turn at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, combinations_with_replacement
from operator import mul
from random import Random
from typing import Any

from msgspec.structs import replace

from bot.game.chance import RandomChance
from bot.game.choices import Bundle
from bot.game.contract import ACCEPT, ANSWER, DECLINE, Action, Decision, joined, offer_of
from bot.game.frames import frame_of
from bot.game.hidden import View
from bot.game.kogge import GAME
from bot.game.kogge.common import current_city, goods_in_offices
from bot.game.kogge.data import (
    CITIES,
    CITY_GOOD,
    CONTENT,
    GOOD_LETTERS,
    GOODS,
    LETTER_OF,
    MARKER_LETTERS,
    goods_of,
    goods_word,
)
from bot.game.kogge.raid import DEMANDED, GROUPS
from bot.game.kogge.rounds import rank, walk
from bot.game.kogge.routes import ROUTES, SECRET_ROUTE, SLOT, TWO_SPACES, free_steps
from bot.game.kogge.state import Acting, Choosing, KoggeState, Movement, Push, Route, knows_route
from bot.policy.contract import MENU, Judgement, Legal, Rated
from bot.policy.kogge.valuation import (
    COEFFICIENTS,
    GOOD_POINTS,
    NORMAL,
    SIX,
    WEIGHTS,
    Holdings,
    KoggeWeights,
    Situation,
    after,
    answer,
    best_turn,
    bundle,
    each_of,
    features,
    points,
    rounds_left,
    talk,
    words,
)

MAX_STEPS = 3
"""Spaces that a voyage looks ahead."""
STOP: Action = ("stop",)
END_TURN: Action = ("end",)
PASS: Action = ("pass",)
TOP_PRIORITY = 500.0
"""The rating of actions that come before all others: those for a development point, and those with
which the leader ends the game. Negative for actions that come last."""
LOW_PRIORITY = 1e-3
"""The factor for actions that end a turn, so that others with a gain come first."""
MIN_ROUTE_GAIN = 1.0
"""The gain that an exchange of a first route needs."""
CHITS_BY_USE = ("spaces", "three", "marker", "secret")
"""The chits, the most useful to this player first."""
WIN_CHANCES = (0.0, 0.2, 0.8, 0.95, 0.98)
"""The chance to win a conflict, by the count of equal markers in the bid."""
WIN_CHANCE_PER_NUMBER = 0.01
"""Added for each step of the markers' number."""
CHANCE_OF_GOOD = 0.5
"""The chance that the loser has a good that is demanded."""
MIN_CONFLICT_GAIN = 1.0
"""The expected gain with which a conflict is begun."""
DEMANDS = tuple(map("".join, combinations_with_replacement(GOOD_LETTERS, DEMANDED)))
FOUNDING_CITIES = 3
"""The best cities, among which the first office is placed at random."""

MAX_ACTIONS = 6
"""Actions of one entry of a menu."""
MAX_TRADES, MAX_PAYMENTS = 6, 3
"""Trades of one good in a menu, and ways to pay for one step."""
MAX_ENDED = 3
"""The best actions that a menu also offers with the end of the turn."""
BARTERS = ("buy", "swap_good", "swap_marker", "buy_raid", "reroute")
"""Kinds of action that exchange pieces, except the trade with the city."""
RAIDS = ("raid_city", "raid_ship")
"""They cannot be undone, so no sequence contains one."""
CONTINUED = ("load", "sail", "trade", "buy", "swap_good", "swap_marker", "build", "sell_six")
"""Kinds of action after which an entry continues as the computer player would."""


# Voyages


def voyages(
    situation: Situation,
    city: int,
    *,
    free: int = 1,
    start: int | None = None,
    held: Holdings | None = None,
    guild_city: int | None = None,
) -> dict[str, float]:
    """Return the value of the best voyage from a city for each first route; '' for staying.

    The ship may not trade in `start`, by default the same city. `free` steps cost nothing.
    """
    state, seat, valuation = situation.state, situation.seat, situation.valuation
    guild = state.guild_city if guild_city is None else guild_city
    pairs, crowd = tuple(state.display), situation.weights.crowd
    idle = city if start is None else start
    best: dict[str, float] = {}
    seen: dict[tuple[int, int], float] = {}
    loadable = {
        number: goods_word(goods_in_offices(place, seat))
        for number, place in enumerate(state.cities)
        if any(office.seat == seat for office in place.offices)
    }

    def explore(city: int, first: str, steps: int, held: Holdings, loaded: tuple[int, ...]) -> None:
        if city in loadable and city not in loaded:
            held, loaded = after(held, loadable[city]), (*loaded, city)
        berth = situation.berth(city, guild, may_trade=city != idle)
        value = best_turn(berth, tuple(held), pairs) - crowd * steps
        best[first] = max(value, best.get(first, value))
        if value <= seen.get((city, steps), float("-inf")):
            return
        seen[city, steps] = value
        for name, target, extra in ways(city) if steps < MAX_STEPS else ():
            cost, first_route = int(steps >= free) + extra, first or name
            if cost > sum(held):
                continue
            left = after(held, gives=valuation.spare(held, cost)) if cost else held
            if target is None:
                guess = valuation.of(left) + situation.weights.unknown - crowd * (steps + 1)
                best[first_route] = max(guess, best.get(first_route, guess))
            else:
                explore(target, first_route, steps + 1, left, loaded)

    def ways(city: int) -> Iterator[tuple[str, int | None, int]]:
        """Yield the routes of a city: name, destination (None: unknown), and extra cost."""
        for name, route in zip(ROUTES, state.cities[city].routes, strict=True):
            if not knows_route(route, seat):
                yield name, None, 0
            elif route.marker != city and seat not in state.cities[route.marker].raids:
                yield name, route.marker, 0
        secret = situation.me.chits[SECRET_ROUTE] and guild != city
        if secret and seat not in state.cities[guild].raids:
            yield "secret", guild, 1

    explore(city, "", 0, situation.held if held is None else held, ())
    return best


def best_voyage(situation: Situation, city: int, **terms: Any) -> float:
    """Return the value of the best of all voyages."""
    return max(voyages(situation, city, **terms).values())


def is_known(state: KoggeState, seat: int, route: str) -> bool:
    """Return whether the seat knows where a route of its city leads."""
    return route not in SLOT or knows_route(current_city(state, seat).routes[SLOT[route]], seat)


def steps(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """Rate loading, a look if no route is known, each route with several payments, and staying."""
    state, seat, kinds = situation.state, situation.seat, words(legal)
    if "load" in kinds:
        yield TOP_PRIORITY, ("load", bundle(legal, "load").stock())
    start, free = frame_of(state, Movement).start, free_steps(state, seat)
    found = voyages(situation, situation.me.city, free=free, start=start)
    if "peek" in kinds:
        fee, knows = (
            situation.valuation.spare(situation.held, 1),
            any(is_known(state, seat, route) for route in ROUTES),
        )
        looks = situation.weights.look + situation.gain(gives=fee)
        yield -TOP_PRIORITY if knows else max(found.values()) + looks, ("peek", fee)
    yield found[""], STOP
    for route in words(legal, "sail"):
        fees = bundle(legal, "sail", route)
        value, count = found.get(route, -TOP_PRIORITY), fees.maximum
        ways = [situation.valuation.spare(situation.held, count)]
        if count == 1:
            ways = sorted(fees.each(), key=lambda fee: -situation.gain(gives=fee))[:MAX_PAYMENTS]
        for fee in ways:
            # With Memory, a ship may try a route that it cannot use; `value` then is low.
            yield (
                value + situation.gain(gives=fee) - situation.gain(gives=ways[0]),
                ("sail", route, fee),
            )


# Actions in a city


def actions(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """Rate development points first, then actions by the value of the holdings after them, then
    raids, and the end of the turn before all actions without a gain."""
    state, kinds, used = situation.state, words(legal), frame_of(situation.state, Acting).used
    berth = situation.berth(
        situation.me.city,
        -1 if "guild" in used else state.guild_city,
        may_trade="trade" in kinds,
        may_build="build" not in used,
    )
    enough = berth.finish(situation.held) + situation.weights.gain
    # The cheapest goods come first. In the Italian rules, an office is cheaper for markers.
    chits = sorted(each_of(legal, "sell_six"), key=lambda sale: CHITS_BY_USE.index(sale[2]))
    for index, action in enumerate((*chits, *reversed(each_of(legal, "build")))):
        yield TOP_PRIORITY - index, action
    barters = chain.from_iterable(each_of(legal, kind) for kind in BARTERS)
    for action in sorted(barters, reverse=True):
        for gets, gives in bartered(situation, action):
            extra = situation.weights.raid_marker if action[0] == "buy_raid" else 0.0
            yield berth.finish(after(situation.held, gets, gives)) + extra - enough, action
    if "trade" in kinds:
        trades = berth.small_trades(situation.held)[:MAX_TRADES]
        for value, give, take in (berth.best_trade(tuple(situation.held)), *trades):
            if give:
                yield value - enough, ("trade", give, take)
    for action in chain.from_iterable(each_of(legal, kind) for kind in RAIDS if kind in kinds):
        gain = loot(situation, action) - CONTENT.victory_points.raid
        gain -= situation.weights.barred * situation.valuation.time
        yield LOW_PRIORITY * gain if gain > 0 else gain, action
    yield 0.0, END_TURN


def bartered(situation: Situation, action: Action) -> Iterator[tuple[str, str]]:
    """Yield the pieces that an action gets and gives, if they are known."""
    state = situation.state
    match action:
        case ("buy", pair, good):
            bought = state.display[int(pair) - 1]
            # Of equal pairs, rate only the first.
            if state.display.index(bought) == int(pair) - 1:
                yield bought, LETTER_OF[good]
        case ("swap_good", good, marker):
            yield marker, LETTER_OF[good]
        case ("swap_marker", marker):
            yield GOOD_LETTERS[CITY_GOOD[int(marker)]], marker
        case ("buy_raid", marker):
            yield "", marker * CONTENT.raid_price
        case ("reroute", route, marker) if is_known(state, situation.seat, route):
            # The old marker may be more useful than the new one.
            old = str(current_city(state, situation.seat).routes[SLOT[route]].marker)
            if marker != old:
                yield old, marker


def loot(situation: Situation, raid: Action) -> float:
    """Return the gain of a raid."""
    state, seat = situation.state, situation.seat
    if raid[0] == "raid_city":
        # The goods in the seat's own offices already belong to it.
        city = current_city(state, seat)
        stocks = [city.goods, *(o.goods for o in city.offices if o.seat != seat)]
        return situation.gain(goods_word(map(sum, zip(*stocks, strict=True))))
    cargo = state.players[int(raid[1])].goods
    if not cargo:
        return situation.weights.unseen_cargo
    # Half the cargo: the victim keeps the more important goods, but the loss hurts them too.
    return situation.gain(goods_word((count + 1) // 2 for count in cargo)) * 0.9


# Questions with a single answer


def foundings(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """Rate the cities for a first office by the best first voyage from there."""
    for word in words(legal, "found"):
        held = after(situation.held, gives=word)
        yield best_voyage(situation, int(word), held=held), ("found", word)


def bids(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """Rate bids by the place in the turn order and the goods that they bring to offices."""
    state, seat, weights = situation.state, situation.seat, situation.weights
    others = [rank(bid) for other, bid in enumerate(state.bids) if other != seat and bid]
    stocks = [goods_in_offices(city, seat) for city in state.cities]
    owned = zip(situation.held[:GOODS], *stocks, strict=True)
    first = weights.first * (max(map(sum, owned)) >= SIX)
    for word in _bids(state, bundle(legal, "bid")):
        beaten = sum(rank(word) > other for other in others)
        value = weights.place * beaten + situation.gain(gives=word)
        if beaten == len(others) == len(state.players) - 1:
            value += first
        for letter in set(word):
            city, good = state.cities[int(letter)], CITY_GOOD[int(letter)]
            if len(city.offices) <= min(2 * word.count(letter), state.reserve[good]):
                gain = GOOD_POINTS[good] + weights.office_good
                for office in city.offices:
                    value += gain if office.seat == seat else -gain / (len(state.players) - 1)
        yield value, ("bid", word)


def _bids(state: KoggeState, domain: Bundle) -> list[str]:
    """Return all legal bids of one marker or two equal ones, or any one if there are none.

    If none of them is the highest so far, add those of two or else three markers that are.
    """
    few = (number * count for number in map(str, range(CITIES)) for count in (1, 2))
    found = [word for word in few if domain.admits(word)] or [next(domain.each())]
    best = max(map(rank, filter(None, state.bids)), default=None)
    if best is None or best < max(map(rank, found)):
        return found
    for size in (2, 3):
        others = sorted({"".join(each) for each in combinations(domain.stock(), size)})
        first = [word for word in others if rank(word) > best and domain.admits(word)]
        if first:
            return [*found, *first]
    return found


def advances(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """Rate the guild master's steps by the use to the seat; to the end only if the seat leads."""
    state, me = situation.state, situation.me
    for word in words(legal, "advance"):
        city, laps = walk(state, int(word))
        if state.laps + laps >= CONTENT.laps_to_end:
            score = [points(state, seat) for seat in range(len(state.players))]
            sign = 1 if score[situation.seat] == max(score) else -1
            yield sign * TOP_PRIORITY, ("advance", word)
        else:
            free = 2 if me.chits[TWO_SPACES] else 1
            yield best_voyage(situation, me.city, free=free, guild_city=city), ("advance", word)


def taxes(situation: Situation, legal: Legal) -> Iterable[Rated]:
    """Rate the goods, the least useful first; nothing from an empty ship."""
    return [(situation.gain(gives=good), ("tax", good)) for good in bundle(legal, "tax").each()]


def exchanges(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """Rate the exchanges of a route by the best first voyage; keep both unless one gains enough."""
    city, routes = situation.me.city, current_city(situation.state, situation.seat).routes
    yield best_voyage(situation, city) + MIN_ROUTE_GAIN, PASS
    for kind, side, marker in each_of(legal, "reroute"):
        old = routes[SLOT[side]]
        held = after(situation.held, str(old.marker), marker)
        routes[SLOT[side]] = Route(int(marker))
        value = best_voyage(situation, city, held=held)
        routes[SLOT[side]] = old
        yield value, (kind, side, marker)


def challenges(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """Rate the ships in the city, the strongest first; no conflict if the risk is too high."""
    best = max(conflict_bids(situation, legal))[0] - CHANCE_OF_GOOD * at_risk(situation)
    yield MIN_CONFLICT_GAIN, PASS
    for word in words(legal, "challenge"):
        yield best + LOW_PRIORITY * points(situation.state, int(word)), ("challenge", word)


def conflict_bids(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """Rate bids of equal markers by their gain over a certain defeat."""
    # Only a seat without markers may bid nothing (ruling 42).
    stake = CHANCE_OF_GOOD * (max(map(situation.gain, DEMANDS)) + at_risk(situation))
    found = {
        str(number) * count: (WIN_CHANCES[count] + WIN_CHANCE_PER_NUMBER * number) * stake
        for number, held in enumerate(reversed(situation.held[GOODS:]))
        for count in range(1, min(held, len(WIN_CHANCES) - 1) + 1)
    }
    for bid, value in (found or {"": 0.0}).items():
        # The bids change hands; expect the least useful marker in return.
        yield value + min(situation.gain(new, bid) for new in MARKER_LETTERS), ("bid", bid)


def at_risk(situation: Situation) -> float:
    """Return the value of the three most valuable goods on the ship; those are listed last."""
    return -situation.gain(gives=goods_word(situation.held[:GOODS])[-DEMANDED:])


def demands(situation: Situation, legal: Legal) -> Iterable[Rated]:
    """Rate three goods by their value, because the loser's goods are secret."""
    return [(situation.gain(word), ("demand", word)) for word in DEMANDS]


def splits(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """Rate groups, the most equal in points first, because the raider takes the better one."""
    cargo = sum(map(mul, situation.held, GOOD_POINTS))
    for word in bundle(legal, "split").each():
        yield -abs(cargo - 2 * sum(map(mul, goods_of(word), GOOD_POINTS))), ("split", word)


def choices(situation: Situation, legal: Legal) -> Iterable[Rated]:
    """Rate the two groups by their value to the raider."""
    groups = zip(GROUPS, frame_of(situation.state, Choosing).groups, strict=True)
    return [(situation.gain(group), ("choose", name)) for name, group in groups]


def pushes(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """Rate the cities to push a ship to, those with the fewest goods first.

    A hidden route may lead anywhere. The loser of a conflict may also stay.
    """
    state, frame = situation.state, frame_of(situation.state, Push)
    city = current_city(state, frame.pushed)
    if frame.optional:
        yield -sum(city.goods), PASS
    average = sum(sum(each.goods) for each in state.cities) / CITIES
    for word in words(legal, "push"):
        route = city.routes[SLOT[word]]
        known = knows_route(route, situation.seat)
        yield -sum(state.cities[route.marker].goods) if known else -average, ("push", word)


RATED: Mapping[str, Callable[[Situation, Legal], Iterable[Rated]]] = {
    "found": foundings,
    "bid": bids,
    "advance": advances,
    "tax": taxes,
    "exchange": exchanges,
    "challenge": challenges,
    "conflict": conflict_bids,
    "demand": demands,
    "split": splits,
    "choose": choices,
    "push": pushes,
    "move": steps,
    "act": actions,
}
"""By kind of decision: the function that rates its actions."""


class KoggeJudgement(Judgement[KoggeState]):
    """The judgement of Kogge. An entry of its menu can be a whole voyage or turn."""

    def rated(
        self, view: View[KoggeState], decision: Decision, legal: Legal, weights: KoggeWeights
    ) -> Sequence[Rated]:
        """Rate by `RATED`; equal ratings keep its order. Counter-offers are not rated."""
        if decision.kind == ANSWER:
            number = offer_of(decision)
            kinds = [kind for kind in (ACCEPT, DECLINE) if number in words(legal, kind)]
            return [(float(kind == ACCEPT), (kind, number)) for kind in kinds]
        found = RATED[decision.kind](Situation(view, decision.seat, weights), legal)
        return sorted(found, key=lambda each: each[0], reverse=True)

    def best(
        self,
        view: View[KoggeState],
        decision: Decision,
        legal: Legal,
        rng: Random,
        weights: KoggeWeights | None = None,
    ) -> Action:
        """Choose a first city at random, as equal players would always choose the same one; and
        answer an offer, perhaps with a counter-offer."""
        if decision.kind == ANSWER:
            return answer(Situation(view, decision.seat), offer_of(decision), legal, rng)
        if decision.kind != "found":
            return super().best(view, decision, legal, rng, weights)
        found = self.rated(view, decision, legal, weights or NORMAL)
        return rng.choice(found[:FOUNDING_CITIES])[1]

    def talk(
        self, view: View[KoggeState], decision: Decision, legal: Legal, rng: Random
    ) -> Action | None:
        """Make or withdraw an offer while the pieces can still be used this turn."""
        if decision.kind not in ("move", "act"):
            return None
        return talk(Situation(view, decision.seat), legal, rng)

    def aim(self, action: Action) -> Action:
        """Ignore the payment for a pair, and the marker of a swap or a new route."""
        return action[:2] if action[0] in ("buy", "swap_good", "reroute") else action

    def arranged(
        self, view: View[KoggeState], decision: Decision, actions: Sequence[Action]
    ) -> Sequence[Action]:
        """Put the whole voyage or turn first, then the best actions as the last ones of it."""
        if decision.kind not in ("move", "act") or actions[0] == END_TURN:
            return actions
        seat, last, gaining = decision.seat, END_TURN, actions[:MAX_ENDED]
        if decision.kind == "move":
            sails = {each[1]: each for each in reversed(actions) if each[0] == "sail"}
            last = STOP
            gaining = [
                sails[r]
                for r in (*ROUTES, "secret")
                if r in sails and is_known(view.known, seat, r)
            ]
        elif END_TURN in gaining:
            gaining = actions[: actions.index(END_TURN)]
        ended = [joined(each, last) for each in gaining if each[0] not in RAIDS]
        found = dict.fromkeys((self._continuation(view, decision, actions[0]), *ended, *actions))
        return [each for n, each in enumerate(found) if n < MENU - 1 or each == END_TURN][:MENU]

    def _continuation(self, view: View[KoggeState], decision: Decision, first: Action) -> Action:
        """Return an action and how the computer player would continue, as far as that is known."""
        state, seat, found = GAME.determinize(view, Random(0)), decision.seat, [first]
        while len(found) < MAX_ACTIONS and found[-1][0] in CONTINUED:
            if found[-1][0] == "sail" and not is_known(state, seat, found[-1][1]):
                break
            GAME.apply(state, seat, found[-1], RandomChance(Random(0)))
            required = [each for each in GAME.pending(state) if not each.optional]
            if not required:
                break
            action = self.quick(state, required[0], Random(0))
            if action[0] in (*RAIDS, "swap_good"):
                # The bag's numbers in another colour are still unknown.
                break
            found.append(action)
        return joined(*found)

    def value(self, state: KoggeState) -> Sequence[float]:
        """Return the logarithm of each seat's odds to win, up to a constant."""
        late = 1 / (1 + rounds_left(state))
        coefficients = COEFFICIENTS[str(len(state.players))].items()
        now = {name: early + late * more for name, (early, more) in coefficients}
        return [
            sum(count * now.get(name, 0.0) for name, count in features(state, seat).items())
            for seat in range(len(state.players))
        ]

    def spread(self, state: KoggeState) -> float:
        """Return 1, because `value` is already a logarithm of odds."""
        return 1.0


JUDGEMENT = KoggeJudgement(game=GAME, weights=WEIGHTS, nodes=400, rounds=0, in_points=False)


# Standing orders


def bid_at_most(
    view: View[KoggeState], decision: Decision, legal: Legal, value: str
) -> Action | None:
    """Make the best possible bid of at most `value` markers in the auction."""
    if decision.kind != "bid":
        return None
    domain = bundle(legal, "bid")
    small = replace(domain, maximum=min(domain.maximum, int(value)))
    best = max(small.each(), key=rank, default=None)
    return None if best is None else ("bid", best)


def pass_conflicts(
    view: View[KoggeState], decision: Decision, legal: Legal, value: str
) -> Action | None:
    """Never begin a conflict."""
    return PASS if decision.kind == "challenge" else None
