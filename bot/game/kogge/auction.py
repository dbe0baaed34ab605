"""Phase 1: the pairs for sale, the auction, supply and the order of play."""

from __future__ import annotations

from typing import ClassVar

from bot.game.choices import Bundle
from bot.game.contract import Event, Refusal, Seat
from bot.game.events import SeatEvent, SeatsEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.kogge.common import OfPieces, spend, tell
from bot.game.kogge.data import CHIT_KEYS, CITIES, CITY_GOOD, CONTENT, GOOD_KEYS, MARKER_LETTERS
from bot.game.kogge.deals import drop_offers_of
from bot.game.kogge.state import Auction, GuildMaster, KoggeState

TOPIC = "auction"
EXTRA_MARKER = CHIT_KEYS.index("marker")

Rank = tuple[int, int, int, tuple[int, ...], int]


class RoundStarted(Event, frozen=True):
    """A new round, by its number."""

    kind: ClassVar[str] = "round_began"
    count: int


class OrderSet(SeatsEvent, frozen=True):
    """The order of play."""


class ExtraMarker(SeatEvent, frozen=True):
    """A marker drawn by a bonus chit."""

    marker: int


class ExtraMarkerSecretly(SeatEvent, frozen=True):
    """Its number is not told."""


class PairsLaidOut(Event, frozen=True):
    """The pairs for sale, as words of two markers."""

    pairs: tuple[str, ...]


class Bid(OfPieces, frozen=True):
    """A bid in the auction."""


class NoBid(SeatEvent, frozen=True):
    """A seat can make no bid."""


class Supplied(Event, frozen=True):
    """New goods in a city; `seats` are the owners whose offices received one each."""

    city: int
    good: str
    count: int
    seats: tuple[Seat, ...]


class SupplyShort(Event, frozen=True):
    """A city is due this many goods that the reserve does not have."""

    city: int
    good: str
    count: int


def rank(bid: str) -> Rank:
    """How good a bid is; a greater rank is better (ruling 5).

    Two or more identical markers beat everything else: more of them are better, then a higher
    number. All other bids compare by sum, then by their highest marker, the next highest and so
    on, then by the number of markers.
    """
    numbers = tuple(sorted((int(letter) for letter in bid), reverse=True))
    if len(numbers) > 1 and numbers[0] == numbers[-1]:
        return (1, len(numbers), numbers[0], (), 0)
    return (0, 0, sum(numbers), numbers, len(numbers))


def begin_round(state: KoggeState, recorder: EventRecorder) -> None:
    """Leftover pairs go back, the +1-marker chits draw, then the new pairs are laid out.

    The chits draw first, in order of play (rulings 36 and 44); from a short bag only whole pairs.
    """
    state.round += 1
    recorder.tell(RoundStarted(count=state.round))
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
    recorder.tell(PairsLaidOut(pairs=tuple(state.display)))
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
    tell(recorder, event, ExtraMarkerSecretly, (seat,), secret=covered)
    if covered:
        drop_offers_of(state, (seat,), recorder)


def can_bid(state: KoggeState, seat: Seat) -> bool:
    """Whether the seat holds a bid that nobody has made."""
    markers = state.players[seat].markers
    # Bids of different lengths differ, so a hand larger than the number of bids made has one.
    count = sum(markers)
    if count > len(state.bids) - state.bids.count(""):
        return True
    return count > 0 and next(_bundle(state, seat).each(), None) is not None


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
    recorder.tell(Bid(seat=seat, pieces=markers))


def settle_auction(state: KoggeState, frame: Auction, recorder: EventRecorder) -> bool:
    """Skip seats that cannot bid; after the last one supply the cities and set the order.

    Returns whether anything changed.
    """
    if frame.at == len(state.order):
        _supply(state, recorder)
        _set_order(state, recorder)
        state.frames = [GuildMaster()]
        return True
    seat = state.order[frame.at]
    if can_bid(state, seat):
        return False
    recorder.tell(NoBid(seat=seat))
    frame.at += 1
    return True


def _supply(state: KoggeState, recorder: EventRecorder) -> None:
    """Two goods for each marker played, cities 8 down to 0, one to each office first.

    A city takes what the reserve still has (ruling 9). With two offices and one good, the good
    goes to the city; offices get one each a round, not one a marker (ruling 8).
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
        recorder.tell(
            Supplied(
                city=number,
                good=GOOD_KEYS[good],
                count=count,
                seats=tuple(office.seat for office in served),
            )
        )
        if count < due:
            recorder.tell(SupplyShort(city=number, good=GOOD_KEYS[good], count=due - count))


def _set_order(state: KoggeState, recorder: EventRecorder) -> None:
    """The best bid plays first; seats without one come last in their previous order (ruling 7)."""
    state.order.sort(key=lambda seat: rank(state.bids[seat]), reverse=True)
    for letter in "".join(state.bids):
        state.bag[int(letter)] += 1
    recorder.tell(OrderSet(seats=tuple(state.order)))


BID: Rule[KoggeState] = rule("bid", TOPIC).word("markers", _bundle, _why_not).does(_bid)
