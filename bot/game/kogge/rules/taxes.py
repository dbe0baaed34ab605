"""Advanced rule A: the guild master takes taxes in the city where he stops."""

from __future__ import annotations

from bot.game.choices import Bundle
from bot.game.contract import Refusal, Seat
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.kogge.data import CITY_GOOD, GOOD_LETTERS, PIECE_LETTERS
from bot.game.kogge.events import Confiscated, TaxChosen, TaxPaid, TaxPaidSecretly
from bot.game.kogge.notation import goods_word
from bot.game.kogge.rules.common import pay
from bot.game.kogge.rules.lapsing import drop_offers_of
from bot.game.kogge.state import State, Taxing

TOPIC = "taxes"


def begin_taxes(state: State, recorder: EventRecorder) -> None:
    """Foreign goods of the city are confiscated; then each ship there owes one good.

    His own two goods have been laid before (ruling 65). What waits in offices belongs to their
    owners and is left alone. Ships that come later in the round owe nothing. With open goods only
    those who have a choice are asked; with hidden goods everyone there is, also with one kind or
    none, so that the asking tells nothing (ruling 60).
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


def _confiscate(state: State, recorder: EventRecorder) -> None:
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


def taxing(state: State) -> Taxing:
    """The taxes that are being chosen."""
    frame = state.frames[-1]
    assert isinstance(frame, Taxing)
    return frame


def _gate(state: State, seat: Seat) -> Refusal | None:
    return None


def taxes_of(state: State, seat: Seat) -> Bundle:
    """One good of the owner's choice (difference 27); nothing from an empty ship (ruling 38)."""
    goods = state.players[seat].goods
    due = min(1, sum(goods))
    return Bundle("pieces", GOOD_LETTERS, tuple(goods), due, due)


def _tax(state: State, seat: Seat, recorder: EventRecorder, good: str) -> None:
    """A sealed choice; after the last one all pay at once."""
    frame = taxing(state)
    frame.chosen[seat] = good
    if any(frame.chosen[other] is None for other in frame.asked):
        recorder.tell(TaxChosen(seat=seat, pieces=good, only=(seat,)))
        return
    state.decision += 1
    _collect(state, frame, recorder)


def _collect(state: State, frame: Taxing, recorder: EventRecorder) -> None:
    """The goods go to the reserve.

    With hidden goods only the payer hears what was his; what came in altogether is plain from
    the reserve, which lies open.
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


TAX: Rule[State] = rule("tax", TOPIC, _gate).word("pieces", taxes_of).does(_tax)
