"""The value of a seat's holdings, of a ship's turn in a city, and of a deal, roughly in points; and
the features of a position.

Holdings are counts in the order of PIECE_LETTERS (`bot.game.kogge.common.pieces`). Searches ask for
the same values again and again, so the classes cache them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from operator import mul
from random import Random
from typing import NamedTuple

from bot.game.choices import Bundle, OneOf
from bot.game.content import Strict, read
from bot.game.contract import Action
from bot.game.hidden import View
from bot.game.kogge.common import (
    development_points,
    goods_in_offices,
    pieces,
    points_so_far,
    spaces_left,
)
from bot.game.kogge.data import (
    CHIT_KEYS,
    CITIES,
    CITY_GOOD,
    CONTENT,
    GOOD_LETTERS,
    GOODS,
    PIECE_LETTERS,
)
from bot.game.kogge.deals import deal_with
from bot.game.kogge.state import KoggeState, Offer
from bot.policy.contract import Legal
from bot.policy.menu import whole_actions
from bot.resources import data

Holdings = list[int]
Counts = tuple[int, ...]

GOOD_POINTS = tuple(good.points for good in CONTENT.goods)
SIX = CONTENT.bonus_price
UNREACHABLE = 99
"""The markers missing for an office in a city without room for it."""
PLACE = {letter: place for place, letter in enumerate(PIECE_LETTERS)}
ASCENDING = GOOD_LETTERS + "".join(map(str, range(CITIES)))
THREE_FOR_ONE = CHIT_KEYS.index("three")
CACHE_SIZE = 1 << 12
"""Results of a method that are cached."""
TYPICAL_GOODS = 12
"""Points guessed for hidden goods."""
GUESSED_GOODS = (2, 0, 1, 0)
"""The cargo guessed for a ship with hidden goods."""
MIN_DEAL_GAIN = 2.0
"""The gain with which a deal is accepted; an offer must gain this for both sides."""
OFFER_RATE = 0.3
"""How often a deal that is good for both sides is offered, or an offer countered, so that the same
offer is not made for ever."""
COEFFICIENTS = read(data("kogge", "promise.toml"), dict[str, dict[str, tuple[float, float]]])
"""By number of players and feature: how much one adds to the logarithm of a seat's odds to win, far
from the end, and how much more at the end."""
MAX_DEVELOPED, MAX_MARKERS = 4, 10
"""Development points and markers beyond which more add nothing to a feature."""


class KoggeWeights(Strict, frozen=True, eq=False):
    """The weights of a valuation, roughly in victory points. They are compared by identity, so that
    they can be keys of caches."""

    office: float
    """The gain of an office when it is built."""
    chit: float
    """The gain of a bonus chit when it is bought."""
    win: float
    """The gain of the fifth development point."""
    near_office: tuple[float, float, float, float, float, float]
    """The part of `office` for holdings that lack 0, 1, 2 ... pieces of its price."""
    near_chit: tuple[float, float, float, float, float, float, float]
    """The part of the gain of selling six goods, by how many of them there are."""
    last_plan: float
    """The factor for `near_office` and `near_chit` before the fifth development point."""
    trading: float
    """The value of any good for trades, as long as there is time to trade."""
    markers: tuple[float, ...]
    """The value of markers for bids and fees, by their count; 0 markers allow no bid."""
    more_markers: float
    """The value of each marker beyond these."""
    rounds: float
    """The rounds left from which on plans lose value."""
    place: float
    """In a bid: the value of each earlier place in the turn order."""
    first: float
    """In a bid: the value of moving the guild master for a ship with six goods to sell."""
    office_good: float
    """In a bid: the value of a good in the seat's own office, besides its points."""
    barred: float
    """The cost of being pushed away and barred from a city, while there is time left."""
    unseen_cargo: float
    """The value of half of a hidden cargo."""
    gain: float
    """The gain that an action needs."""
    raid_marker: float
    """The value of the second Raid: ten points if it stays unused, less freedom if not."""
    unknown: float
    """The gain of trying a hidden route over staying: a ship that never moves never trades."""
    crowd: float
    """The cost of each further step besides its fee, so that shorter voyages come first."""
    look: float
    """The gain of seeing both routes of a city."""


WEIGHTS: Mapping[str, KoggeWeights] = read(data("kogge", "weights.toml"), dict[str, KoggeWeights])
"""By name of the computer player."""
NORMAL = WEIGHTS["normal"]


def after(held: Holdings, gets: str = "", gives: str = "") -> Holdings:
    """Return holdings after receiving and giving pieces."""
    changed = held[:]
    for piece in gets:
        changed[PLACE[piece]] += 1
    for piece in gives:
        changed[PLACE[piece]] -= 1
    return changed


def in_order(word: str) -> str:
    """Return a word of pieces in the order of the notation."""
    return "".join(sorted(word, key=PLACE.__getitem__))


class Valuation:
    """Values holdings of a seat.

    `last` means that one more development point wins. `time` is the part of plans for which there
    is time. `needed` has the markers for an office in each city.
    """

    def __init__(
        self,
        weights: KoggeWeights,
        either_price: bool,
        last: bool,
        time: float,
        chits_left: bool,
        needed: Counts,
    ) -> None:
        self.weights, self.either_price = weights, either_price
        self.time, self.chits_left, self.needed = time, chits_left, needed
        self.office = weights.win if last else weights.office
        self.chit = weights.win if last else weights.chit
        plan = time * (weights.last_plan if last else 1.0)
        self._near_office = [weights.office * part * plan for part in weights.near_office]
        self._good = [points + weights.trading * time for points in GOOD_POINTS]
        self._near_chit = [
            [
                max(0.0, weights.chit - SIX * each) * part * plan * chits_left
                for part in weights.near_chit
            ]
            for each in self._good
        ]
        self._markers = [value * time for value in weights.markers]
        self._goods_of = lru_cache(CACHE_SIZE)(self._value_goods)
        self._markers_of = lru_cache(CACHE_SIZE)(self._value_markers)
        self._near = lru_cache(CACHE_SIZE)(self._nearness)
        self.least_useful = lru_cache(CACHE_SIZE)(self._least_useful)

    def of(self, held: Holdings) -> float:
        """Return the value of holdings."""
        counts = tuple(held)
        goods, lacking_goods = self._goods_of(counts[:GOODS])
        markers, lacking_markers = self._markers_of(counts[GOODS:])
        return goods + markers + self._near_office[self._near(lacking_goods, lacking_markers)]

    def lacking(self, held: Counts) -> int:
        """Return how many pieces holdings lack for the nearest office, at most 5."""
        return self._near(self._goods_of(held[:GOODS])[1], self._markers_of(held[GOODS:])[1])

    def after_building(self, city: int, held: Holdings) -> Holdings | None:
        """Return the holdings left after building an office; None if they cannot pay for it.

        If either goods or markers are enough, pay with markers.
        """
        place, needed, own = PLACE[str(city)], self.needed[city], CITY_GOOD[city]
        enough = held[place] >= needed
        if needed == UNREACHABLE or not (enough or self.either_price):
            return None
        left = held[:]
        if enough:
            left[place] -= needed
        if not (enough and self.either_price):
            for good in range(GOODS):
                left[good] -= good != own
        return None if min(left) < 0 else left

    def _value_goods(self, goods: Counts) -> tuple[float, Counts]:
        """Return the value of goods, and how many lack for an office, by the good of its city."""
        ore, fur, amber, salt = goods
        each, near = self._good, self._near_chit
        value = ore * each[0] + fur * each[1] + amber * each[2] + salt * each[3]
        value += max([row[min(count, SIX)] for row, count in zip(near, goods, strict=True)])
        kinds = goods.count(0)
        return value, tuple([kinds - (count == 0) for count in goods])

    def _value_markers(self, markers: Counts) -> tuple[float, Counts]:
        """Return the value of markers, and how many lack for an office, by the good of its city."""
        beyond = max(0, sum(markers) + 1 - len(self._markers))
        value = self._markers[sum(markers) - beyond] + beyond * self.weights.more_markers
        lacking = [UNREACHABLE] * GOODS
        for city, needed in enumerate(self.needed):
            if needed < UNREACHABLE:
                lack = max(0, needed - markers[CITIES - 1 - city])
                lacking[CITY_GOOD[city]] = min(lacking[CITY_GOOD[city]], lack)
        return value, tuple(lacking)

    def _nearness(self, goods: Counts, markers: Counts) -> int:
        both = [pair for pair in zip(goods, markers, strict=True) if pair[1] < UNREACHABLE]
        lacking = [min(pair) if self.either_price else sum(pair) for pair in both]
        return min([*lacking, len(self._near_office) - 1])

    def _least_useful(self, held: Counts) -> str:
        """Return the piece whose loss costs least. Raise ValueError if there is none."""
        letters = [letter for letter in ASCENDING if held[PLACE[letter]]]
        return max(letters, key=lambda letter: self.of(after([*held], gives=letter)))

    def spare(self, held: Holdings, count: int) -> str:
        """Return `count` pieces to give as a word, each the least useful of the rest."""
        given = ""
        for _ in range(count):
            given += self.least_useful(tuple(after(held, gives=given)))
        return in_order(given)


_valuation = lru_cache(maxsize=1 << 8)(Valuation)


def valuation_of(state: KoggeState, seat: int, weights: KoggeWeights = NORMAL) -> Valuation:
    """Return the valuation for a seat; it is shared by all states with the same values."""
    needed = [
        UNREACHABLE
        if len(city.offices) >= CONTENT.offices_per_city or seat in city.raids
        else 1 + len(city.offices)
        for city in state.cities
    ]
    return _valuation(
        weights,
        state.rules.either_price,
        development_points(state, seat) + 1 >= CONTENT.development_points_to_win,
        min(1.0, rounds_left(state) / weights.rounds),
        any(state.chits),
        tuple(needed),
    )


def rounds_left(state: KoggeState) -> float:
    """Estimate the rounds that the guild master needs to the end of the game."""
    return spaces_left(state) / 1.5


def points(state: KoggeState, seat: int) -> int:
    """Return the seat's victory points if the game ended now, with a guess for hidden goods."""
    return points_so_far(state, seat) + TYPICAL_GOODS * (not state.players[seat].goods)


def words(legal: Legal, *prefix: str) -> tuple[str, ...]:
    """Return the words that may follow a prefix; none if its kind of action is not allowed."""
    allowed = not prefix or legal(()).admits(prefix[0])
    choices = legal(prefix) if allowed else OneOf("", ())
    assert isinstance(choices, OneOf)
    return choices.values


def each_of(legal: Legal, kind: str) -> list[Action]:
    """Return all complete actions of a kind, which must be few."""
    return [*whole_actions(legal, (kind,), legal((kind,)))] if legal(()).admits(kind) else []


def bundle(legal: Legal, *prefix: str) -> Bundle:
    """Return the bundle that may follow a prefix."""
    choices = legal(prefix)
    assert isinstance(choices, Bundle)
    return choices


Trade = tuple[float, str, str]
"""The value of the turn after a trade, and the goods given and taken."""


@lru_cache(maxsize=1 << 11)
def _loads(given: int, stock: Counts, ratio: int) -> tuple[str, ...]:
    """Return the goods that one good can buy from a stock."""
    letters = [letter for good, letter in enumerate(GOOD_LETTERS) if stock[good] and good != given]
    size = min(ratio, sum(stock) - stock[given])
    loads = map("".join, combinations_with_replacement(letters, size))
    return tuple(
        [load for load in loads if load and all(load.count(g) <= stock[PLACE[g]] for g in load)]
    )


class Berth:
    """A ship in a city, with the actions it may still take this turn."""

    def __init__(
        self, valuation: Valuation, city: int, stock: Counts, ratio: int, sells: bool, builds: bool
    ) -> None:
        self.valuation, self.city = valuation, city
        self.builds = builds and valuation.needed[city] < UNREACHABLE
        self._stock, self._ratio, self._sells = stock, ratio, sells and valuation.chits_left
        self.best_trade = lru_cache(CACHE_SIZE)(self._best_trade)

    def finish(self, held: Holdings) -> float:
        """Return the value of holdings after selling six goods and building, if possible."""
        done = 0.0
        if self._sells and max(held[:GOODS]) >= SIX:
            # The cheapest of several kinds: they are in ascending order.
            sold = next(letter for letter in GOOD_LETTERS if held[PLACE[letter]] >= SIX)
            held, done = after(held, gives=sold * SIX), self.valuation.chit
        left = self.valuation.after_building(self.city, held) if self.builds else None
        if left is not None:
            held, done = left, done + self.valuation.office
        return done + self.valuation.of(held)

    def _best_trade(self, held: Counts) -> Trade:
        """Return the best trade, built greedily one given good at a time; empty if none helps."""
        best, give, take = self.finish([*held]), "", ""
        stock, now = list(self._stock), [*held]
        while any(stock):
            # Goods just taken cannot be given.
            own = after([*held], gives=give)
            steps = [
                (self.finish(after(now, load, letter)), letter, load)
                for letter, load in self._swaps(own, stock)
            ]
            value, letter, load = max(steps, key=lambda step: step[0], default=(best, "", ""))
            if value <= best + 1e-6:
                break
            best, now, stock = value, after(now, load, letter), after(stock, gives=load)
            give, take = give + letter, take + load
        return best, in_order(give), in_order(take)

    def small_trades(self, held: Holdings) -> list[Trade]:
        """Return all trades of one good, the best first."""
        found = [
            (self.finish(after(held, load, letter)), letter, load)
            for letter, load in self._swaps(held, self._stock)
        ]
        return sorted(found, reverse=True)

    def _swaps(self, held: Holdings, stock: Sequence[int]) -> Iterator[tuple[str, str]]:
        """Yield all trades of one good: its letter, and the goods taken from a stock."""
        enough = tuple([min(count, self._ratio) for count in stock])
        for given, letter in enumerate(GOOD_LETTERS):
            for load in _loads(given, enough, self._ratio) if held[given] else ():
                yield letter, load


_berth = lru_cache(maxsize=1 << 12)(Berth)
"""A cache, so that states with the same possibilities share a berth and its cache."""


@lru_cache(maxsize=1 << 14)
def best_turn(berth: Berth, held: Counts, pairs: tuple[str, ...]) -> float:
    """Return the value of the best turn: with a trade, a pair that helps to build, office, chit."""
    best, give, take = berth.best_trade(held)
    city = str(berth.city)
    if not berth.builds or held[PLACE[city]] >= berth.valuation.needed[berth.city]:
        return best
    traded = after([*held], take, give)
    for pair in pairs:
        for good in GOOD_LETTERS if city in pair else "":
            if traded[PLACE[good]]:
                best = max(best, berth.finish(after(traded, pair, good)))
    return best


class Situation:
    """A table from a seat's point of view: its holdings, their value, and berths in cities."""

    def __init__(self, view: View[KoggeState], seat: int, weights: KoggeWeights = NORMAL) -> None:
        self.state, self.seat, self.weights = view.known, seat, weights
        self.me = self.state.players[seat]
        self.held = [*pieces(self.me)]
        self.valuation = valuation_of(self.state, seat, weights)
        self.now = self.valuation.of(self.held)

    def berth(
        self, city: int, guild_city: int, *, may_trade: bool = True, may_build: bool = True
    ) -> Berth:
        """Return a berth in a city if the guild master were in `guild_city`."""
        stock = tuple(self.state.cities[city].goods) if may_trade else (0,) * GOODS
        ratio = 3 if self.me.chits[THREE_FOR_ONE] else 2
        return _berth(self.valuation, city, stock, ratio, guild_city == city, may_build)

    def gain(self, gets: str = "", gives: str = "") -> float:
        """Return the gain of receiving and giving pieces."""
        return self.valuation.of(after(self.held, gets, gives)) - self.now


# Deals with other players


class Dealer(NamedTuple):
    """A side of a deal: its valuation, its holdings, and the part it can give in this deal."""

    valuation: Valuation
    held: Holdings
    stock: Holdings

    def gain(self, gets: str, gives: str) -> float:
        """Return the gain of a deal for this side."""
        return self.valuation.of(after(self.held, gets, gives)) - self.valuation.of(self.held)

    def gifts(self) -> Iterator[str]:
        """Yield one piece or two equal ones, as words."""
        for letter in ASCENDING:
            yield from (letter * n for n in range(1, min(self.stock[PLACE[letter]], 2) + 1))


def talk(situation: Situation, legal: Legal, rng: Random) -> Action | None:
    """Withdraw an offer that would now be a loss, or sometimes make one that is good for both."""
    state, me = situation.state, situation.seat
    own = [offer for offer in state.offers if offer.seat == me]
    for offer in own:
        if _side(situation, me, offer).gain(offer.take, offer.give) < 0:
            return ("withdraw", str(offer.id))
    if rng.random() >= OFFER_RATE:
        return None
    open_deals = [(offer.other, offer.office) for offer in own]
    for partner in words(legal, "offer"):
        deal = deal_with(state, me, partner)
        if (deal.other, deal.office) not in open_deals:
            terms = _best_deal(_side(situation, me, deal), _side(situation, deal.other, deal))
            if terms is not None:
                return ("offer", partner, *terms)
    return None


def answer(situation: Situation, number: str, legal: Legal, rng: Random) -> Action:
    """Accept a good offer; decline others, or sometimes make a counter-offer."""
    offer = next(offer for offer in situation.state.offers if str(offer.id) == number)
    mine = _side(situation, situation.seat, offer)
    if number in words(legal, "accept") and mine.gain(offer.give, offer.take) >= MIN_DEAL_GAIN:
        return ("accept", number)
    if number in words(legal, "counter") and rng.random() < OFFER_RATE:
        terms = _best_deal(mine, _side(situation, offer.seat, offer))
        if terms is not None:
            return ("counter", number, *terms)
    return ("decline", number)


def _side(situation: Situation, seat: int, deal: Offer) -> Dealer:
    """Return a seat as a side of a deal, with a guess for hidden goods.

    Goods in its office count like those on the ship. Markers with secret numbers are ignored.
    """
    state, player = situation.state, situation.state.players[seat]
    own = seat == situation.seat
    known = own or len(player.markers) == CITIES
    held = [*(player.goods or GUESSED_GOODS), *(pieces(player)[GOODS:] if known else [0] * CITIES)]
    valuation = situation.valuation if own else valuation_of(state, seat, situation.weights)
    if seat != deal.office:
        return Dealer(valuation, held, held)
    stock = goods_in_offices(state.cities[deal.city], seat)
    both = [have + more for have, more in zip(held, stock, strict=False)]
    return Dealer(valuation, [*both, *held[GOODS:]], [*stock, *held[GOODS:]])


def _best_deal(mine: Dealer, theirs: Dealer) -> tuple[str, str] | None:
    """Return the best terms with which both sides gain enough, and the other no more than this."""
    best, deal = MIN_DEAL_GAIN, None
    for take, give in product(theirs.gifts(), mine.gifts()):
        gain = mine.gain(take, give)
        if gain > best and take[0] != give[0] and MIN_DEAL_GAIN <= theirs.gain(give, take) <= gain:
            best, deal = gain, (give, take)
    return deal


# The features of a position; their coefficients are fitted to the results of games


def features(state: KoggeState, seat: int) -> Mapping[str, int]:
    """Return the features of a seat; those without a coefficient do not count."""
    player, valuation = state.players[seat], valuation_of(state, seat)
    goods = sum(map(mul, player.goods, GOOD_POINTS))
    return {
        f"developed_{min(development_points(state, seat), MAX_DEVELOPED)}": 1,
        "good": sum(player.goods),
        "good_point": goods + CONTENT.victory_points.raid * player.raids,
        "in_office": sum(sum(goods_in_offices(city, seat)) for city in state.cities),
        "marker": min(sum(player.markers), MAX_MARKERS),
        f"lacking_{valuation.lacking(pieces(player))}": 1,
        f"alike_{min(max(player.goods), SIX)}": int(valuation.chits_left),
        **{f"chit_{key}": min(n, 1) for key, n in zip(CHIT_KEYS, player.chits, strict=True)},
    }
