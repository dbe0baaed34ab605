"""Phase 3B b: deal with the guild master: one of four a turn, of one piece or set (ruling 22)."""

from __future__ import annotations

from bot.game.choices import OneOf
from bot.game.contract import Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.kogge.common import (
    OfPieces,
    development_points,
    end_if_developed,
    gain,
    held,
    markers_of,
    once,
    pay,
    use,
)
from bot.game.kogge.data import (
    CHIT_KEYS,
    CITIES,
    CITY_GOOD,
    CONTENT,
    GOOD_KEYS,
    GOOD_LETTERS,
    GOOD_OF_KEY,
    GOODS,
    LETTER_OF,
    number_of,
)
from bot.game.kogge.state import KoggeState

TOPIC = "guild_deals"


class RaidMarkerBought(OfPieces, frozen=True):
    """The second Raid."""


class ChitBought(SeatEvent, frozen=True):
    """A bonus chit; `points` are the development points that its owner has now."""

    chit: str
    pieces: str
    points: int


class GoodExchanged(SeatEvent, frozen=True):
    """A good given to the guild master for a marker."""

    good: str
    marker: int


class MarkerExchanged(SeatEvent, frozen=True):
    """A marker given to the guild master for a good."""

    marker: int
    good: str


def _there(state: KoggeState, seat: Seat) -> Refusal | None:
    """A ship deals with the guild master in the city where it is (rules: guild_deals)."""
    if state.players[seat].city != state.guild_city:
        return refuse("no_guild_master", city=state.guild_city)
    return None


WITH_GUILD_MASTER = (_there, once("guild"))
"""The gates of every deal."""


# Three markers for a Raid


def _raid_marker_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    if state.players[seat].bought_raid:
        return refuse("raid_already_bought")
    alike = _three_alike(state, seat).values
    return None if alike else refuse("needs_three_alike", count=CONTENT.raid_price)


def _three_alike(state: KoggeState, seat: Seat) -> OneOf:
    markers = state.players[seat].markers
    return OneOf("marker", tuple(w for w in held(markers) if markers[int(w)] >= CONTENT.raid_price))


def _why_not_three(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    if number_of(word) is None:
        return None
    return refuse("needs_three_alike", count=CONTENT.raid_price)


def _buy_raid_marker(state: KoggeState, seat: Seat, recorder: EventRecorder, marker: str) -> None:
    use(state, "guild")
    paid = marker * CONTENT.raid_price
    pay(state, seat, paid)
    player = state.players[seat]
    player.bought_raid = True
    player.raids += 1
    recorder.tell(RaidMarkerBought(seat=seat, pieces=paid))


# Six goods for a chit


def _chit_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    if not any(state.chits):
        return refuse("all_chits_gone", "chits")
    alike = _six_alike(state, seat).values
    return None if alike else refuse("needs_six_alike", count=CONTENT.bonus_price)


def _six_alike(state: KoggeState, seat: Seat) -> OneOf:
    goods = zip(GOOD_KEYS, state.players[seat].goods, strict=True)
    return OneOf("good", tuple([key for key, count in goods if count >= CONTENT.bonus_price]))


def _why_not_six(state: KoggeState, seat: Seat, word: str) -> Refusal:
    return refuse("needs_six_alike", count=CONTENT.bonus_price)


def _chit(state: KoggeState, seat: Seat, good: str) -> OneOf:
    return OneOf("chit", tuple(key for key, n in zip(CHIT_KEYS, state.chits, strict=True) if n))


def _why_not_chit(state: KoggeState, seat: Seat, good: str, word: str) -> Refusal:
    return refuse("chits_gone", "chits", chit=word)


def _buy_chit(state: KoggeState, seat: Seat, recorder: EventRecorder, good: str, chit: str) -> None:
    use(state, "guild")
    paid = LETTER_OF[good] * CONTENT.bonus_price
    pay(state, seat, paid)
    kind = CHIT_KEYS.index(chit)
    state.chits[kind] -= 1
    state.players[seat].chits[kind] += 1
    points = development_points(state, seat)
    recorder.tell(ChitBought(seat=seat, chit=chit, pieces=paid, points=points))
    end_if_developed(state, seat, recorder)


# A good for a marker


def _swap_good_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    goods = state.players[seat].goods
    if not any(goods):
        return refuse("nothing_to_pay")
    if _good_to_swap(state, seat).values:
        return None
    return refuse("bag_short", good=GOOD_KEYS[goods.index(max(goods))])


def _good_to_swap(state: KoggeState, seat: Seat) -> OneOf:
    goods = state.players[seat].goods
    words = [GOOD_KEYS[g] for g in range(GOODS) if goods[g] and markers_of(g, state.bag)]
    return OneOf("good", tuple(words))


def _why_not_swap_good(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    held = word in GOOD_KEYS and state.players[seat].goods[GOOD_OF_KEY[word]]
    return refuse("bag_short", good=word) if held else None


def _marker_of_colour(state: KoggeState, seat: Seat, good: str) -> OneOf:
    """The buyer sees which numbers of that colour the bag holds (ruling 45)."""
    return OneOf("marker", markers_of(GOOD_OF_KEY[good], state.bag))


def _why_not_of_colour(state: KoggeState, seat: Seat, good: str, word: str) -> Refusal | None:
    number = number_of(word)
    if number is None or number >= CITIES:
        return None
    if CITY_GOOD[number] != GOOD_OF_KEY[good]:
        return refuse("wrong_colour", marker=number, good=good)
    return refuse("bag_lacks_marker", marker=number)


def _swap_good(
    state: KoggeState, seat: Seat, recorder: EventRecorder, good: str, marker: str
) -> None:
    use(state, "guild")
    pay(state, seat, LETTER_OF[good])
    state.bag[int(marker)] -= 1
    gain(state.players[seat], marker)
    recorder.tell(GoodExchanged(seat=seat, good=good, marker=int(marker)))


# A marker for a good


def _swap_marker_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    markers = state.players[seat].markers
    if not any(markers):
        return refuse("no_markers")
    if _marker_to_swap(state, seat).values:
        return None
    return refuse("reserve_short", good=GOOD_KEYS[CITY_GOOD[markers.index(max(markers))]])


def _marker_to_swap(state: KoggeState, seat: Seat) -> OneOf:
    words = held(state.players[seat].markers)
    return OneOf("marker", tuple(w for w in words if state.reserve[CITY_GOOD[int(w)]]))


def _why_not_swap_marker(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    if word in held(state.players[seat].markers):
        return refuse("reserve_short", good=GOOD_KEYS[CITY_GOOD[int(word)]])
    return None


def _swap_marker(state: KoggeState, seat: Seat, recorder: EventRecorder, marker: str) -> None:
    use(state, "guild")
    good = CITY_GOOD[int(marker)]
    pay(state, seat, marker)
    state.reserve[good] -= 1
    gain(state.players[seat], GOOD_LETTERS[good])
    recorder.tell(MarkerExchanged(seat=seat, marker=int(marker), good=GOOD_KEYS[good]))


BUY_RAID: Rule[KoggeState] = (
    rule("buy_raid", TOPIC, *WITH_GUILD_MASTER, _raid_marker_gate)
    .word("marker", _three_alike, _why_not_three)
    .does(_buy_raid_marker)
)
SELL_SIX: Rule[KoggeState] = (
    rule("sell_six", TOPIC, *WITH_GUILD_MASTER, _chit_gate)
    .word("good", _six_alike, _why_not_six, GOOD_KEYS)
    .word("chit", _chit, _why_not_chit, CHIT_KEYS)
    .does(_buy_chit)
)
SWAP_GOOD: Rule[KoggeState] = (
    rule("swap_good", TOPIC, *WITH_GUILD_MASTER, _swap_good_gate)
    .word("good", _good_to_swap, _why_not_swap_good)
    .word("marker", _marker_of_colour, _why_not_of_colour)
    .does(_swap_good)
)
SWAP_MARKER: Rule[KoggeState] = (
    rule("swap_marker", TOPIC, *WITH_GUILD_MASTER, _swap_marker_gate)
    .word("marker", _marker_to_swap, _why_not_swap_marker)
    .does(_swap_marker)
)
