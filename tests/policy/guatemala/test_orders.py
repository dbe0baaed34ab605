"""Standing orders about blocks: what they answer, and that it tells nothing of a hand."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from bot.game.contract import Action
from bot.game.guatemala import GAME
from bot.policy.guatemala.orders import ORDERS
from tests.game.guatemala.positions import harvest, play, table

PLANTED: dict[str, Any] = {"huts": [{}, {"red": "b2"}], "workers": [{}, {"red": "b3"}]}
"""A plantation of seat 1 that would score."""
OF_ANOTHER: dict[str, Any] = {kind: each[::-1] for kind, each in PLANTED.items()}
"""The same of seat 0."""


def ordered(name: str, value: str, **position: Any) -> Action | None:
    """What seat 1 answers by an order when seat 0 has taken a red sack."""
    state = table(buyer="t4", sack="red", **position)
    play(state, 0, "take")
    decision = next(each for each in GAME.pending(state) if each.seat == 1)
    legal = partial(GAME.legal, state, 1)
    return ORDERS[name].answer(GAME.view(state, 1), decision, legal, value)


@pytest.mark.parametrize(
    ("hand", "value", "answer"),
    [
        ("red red white", "1", "yes"),
        ("red red white", "2", "yes"),
        ("red red white", "3", "no"),
        ("white", "1", "no"),
        ("", "1", "no"),
    ],
)
def test_a_colour_is_blocked_while_so_many_sacks_are_held(
    hand: str, value: str, answer: str
) -> None:
    assert ordered("block_red", value, hands=["", hand]) == ("block", answer)
    assert ordered("block_white", value, hands=["", hand]) is None


@pytest.mark.parametrize(("hand", "answer"), [("red", "yes"), ("white white", "no")])
def test_points_of_others_alone_are_blocked(hand: str, answer: str) -> None:
    hands = ["", hand]
    assert ordered("block_scoreless", "on", hands=hands, **OF_ANOTHER) == ("block", answer)
    assert ordered("block_scoreless", "on", hands=hands, **PLANTED) is None
    # Where nobody scores, a block would only cost the sack.
    assert ordered("block_scoreless", "on", hands=hands) == ("block", "no")
    idle = ordered("block_scoreless", "on", hands=hands, huts=PLANTED["huts"])
    assert idle == ("block", "no")


@pytest.mark.parametrize("hand", ["red red red", ""])
def test_whoever_never_blocks_says_so_with_any_hand(hand: str) -> None:
    assert ordered("never_block", "on", hands=["", hand]) == ("block", "no")


def test_no_order_answers_another_question() -> None:
    state = table(buyer="t4", sack="red", hands=["red red", "red red"])
    harvest(state)
    (decision,) = GAME.pending(state)
    assert decision.kind == "refill"
    for order in ORDERS.values():
        for value in order.values:
            view, legal = GAME.view(state, 0), partial(GAME.legal, state, 0)
            assert order.answer(view, decision, legal, value) is None


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("position", [{}, PLANTED, OF_ANOTHER])
def test_whether_an_order_answers_tells_nothing_of_a_hand(
    name: str, position: dict[str, Any]
) -> None:
    for value in ORDERS[name].values:
        answered = {
            ordered(name, value, hands=["", hand], **position) is None
            for hand in ("red", "red red red", "white", "red white", "")
        }
        assert len(answered) == 1
