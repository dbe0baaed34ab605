"""What a seat can do about what it is asked, the best first: the normal player and the menu.

An action is rated by what the holdings are worth after it and after what can be done in the same
turn, and a voyage by the best turn at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, combinations_with_replacement, product
from random import Random

from msgspec.structs import replace

from bot.game.chance import RandomChance
from bot.game.choices import Bundle, OneOf
from bot.game.contract import (
    ACCEPT,
    DECLINE,
    Action,
    Decision,
    joined,
    offer_of,
)
from bot.game.hidden import View
from bot.game.kogge import GAME
from bot.game.kogge.auction import rank
from bot.game.kogge.common import goods_in_offices, here
from bot.game.kogge.conflicts import DEMANDED
from bot.game.kogge.data import (
    CITIES,
    CITY_GOOD,
    CONTENT,
    GOOD_LETTERS,
    GOODS,
    LETTER_OF,
    MARKER_LETTERS,
    goods_word,
)
from bot.game.kogge.guild_master import walk
from bot.game.kogge.movement import SECRET_ROUTE, TWO_SPACES, free_steps
from bot.game.kogge.routes import ROUTES, SLOT
from bot.game.kogge.state import (
    Acting,
    Choosing,
    KoggeState,
    Movement,
    Push,
    Route,
    knows_route,
)
from bot.policy.contract import Legal
from bot.policy.kogge.worth import (
    GOOD_POINTS,
    SIX,
    Held,
    Situation,
    after,
    best_turn,
    in_order,
    points,
)

STEPS = 3
"""How many spaces a voyage is looked ahead."""
STOP: Action = ("stop",)
DONE: Action = ("end",)
PASS: Action = ("pass",)
BETTER = 1.0
"""What a new first route must gain."""
END = 500.0
"""What ending the game is worth to the leader, and costs the others."""
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

MOST = 24
"""Entries of a menu."""
ACTIONS = 6
"""Actions of one entry."""
ALIKE = {"trade": 6, "buy": 1, "swap_good": 1, "reroute": 2}
"""How many are offered that are much alike: other pairs, not other ways to pay for one."""
ENDED = 3
"""How many of the best actions are offered as the last one, too."""
PAYMENTS = 3
"""Ways to pay for the same step."""
RAIDS = ("raid_city", "raid_ship")
"""They cannot be taken back, so none is a part of something longer."""
GOES_ON = ("load", "sail", "trade", "buy", "swap_good", "swap_marker", "build", "sell_six")
"""After these an entry says how the computer player would go on."""

Rated = list[tuple[float, Action]]


def words(legal: Legal, *prefix: str) -> tuple[str, ...]:
    """The words that may follow, where they are few; none where its kind is not allowed."""
    choices = legal(())
    if prefix and choices.admits(prefix[0]):
        choices = legal(prefix)
    elif prefix:
        return ()
    assert isinstance(choices, OneOf)
    return choices.values


def bundle(legal: Legal, *prefix: str) -> Bundle:
    """The pieces that may be chosen."""
    choices = legal(prefix)
    assert isinstance(choices, Bundle)
    return choices


def best_first(rated: Rated) -> list[Action]:
    """The actions by their worth; of equals those that were found first."""
    return [action for _, action in sorted(rated, key=lambda each: each[0], reverse=True)]


# Voyages


def best_voyage(
    situation: Situation,
    city: int,
    free: int,
    *,
    start: int,
    held: Held | None = None,
    guild_city: int | None = None,
) -> tuple[float, tuple[str, ...]]:
    """What the best voyage from a city is worth, and the routes it takes.

    In `start` the ship may not trade; `free` steps cost nothing.
    """
    state, seat, worth = situation.state, situation.seat, situation.worth
    guild = state.guild_city if guild_city is None else guild_city
    pairs, crowd = tuple(state.display), situation.weights.crowd
    best: tuple[float, tuple[str, ...]] = (float("-inf"), ())
    seen: dict[tuple[int, int], float] = {}
    waiting = {
        office_in: goods_word(goods_in_offices(place, seat))
        for office_in, place in enumerate(state.cities)
        if any(office.seat == seat for office in place.offices)
    }

    def explore(city: int, routes: tuple[str, ...], held: Held, loaded: tuple[int, ...]) -> None:
        nonlocal best
        if city in waiting and city not in loaded:
            held, loaded = after(held, waiting[city]), (*loaded, city)
        berth = situation.berth(city, guild, may_trade=city != start)
        value = best_turn(berth, tuple(held), pairs) - crowd * len(routes)
        if value <= seen.get((city, len(routes)), float("-inf")):
            return
        seen[city, len(routes)] = value
        if value > best[0]:
            best = value, routes
        if len(routes) == STEPS:
            return
        for name, target, extra in ways(city):
            cost = int(len(routes) >= free) + extra
            if cost > sum(held):
                continue
            left, on = after(held, gives=worth.spare(held, cost)) if cost else held, (*routes, name)
            if target is not None:
                explore(target, on, left, loaded)
                continue
            guess = worth.of(left) + situation.weights.unknown - crowd * len(on)
            if guess > best[0]:
                best = guess, on

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

    explore(city, (), situation.held if held is None else held, ())
    return best


def is_known(situation: Situation, route: str) -> bool:
    """Whether the seat knows where a route leads from where its ship is."""
    routes = here(situation.state, situation.seat).routes
    return route not in SLOT or knows_route(routes[SLOT[route]], situation.seat)


def look_is_new(situation: Situation) -> bool:
    """Whether no route from here is known."""
    return not any(is_known(situation, route) for route in ROUTES)


def next_step(situation: Situation, legal: Legal) -> Action:
    """The next step of the movement, or its end."""
    kinds = words(legal)
    if "load" in kinds:
        return ("load", bundle(legal, "load").stock())
    if "sail" not in kinds:
        return STOP
    if "peek" in kinds and look_is_new(situation):
        fee = situation.spare(1)
        if -situation.gain(gives=fee) < situation.weights.look:
            return ("peek", fee)
    frame = situation.state.frames[-1]
    assert isinstance(frame, Movement)
    free = free_steps(situation.state, situation.seat)
    _, routes = best_voyage(situation, situation.me.city, free, start=frame.start)
    if not routes or routes[0] not in words(legal, "sail"):
        return STOP
    return payments(situation, legal, routes[0])[0]


def payments(situation: Situation, legal: Legal, route: str) -> list[Action]:
    """A step by a route, with each way to pay for it that is worth offering, the cheapest first."""
    fee = bundle(legal, "sail", route)
    rest = sorted(fee.each(), key=lambda word: -situation.gain(gives=word)) if fee.most == 1 else []
    return [("sail", route, word) for word in dict.fromkeys((situation.spare(fee.most), *rest))]


def movement_menu(situation: Situation, legal: Legal) -> list[Action]:
    """The computer player's voyage and its first step, then the others, with an end of the movement
    after them and without, and last to pay for a look at what is known."""
    best = next_step(situation, legal)
    look = [("peek", situation.spare(1))] if "peek" in words(legal) else []
    ways = [payments(situation, legal, route) for route in words(legal, "sail")]
    found = [
        joined(*gone_on(situation, best, next_step)),
        best,
        *(look if look_is_new(situation) else ()),
        *(joined(way[0], STOP) for way in ways if is_known(situation, way[0][1])),
        *(step for way in ways for step in way[:PAYMENTS]),
        STOP,
        *look,
    ]
    return list(dict.fromkeys(found))


def gone_on(
    situation: Situation,
    first: Action,
    best: Callable[[Situation, Legal], Action],
) -> list[Action]:
    """An action, and how the computer player would go on from there, as far as all is known."""
    seat, found = situation.seat, [first]
    state = GAME.imagine(View(seat, situation.state), Random(0))
    state.offers = []
    while len(found) < ACTIONS and found[-1][0] in GOES_ON:
        if found[-1][0] == "sail" and not is_known(situation, found[-1][1]):
            break
        GAME.apply(state, seat, found[-1], RandomChance(Random(0)))
        if GAME.outcome(state) is not None:
            break
        situation = Situation(View(seat, state), seat, situation.weights)
        action = best(situation, GAME.walk(state, seat))
        if action[0] in (*RAIDS, "swap_good"):
            # What the bag holds of another colour is not known before.
            break
        found.append(action)
    return found


# Actions in a city


def gains(situation: Situation, legal: Legal, *, all_trades: bool = False) -> tuple[Rated, float]:
    """What can be done in a city, each with what the holdings are worth after it, the best first;
    and what they must be worth for it to be done."""
    state, kinds = situation.state, words(legal)
    acting = state.frames[-1]
    assert isinstance(acting, Acting)
    berth = situation.berth(
        situation.me.city,
        -1 if "guild" in acting.used else state.guild_city,
        may_trade="trade" in kinds,
        may_build="build" not in acting.used,
    )
    found = {
        action: berth.finish(after(situation.held, gets, gives)) + extra
        for kind in kinds
        for action, gets, gives, extra in barters(situation, legal, kind)
    }
    if "trade" in kinds:
        trades = [berth.best_trade(situation.held)]
        for worth, give, take in (
            *trades,
            *(berth.small_trades(situation.held) if all_trades else ()),
        ):
            if give:
                found["trade", give, take] = worth
    enough = berth.finish(situation.held) + situation.weights.gain
    return sorted([(worth, action) for action, worth in found.items()], reverse=True), enough


def barters(
    situation: Situation, legal: Legal, kind: str
) -> Iterator[tuple[Action, str, str, float]]:
    """Actions of a kind, with what each brings, what it costs, and what it is worth beside."""
    match kind:
        case "buy":
            # Of equal pairs one is enough.
            pairs = {situation.state.display[int(n) - 1]: n for n in words(legal, kind)}
            goods = words(legal, kind, next(iter(pairs.values())))
            for (bought, pair), good in product(pairs.items(), goods):
                yield (kind, pair, good), bought, LETTER_OF[good], 0.0
        case "swap_good":
            for good in words(legal, kind):
                for marker in words(legal, kind, good):
                    yield (kind, good, marker), marker, LETTER_OF[good], 0.0
        case "swap_marker":
            for marker in words(legal, kind):
                yield (kind, marker), GOOD_LETTERS[CITY_GOOD[int(marker)]], marker, 0.0
        case "buy_raid":
            for marker in words(legal, kind):
                paid = marker * CONTENT.raid_price
                yield (kind, marker), "", paid, situation.weights.raid_marker
        case "reroute":
            # A marker that one lacks can be had for another that one does not need.
            for route in words(legal, kind):
                old = here(situation.state, situation.seat).routes[SLOT[route]]
                for marker in words(legal, kind, route) if is_known(situation, route) else ():
                    if int(marker) != old.marker:
                        yield (kind, route, marker), str(old.marker), marker, 0.0


def points_now(legal: Legal) -> Iterator[Action]:
    """Ways to a development point at once, the best first."""
    # Goods are listed from the cheapest kind on; where either may be paid, markers are cheaper.
    for good in words(legal, "sell_six"):
        for chit in sorted(words(legal, "sell_six", good), key=CHITS.index):
            yield ("sell_six", good, chit)
    for price in reversed(words(legal, "build")):
        yield ("build", price)


def raids(situation: Situation, legal: Legal) -> Rated:
    """The raids that are possible, the best first, each with what it brings beyond what the unused
    marker is worth."""
    state, seat, weights = situation.state, situation.seat, situation.weights
    price = CONTENT.victory_points.raid + weights.barred * situation.worth.time
    found: Rated = []
    if "raid_city" in words(legal):
        # What lies in the seat's own office is its own already.
        city = here(state, seat)
        stocks = [city.goods, *(o.goods for o in city.offices if o.seat != seat)]
        loot = goods_word(map(sum, zip(*stocks, strict=True)))
        found.append((situation.gain(loot) - price, ("raid_city",)))
    for victim in words(legal, "raid_ship"):
        # Half the cargo; the victim keeps what matters most, but the loss hurts them as well.
        cargo = state.players[int(victim)].goods
        half = goods_word((count + 1) // 2 for count in cargo) if cargo else ""
        gain = situation.gain(half) * 0.9 if cargo else weights.unseen_cargo
        found.append((gain - price, ("raid_ship", victim)))
    return sorted(found, key=lambda raid: raid[0], reverse=True)


def next_action(situation: Situation, legal: Legal) -> Action:
    """The next action of the turn: what gains most now, until nothing gains."""
    for action in points_now(legal):
        return action
    rated, enough = gains(situation, legal)
    if rated and rated[0][0] > enough:
        return rated[0][1]
    return next((action for gain, action in raids(situation, legal) if gain > 0), DONE)


def turn_menu(situation: Situation, legal: Legal) -> list[Action]:
    """The computer player's turn to its end, then what gains, alone or as the last action, then to
    end the turn, and then what gains nothing now."""
    rated, enough = gains(situation, legal, all_trades=True)
    few, robbing = list(unlike(rated)), raids(situation, legal)
    before = [
        *points_now(legal),
        *(action for worth, action in few if worth > enough),
        *(action for gain, action in robbing if gain > 0),
    ]
    rest = [
        *(action for worth, action in few if worth <= enough),
        *(action for gain, action in robbing if gain <= 0),
    ]
    if not before:
        return [DONE, *rest]
    whole = joined(*gone_on(situation, before[0], next_action))
    ended = [joined(each, DONE) for each in before[:ENDED] if each[0] not in RAIDS]
    return [*list(dict.fromkeys((whole, *ended, *before)))[: MOST - 1], DONE, *rest]


def unlike(rated: Rated) -> Iterator[tuple[float, Action]]:
    """Of those that are much alike only the best."""
    shown: dict[Action, int] = {}
    for worth, action in rated:
        alike = action[:1] if action[0] == "trade" else action[:2]
        shown[alike] = shown.get(alike, 0) + 1
        if shown[alike] <= ALIKE.get(action[0], MOST):
            yield worth, action


# Where one answer is all there is to give


def foundings(situation: Situation, legal: Legal) -> list[Action]:
    """The cities for a first office, by the best first voyage from there."""

    def first_voyage(word: str) -> float:
        city, held = int(word), after(situation.held, gives=word)
        return best_voyage(situation, city, 1, start=city, held=held)[0]

    return best_first([(first_voyage(word), ("found", word)) for word in words(legal, "found")])


def bids(situation: Situation, legal: Legal) -> list[Action]:
    """All bids of one marker and of two alike, the best first; else the cheapest that is left.

    Behind the best one what comes first where only more does.
    """
    state, domain = situation.state, bundle(legal, "bid")
    best_bid = max((rank(bid) for bid in state.bids if bid), default=None)
    small = [number * count for number in map(str, range(CITIES)) for count in (1, 2)]
    found = [word for word in small if domain.admits(word)] or [next(domain.each())]
    found.sort(key=lambda word: bid_worth(situation, word), reverse=True)
    if best_bid is not None and not any(rank(word) > best_bid for word in found):
        for size in (2, 3):
            more = {domain.sort("".join(each)) for each in combinations(domain.stock(), size)}
            first = [word for word in more if rank(word) > best_bid and domain.admits(word)]
            if first:
                found.insert(1, max(sorted(first), key=lambda word: bid_worth(situation, word)))
                break
    return [("bid", word) for word in found]


def bid_worth(situation: Situation, word: str) -> float:
    """What a bid brings: a place in the order of play, and goods for offices."""
    state, seat, weights = situation.state, situation.seat, situation.weights
    others = [rank(bid) for other, bid in enumerate(state.bids) if other != seat and bid]
    beaten = sum(rank(word) > other for other in others)
    value = weights.place * beaten + situation.gain(gives=word)
    if beaten == len(others) == len(state.players) - 1:
        stocks = [goods_in_offices(city, seat) for city in state.cities]
        owned = zip(situation.held[:GOODS], *stocks, strict=True)
        value += weights.first * (max(map(sum, owned)) >= SIX)
    for letter in set(word):
        city, good = state.cities[int(letter)], CITY_GOOD[int(letter)]
        if len(city.offices) <= min(2 * word.count(letter), state.reserve[good]):
            for office in city.offices:
                gain = GOOD_POINTS[good] + weights.office_good
                value += gain if office.seat == seat else -gain / (len(state.players) - 1)
    return value


def advances(situation: Situation, legal: Legal) -> list[Action]:
    """One step and two of the guild master: to where the seat can use it, and to the end only when
    the seat leads."""
    state, me, rated = situation.state, situation.me, list[tuple[float, Action]]()
    for steps in words(legal, "advance"):
        city, laps = walk(state, int(steps))
        if state.laps + laps >= CONTENT.laps_to_end:
            score = [points(state, seat) for seat in range(len(state.players))]
            worth = END if score[situation.seat] == max(score) else -END
        else:
            free = 2 if me.chits[TWO_SPACES] else 1
            worth, _ = best_voyage(situation, me.city, free, start=me.city, guild_city=city)
        rated.append((worth, ("advance", steps)))
    return best_first(rated)


def taxes(situation: Situation, legal: Legal) -> list[Action]:
    """The goods, the least useful first; nothing from an empty ship."""
    goods = bundle(legal, "tax").each()
    return best_first([(situation.gain(gives=good), ("tax", good)) for good in goods])


def exchanges(situation: Situation, legal: Legal) -> list[Action]:
    """The exchanges of a route, by the first voyage that they open, and keeping both before those
    that open no better one."""
    state, city = situation.state, situation.me.city
    routes = state.cities[city].routes
    rated: Rated = [(best_voyage(situation, city, 1, start=city)[0] + BETTER, PASS)]
    for side in words(legal, "reroute"):
        slot = SLOT[side]
        old = routes[slot]
        for marker in words(legal, "reroute", side):
            held = after(situation.held, str(old.marker), marker)
            routes[slot] = Route(int(marker))
            worth, _ = best_voyage(situation, city, 1, start=city, held=held)
            rated.append((worth, ("reroute", side, marker)))
        routes[slot] = old
    return best_first(rated)


def challenges(situation: Situation, legal: Legal) -> list[Action]:
    """The ships here, the strongest first; peace before them where the best bid promises no more
    than it risks."""
    ships = words(legal, "challenge")
    fights = best_first([(points(situation.state, int(n)), ("challenge", n)) for n in ships])
    best = max(fights_worth(situation).values()) - THERE * at_risk(situation)
    return [PASS, *fights] if best < WORTH_A_FIGHT else [*fights, PASS]


def conflict_bids(situation: Situation, legal: Legal) -> list[Action]:
    """Markers of one number, by how much more than their price the possible gain is worth."""
    return best_first([(worth, ("bid", bid)) for bid, worth in fights_worth(situation).items()])


def fights_worth(situation: Situation) -> dict[str, float]:
    """Bids of one number, by what each is worth more than a sure defeat.

    Nothing is bid only from an empty hand (ruling 42). The other side's markers, mostly useless,
    come in return.
    """
    stake = THERE * (situation.gain(wanted(situation)) + at_risk(situation))
    found = {
        str(number) * count: (WINS[count] + WINS_HIGHER * number) * stake
        for number, held in enumerate(reversed(situation.held[GOODS:]))
        for count in range(1, min(held, len(WINS) - 1) + 1)
    }
    for bid in found or {"": 0.0}:
        left = min(situation.gain(new, bid) for new in MARKER_LETTERS)
        found[bid] = found.get(bid, 0.0) + left
    return found


def at_risk(situation: Situation) -> float:
    """The worth of the three dearest goods on board; kinds are listed from the cheapest on."""
    return -situation.gain(gives=goods_word(situation.held[:GOODS])[-DEMANDED:])


def wanted(situation: Situation) -> str:
    """Three goods found one after the other, each gaining most."""
    word = ""
    for _ in range(DEMANDED):
        word += max(GOOD_LETTERS, key=lambda letter: situation.gain(word + letter))
    return in_order(word)


def demands(situation: Situation, legal: Legal) -> list[Action]:
    """Three goods, by what they would gain; what the loser has is secret."""
    others = map("".join, combinations_with_replacement(GOOD_LETTERS, DEMANDED))
    rest = sorted(others, key=situation.gain, reverse=True)
    return [("demand", word) for word in dict.fromkeys((wanted(situation), *rest))]


def splits(situation: Situation, legal: Legal) -> list[Action]:
    """Two groups, the most equal in points first: the robber takes the better one."""
    domain = bundle(legal, "split")

    def worth(word: str) -> int:
        return sum(GOOD_POINTS[GOOD_LETTERS.index(letter)] for letter in word)

    total = worth(domain.stock())
    return best_first([(-abs(total - 2 * worth(w)), ("split", w)) for w in domain.each()])


def choices(situation: Situation, legal: Legal) -> list[Action]:
    """The groups, first the one that is worth more together with what is on the ship."""
    frame = situation.state.frames[-1]
    assert isinstance(frame, Choosing)
    groups = zip(("first", "second"), frame.groups, strict=True)
    return best_first([(situation.gain(group), ("choose", name)) for name, group in groups])


def pushes(situation: Situation, legal: Legal) -> list[Action]:
    """First where the robber or loser finds least; a hidden route may lead anywhere.

    A loser that finds as little where it lies may be left there.
    """
    state, frame = situation.state, situation.state.frames[-1]
    assert isinstance(frame, Push)
    city = here(state, frame.pushed)
    average = sum(sum(each.goods) for each in state.cities) / CITIES
    rated: Rated = [(-sum(city.goods), PASS)] if frame.optional else []
    for name in words(legal, "push"):
        route = city.routes[SLOT[name]]
        known = knows_route(route, situation.seat)
        rated.append(
            (-sum(state.cities[route.marker].goods) if known else -average, ("push", name))
        )
    return best_first(rated)


RANKED: Mapping[str, Callable[[Situation, Legal], list[Action]]] = {
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
    "move": lambda situation, legal: [next_step(situation, legal)],
    "act": lambda situation, legal: [next_action(situation, legal)],
}
"""What can be done, the best first, by what is asked."""


def ranked(situation: Situation, decision: Decision, legal: Legal) -> list[Action]:
    """What can be done; of the steps of a voyage or a turn only the best next one."""
    return RANKED[decision.kind](situation, legal)


def menu(situation: Situation, decision: Decision, legal: Legal) -> list[Action]:
    """Whole actions for what is asked, the best first; none that is free to make at any time."""
    match decision.kind:
        case "move":
            return movement_menu(situation, legal)
        case "act":
            return turn_menu(situation, legal)[:MOST]
        case "answer":
            # A counter-offer is put together piece by piece.
            offer = offer_of(decision)
            return [(kind, offer) for kind in (ACCEPT, DECLINE) if offer in words(legal, kind)]
    return ranked(situation, decision, legal)[:MOST]


# Standing orders


def bid_at_most(
    view: View[KoggeState], decision: Decision, legal: Legal, value: str
) -> Action | None:
    """In the auction the best bid of at most `value` markers, if there is one still to be made."""
    if decision.kind != "bid":
        return None
    domain = bundle(legal, "bid")
    best = max(replace(domain, most=min(domain.most, int(value))).each(), key=rank, default=None)
    return None if best is None else ("bid", best)


def pass_conflicts(
    view: View[KoggeState], decision: Decision, legal: Legal, value: str
) -> Action | None:
    """No conflict is begun."""
    return PASS if decision.kind == "challenge" else None
