"""Refusals in words."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.contract import Fact, IllegalAction, Refusal
from bot.game.flandern import GAME
from bot.game.flandern.building import TILE_WORDS
from bot.game.flandern.data import ACTION_CARDS
from bot.game.flandern.plan import PLACE_OF_NAME
from bot.text.game_data import topics
from tests.game.flandern.positions import golden_turn, one_plays, play, table
from tests.text.flandern.tables import EN, NAMES, TEXT, moments

TYPED = (*PLACE_OF_NAME, *TILE_WORDS, *ACTION_CARDS * 4, *"0123" * 4, "red", "x" * 90)


def said(code: str, **facts: Fact) -> str:
    return TEXT.refusal(EN, Refusal(code, "overview", facts), NAMES)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("build luik-t1", "Your card is for Gent, and **Luik T1** lies elsewhere."),
        ("build gent-t1", "A quarter stands at **Gent T1** already."),
        ("build gent-t2", "**Gent T2** is covered, as nothing could ever be built there."),
        ("build gent-r5", "There is no plot **Gent R5**, as the church has not made one there."),
        ("build gent-r3", "The long side of **Gent R3** touches nothing built yet"),
        ("build gent-t3 green", "You may not build a green quarter with this card."),
        ("build gent-t3 red", "A red quarter already stands beside **Gent T3**"),
        ("build gent-t3 church-a", "A church quarter A does not have the shape of **Gent T3**."),
        ("build gent-p2 church-d-r2", "Quarter D also needs that bar beside **Gent P2**"),
        ("complete gent-p1", "There is no site at **Gent P1**."),
        ("complete gent-t4", "At **Gent T4** stands a blue site"),
        ("cathedral luik-c", "You cannot put a cathedral just now, for a city card is being"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_can_be_done(line: str, told: str) -> None:
    gent = "t1 yellow, t2 covered, p1 red, r2 covered, r1 grey site, t4 blue site"
    state = table(cities={"gent": gent})
    one_plays(state, "gent")
    play_of = tuple(line.split())
    with pytest.raises(IllegalAction) as caught:
        GAME.legal(state, 0, play_of)
    text = TEXT.refusal(EN, caught.value.refusal, NAMES)
    assert text.startswith(told)
    assert text.endswith(".")


def test_what_golden_cards_may_not_is_told_with_a_way_out() -> None:
    state = table(golden="leader", cities={"gent": "t1 yellow"})
    golden_turn(state)
    for place, told in {
        "gent-t2": "Nothing is built at **Gent T2**. Choose a quarter.",
        "gent-t1": "At **Gent T1** stands a yellow quarter, and your leader may go to your own",
    }.items():
        with pytest.raises(IllegalAction) as caught:
            play(state, 0, f"leader {place}")
        assert TEXT.refusal(EN, caught.value.refusal, NAMES).startswith(told)


def test_cards_that_cannot_be_laid_out_are_told_why() -> None:
    assert said("card_lies_open", card="gent").startswith("Your card Gent lies open before you")
    assert said("city_scored", city="luik").startswith("Luik has been scored, and nothing is done")
    assert said("missing_city", city="leuven").startswith("Leuven is not in play")
    assert said("guild_taken", guild="red") == "🔴 Red is taken already. Choose another guild."


def test_what_was_typed_is_quoted_harmlessly() -> None:
    text = said("not_a_choice", param="place", word="**`boo`**\n" * 30)
    assert r"\*\*\`boo\`\*\*" in text
    assert len(text) < 300


@pytest.mark.parametrize("seats", [2, 3])
def test_whatever_is_refused_in_a_game_is_refused_in_whole_sentences(seats: int) -> None:
    rng, refused = Random(7), list[Refusal]()
    for moment in moments(seats, 3):
        for _ in range(4):
            kind = rng.choice([*GAME.moves, "build", "choose", "dance"])
            line = (kind, *(rng.choice(TYPED) for _ in range(rng.randrange(4))))
            try:
                GAME.legal(moment.state, moment.decision.seat, line)
            except IllegalAction as error:
                refused.append(error.refusal)
    assert len({refusal.code for refusal in refused}) > 8
    for refusal in refused:
        assert refusal.topic in topics("flandern")
        text = TEXT.refusal(EN, refusal, NAMES)
        assert "{" not in text
        assert "  " not in text
        assert text.endswith((".", "?", "!"))
