"""Phase 3B a to d: build an office, deal with the guild master, buy a pair of route markers, trade
with the city.

Each turn allows one of the four deals with the guild master, for one piece or set (ruling 22).
"""

from __future__ import annotations

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, refuse_for, rule
from bot.game.kogge.common import (
    InCity,
    OfPieces,
    current_city,
    development_points,
    end_if_developed,
    gain,
    held_markers,
    mark_used,
    markers_of,
    once_a_turn,
    pay,
    spend,
)
from bot.game.kogge.data import (
    CHIT_KEYS,
    CITY_GOOD,
    CONTENT,
    GOOD_KEYS,
    GOOD_LETTERS,
    GOOD_OF_KEY,
    GOOD_OF_LETTER,
    GOODS,
    LETTER_OF,
    MARKER_LETTERS,
    goods_of,
)
from bot.game.kogge.state import Acting, KoggeState, Office

OFFICE_TOPIC, BUYING, TRADING = "office", "buying", "trade"


class Built(InCity, frozen=True):
    """A new office; `points` are its owner's development points afterwards."""

    pieces: str
    points: int


def office_price(state: KoggeState, city: int) -> tuple[str, str]:
    """Return the price of an office: goods and markers.

    The goods are one of each kind that the city does not produce. The markers are one of the
    city's number, or two if the city already has an office, even the seat's own (ruling 2).
    """
    goods = GOOD_LETTERS.replace(GOOD_LETTERS[CITY_GOOD[city]], "")
    return goods, str(city) * (1 + len(state.cities[city].offices))


def _unpaid(state: KoggeState, seat: Seat, price: str) -> Refusal | None:
    """Return why the seat can't pay for an office in its city with ``goods``, ``markers``,
    ``both`` or ``either``."""
    player = state.players[seat]
    goods, markers = office_price(state, player.city)
    missing = "".join([good for good in goods if not player.goods[GOOD_OF_LETTER[good]]])
    short = player.markers[player.city] < len(markers)
    facts = {"city": player.city, "count": len(markers), "marker": player.city}
    if price == "either" and missing and short:
        return refuse("needs_either", **facts, pieces=missing)
    if price in ("both", "goods") and missing:
        return refuse("needs_goods", city=player.city, pieces=missing)
    return refuse("needs_markers", **facts) if price in ("both", "markers") and short else None


def _build_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    if len(current_city(state, seat).offices) == CONTENT.offices_per_city:
        return refuse("city_full", city=state.players[seat].city)
    return _unpaid(state, seat, "either" if state.rules.either_price else "both")


def _price(state: KoggeState, seat: Seat) -> OneOf:
    """In the English text, goods and markers; in the Italian, goods or markers (difference 1)."""
    prices = ("goods", "markers") if state.rules.either_price else ("both",)
    return OneOf("price", tuple([word for word in prices if _unpaid(state, seat, word) is None]))


def _why_not_price(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    return _unpaid(state, seat, word) if state.rules.either_price and word != "both" else None


def _build(state: KoggeState, seat: Seat, recorder: EventRecorder, price: str) -> None:
    """The office is a development point; the fifth point ends the game (ruling 30)."""
    city = state.players[seat].city
    goods, markers = office_price(state, city)
    paid = {"both": goods + markers, "goods": goods, "markers": markers}[price]
    mark_used(state, "build")
    pay(state, seat, paid)
    state.cities[city].offices.append(Office(seat, [0] * GOODS))
    points = development_points(state, seat)
    recorder.record(Built(seat=seat, city=city, pieces=paid, points=points))
    end_if_developed(state, seat, recorder)


BUILD: Rule[KoggeState] = (
    rule("build", OFFICE_TOPIC, once_a_turn("build"), _build_gate)
    .word("price", _price, _why_not_price)
    .does(_build)
)


class PairBought(SeatEvent, frozen=True):
    pieces: str
    good: str


class Traded(InCity, frozen=True):
    give: str
    take: str


def _buy_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    if not any(state.players[seat].goods):
        return refuse("nothing_to_pay")
    return None if any(state.display) else refuse("pairs_gone")


def _pair(state: KoggeState, seat: Seat) -> OneOf:
    return OneOf("pair", tuple(str(n) for n, pair in enumerate(state.display, 1) if pair))


def _any_good(state: KoggeState, seat: Seat, pair: str) -> OneOf:
    goods = state.players[seat].goods
    return OneOf("good", tuple(GOOD_KEYS[good] for good in range(GOODS) if goods[good]))


def _why_not_pair(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    return refuse("pair_sold", count=int(word)) if int(word) <= len(state.display) else None


def _buy(state: KoggeState, seat: Seat, recorder: EventRecorder, pair: str, good: str) -> None:
    mark_used(state, "buy")
    pay(state, seat, LETTER_OF[good])
    bought = state.display[int(pair) - 1]
    state.display[int(pair) - 1] = ""
    gain(state.players[seat], bought)
    recorder.record(PairBought(seat=seat, pieces=bought, good=good))


BUY: Rule[KoggeState] = (
    rule("buy", BUYING, once_a_turn("buy"), _buy_gate)
    .word("pair", _pair, _why_not_pair, among=[str(n + 1) for n in range(CONTENT.display_pairs)])
    .word("good", _any_good)
    .does(_buy)
)


THREE_FOR_ONE = CHIT_KEYS.index("three")


def _trade_ratio(state: KoggeState, seat: Seat) -> int:
    return 3 if state.players[seat].chits[THREE_FOR_ONE] else 2


def _trade_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    player = state.players[seat]
    if player.city == frame_of(state, Acting).start:
        return refuse("trade_needs_move", city=player.city)
    if not any(player.goods):
        return refuse("nothing_to_trade")
    stock = current_city(state, seat).goods
    if not any(stock):
        return refuse("city_empty", city=player.city)
    others = any(player.goods[good] and sum(stock) > stock[good] for good in range(GOODS))
    return None if others else refuse("trade_same_good", city=player.city)


def _give(state: KoggeState, seat: Seat) -> Bundle:
    """Goods that can each buy at least one good of another kind (rulings 21 and 46)."""
    stock = current_city(state, seat).goods
    total = sum(stock)

    def fits(give: str) -> bool:
        return all(
            total - stock[good] >= count for good, count in enumerate(goods_of(give)) if count
        )

    have = tuple(state.players[seat].goods)
    return Bundle("give", GOOD_LETTERS, have, 1, min(sum(have), total), fits)


def _take(state: KoggeState, seat: Seat, give: str) -> Bundle:
    """Goods that the given goods can buy: one or two for each (three with the chit).

    Each received good is paid for by a good of another kind, and each given good buys at least one.
    With n given in all and g of a kind, this is possible exactly if, for each kind, at most
    ratio * (n - g) are received of this kind and at least g of the other kinds.
    """
    ratio = _trade_ratio(state, seat)
    given = goods_of(give)
    total = sum(given)
    stock = current_city(state, seat).goods
    have = tuple(min(stock[good], ratio * (total - given[good])) for good in range(GOODS))

    def fits(take: str) -> bool:
        return all(
            len(take) - take.count(GOOD_LETTERS[good]) >= count
            for good, count in enumerate(given)
            if count
        )

    return Bundle("take", GOOD_LETTERS, have, total, min(ratio * total, sum(have)), fits)


def _why_not_give(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    player = state.players[seat]
    held = all(n <= have for n, have in zip(goods_of(word), player.goods, strict=True))
    return refuse("trade_too_much", pieces=word, city=player.city) if word and held else None


def _why_not_take(state: KoggeState, seat: Seat, give: str, word: str) -> Refusal | None:
    stock = current_city(state, seat).goods
    if any(n > have for n, have in zip(goods_of(word), stock, strict=True)):
        return refuse("not_in_city", pieces=word, city=state.players[seat].city)
    ratio, given = _trade_ratio(state, seat), len(give)
    if len(word) > ratio * given:
        return refuse("too_many", param="take", count=ratio * given)
    if len(word) < given:
        return refuse("trade_too_little", count=given)
    return refuse("trade_for_itself", give=give, take=word)


def _trade(state: KoggeState, seat: Seat, recorder: EventRecorder, give: str, take: str) -> None:
    """The payment goes to the city, unlike any other."""
    mark_used(state, "trade")
    player = state.players[seat]
    stock = current_city(state, seat).goods
    stock[:] = [
        count + give.count(letter) - take.count(letter)
        for letter, count in zip(GOOD_LETTERS, stock, strict=True)
    ]
    spend(player, give)
    gain(player, take)
    recorder.record(Traded(seat=seat, city=player.city, give=give, take=take))


TRADE: Rule[KoggeState] = (
    rule("trade", TRADING, once_a_turn("trade"), _trade_gate)
    .word("give", _give, _why_not_give)
    .word("take", _take, _why_not_take)
    .does(_trade)
)


# The guild master

DEALS = "guild_deals"


class RaidMarkerBought(OfPieces, frozen=True):
    """A seat has bought its second Raid."""


class ChitBought(SeatEvent, frozen=True):
    """A new bonus chit; `points` are its owner's development points afterwards."""

    chit: str
    pieces: str
    points: int


class GoodExchanged(SeatEvent, frozen=True):
    good: str
    marker: int


class MarkerExchanged(SeatEvent, frozen=True):
    marker: int
    good: str


def _at_guild_master(state: KoggeState, seat: Seat) -> Refusal | None:
    """The ship must be in the guild master's city (rules: guild_deals)."""
    is_there = state.players[seat].city == state.guild_city
    return None if is_there else refuse("no_guild_master", city=state.guild_city)


WITH_GUILD_MASTER = (_at_guild_master, once_a_turn("guild"))
"""The gates of all four deals."""


# Three markers for a Raid

THREE_ALIKE = refuse("needs_three_alike", count=CONTENT.raid_price)


def _raid_marker_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    if state.players[seat].bought_raid:
        return refuse("raid_already_bought")
    return None if _three_alike(state, seat).values else THREE_ALIKE


def _three_alike(state: KoggeState, seat: Seat) -> OneOf:
    markers = state.players[seat].markers
    return OneOf(
        "marker", tuple(w for w in held_markers(markers) if markers[int(w)] >= CONTENT.raid_price)
    )


def _buy_raid_marker(state: KoggeState, seat: Seat, recorder: EventRecorder, marker: str) -> None:
    mark_used(state, "guild")
    player, paid = state.players[seat], marker * CONTENT.raid_price
    pay(state, seat, paid)
    player.bought_raid = True
    player.raids += 1
    recorder.record(RaidMarkerBought(seat=seat, pieces=paid))


# Six goods for a chit

SIX_ALIKE = refuse("needs_six_alike", count=CONTENT.bonus_price)


def _chit_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    if not any(state.chits):
        return refuse("all_chits_gone", "chits")
    return None if _six_alike(state, seat).values else SIX_ALIKE


def _six_alike(state: KoggeState, seat: Seat) -> OneOf:
    goods = zip(GOOD_KEYS, state.players[seat].goods, strict=True)
    return OneOf("good", tuple([key for key, count in goods if count >= CONTENT.bonus_price]))


def _chit(state: KoggeState, seat: Seat, good: str) -> OneOf:
    return OneOf("chit", tuple(key for key, n in zip(CHIT_KEYS, state.chits, strict=True) if n))


def _buy_chit(state: KoggeState, seat: Seat, recorder: EventRecorder, good: str, chit: str) -> None:
    mark_used(state, "guild")
    paid = LETTER_OF[good] * CONTENT.bonus_price
    pay(state, seat, paid)
    kind = CHIT_KEYS.index(chit)
    state.chits[kind] -= 1
    state.players[seat].chits[kind] += 1
    points = development_points(state, seat)
    recorder.record(ChitBought(seat=seat, chit=chit, pieces=paid, points=points))
    end_if_developed(state, seat, recorder)


# A good for a marker


def _swap_good_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    goods = state.players[seat].goods
    if not any(goods):
        return refuse("nothing_to_pay")
    short = not _good_to_swap(state, seat).values
    return refuse("bag_short", good=GOOD_KEYS[goods.index(max(goods))]) if short else None


def _good_to_swap(state: KoggeState, seat: Seat) -> OneOf:
    goods = state.players[seat].goods
    words = [GOOD_KEYS[g] for g in range(GOODS) if goods[g] and markers_of(g, state.bag)]
    return OneOf("good", tuple(words))


def _why_not_swap_good(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    return refuse("bag_short", good=word) if state.players[seat].goods[GOOD_OF_KEY[word]] else None


def _marker_of_colour(state: KoggeState, seat: Seat, good: str) -> OneOf:
    """The buyer sees which numbers of that colour are in the bag (ruling 45)."""
    return OneOf("marker", markers_of(GOOD_OF_KEY[good], state.bag))


def _why_not_of_colour(state: KoggeState, seat: Seat, good: str, word: str) -> Refusal | None:
    reasons = {
        "wrong_colour": CITY_GOOD[int(word)] != GOOD_OF_KEY[good],
        "bag_lacks_marker": True,
    }
    return refuse_for(reasons, marker=int(word), good=good)


def _swap_good(
    state: KoggeState, seat: Seat, recorder: EventRecorder, good: str, marker: str
) -> None:
    mark_used(state, "guild")
    pay(state, seat, LETTER_OF[good])
    state.bag[int(marker)] -= 1
    gain(state.players[seat], marker)
    recorder.record(GoodExchanged(seat=seat, good=good, marker=int(marker)))


# A marker for a good


def _swap_marker_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    markers = state.players[seat].markers
    if not any(markers):
        return refuse("no_markers")
    if _marker_to_swap(state, seat).values:
        return None
    return refuse("reserve_short", good=GOOD_KEYS[CITY_GOOD[markers.index(max(markers))]])


def _marker_to_swap(state: KoggeState, seat: Seat) -> OneOf:
    words = held_markers(state.players[seat].markers)
    return OneOf("marker", tuple(w for w in words if state.reserve[CITY_GOOD[int(w)]]))


def _why_not_swap_marker(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    good = GOOD_KEYS[CITY_GOOD[int(word)]]
    return refuse("reserve_short", good=good) if state.players[seat].markers[int(word)] else None


def _swap_marker(state: KoggeState, seat: Seat, recorder: EventRecorder, marker: str) -> None:
    mark_used(state, "guild")
    good = CITY_GOOD[int(marker)]
    pay(state, seat, marker)
    state.reserve[good] -= 1
    gain(state.players[seat], GOOD_LETTERS[good])
    recorder.record(MarkerExchanged(seat=seat, marker=int(marker), good=GOOD_KEYS[good]))


BUY_RAID: Rule[KoggeState] = (
    rule("buy_raid", DEALS, *WITH_GUILD_MASTER, _raid_marker_gate)
    .word("marker", _three_alike, lambda *_: THREE_ALIKE, tuple(MARKER_LETTERS))
    .does(_buy_raid_marker)
)
SELL_SIX: Rule[KoggeState] = (
    rule("sell_six", DEALS, *WITH_GUILD_MASTER, _chit_gate)
    .word("good", _six_alike, lambda *_: SIX_ALIKE, GOOD_KEYS)
    .word("chit", _chit, lambda *words: refuse("chits_gone", "chits", chit=words[-1]), CHIT_KEYS)
    .does(_buy_chit)
)
SWAP_GOOD: Rule[KoggeState] = (
    rule("swap_good", DEALS, *WITH_GUILD_MASTER, _swap_good_gate)
    .word("good", _good_to_swap, _why_not_swap_good, GOOD_KEYS)
    .word("marker", _marker_of_colour, _why_not_of_colour, tuple(MARKER_LETTERS))
    .does(_swap_good)
)
SWAP_MARKER: Rule[KoggeState] = (
    rule("swap_marker", DEALS, *WITH_GUILD_MASTER, _swap_marker_gate)
    .word("marker", _marker_to_swap, _why_not_swap_marker, tuple(MARKER_LETTERS))
    .does(_swap_marker)
)
