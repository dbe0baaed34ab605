"""Refusals in words."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from bot.game.burgundy import GAME
from bot.game.burgundy.boards import SPACE_NAMES
from bot.game.burgundy.data import DEPOT_WORDS, TILE_KEYS
from bot.game.contract import Action, Fact, IllegalAction, Refusal
from bot.text.game_data import topics
from bot.text.words import words_for
from bot.titles import TITLES
from tests.text.burgundy.tables import moments
from tests.text.moments import Moment
from tests.text.people import called

TEXT, EN = TITLES.texts["burgundy"], words_for("en")
NAMES = called("Anna", "Bob", "Cleo", "Dora")
GAME_CODE = Path(__file__).parents[3] / "bot" / "game"
SOURCES = [
    path.read_text("utf-8")
    for path in (GAME_CODE / "grammar.py", *(GAME_CODE / "burgundy").rglob("*.py"))
]
TYPED = (*TILE_KEYS, *SPACE_NAMES, *DEPOT_WORDS * 6, "any", "25", "9", "x" * 90)


def said(code: str, topic: str = "overview", **facts: Fact) -> str:
    return TEXT.refusal(EN, Refusal(code, topic, facts), NAMES)


def refused(moment: Moment, seat: int, action: Action) -> Refusal | None:
    """Why these words cannot be said now; None where they can."""
    try:
        GAME.legal(moment.state, seat, action)
    except IllegalAction as error:
        return error.refusal
    return None


def test_every_topic_of_a_move_or_refusal_stands_in_the_rules() -> None:
    topic = re.compile(r'(?:refuse\([^()]*?, |[A-Z]+ = |rule(?:_with_die)?\(\s*"\w+",\s*)"(\w+)"')
    found = {match for source in SOURCES for match in topic.findall(source)}
    assert {"take", "ships", "black_depot"} <= found
    assert {move.topic for move in GAME.moves.values()} | (found - {"any"}) <= set(
        topics("burgundy")
    )


def test_a_refusal_says_what_is_wrong_and_what_can_be_done() -> None:
    text = said("needs_workers", "take", die="2", number=5, count=3, workers=1)
    assert text == (
        "⚁ 2 would have to become 5: that costs 3 workers, and you have 1 worker. "
        "Choose something nearer, or exchange a die for workers."
    )
    assert said("other_colour", "place", space="c3", tile="cow3", colour="building") == (
        "**c3** is for 🏠 buildings, so 🐄 3 cows cannot go there. Choose a space of its colour."
    )
    assert said("not_neighbours", "ships", depot="3", other="1").startswith(
        "Depot 3 is not next to"
    )


def test_what_was_typed_is_quoted_harmlessly() -> None:
    text = said("not_a_choice", param="tile", word="**`boo`**\n" * 30)
    assert r"\*\*\`boo\`\*\*" in text
    assert len(text) < 300


def test_whatever_is_refused_in_a_game_is_refused_in_whole_sentences() -> None:
    rng, seen = Random(7), set()
    for moment in moments(3, 3):
        for _ in range(4):
            kind = rng.choice([*GAME.moves, "dance"])
            action = (kind, *(rng.choice(TYPED) for _ in range(rng.randrange(4))))
            seat = rng.choice([moment.decision.seat, rng.randrange(3)])
            refusal = refused(moment, seat, action)
            if refusal is not None:
                seen.add(refusal.code)
                assert refusal.topic in topics("burgundy")
                text = TEXT.refusal(EN, refusal, NAMES)
                assert "{" not in text
                assert "  " not in text
                assert text.endswith((".", "?", "!"))
    assert len(seen) > 12
