"""What holdings are worth to a seat, what a ship can make of a city, and whether a deal is good: in
points, roughly. And what a position promises.

Holdings are counts in the order of PIECE_LETTERS (`bot.game.kogge.common.pieces`). Judges and
berths are asked again and again in imagined games, so they remember what they have found.
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
from bot.game.kogge.common import development_points, goods_in_offices, pieces, points_so_far
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
from bot.policy.menu import whole
from bot.resources import data

Held = list[int]
Counts = tuple[int, ...]

GOOD_POINTS = tuple(good.points for good in CONTENT.goods)
SIX = CONTENT.bonus_price
FAR = 99
"""So many markers lack for an office where there is room for none."""
PLACE = {letter: place for place, letter in enumerate(PIECE_LETTERS)}
LEAST_FIRST = GOOD_LETTERS + "".join(map(str, range(CITIES)))
THREE_FOR_ONE = CHIT_KEYS.index("three")
KEPT = 1 << 12
"""So many answers to one question a judge remembers."""
TYPICAL_GOODS = 12
"""Points guessed for goods that are hidden."""
GUESSED_GOODS = (2, 0, 1, 0)
"""What a ship that hides its goods is taken to carry."""
CLEARLY_GOOD = 2.0
"""What a deal must gain to be accepted; an offer is made where it gains both so much."""
TALKATIVE = 0.3
"""How often a deal that would be good for both is proposed, or an offer countered: who was
refused does not ask for ever."""
PROMISES = read(data("kogge", "promise.toml"), dict[str, dict[str, tuple[float, float]]])
"""By how many play, and by what is counted: what each adds to the logarithm of a seat's odds, far
from the end, and how much more at the end."""
MAX_DEVELOPED, MAX_MARKERS = 4, 10
"""More development points and markers promise no more."""


class KoggeWeights(Strict, frozen=True, eq=False):
    """A way to judge, in victory points, roughly. What is judged is kept by which of them it is."""

    office: float
    """An office, as a gain at the moment it is made."""
    chit: float
    """A bonus chit, as well."""
    win: float
    """The fifth development point, as well."""
    near_office: tuple[float, float, float, float, float, float]
    """The part of `office` that goods and markers are worth which lack 0, 1, 2 ... of its price."""
    near_chit: tuple[float, float, float, float, float, float, float]
    """The part of what selling six of a kind gains that so many of them are worth."""
    last_plan: float
    """How much more plans are worth that bring the fifth development point."""
    trading: float
    """What any good is worth for what it can be traded into, while there is time to trade."""
    markers: tuple[float, ...]
    """What so many markers are worth for bids and fees, the first for none, which leaves nothing to
    bid with; more than these add little."""
    more_markers: float
    """What each of those is worth."""
    rounds: float
    """From so many rounds to the end on, plans are worth all they promise."""
    place: float
    """In a bid: what each place earlier in the order of play is worth."""
    first: float
    """In a bid: what moving the guild master is worth to a ship with six goods to sell."""
    office_good: float
    """In a bid: what a good in the seat's own office is worth beyond its points."""
    barred: float
    """What it costs to be barred from a city for good and pushed away, while there is time left."""
    unseen_cargo: float
    """What half of a cargo that is hidden is taken to be worth."""
    gain: float
    """The least gain for which an action is taken."""
    raid_marker: float
    """What the second Raid is worth: ten points if it stays unused, and less freedom if not."""
    unknown: float
    """What trying a hidden route is worth beyond staying: a ship that never moves never trades."""
    crowd: float
    """What every further step costs beyond its fee, so that equal plans prefer the short way."""
    look: float
    """What it is worth to see where both routes of a city lead."""


WEIGHTS: Mapping[str, KoggeWeights] = read(data("kogge", "weights.toml"), dict[str, KoggeWeights])
"""Those of each player, by its name."""
NORMAL = WEIGHTS["normal"]


def after(held: Held, gets: str = "", gives: str = "") -> Held:
    """Holdings with some pieces more and some less."""
    changed = held[:]
    for piece in gets:
        changed[PLACE[piece]] += 1
    for piece in gives:
        changed[PLACE[piece]] -= 1
    return changed


def in_order(word: str) -> str:
    """The pieces of a word in the order of the notation."""
    return "".join(sorted(word, key=PLACE.__getitem__))


class KoggeWorth:
    """Judges holdings of one seat. `last` says that a development point wins, `time` how much of
    what plans promise there is time for, `needed` how many markers an office in each city takes."""

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
        self._markers = [worth * time for worth in weights.markers]
        self._goods_of = lru_cache(KEPT)(self._judge_goods)
        self._markers_of = lru_cache(KEPT)(self._judge_markers)
        self._near = lru_cache(KEPT)(self._nearness)
        self.least_missed = lru_cache(KEPT)(self._least_missed)

    def of(self, held: Held) -> float:
        """The worth of holding these pieces."""
        counts = tuple(held)
        own, lacking_goods = self._goods_of(counts[:GOODS])
        others, lacking_markers = self._markers_of(counts[GOODS:])
        return own + others + self._near_office[self._near(lacking_goods, lacking_markers)]

    def lacking(self, held: Counts) -> int:
        """How many pieces these lack to pay the nearest office; five stand for more as well."""
        return self._near(self._goods_of(held[:GOODS])[1], self._markers_of(held[GOODS:])[1])

    def built(self, city: int, held: Held) -> Held | None:
        """What an office in a city leaves of holdings; None where they cannot pay it. Where goods
        or markers will do, the goods are kept."""
        place, needed, own = PLACE[str(city)], self.needed[city], CITY_GOOD[city]
        enough = held[place] >= needed
        if needed == FAR or not (enough or self.either_price):
            return None
        left = held[:]
        if enough:
            left[place] -= needed
        if not (enough and self.either_price):
            for good in range(GOODS):
                left[good] -= good != own
        return None if min(left) < 0 else left

    def _judge_goods(self, goods: Counts) -> tuple[float, Counts]:
        """What goods are worth by themselves and for a chit, and how many lack for an office, by
        the good of its city."""
        ore, fur, amber, salt = goods
        each, near = self._good, self._near_chit
        worth = ore * each[0] + fur * each[1] + amber * each[2] + salt * each[3]
        worth += max([row[min(count, SIX)] for row, count in zip(near, goods, strict=True)])
        kinds = goods.count(0)
        return worth, tuple([kinds - (count == 0) for count in goods])

    def _judge_markers(self, markers: Counts) -> tuple[float, Counts]:
        """What markers are worth, and how many lack for an office, by the good of its city."""
        beyond = max(0, sum(markers) + 1 - len(self._markers))
        worth = self._markers[sum(markers) - beyond] + beyond * self.weights.more_markers
        lacking = [FAR] * GOODS
        for city, needed in enumerate(self.needed):
            if needed < FAR:
                lack = max(0, needed - markers[CITIES - 1 - city])
                lacking[CITY_GOOD[city]] = min(lacking[CITY_GOOD[city]], lack)
        return worth, tuple(lacking)

    def _nearness(self, goods: Counts, markers: Counts) -> int:
        both = [pair for pair in zip(goods, markers, strict=True) if pair[1] < FAR]
        lacking = [min(pair) if self.either_price else sum(pair) for pair in both]
        return min([*lacking, len(self._near_office) - 1])

    def _least_missed(self, held: Counts) -> str:
        """The piece whose loss costs least. Raises ValueError where there is none."""
        letters = [letter for letter in LEAST_FIRST if held[PLACE[letter]]]
        return max(letters, key=lambda letter: self.of(after([*held], gives=letter)))

    def spare(self, held: Held, count: int) -> str:
        """So many pieces as a word, each the least missed of what is left."""
        given = ""
        for _ in range(count):
            given += self.least_missed(tuple(after(held, gives=given)))
        return in_order(given)


_worth = lru_cache(maxsize=1 << 8)(KoggeWorth)


def worth_of(state: KoggeState, seat: int, weights: KoggeWeights = NORMAL) -> KoggeWorth:
    """The judge of a seat's holdings; one for all states in which they are worth the same."""
    needed = [
        FAR
        if len(city.offices) >= CONTENT.offices_per_city or seat in city.raids
        else 1 + len(city.offices)
        for city in state.cities
    ]
    return _worth(
        weights,
        state.rules.either_price,
        development_points(state, seat) + 1 >= CONTENT.development_points_to_win,
        min(1.0, rounds_left(state) / weights.rounds),
        any(state.chits),
        tuple(needed),
    )


def rounds_left(state: KoggeState) -> float:
    """About how many rounds the guild master needs to the end of the game."""
    to_marker = (state.end_city - state.guild_city - 1) % CITIES + 1
    return (to_marker + CITIES * (CONTENT.laps_to_end - state.laps - 1)) / 1.5


def points(state: KoggeState, seat: int) -> int:
    """The victory points of a seat, were the game over; hidden goods are guessed."""
    return points_so_far(state, seat) + TYPICAL_GOODS * (not state.players[seat].goods)


def words(legal: Legal, *prefix: str) -> tuple[str, ...]:
    """The words that may follow, where they are few; none where its kind is not allowed."""
    allowed = not prefix or legal(()).admits(prefix[0])
    choices = legal(prefix) if allowed else OneOf("", ())
    assert isinstance(choices, OneOf)
    return choices.values


def each_of(legal: Legal, kind: str) -> list[Action]:
    """The whole actions of a kind whose words are few."""
    return [*whole(legal, (kind,), legal((kind,)))] if legal(()).admits(kind) else []


def bundle(legal: Legal, *prefix: str) -> Bundle:
    """The pieces that may be chosen."""
    choices = legal(prefix)
    assert isinstance(choices, Bundle)
    return choices


Trade = tuple[float, str, str]
"""What is worth what is held and done after it, and the words of what is given and taken."""


@lru_cache(maxsize=1 << 11)
def _loads(given: int, stock: Counts, ratio: int) -> tuple[str, ...]:
    """What may be taken for one good out of a stock."""
    letters = [letter for good, letter in enumerate(GOOD_LETTERS) if stock[good] and good != given]
    size = min(ratio, sum(stock) - stock[given])
    loads = map("".join, combinations_with_replacement(letters, size))
    return tuple(
        [load for load in loads if load and all(load.count(g) <= stock[PLACE[g]] for g in load)]
    )


class Berth:
    """A ship in a city, with what it may still do there this turn."""

    def __init__(
        self, worth: KoggeWorth, city: int, stock: Counts, ratio: int, sells: bool, builds: bool
    ) -> None:
        self.worth, self.city = worth, city
        self.builds = builds and worth.needed[city] < FAR
        self._stock, self._ratio, self._sells = stock, ratio, sells and worth.chits_left
        self.best_trade = lru_cache(KEPT)(self._best_trade)

    def finish(self, held: Held) -> float:
        """The worth of these holdings once six goods are sold and an office is built, if
        possible."""
        done = 0.0
        if self._sells and max(held[:GOODS]) >= SIX:
            # Of several kinds the one that is worth least.
            sold = next(letter for letter in GOOD_LETTERS if held[PLACE[letter]] >= SIX)
            held, done = after(held, gives=sold * SIX), self.worth.chit
        left = self.worth.built(self.city, held) if self.builds else None
        if left is not None:
            held, done = left, done + self.worth.office
        return done + self.worth.of(held)

    def _best_trade(self, held: Counts) -> Trade:
        """The best trade found by adding one given good at a time; an empty one if none helps."""
        best, give, take = self.finish([*held]), "", ""
        stock, now = list(self._stock), [*held]
        while any(stock):
            # What has been taken is not given again.
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

    def small_trades(self, held: Held) -> list[Trade]:
        """Every trade of one good, the best first."""
        found = [
            (self.finish(after(held, load, letter)), letter, load)
            for letter, load in self._swaps(held, self._stock)
        ]
        return sorted(found, reverse=True)

    def _swaps(self, held: Held, stock: Sequence[int]) -> Iterator[tuple[str, str]]:
        """What can be had for one good out of a stock."""
        enough = tuple([min(count, self._ratio) for count in stock])
        for given, letter in enumerate(GOOD_LETTERS):
            for load in _loads(given, enough, self._ratio) if held[given] else ():
                yield letter, load


_berth = lru_cache(maxsize=1 << 12)(Berth)
"""A berth for all states in which as much can be done there."""


@lru_cache(maxsize=1 << 14)
def best_turn(berth: Berth, held: Counts, pairs: tuple[str, ...]) -> float:
    """The worth of lying here, with a trade, a pair that helps to build, office and chit."""
    best, give, take = berth.best_trade(held)
    city = str(berth.city)
    if not berth.builds or held[PLACE[city]] >= berth.worth.needed[berth.city]:
        return best
    traded = after([*held], take, give)
    for pair in pairs:
        for good in GOOD_LETTERS if city in pair else "":
            if traded[PLACE[good]]:
                best = max(best, berth.finish(after(traded, pair, good)))
    return best


class Situation:
    """A table as one seat judges it: its own holdings, and berths in cities."""

    def __init__(self, view: View[KoggeState], seat: int, weights: KoggeWeights = NORMAL) -> None:
        self.state, self.seat, self.weights = view.known, seat, weights
        self.me = self.state.players[seat]
        self.held = [*pieces(self.me)]
        self.worth = worth_of(self.state, seat, weights)
        self.now = self.worth.of(self.held)

    def berth(
        self, city: int, guild_city: int, *, may_trade: bool = True, may_build: bool = True
    ) -> Berth:
        """A berth in a city, were the guild master in `guild_city`."""
        stock = tuple(self.state.cities[city].goods) if may_trade else (0,) * GOODS
        ratio = 3 if self.me.chits[THREE_FOR_ONE] else 2
        return _berth(self.worth, city, stock, ratio, guild_city == city, may_build)

    def gain(self, gets: str = "", gives: str = "") -> float:
        """How much the worth of the holdings rises when these pieces come and go."""
        return self.worth.of(after(self.held, gets, gives)) - self.now


# Deals with other players


class Dealer(NamedTuple):
    """One of the two who deal: how it judges, what it has, and what of it it can give here."""

    worth: KoggeWorth
    held: Held
    stock: Held

    def gain(self, gets: str, gives: str) -> float:
        """By how much a deal is good for them."""
        return self.worth.of(after(self.held, gets, gives)) - self.worth.of(self.held)

    def gifts(self) -> Iterator[str]:
        """One piece or two alike, as words."""
        for letter in LEAST_FIRST:
            yield from (letter * n for n in range(1, min(self.stock[PLACE[letter]], 2) + 1))


def talk(situation: Situation, legal: Legal, rng: Random) -> Action | None:
    """Takes back an offer that would now do harm, or makes one that both sides should like, to a
    ship or an office here; usually None."""
    state, me = situation.state, situation.seat
    own = [offer for offer in state.offers if offer.seat == me]
    for offer in own:
        if _side(situation, me, offer).gain(offer.take, offer.give) < 0:
            return ("withdraw", str(offer.id))
    if rng.random() >= TALKATIVE:
        return None
    asked = [(offer.other, offer.office) for offer in own]
    for partner in words(legal, "offer"):
        deal = deal_with(state, me, partner)
        if (deal.other, deal.office) not in asked:
            terms = _best_deal(_side(situation, me, deal), _side(situation, deal.other, deal))
            if terms is not None:
                return ("offer", partner, *terms)
    return None


def answer(situation: Situation, number: str, legal: Legal, rng: Random) -> Action:
    """Accepts what is clearly good; the rest may get a better counter-offer."""
    offer = next(offer for offer in situation.state.offers if str(offer.id) == number)
    mine = _side(situation, situation.seat, offer)
    if number in words(legal, "accept") and mine.gain(offer.give, offer.take) >= CLEARLY_GOOD:
        return ("accept", number)
    if number in words(legal, "counter") and rng.random() < TALKATIVE:
        terms = _best_deal(mine, _side(situation, offer.seat, offer))
        if terms is not None:
            return ("counter", number, *terms)
    return ("decline", number)


def _side(situation: Situation, seat: int, deal: Offer) -> Dealer:
    """A seat, dealing by its ship or its office; hidden goods are guessed.

    What lies in the own office is as good as on the ship. Markers whose numbers are secret do not
    count: they are neither asked for nor reckoned with.
    """
    state, player = situation.state, situation.state.players[seat]
    own = seat == situation.seat
    shown = own or len(player.markers) == CITIES
    held = [*(player.goods or GUESSED_GOODS), *(pieces(player)[GOODS:] if shown else [0] * CITIES)]
    worth = situation.worth if own else worth_of(state, seat, situation.weights)
    if seat != deal.office:
        return Dealer(worth, held, held)
    stock = goods_in_offices(state.cities[deal.city], seat)
    both = [have + more for have, more in zip(held, stock, strict=False)]
    return Dealer(worth, [*both, *held[GOODS:]], [*stock, *held[GOODS:]])


def _best_deal(mine: Dealer, theirs: Dealer) -> tuple[str, str] | None:
    """What to give and to take so that both gain clearly, and this side as much or more."""
    best, deal = CLEARLY_GOOD, None
    for take, give in product(theirs.gifts(), mine.gifts()):
        gain = mine.gain(take, give)
        if gain > best and take[0] != give[0] and CLEARLY_GOOD <= theirs.gain(give, take) <= gain:
            best, deal = gain, (give, take)
    return deal


# What a position promises, which is fitted to who won games from such positions


def promising(state: KoggeState, seat: int) -> Mapping[str, int]:
    """What a seat has of each thing that is counted; what is not in `PROMISES` promises nothing."""
    player, worth = state.players[seat], worth_of(state, seat)
    goods = sum(map(mul, player.goods, GOOD_POINTS))
    return {
        f"developed_{min(development_points(state, seat), MAX_DEVELOPED)}": 1,
        "good": sum(player.goods),
        "good_point": goods + CONTENT.victory_points.raid * player.raids,
        "in_office": sum(sum(goods_in_offices(city, seat)) for city in state.cities),
        "marker": min(sum(player.markers), MAX_MARKERS),
        f"lacking_{worth.lacking(pieces(player))}": 1,
        f"alike_{min(max(player.goods), SIX)}": int(worth.chits_left),
        **{f"chit_{key}": min(n, 1) for key, n in zip(CHIT_KEYS, player.chits, strict=True)},
    }
