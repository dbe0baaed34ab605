"""Phase 3B c and d: buy a pair of route markers, and trade with the city."""

from __future__ import annotations

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.kogge.common import InCity, gain, here, once, pay, spend, use
from bot.game.kogge.data import CHIT_KEYS, GOOD_KEYS, GOOD_LETTERS, GOODS
from bot.game.kogge.notation import GOOD_OF_KEY, GOOD_OF_LETTER, goods_of, number_of
from bot.game.kogge.state import Acting, KoggeState

BUYING = "buying"


class PairBought(SeatEvent, frozen=True):
    """A pair of markers bought for a good."""

    pieces: str
    good: str


class Traded(InCity, frozen=True):
    """Goods given to a city for others."""

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
    number = number_of(word)
    if number is not None and 0 < number <= len(state.display):
        return refuse("pair_sold", count=number)
    return None


def _buy(state: KoggeState, seat: Seat, recorder: EventRecorder, pair: str, good: str) -> None:
    use(state, "buy")
    pay(state, seat, GOOD_LETTERS[GOOD_OF_KEY[good]])
    bought = state.display[int(pair) - 1]
    state.display[int(pair) - 1] = ""
    gain(state.players[seat], bought)
    recorder.tell(PairBought(seat=seat, pieces=bought, good=good))


BUY: Rule[KoggeState] = (
    rule("buy", BUYING, once("buy"), _buy_gate)
    .word("pair", _pair, _why_not_pair)
    .word("good", _any_good)
    .does(_buy)
)


TRADING = "trade"
THREE_FOR_ONE = CHIT_KEYS.index("three")


def _trade_ratio(state: KoggeState, seat: Seat) -> int:
    return 3 if state.players[seat].chits[THREE_FOR_ONE] else 2


def _trade_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    acting = frame_of(state, Acting)
    player = state.players[seat]
    if player.city == acting.start:
        return refuse("trade_needs_move", city=player.city)
    if not any(player.goods):
        return refuse("nothing_to_trade")
    stock = here(state, seat).goods
    if not any(stock):
        return refuse("city_empty", city=player.city)
    for good in range(GOODS):
        if player.goods[good] and sum(stock) > stock[good]:
            return None
    return refuse("trade_same_good", city=player.city)


def _give(state: KoggeState, seat: Seat) -> Bundle:
    """Any goods that can each buy at least one good of another kind (rulings 21 and 46)."""
    stock = here(state, seat).goods
    total = sum(stock)

    def fits(give: str) -> bool:
        return all(
            total - stock[good] >= count for good, count in enumerate(goods_of(give)) if count
        )

    have = tuple(state.players[seat].goods)
    return Bundle("give", GOOD_LETTERS, have, 1, min(sum(have), total), fits)


def _take(state: KoggeState, seat: Seat, give: str) -> Bundle:
    """What the given goods may buy: one to two each (three by chit), each of another kind.

    Each received good is paid by a good of another kind, and each given one brings at least
    one. With n given in all and g of a kind, that can be arranged just when, of every kind, no
    more than ratio * (n - g) are received, and at least g are received of the other kinds.
    """
    ratio = _trade_ratio(state, seat)
    given = goods_of(give)
    total = sum(given)
    stock = here(state, seat).goods
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
    if word and all(n <= have for n, have in zip(goods_of(word), player.goods, strict=True)):
        return refuse("trade_too_much", pieces=word, city=player.city)
    return None


def _why_not_take(state: KoggeState, seat: Seat, give: str, word: str) -> Refusal | None:
    stock = here(state, seat).goods
    if any(n > have for n, have in zip(goods_of(word), stock, strict=True)):
        return refuse("not_in_city", pieces=word, city=state.players[seat].city)
    ratio, given = _trade_ratio(state, seat), len(give)
    if len(word) > ratio * given:
        return refuse("too_many", param="take", count=ratio * given)
    if len(word) < given:
        return refuse("trade_too_little", count=given)
    return refuse("trade_for_itself", give=give, take=word)


def _trade(state: KoggeState, seat: Seat, recorder: EventRecorder, give: str, take: str) -> None:
    """The only payment that goes to the city."""
    use(state, "trade")
    player = state.players[seat]
    stock = here(state, seat).goods
    for letter in take:
        stock[GOOD_OF_LETTER[letter]] -= 1
    for letter in give:
        stock[GOOD_OF_LETTER[letter]] += 1
    spend(player, give)
    gain(player, take)
    recorder.tell(Traded(seat=seat, city=player.city, give=give, take=take))


TRADE: Rule[KoggeState] = (
    rule("trade", TRADING, once("trade"), _trade_gate)
    .word("give", _give, _why_not_give)
    .word("take", _take, _why_not_take)
    .does(_trade)
)
