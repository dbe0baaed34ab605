"""Phase 3B c: buy a pair of route markers."""

from __future__ import annotations

from bot.game.choices import OneOf
from bot.game.contract import Action, Refusal, Seat
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.kogge.data import GOOD_KEYS, GOOD_LETTERS, GOODS
from bot.game.kogge.events import PairBought
from bot.game.kogge.notation import GOOD_OF_KEY, number_of
from bot.game.kogge.rules.common import gain, pay, use, used
from bot.game.kogge.state import State

TOPIC = "buying"


def _buy_gate(state: State, seat: Seat) -> Refusal | None:
    refusal = used(state, "buy", TOPIC)
    if refusal is not None:
        return refusal
    if not any(state.players[seat].goods):
        return Refusal("nothing_to_pay", TOPIC)
    return None if any(state.display) else Refusal("pairs_gone", TOPIC)


def _pair(state: State, seat: Seat) -> OneOf:
    return OneOf("pair", tuple(str(n) for n, pair in enumerate(state.display, 1) if pair))


def _any_good(state: State, seat: Seat, pair: str) -> OneOf:
    goods = state.players[seat].goods
    return OneOf("good", tuple(GOOD_KEYS[good] for good in range(GOODS) if goods[good]))


def _why_not_buy(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    number = number_of(word)
    if len(prefix) == 1 and number is not None and 0 < number <= len(state.display):
        return Refusal("pair_sold", TOPIC, {"count": number})
    return None


def _buy(state: State, seat: Seat, recorder: EventRecorder, pair: str, good: str) -> None:
    use(state, "buy")
    pay(state, seat, GOOD_LETTERS[GOOD_OF_KEY[good]])
    bought = state.display[int(pair) - 1]
    state.display[int(pair) - 1] = ""
    gain(state.players[seat], bought)
    recorder.tell(PairBought(seat=seat, pieces=bought, good=good))


BUY: Rule[State] = (
    rule("buy", TOPIC, _buy_gate)
    .word("pair", _pair)
    .word("good", _any_good)
    .does(_buy, explain=_why_not_buy)
)
