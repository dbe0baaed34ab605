"""Standing orders for what needs no thought: what they answer, and that it tells nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.choices import Done
from bot.game.contract import SPECTATOR, Action, Decision
from bot.game.flandern import GAME
from bot.game.flandern.state import FlandernState
from bot.policy.contract import Legal
from bot.policy.flandern.orders import ORDERS
from bot.policy.random import random_policy

STEPS = 400


def ordered(name: str, state: FlandernState, decision: Decision) -> Action | None:
    """What a seat answers by an order."""
    legal = partial(GAME.legal, state, decision.seat)
    return ORDERS[name].answer(GAME.view(state, decision.seat), decision, legal, "on")


def whole(legal: Legal, prefix: Action = ()) -> Iterator[Action]:
    """All actions that are legal."""
    choices = legal(prefix)
    if isinstance(choices, Done):
        yield prefix
        return
    for word in choices.each():
        yield from whole(legal, (*prefix, word))


def asked(seats: int) -> Iterator[tuple[FlandernState, Decision]]:
    """The decisions of some random games."""
    rng, policy, state = Random(seats), random_policy(GAME.moves), None
    for _ in range(STEPS):
        if state is None or GAME.outcome(state) is not None:
            state = GAME.setup(seats, {}, RandomChance(rng))
        decision = next(each for each in GAME.pending(state) if not each.optional)
        yield state, decision
        legal = partial(GAME.legal, state, decision.seat)
        GAME.apply(state, decision.seat, policy(None, decision, legal, rng), RandomChance(rng))


@pytest.mark.parametrize(("seats", "kinds"), [(2, {"turn", "city"}), (4, {"choose", "city"})])
def test_what_is_forced_is_answered_and_nothing_else(seats: int, kinds: set[str]) -> None:
    answered: Counter[str] = Counter()
    for state, decision in asked(seats):
        actions = [*islice(whole(partial(GAME.legal, state, decision.seat)), 2)]
        forced = len(actions) == 1 and actions != [("look",)]
        expected = actions[0] if forced else None
        assert ordered("forced", state, decision) == expected
        answered[decision.kind] += expected is not None
    assert kinds <= {kind for kind, times in answered.items() if times}


@pytest.mark.parametrize("seats", [2, 4])
def test_all_could_know_whether_an_order_answers(seats: int) -> None:
    rng = Random(seats)
    for state, decision in asked(seats):
        twin = GAME.resample(state, SPECTATOR, rng)
        for name in ORDERS:
            assert ordered(name, twin, decision) == ordered(name, state, decision)


def test_a_card_of_the_deck_can_be_drawn_before_one_of_the_hand_is_played() -> None:
    state = GAME.setup(2, {"guilds": "drawn"}, RandomChance(Random(1)))
    (decision,) = GAME.pending(state)
    assert ordered("draw_first", state, decision) == ("draw",)
    GAME.apply(state, decision.seat, ("draw",), RandomChance(Random(1)))
    (decision,) = GAME.pending(state)
    assert ordered("draw_first", state, decision) is None
