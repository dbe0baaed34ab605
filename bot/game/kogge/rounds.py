"""Phase 1: the pairs for sale, the auction, the supply and the turn order; and phase 2: the first
player moves the guild master, who brings goods and ends the game.

By advanced rule A, the guild master collects taxes in the city where it stops.
"""

from __future__ import annotations

from typing import ClassVar

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Event, Refusal, Seat
from bot.game.events import SeatEvent, SeatsEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.kogge.common import (
    InCity,
    OfPieces,
    end_game,
    pay,
    record_event,
    spend,
)
from bot.game.kogge.data import (
    CHIT_KEYS,
    CITIES,
    CITY_GOOD,
    CONTENT,
    GOOD_KEYS,
    GOOD_LETTERS,
    MARKER_LETTERS,
    PIECE_LETTERS,
    goods_word,
)
from bot.game.kogge.deals import drop_offers_of
from bot.game.kogge.state import Auction, GuildMaster, KoggeState, Movement, Taxing

TOPIC = "auction"
EXTRA_MARKER = CHIT_KEYS.index("marker")

Rank = tuple[int, int, int, tuple[int, ...], int]


class RoundStarted(Event, frozen=True):
    """A new round, by its number."""

    kind: ClassVar[str] = "round_began"
    count: int


class OrderSet(SeatsEvent, frozen=True):
    """The turn order."""


class ExtraMarker(SeatEvent, frozen=True):
    """A marker drawn with a bonus chit."""

    marker: int


class ExtraMarkerSecretly(SeatEvent, frozen=True):
    """A marker drawn with a bonus chit; its number is secret."""


class PairsLaidOut(Event, frozen=True):
    """The pairs for sale, as words of two markers."""

    pairs: tuple[str, ...]


class Bid(OfPieces, frozen=True):
    """A bid in the auction."""


class NoBid(SeatEvent, frozen=True):
    """A seat cannot bid."""


class Supplied(Event, frozen=True):
    """New goods in a city; `seats` own the offices there that received one each."""

    city: int
    good: str
    count: int
    seats: tuple[Seat, ...]


class SupplyShort(Event, frozen=True):
    """The goods that a city should get, but that the reserve lacks."""

    city: int
    good: str
    count: int


def rank(bid: str) -> Rank:
    """Return the rank of a bid; a greater rank is better (ruling 5).

    Two or more identical markers beat everything else: more markers are better, then a higher
    number. All other bids compare by sum, then by their highest marker, the next highest and so
    on, then by the count of markers.
    """
    numbers = tuple(sorted((int(letter) for letter in bid), reverse=True))
    if len(numbers) > 1 and numbers[0] == numbers[-1]:
        return (1, len(numbers), numbers[0], (), 0)
    return (0, 0, sum(numbers), numbers, len(numbers))


def begin_round(state: KoggeState, recorder: EventRecorder) -> None:
    """Return unsold pairs to the bag, draw for the +1-marker chits, then draw new pairs.

    The chits draw first, in turn order (rulings 36 and 44). A short bag yields only whole pairs.
    """
    state.round += 1
    recorder.record(RoundStarted(count=state.round))
    for letter in "".join(state.display):
        state.bag[int(letter)] += 1
    state.display = []
    for seat in state.order:
        for _ in range(state.players[seat].chits[EXTRA_MARKER]):
            if sum(state.bag):
                _draw_extra(state, seat, recorder)
    for pair_number in range(min(CONTENT.display_pairs, sum(state.bag) // 2)):
        drawn = [_draw(state, f"pair {pair_number + 1}", recorder) for _ in range(2)]
        state.display.append("".join(str(number) for number in sorted(drawn, reverse=True)))
    recorder.record(PairsLaidOut(pairs=tuple(state.display)))
    state.bids = [""] * len(state.players)
    state.at = 0
    state.frames = [Auction()]


def _draw(state: KoggeState, label: str, recorder: EventRecorder) -> int:
    number = recorder.chance.draw(label, state.bag)
    state.bag[number] -= 1
    return number


def _draw_extra(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    number = _draw(state, f"extra marker for seat {seat}", recorder)
    state.players[seat].markers[number] += 1
    covered = state.rules.covered
    event = ExtraMarker(seat=seat, marker=number)
    record_event(recorder, event, ExtraMarkerSecretly, (seat,), secret=covered)
    if covered:
        drop_offers_of(state, (seat,), recorder)


def can_bid(state: KoggeState, seat: Seat) -> bool:
    """Return whether the seat can make a bid that no one has made yet."""
    # Bids of different lengths differ, so a hand larger than the count of bids always has one.
    count, made = sum(state.players[seat].markers), len(state.bids) - state.bids.count("")
    return count > made or (count > 0 and next(_bundle(state, seat).each(), None) is not None)


def _bundle(state: KoggeState, seat: Seat) -> Bundle:
    markers = state.players[seat].markers
    return Bundle(
        "markers",
        MARKER_LETTERS,
        tuple(reversed(markers)),
        1,
        sum(markers),
        lambda word: word not in state.bids,
    )


def _why_not(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    taken = word and word in state.bids
    return refuse("bid_taken", pieces=word, seat=state.bids.index(word)) if taken else None


def _bid(state: KoggeState, seat: Seat, recorder: EventRecorder, markers: str) -> None:
    frame = frame_of(state, Auction)
    spend(state.players[seat], markers)
    state.bids[seat] = markers
    frame.at += 1
    recorder.record(Bid(seat=seat, pieces=markers))


def settle_auction(state: KoggeState, frame: Auction, recorder: EventRecorder) -> bool:
    """Skip a seat that cannot bid. After the last seat, supply the cities and set the turn order.

    The best bid plays first; seats without a bid come last, in their previous order (ruling 7).
    Return whether anything changed.
    """
    if frame.at == len(state.order):
        _supply(state, recorder)
        state.order.sort(key=lambda seat: rank(state.bids[seat]), reverse=True)
        for letter in "".join(state.bids):
            state.bag[int(letter)] += 1
        recorder.record(OrderSet(seats=tuple(state.order)))
        state.frames = [GuildMaster()]
        return True
    seat = state.order[frame.at]
    if can_bid(state, seat):
        return False
    recorder.record(NoBid(seat=seat))
    frame.at += 1
    return True


def _supply(state: KoggeState, recorder: EventRecorder) -> None:
    """Supply the cities from 8 down to 0: two goods for each marker bid, one to each office first.

    A city gets no more than the reserve has (ruling 9). Each office gets one good a round, not one
    per marker. If there is one good for two offices, it goes to the city (ruling 8).
    """
    played = "".join(state.bids)
    for number in reversed(range(CITIES)):
        due = CONTENT.supply_per_marker * played.count(str(number))
        if not due:
            continue
        good = CITY_GOOD[number]
        city = state.cities[number]
        count = min(due, state.reserve[good])
        state.reserve[good] -= count
        served = city.offices if len(city.offices) <= count else []
        for office in served:
            office.goods[good] += 1
        city.goods[good] += count - len(served)
        recorder.record(
            Supplied(
                city=number,
                good=GOOD_KEYS[good],
                count=count,
                seats=tuple(office.seat for office in served),
            )
        )
        if count < due:
            recorder.record(SupplyShort(city=number, good=GOOD_KEYS[good], count=due - count))


BID: Rule[KoggeState] = rule("bid", TOPIC).word("markers", _bundle, _why_not).does(_bid)


# The guild master

GUILD_MASTER, TAXES = "guild_master", "taxes"
STEPS = OneOf("steps", ("1", "2"))


class GuildMasterMoved(InCity, frozen=True):
    """The guild master has moved `count` steps to a city."""

    count: int


class GuildMasterBrought(Event, frozen=True):
    """The guild master has brought goods to a city."""

    city: int
    good: str
    count: int


class LapCompleted(Event, frozen=True):
    """The guild master has completed lap number `count`."""

    count: int


class Confiscated(Event, frozen=True):
    """Foreign goods of a city go to the reserve."""

    city: int
    pieces: str


class TaxChosen(OfPieces, frozen=True):
    """The secret choice of a tax."""


class TaxPaid(OfPieces, frozen=True):
    """A paid tax; an empty ship pays nothing."""


class TaxPaidSecretly(SeatsEvent, frozen=True):
    """The seats that paid, and the total."""

    pieces: str


def walk(state: KoggeState, steps: int) -> tuple[int, int]:
    """Return where `steps` take the guild master, and how often they reach or pass the end marker.

    Cities with a Raid do not count as steps, but an end marker there counts (ruling 12). If all
    other cities have a Raid, a step leads around to its own city (ruling 58).
    """
    city, laps = state.guild_city, 0
    while steps:
        city = (city + 1) % CITIES
        laps += city == state.end_city
        steps -= not state.cities[city].raids
    return city, laps


def _advance(state: KoggeState, seat: Seat, recorder: EventRecorder, steps: str) -> None:
    """The second lap ends the game immediately, without new goods (ruling 13)."""
    state.guild_city, passed = walk(state, int(steps))
    recorder.record(GuildMasterMoved(seat=seat, city=state.guild_city, count=int(steps)))
    for _ in range(passed):
        state.laps += 1
        recorder.record(LapCompleted(count=state.laps))
        if state.laps == CONTENT.laps_to_end:
            end_game(state, "laps", recorder)
            return
    good = CITY_GOOD[state.guild_city]
    count = min(CONTENT.guild_goods, state.reserve[good])
    state.reserve[good] -= count
    state.cities[state.guild_city].goods[good] += count
    recorder.record(GuildMasterBrought(city=state.guild_city, good=GOOD_KEYS[good], count=count))
    state.frames = [Movement(state.players[seat].city)]
    if state.rules.taxes:
        begin_taxes(state, recorder)


def begin_taxes(state: KoggeState, recorder: EventRecorder) -> None:
    """Confiscate the city's foreign goods; then each ship there pays one good.

    The guild master brings its two goods first (ruling 65). Goods in offices are not touched. Ships
    that come later in the round do not pay. With open goods, only seats with a choice are asked.
    With hidden goods, all seats there are asked, even with one kind or none, so that the question
    reveals nothing (ruling 60).
    """
    goods = state.cities[state.guild_city].goods
    foreign = goods[:]
    foreign[CITY_GOOD[state.guild_city]] = 0
    for good, count in enumerate(foreign):
        goods[good] -= count
        state.reserve[good] += count
    if any(foreign):
        recorder.record(Confiscated(city=state.guild_city, pieces=goods_word(foreign)))
    visitors = [seat for seat in state.order if state.players[seat].city == state.guild_city]
    if not visitors:
        return
    frame = Taxing([], [None] * len(state.players))
    for seat in visitors:
        cargo = goods_word(state.players[seat].goods)
        if state.rules.hidden or len(set(cargo)) > 1:
            frame.asked.append(seat)
        else:
            frame.chosen[seat] = cargo[:1]
    state.frames.append(frame)
    if not frame.asked:
        _collect(state, frame, recorder)


def taxes_of(state: KoggeState, seat: Seat) -> Bundle:
    """Return the possible taxes: any one good (difference 27), none if the ship is empty (ruling
    38)."""
    goods = state.players[seat].goods
    due = min(1, sum(goods))
    return Bundle("pieces", GOOD_LETTERS, tuple(goods), due, due)


def _tax(state: KoggeState, seat: Seat, recorder: EventRecorder, good: str) -> None:
    """Make a sealed choice. After the last one, all pay at once."""
    frame = frame_of(state, Taxing)
    frame.chosen[seat] = good
    if any(frame.chosen[other] is None for other in frame.asked):
        recorder.record(TaxChosen(seat=seat, pieces=good, only=(seat,)))
        return
    state.decision += 1
    _collect(state, frame, recorder)


def _collect(state: KoggeState, frame: Taxing, recorder: EventRecorder) -> None:
    """Move the taxes to the reserve.

    With hidden goods, only the payer sees what they paid, but the total is public, because the
    reserve is.
    """
    state.frames.pop()
    payers = [seat for seat in state.order if frame.chosen[seat] is not None]
    paid = ""
    for seat in payers:
        word = frame.chosen[seat] or ""
        pay(state, seat, word)
        paid += word
        only = (seat,) if state.rules.hidden else ()
        recorder.record(TaxPaid(seat=seat, pieces=word, only=only))
    if state.rules.hidden:
        paid = "".join(sorted(paid, key=PIECE_LETTERS.index))
        recorder.record(TaxPaidSecretly(seats=tuple(payers), pieces=paid))
        drop_offers_of(state, payers, recorder)


ADVANCE: Rule[KoggeState] = (
    rule("advance", GUILD_MASTER).word("steps", lambda *_: STEPS).does(_advance)
)
TAX: Rule[KoggeState] = rule("tax", TAXES).word("pieces", taxes_of).does(_tax)
