"""The guild master: in phase 2 the first player moves it, which brings goods and ends the game; in
phase 3B b ships deal with it, one of four deals a turn, of one piece or set (ruling 22).

By advanced rule A it takes taxes in the city where it stops.
"""

from __future__ import annotations

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Event, Refusal, Seat
from bot.game.events import SeatEvent, SeatsEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, refuse_for, rule
from bot.game.kogge.common import (
    InCity,
    OfPieces,
    development_points,
    end_game,
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
    MARKER_LETTERS,
    PIECE_LETTERS,
    goods_word,
)
from bot.game.kogge.deals import drop_offers_of
from bot.game.kogge.state import KoggeState, Movement, Taxing

TOPIC, TAXES, DEALS = "guild_master", "taxes", "guild_deals"


class GuildMasterMoved(InCity, frozen=True):
    """The guild master has moved to a city, this many steps on."""

    count: int


class GuildMasterBrought(Event, frozen=True):
    """The guild master has brought goods to the city."""

    city: int
    good: str
    count: int


class LapCompleted(Event, frozen=True):
    """The number of the lap."""

    count: int


class Confiscated(Event, frozen=True):
    """Foreign goods of a city go to the reserve."""

    city: int
    pieces: str


class TaxChosen(OfPieces, frozen=True):
    """The secret choice of a tax."""


class TaxPaid(OfPieces, frozen=True):
    """A tax; nothing from an empty ship."""


class TaxPaidSecretly(SeatsEvent, frozen=True):
    """Who paid, and what came in altogether."""

    pieces: str


def walk(state: KoggeState, steps: int) -> tuple[int, int]:
    """Where `steps` lead the guild master, and how often that reaches or passes the end marker.

    Cities with any Raid do not count as steps, but walking over the end marker there counts (ruling
    12). Where every other city is raided, a step leads around to its own (ruling 58).
    """
    city, laps = state.guild_city, 0
    while steps:
        city = (city + 1) % CITIES
        laps += city == state.end_city
        steps -= not state.cities[city].raids
    return city, laps


def _advance(state: KoggeState, seat: Seat, recorder: EventRecorder, steps: str) -> None:
    """The second lap ends the game at once: no more goods are brought (ruling 13)."""
    state.guild_city, passed = walk(state, int(steps))
    recorder.tell(GuildMasterMoved(seat=seat, city=state.guild_city, count=int(steps)))
    for _ in range(passed):
        state.laps += 1
        recorder.tell(LapCompleted(count=state.laps))
        if state.laps == CONTENT.laps_to_end:
            end_game(state, "laps", recorder)
            return
    good = CITY_GOOD[state.guild_city]
    count = min(CONTENT.guild_goods, state.reserve[good])
    state.reserve[good] -= count
    state.cities[state.guild_city].goods[good] += count
    recorder.tell(GuildMasterBrought(city=state.guild_city, good=GOOD_KEYS[good], count=count))
    state.frames = [Movement(state.players[seat].city)]
    if state.rules.taxes:
        begin_taxes(state, recorder)


def begin_taxes(state: KoggeState, recorder: EventRecorder) -> None:
    """Foreign goods of the city are confiscated; then each ship there owes one good.

    The guild master's own two goods have been laid before (ruling 65). What waits in offices
    belongs to their owners and is left alone. Ships that come later in the round owe nothing. With
    open goods only those who have a choice are asked; with hidden goods everyone there, even with
    one kind or none, so that being asked reveals nothing (ruling 60).
    """
    goods = state.cities[state.guild_city].goods
    foreign = goods[:]
    foreign[CITY_GOOD[state.guild_city]] = 0
    for good, count in enumerate(foreign):
        goods[good] -= count
        state.reserve[good] += count
    if any(foreign):
        recorder.tell(Confiscated(city=state.guild_city, pieces=goods_word(foreign)))
    there = [seat for seat in state.order if state.players[seat].city == state.guild_city]
    if not there:
        return
    frame = Taxing([], [None] * len(state.players))
    for seat in there:
        cargo = goods_word(state.players[seat].goods)
        if state.rules.hidden or len(set(cargo)) > 1:
            frame.asked.append(seat)
        else:
            frame.chosen[seat] = cargo[:1]
    state.frames.append(frame)
    if not frame.asked:
        _collect(state, frame, recorder)


def taxes_of(state: KoggeState, seat: Seat) -> Bundle:
    """One good of the owner's choice (difference 27); nothing from an empty ship (ruling 38)."""
    goods = state.players[seat].goods
    due = min(1, sum(goods))
    return Bundle("pieces", GOOD_LETTERS, tuple(goods), due, due)


def _tax(state: KoggeState, seat: Seat, recorder: EventRecorder, good: str) -> None:
    """A sealed choice; after the last one all pay at once."""
    frame = frame_of(state, Taxing)
    frame.chosen[seat] = good
    if any(frame.chosen[other] is None for other in frame.asked):
        recorder.tell(TaxChosen(seat=seat, pieces=good, only=(seat,)))
        return
    state.decision += 1
    _collect(state, frame, recorder)


def _collect(state: KoggeState, frame: Taxing, recorder: EventRecorder) -> None:
    """The goods go to the reserve.

    With hidden goods only the payer hears what they paid; the total is visible in the reserve,
    which lies open.
    """
    state.frames.pop()
    payers = [seat for seat in state.order if frame.chosen[seat] is not None]
    paid = ""
    for seat in payers:
        word = frame.chosen[seat] or ""
        pay(state, seat, word)
        paid += word
        only = (seat,) if state.rules.hidden else ()
        recorder.tell(TaxPaid(seat=seat, pieces=word, only=only))
    if state.rules.hidden:
        paid = "".join(sorted(paid, key=PIECE_LETTERS.index))
        recorder.tell(TaxPaidSecretly(seats=tuple(payers), pieces=paid))
        drop_offers_of(state, payers, recorder)


ADVANCE: Rule[KoggeState] = (
    rule("advance", TOPIC).word("steps", lambda *_: OneOf("steps", ("1", "2"))).does(_advance)
)
TAX: Rule[KoggeState] = rule("tax", TAXES).word("pieces", taxes_of).does(_tax)


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
    there = state.players[seat].city == state.guild_city
    return None if there else refuse("no_guild_master", city=state.guild_city)


WITH_GUILD_MASTER = (_there, once("guild"))
"""The gates of every deal."""


# Three markers for a Raid

THREE_ALIKE = refuse("needs_three_alike", count=CONTENT.raid_price)


def _raid_marker_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    if state.players[seat].bought_raid:
        return refuse("raid_already_bought")
    return None if _three_alike(state, seat).values else THREE_ALIKE


def _three_alike(state: KoggeState, seat: Seat) -> OneOf:
    markers = state.players[seat].markers
    return OneOf("marker", tuple(w for w in held(markers) if markers[int(w)] >= CONTENT.raid_price))


def _buy_raid_marker(state: KoggeState, seat: Seat, recorder: EventRecorder, marker: str) -> None:
    use(state, "guild")
    player, paid = state.players[seat], marker * CONTENT.raid_price
    pay(state, seat, paid)
    player.bought_raid = True
    player.raids += 1
    recorder.tell(RaidMarkerBought(seat=seat, pieces=paid))


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
    short = not _good_to_swap(state, seat).values
    return refuse("bag_short", good=GOOD_KEYS[goods.index(max(goods))]) if short else None


def _good_to_swap(state: KoggeState, seat: Seat) -> OneOf:
    goods = state.players[seat].goods
    words = [GOOD_KEYS[g] for g in range(GOODS) if goods[g] and markers_of(g, state.bag)]
    return OneOf("good", tuple(words))


def _why_not_swap_good(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    return refuse("bag_short", good=word) if state.players[seat].goods[GOOD_OF_KEY[word]] else None


def _marker_of_colour(state: KoggeState, seat: Seat, good: str) -> OneOf:
    """The buyer sees which numbers of that colour the bag holds (ruling 45)."""
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
    good = GOOD_KEYS[CITY_GOOD[int(word)]]
    return refuse("reserve_short", good=good) if state.players[seat].markers[int(word)] else None


def _swap_marker(state: KoggeState, seat: Seat, recorder: EventRecorder, marker: str) -> None:
    use(state, "guild")
    good = CITY_GOOD[int(marker)]
    pay(state, seat, marker)
    state.reserve[good] -= 1
    gain(state.players[seat], GOOD_LETTERS[good])
    recorder.tell(MarkerExchanged(seat=seat, marker=int(marker), good=GOOD_KEYS[good]))


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
