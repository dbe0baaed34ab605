"""Phase 2: the first player moves the guild master, who brings goods and ends the game.

By advanced rule A it takes taxes in the city where it stops.
"""

from __future__ import annotations

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Event, Seat
from bot.game.events import SeatsEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.kogge.common import InCity, OfPieces, always, end_game, pay
from bot.game.kogge.data import (
    CITIES,
    CITY_GOOD,
    CONTENT,
    GOOD_KEYS,
    GOOD_LETTERS,
    PIECE_LETTERS,
    goods_word,
)
from bot.game.kogge.offers import drop_offers_of
from bot.game.kogge.state import KoggeState, Movement, Taxing

TOPIC = "guild_master"


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


def _steps(state: KoggeState, seat: Seat) -> OneOf:
    return OneOf("steps", ("1", "2"))


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


TAXES = "taxes"


def begin_taxes(state: KoggeState, recorder: EventRecorder) -> None:
    """Foreign goods of the city are confiscated; then each ship there owes one good.

    The guild master's own two goods have been laid before (ruling 65). What waits in offices
    belongs to their owners and is left alone. Ships that come later in the round owe nothing. With
    open goods only those who have a choice are asked; with hidden goods everyone there, even with
    one kind or none, so that being asked reveals nothing (ruling 60).
    """
    _confiscate(state, recorder)
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


def _confiscate(state: KoggeState, recorder: EventRecorder) -> None:
    """Goods that the city does not produce go to the reserve."""
    goods = state.cities[state.guild_city].goods
    foreign = goods[:]
    foreign[CITY_GOOD[state.guild_city]] = 0
    if not any(foreign):
        return
    for good, count in enumerate(foreign):
        goods[good] -= count
        state.reserve[good] += count
    recorder.tell(Confiscated(city=state.guild_city, pieces=goods_word(foreign)))


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
        if state.rules.hidden:
            recorder.tell(TaxPaid(seat=seat, pieces=word, only=(seat,)))
        else:
            recorder.tell(TaxPaid(seat=seat, pieces=word))
    if state.rules.hidden:
        paid = "".join(sorted(paid, key=PIECE_LETTERS.index))
        recorder.tell(TaxPaidSecretly(seats=tuple(payers), pieces=paid))
        drop_offers_of(state, payers, recorder)


ADVANCE: Rule[KoggeState] = rule("advance", TOPIC, always).word("steps", _steps).does(_advance)
TAX: Rule[KoggeState] = rule("tax", TAXES, always).word("pieces", taxes_of).does(_tax)
