"""Refusals in words."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.contract import Fact, IllegalAction, Refusal
from bot.game.guatemala import GAME
from bot.game.guatemala.production import POSITION_NAMES, SPACE_NAMES
from bot.text.game_data import topics
from bot.text.guatemala.speech import PLACES
from tests.game.guatemala.positions import table
from tests.text.guatemala.tables import EN, NAMES, TEXT, moments

TYPED = (*PLACES, *SPACE_NAMES * 4, *POSITION_NAMES, "yes", "red", "4", "x" * 90)


def said(code: str, **facts: Fact) -> str:
    return TEXT.refusal(EN, Refusal(code, "overview", facts), NAMES)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("buy 61", "**61** is not in the line that the buyer faces."),
        ("buy 43", "A sack lies on **43**, and sacks are not for sale."),
        ("buy 45 h2", "**h2** is a hut cell, which no worker may use."),
        ("buy 45 port1", "Port 1 is no place for a worker: workers and huts stand on cells"),
        ("buy 42 h1", "**h1** is no hut cell, and huts stand on nothing else."),
        ("buy 49 c3", "That costs 3 centavos, and you have 2 centavos."),
        ("buy 46 h9", "**h9** does not touch your red plantation"),
        ("buy 47 e7", "On **e7** it would touch the brown plantation of **Bob**"),
        ("buy 46 e9", "Something stands on **e9** already."),
        ("buy 41", "There is no place where you could put a beige ship and pay for it"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_can_be_done(line: str, told: str) -> None:
    state = table(
        buyer="r4",
        sack="red",
        money=2,
        workers=({"red": "e9"}, {"brown": "e6"}),
        ships={"port1": "black white"},
    )
    with pytest.raises(IllegalAction) as caught:
        GAME.legal(state, 0, tuple(line.split()))
    text = TEXT.refusal(EN, caught.value.refusal, NAMES)
    assert text.startswith(told)
    assert text.endswith(".")


def test_what_somebody_cannot_pay_or_take_is_told_with_a_way_out() -> None:
    assert said("fourth_step_unpaid", money=1, price=2) == (
        "A fourth step costs 2 centavos, and you have 1 centavo. Go up to three steps."
    )
    assert said("hut_built", colour="white").startswith("You have a white hut already")
    assert said("no_sack_to_block", colour="red").startswith("You have no red sack to block with.")
    assert said("path_closed", place="a2").startswith("**a2** belongs to the path that is closed")


def test_what_was_typed_is_quoted_harmlessly() -> None:
    text = said("not_a_choice", param="place", word="**`boo`**\n" * 30)
    assert r"\*\*\`boo\`\*\*" in text
    assert len(text) < 300


def test_whatever_is_refused_in_a_game_is_refused_in_whole_sentences() -> None:
    rng, refused = Random(7), list[Refusal]()
    for moment in moments(3, 3):
        for _ in range(4):
            kind = rng.choice([*GAME.moves, "buy", "buy", "dance"])
            line = (kind, *(rng.choice(TYPED) for _ in range(rng.randrange(4))))
            try:
                GAME.legal(moment.state, moment.decision.seat, line)
            except IllegalAction as error:
                refused.append(error.refusal)
    assert len({refusal.code for refusal in refused}) > 10
    for refusal in refused:
        assert refusal.topic in topics("guatemala")
        text = TEXT.refusal(EN, refusal, NAMES)
        assert "{" not in text
        assert "  " not in text
        assert text.endswith((".", "?", "!"))
