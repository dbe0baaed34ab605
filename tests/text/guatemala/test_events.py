"""Events in words."""

from __future__ import annotations

import pytest

from bot.game.contract import Event
from bot.game.events import TurnEnded
from bot.game.guatemala import GAME
from bot.game.guatemala.buying import PieceBought
from bot.game.guatemala.moving import BuyerMoved
from bot.game.guatemala.sacks import Blocked
from bot.game.guatemala.scoring import Harvested
from bot.text.words import Forms, placeholders
from tests.game.guatemala.positions import harvest, play, table
from tests.text.guatemala.tables import EN, NAMES, TEXT


def heard(events: list[Event], seat: int = 3) -> list[str]:
    """What a seat is told of events."""
    return TEXT.story(EN, [event for event in events if event.heard_by(seat)], NAMES)


DERIVED = {
    "colour": {"sack", "hut", "ship", "plantation"},
    "piece": {"item"},
    "price": {"cost"},
    "position": {"side"},
}


@pytest.mark.parametrize("kind", GAME.events)
def test_templates_ask_only_for_fields_of_the_event(kind: str) -> None:
    fields = set(GAME.events[kind].__struct_fields__)
    known = fields | {name for each in fields & {*DERIVED} for name in DERIVED[each]}
    for line in TEXT.templates[kind].lines:
        texts = line.text if isinstance(line.text, Forms) else (line.text,)
        for text in texts:
            assert placeholders(text) <= known


def test_a_turn_of_buying_is_one_line() -> None:
    events: list[Event] = [
        BuyerMoved(seat=3, steps=2, position="r5", paid=0),
        PieceBought(seat=3, piece="worker", colour="red", space="52", place="c3", price=3),
        PieceBought(seat=3, piece="ship", colour="beige", space="53", place="port2", price=2),
        PieceBought(seat=3, piece="road", colour="", space="54", place="b1-c1", price=0),
        TurnEnded(seat=3),
    ]
    assert heard(events) == [
        r"**Do\_ra**: buyer → right 5 · 👷 red worker → **c3** (−3) · "
        "🚢 beige ship → Port 2 (−2) · 🛤️ road → **b1-c1**."
    ]


def test_a_fourth_step_is_said_to_be_paid() -> None:
    moved = BuyerMoved(seat=0, steps=4, position="l1", paid=2)
    assert heard([moved]) == ["**Anna**: buyer → left 1 (−2)."]


def test_a_harvest_is_told_in_two_sentences() -> None:
    state = table(
        seats=4,
        buyer="r4",
        sack="red",
        hands=("white",),
        huts=({"red": "d2"}, {"red": "a2"}),
        workers=({"red": "d1 c1"}, {"red": "a1"}),
        ships={"port1": "red"},
        roads="b1-c1 c1-c2",
    )
    assert heard(harvest(state)) == [
        "**Anna**: takes the red sack (+8 centavos).",
        "☕ Nobody blocks; **Anna**: 4 points (2 red workers ×2); **Bob**: 1 point (1 red worker); "
        "a red ship leaves Port 1.",
        "**Anna**: puts a white sack on **43**.",
    ]


def test_where_nobody_scores_that_is_said() -> None:
    state = table(buyer="r4", sack="red", hands=("white",))
    assert heard(harvest(state))[1] == "☕ Nobody blocks; no red plantation scores."


def test_a_block_is_told_of_the_one_that_counts_alone() -> None:
    state = table(seats=4, buyer="r4", sack="red", hands=("", "white", "red", "red"))
    events = play(state, 0, "take")
    sealed = play(state, 3, "block yes")
    assert heard(sealed, 0) == []
    assert heard(sealed, 3) == ["Your answer: block. Nobody else knows it."]
    events = play(state, 1, "block no") + play(state, 2, "block yes")
    assert heard(events, 0) == ["**Cleo**: blocks with a red sack on **43**: nobody scores."]


def test_an_empty_hand_draws_and_an_empty_bag_leaves_the_space_empty() -> None:
    state = table(buyer="r4", sack="red", bag="black")
    assert heard(harvest(state))[-1].startswith("**Anna**: puts a black sack of the bag on")
    state = table(buyer="r4", sack="red", bag="")
    assert heard(harvest(state))[-1].startswith("**Anna**: leaves **43** empty")


def test_large_harvests_and_blocks_are_remembered_best() -> None:
    small = Harvested(seat=0, colour="red", workers=2, times=1, points=2)
    large = Harvested(seat=0, colour="red", workers=9, times=4, points=36)
    block = Blocked(seat=1, colour="red", space="43")
    assert [TEXT.weight(each) for each in (TurnEnded(seat=0), small, block, large)] == [0, 1, 3, 9]
