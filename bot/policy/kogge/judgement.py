"""What the computer players of Kogge go by: what can be done about each thing that is asked, with
what it seems to be worth; deals; and what a position promises each seat.

An action is rated by what the holdings are worth after it and after what can be done in the same
turn, and a voyage by the best turn at its end.
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
from bot.policy.kogge.worth import (
    GOOD_POINTS,
    NORMAL,
    PROMISES,
    SIX,
    WEIGHTS,
    Held,
    KoggeWeights,
    Situation,
    after,
    answer,
    best_turn,
    bundle,
    each_of,
    points,
    promising,
    rounds_left,
    talk,
    words,
)

STEPS = 3
"""How many spaces a voyage is looked ahead."""
STOP: Action = ("stop",)
DONE: Action = ("end",)
PASS: Action = ("pass",)
FIRST = 500.0
"""The rating of what is done before all else: a development point, the end of the game for the
leader; below 0 of what is done after it."""
LESS = 1e-3
"""Rates what ends a turn after all else that gains."""
BETTER = 1.0
"""What a new first route must gain."""
CHITS = ("spaces", "three", "marker", "secret")
"""Chits by how useful they are to this player."""
WINS = (0.0, 0.2, 0.8, 0.95, 0.98)
"""How likely a bid of so many markers of one number wins a conflict."""
WINS_HIGHER = 0.01
"""How much more likely, for each step of the number."""
THERE = 0.5
"""How likely a good that is demanded is there."""
WORTH_A_FIGHT = 1.0
"""What a conflict must promise to be begun."""
DEMANDS = tuple(map("".join, combinations_with_replacement(GOOD_LETTERS, DEMANDED)))
OPEN_CITIES = 3
"""Among so many best cities the first office is chosen at random."""

ACTIONS = 6
"""Actions of one entry of a menu."""
TRADES, PAYMENTS = 6, 3
"""How many trades of one good are offered, and ways to pay for one step."""
ENDED = 3
"""How many of the best actions are offered as the last one, too."""
BARTERS = ("buy", "swap_good", "swap_marker", "buy_raid", "reroute")
"""Kinds of actions that change some pieces for others, beside the trade with the city."""
RAIDS = ("raid_city", "raid_ship")
"""They cannot be taken back, so none is a part of something longer."""
GOES_ON = ("load", "sail", "trade", "buy", "swap_good", "swap_marker", "build", "sell_six")
"""After these an entry says how the computer player would go on."""


# Voyages


def voyages(
    situation: Situation,
    city: int,
    *,
    free: int = 1,
    start: int | None = None,
    held: Held | None = None,
    guild_city: int | None = None,
) -> dict[str, float]:
    """What the best voyage from a city is worth, by the route that it takes first; '' for none.

    In `start`, by default that city, the ship may not trade; `free` steps cost nothing.
    """
    state, seat, worth = situation.state, situation.seat, situation.worth
    guild = state.guild_city if guild_city is None else guild_city
    pairs, crowd = tuple(state.display), situation.weights.crowd
    idle = city if start is None else start
    best: dict[str, float] = {}
    seen: dict[tuple[int, int], float] = {}
    waiting = {
        number: goods_word(goods_in_offices(place, seat))
        for number, place in enumerate(state.cities)
        if any(office.seat == seat for office in place.offices)
    }

    def explore(city: int, first: str, steps: int, held: Held, loaded: tuple[int, ...]) -> None:
        if city in waiting and city not in loaded:
            held, loaded = after(held, waiting[city]), (*loaded, city)
        berth = situation.berth(city, guild, may_trade=city != idle)
        value = best_turn(berth, tuple(held), pairs) - crowd * steps
        best[first] = max(value, best.get(first, value))
        if value <= seen.get((city, steps), float("-inf")):
            return
        seen[city, steps] = value
        for name, target, extra in ways(city) if steps < STEPS else ():
            cost, begun = int(steps >= free) + extra, first or name
            if cost > sum(held):
                continue
            left = after(held, gives=worth.spare(held, cost)) if cost else held
            if target is None:
                guess = worth.of(left) + situation.weights.unknown - crowd * (steps + 1)
                best[begun] = max(guess, best.get(begun, guess))
            else:
                explore(target, begun, steps + 1, left, loaded)

    def ways(city: int) -> Iterator[tuple[str, int | None, int]]:
        """Routes out of a city: name, where it leads (None: unknown), and its extra cost."""
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
    """What the best of all voyages is worth."""
    return max(voyages(situation, city, **terms).values())


def is_known(state: KoggeState, seat: int, route: str) -> bool:
    """Whether the seat knows where a route leads from where its ship is."""
    return route not in SLOT or knows_route(current_city(state, seat).routes[SLOT[route]], seat)


def steps(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """Loading, a look where no route is known, each way with what it can be paid with, staying."""
    state, seat, kinds = situation.state, situation.seat, words(legal)
    if "load" in kinds:
        yield FIRST, ("load", bundle(legal, "load").stock())
    start, free = frame_of(state, Movement).start, free_steps(state, seat)
    found = voyages(situation, situation.me.city, free=free, start=start)
    if "peek" in kinds:
        fee, knows = (
            situation.worth.spare(situation.held, 1),
            any(is_known(state, seat, route) for route in ROUTES),
        )
        looks = situation.weights.look + situation.gain(gives=fee)
        yield -FIRST if knows else max(found.values()) + looks, ("peek", fee)
    yield found[""], STOP
    for route in words(legal, "sail"):
        fees = bundle(legal, "sail", route)
        worth, count = found.get(route, -FIRST), fees.maximum
        ways = [situation.worth.spare(situation.held, count)]
        if count == 1:
            ways = sorted(fees.each(), key=lambda fee: -situation.gain(gives=fee))[:PAYMENTS]
        for fee in ways:
            # With Memory a ship may try what leads nowhere.
            yield (
                worth + situation.gain(gives=fee) - situation.gain(gives=ways[0]),
                ("sail", route, fee),
            )


# Actions in a city


def actions(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """Development points first; then by what the holdings are worth afterwards; then raids; last
    what gains nothing, after the end of the turn."""
    state, kinds, used = situation.state, words(legal), frame_of(situation.state, Acting).used
    berth = situation.berth(
        situation.me.city,
        -1 if "guild" in used else state.guild_city,
        may_trade="trade" in kinds,
        may_build="build" not in used,
    )
    enough = berth.finish(situation.held) + situation.weights.gain
    # Goods are listed from the cheapest kind on; where either may be paid, markers are cheaper.
    chits = sorted(each_of(legal, "sell_six"), key=lambda sale: CHITS.index(sale[2]))
    for place, action in enumerate((*chits, *reversed(each_of(legal, "build")))):
        yield FIRST - place, action
    barters = chain.from_iterable(each_of(legal, kind) for kind in BARTERS)
    for action in sorted(barters, reverse=True):
        for gets, gives in bartered(situation, action):
            extra = situation.weights.raid_marker if action[0] == "buy_raid" else 0.0
            yield berth.finish(after(situation.held, gets, gives)) + extra - enough, action
    if "trade" in kinds:
        trades = berth.small_trades(situation.held)[:TRADES]
        for worth, give, take in (berth.best_trade(tuple(situation.held)), *trades):
            if give:
                yield worth - enough, ("trade", give, take)
    for action in chain.from_iterable(each_of(legal, kind) for kind in RAIDS if kind in kinds):
        gain = loot(situation, action) - CONTENT.victory_points.raid
        gain -= situation.weights.barred * situation.worth.time
        yield LESS * gain if gain > 0 else gain, action
    yield 0.0, DONE


def bartered(situation: Situation, action: Action) -> Iterator[tuple[str, str]]:
    """What an action brings and costs, where that is known."""
    state = situation.state
    match action:
        case ("buy", pair, good):
            bought = state.display[int(pair) - 1]
            # Of equal pairs one is enough.
            if state.display.index(bought) == int(pair) - 1:
                yield bought, LETTER_OF[good]
        case ("swap_good", good, marker):
            yield marker, LETTER_OF[good]
        case ("swap_marker", marker):
            yield GOOD_LETTERS[CITY_GOOD[int(marker)]], marker
        case ("buy_raid", marker):
            yield "", marker * CONTENT.raid_price
        case ("reroute", route, marker) if is_known(state, situation.seat, route):
            # A marker that one lacks can be had for another that one does not need.
            old = str(current_city(state, situation.seat).routes[SLOT[route]].marker)
            if marker != old:
                yield old, marker


def loot(situation: Situation, raid: Action) -> float:
    """What a raid brings."""
    state, seat = situation.state, situation.seat
    if raid[0] == "raid_city":
        # What lies in the seat's own office is its own already.
        city = current_city(state, seat)
        stocks = [city.goods, *(o.goods for o in city.offices if o.seat != seat)]
        return situation.gain(goods_word(map(sum, zip(*stocks, strict=True))))
    cargo = state.players[int(raid[1])].goods
    if not cargo:
        return situation.weights.unseen_cargo
    # Half the cargo; the victim keeps what matters most, but the loss hurts them as well.
    return situation.gain(goods_word((count + 1) // 2 for count in cargo)) * 0.9


# Where one answer is all there is to give


def foundings(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """The cities for a first office, by the best first voyage from there."""
    for word in words(legal, "found"):
        held = after(situation.held, gives=word)
        yield best_voyage(situation, int(word), held=held), ("found", word)


def bids(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """All bids of one marker and of two alike, else the cheapest that is left: by a place in the
    order of play, and goods for offices."""
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
    """Where none of the usual ones comes first, also those of two markers, else of three, that
    do."""
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
    """One step and two of the guild master: to where the seat can use it, and to the end only when
    the seat leads."""
    state, me = situation.state, situation.me
    for word in words(legal, "advance"):
        city, laps = walk(state, int(word))
        if state.laps + laps >= CONTENT.laps_to_end:
            score = [points(state, seat) for seat in range(len(state.players))]
            yield FIRST if score[situation.seat] == max(score) else -FIRST, ("advance", word)
        else:
            free = 2 if me.chits[TWO_SPACES] else 1
            yield best_voyage(situation, me.city, free=free, guild_city=city), ("advance", word)


def taxes(situation: Situation, legal: Legal) -> Iterable[Rated]:
    """The goods, the least useful first; nothing from an empty ship."""
    return [(situation.gain(gives=good), ("tax", good)) for good in bundle(legal, "tax").each()]


def exchanges(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """The exchanges of a route, by the first voyage that they open, and keeping both before those
    that open no better one."""
    city, routes = situation.me.city, current_city(situation.state, situation.seat).routes
    yield best_voyage(situation, city) + BETTER, PASS
    for kind, side, marker in each_of(legal, "reroute"):
        old = routes[SLOT[side]]
        held = after(situation.held, str(old.marker), marker)
        routes[SLOT[side]] = Route(int(marker))
        worth = best_voyage(situation, city, held=held)
        routes[SLOT[side]] = old
        yield worth, (kind, side, marker)


def challenges(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """The ships here, the strongest first; peace before them where the best bid promises no more
    than it risks."""
    best = max(conflict_bids(situation, legal))[0] - THERE * at_risk(situation)
    yield WORTH_A_FIGHT, PASS
    for word in words(legal, "challenge"):
        yield best + LESS * points(situation.state, int(word)), ("challenge", word)


def conflict_bids(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """Markers of one number, by what each bid is worth more than a sure defeat."""
    # Nothing is bid only from an empty hand (ruling 42).
    stake = THERE * (max(map(situation.gain, DEMANDS)) + at_risk(situation))
    found = {
        str(number) * count: (WINS[count] + WINS_HIGHER * number) * stake
        for number, held in enumerate(reversed(situation.held[GOODS:]))
        for count in range(1, min(held, len(WINS) - 1) + 1)
    }
    for bid, worth in (found or {"": 0.0}).items():
        # The other side's markers, mostly useless, come in return.
        yield worth + min(situation.gain(new, bid) for new in MARKER_LETTERS), ("bid", bid)


def at_risk(situation: Situation) -> float:
    """The worth of the three dearest goods on board; kinds are listed from the cheapest on."""
    return -situation.gain(gives=goods_word(situation.held[:GOODS])[-DEMANDED:])


def demands(situation: Situation, legal: Legal) -> Iterable[Rated]:
    """Three goods, by what they would gain; what the loser has is secret."""
    return [(situation.gain(word), ("demand", word)) for word in DEMANDS]


def splits(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """Two groups, the most equal in points first: the robber takes the better one."""
    cargo = sum(map(mul, situation.held, GOOD_POINTS))
    for word in bundle(legal, "split").each():
        yield -abs(cargo - 2 * sum(map(mul, goods_of(word), GOOD_POINTS))), ("split", word)


def choices(situation: Situation, legal: Legal) -> Iterable[Rated]:
    """The groups, first the one that is worth more together with what is on the ship."""
    groups = zip(GROUPS, frame_of(situation.state, Choosing).groups, strict=True)
    return [(situation.gain(group), ("choose", name)) for name, group in groups]


def pushes(situation: Situation, legal: Legal) -> Iterator[Rated]:
    """First where the robber or loser finds least; a hidden route may lead anywhere.

    A loser that finds as little where it lies may be left there.
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
"""What can be done by what is asked."""


class KoggeJudgement(Judgement[KoggeState]):
    """An entry of the menu may say a whole voyage or turn."""

    def rated(
        self, view: View[KoggeState], decision: Decision, legal: Legal, weights: KoggeWeights
    ) -> Sequence[Rated]:
        """By `RATED`; of equals what was found first. A counter-offer is put together piece by
        piece."""
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
        """Of like minds all would for ever choose the same city again; and an offer may get a
        better one in return."""
        if decision.kind == ANSWER:
            return answer(Situation(view, decision.seat), offer_of(decision), legal, rng)
        if decision.kind != "found":
            return super().best(view, decision, legal, rng, weights)
        found = self.rated(view, decision, legal, weights or NORMAL)
        return rng.choice(found[:OPEN_CITIES])[1]

    def talk(
        self, view: View[KoggeState], decision: Decision, legal: Legal, rng: Random
    ) -> Action | None:
        """A deal to propose or to take back, while its result can still be used."""
        if decision.kind not in ("move", "act"):
            return None
        return talk(Situation(view, decision.seat), legal, rng)

    def aim(self, action: Action) -> Action:
        """A pair, whatever it is paid with; a marker for a good or for a route, whichever it is."""
        return action[:2] if action[0] in ("buy", "swap_good", "reroute") else action

    def arranged(
        self, view: View[KoggeState], decision: Decision, actions: Sequence[Action]
    ) -> Sequence[Action]:
        """First the whole voyage or turn; then what may be the last step or action of it."""
        if decision.kind not in ("move", "act") or actions[0] == DONE:
            return actions
        seat, last, gaining = decision.seat, DONE, actions[:ENDED]
        if decision.kind == "move":
            sails = {each[1]: each for each in reversed(actions) if each[0] == "sail"}
            last = STOP
            gaining = [
                sails[r]
                for r in (*ROUTES, "secret")
                if r in sails and is_known(view.known, seat, r)
            ]
        elif DONE in gaining:
            gaining = actions[: actions.index(DONE)]
        ended = [joined(each, last) for each in gaining if each[0] not in RAIDS]
        found = dict.fromkeys((self._gone_on(view, decision, actions[0]), *ended, *actions))
        return [each for n, each in enumerate(found) if n < MENU - 1 or each == DONE][:MENU]

    def _gone_on(self, view: View[KoggeState], decision: Decision, first: Action) -> Action:
        """An action, and how the computer player would go on from there, as far as all is known."""
        state, seat, found = GAME.determinize(view, Random(0)), decision.seat, [first]
        while len(found) < ACTIONS and found[-1][0] in GOES_ON:
            if found[-1][0] == "sail" and not is_known(state, seat, found[-1][1]):
                break
            GAME.apply(state, seat, found[-1], RandomChance(Random(0)))
            asked = [each for each in GAME.pending(state) if not each.optional]
            if not asked:
                break
            action = self.quick(state, asked[0], Random(0))
            if action[0] in (*RAIDS, "swap_good"):
                # What the bag holds of another colour is not known before.
                break
            found.append(action)
        return joined(*found)

    def value(self, state: KoggeState) -> Sequence[float]:
        """The logarithm of each seat's odds to win, up to what is the same for all."""
        late = 1 / (1 + rounds_left(state))
        promises = PROMISES[str(len(state.players))].items()
        now = {name: far + late * more for name, (far, more) in promises}
        return [
            sum(count * now.get(name, 0.0) for name, count in promising(state, seat).items())
            for seat in range(len(state.players))
        ]

    def spread(self, state: KoggeState) -> float:
        """As it is."""
        return 1.0


JUDGEMENT = KoggeJudgement(game=GAME, weights=WEIGHTS, nodes=400, rounds=0, in_points=False)
"""What the computer players go by."""


# Standing orders


def bid_at_most(
    view: View[KoggeState], decision: Decision, legal: Legal, value: str
) -> Action | None:
    """In the auction the best bid of at most `value` markers, if there is one still to be made."""
    if decision.kind != "bid":
        return None
    domain = bundle(legal, "bid")
    best = max(
        replace(domain, maximum=min(domain.maximum, int(value))).each(), key=rank, default=None
    )
    return None if best is None else ("bid", best)


def pass_conflicts(
    view: View[KoggeState], decision: Decision, legal: Legal, value: str
) -> Action | None:
    """No conflict is begun."""
    return PASS if decision.kind == "challenge" else None
