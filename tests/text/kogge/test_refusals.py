"""Refusals in words."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from bot.game.contract import IllegalAction, Refusal
from bot.game.kogge.data import CHIT_KEYS, GOOD_KEYS
from bot.game.kogge.game import GAME
from bot.text.game_data import topics
from bot.text.kogge.game_text import KoggeText
from bot.text.words import words_for
from tests.text.kogge.tables import moments
from tests.text.people import called

TEXT, EN = KoggeText(), words_for("en")
NAMES = called("Anna", "Bob", "Cleo", "Dora")
GAME_CODE = Path(__file__).parents[3] / "bot" / "game"
TYPED = (
    "",
    "x" * 90,
    "left",
    "right",
    "secret",
    "first",
    "9",
    "0",
    "3",
    "53",
    "oo",
    "ofas",
    "*",
    "both",
    "1",
    "2",
    "88888888",
    *GOOD_KEYS,
    *CHIT_KEYS,
)


def said(code: str, topic: str = "overview", **facts: object) -> str:
    return TEXT.refusal(EN, Refusal(code, topic, facts), NAMES)  # type: ignore[arg-type]


def test_every_topic_of_a_move_or_refusal_stands_in_the_rules() -> None:
    topic = re.compile(r'(?:refuse\([^()]*?, |TOPIC = |rule\(\s*"\w+", )"(\w+)"')
    sources = (GAME_CODE / "kogge").rglob("*.py")
    found = {match for path in sources for match in topic.findall(path.read_text("utf-8"))}
    found |= {move.topic for move in GAME.moves.values()}
    assert found <= set(topics("kogge"))


def test_a_refusal_says_what_is_wrong_and_what_can_be_done() -> None:
    text = said("needs_goods", "office", pieces="as", city=4)
    assert "**Riga (4)**" in text
    assert "1 🔮 amber and 1 🧂 salt" in text
    assert text.endswith("Trade for it, or build elsewhere.")


def test_counts_are_said_in_singular_and_plural() -> None:
    assert "at least 1 is needed" in said("too_few", count=1)
    assert "at least 2 are needed" in said("too_few", count=2)


def test_a_fee_of_nothing_is_a_free_step() -> None:
    assert "free" in said("wrong_fee", "movement", count=0)


def test_what_was_typed_is_quoted_harmlessly() -> None:
    text = said("not_a_choice", param="good", word="**`boo`**\n" * 30)
    assert r"\*\*\`boo\`\*\*" in text
    assert len(text) < 300


def test_examples_are_in_words() -> None:
    text = said("unreadable", "auction", word="?", param="marker", examples=("4", "5"))
    assert "`Riga (4)` or `Danzig (5)`" in text


@pytest.mark.parametrize("goods", ["open", "hidden"])
def test_whatever_is_refused_in_a_game_is_refused_in_whole_sentences(goods: str) -> None:
    rng, seen, linked = Random(7), set(), set()
    for seed in range(6):
        for moment in moments(3, seed, {"goods": goods}):
            for _ in range(6):
                kind = rng.choice([*GAME.moves, "dance"])
                size = rng.randrange(4)
                action = (kind, *(rng.choice(TYPED) for _ in range(size)))
                state = GAME.decode(GAME.encode(moment.state))
                if GAME.outcome(state) is not None:
                    continue
                seat = rng.choice([moment.decision.seat, rng.randrange(3)])
                try:
                    GAME.legal(state, seat, action)
                except IllegalAction as error:
                    seen.add(error.refusal.code)
                    linked.add(error.refusal.topic)
                    text = TEXT.refusal(EN, error.refusal, NAMES)
                    assert "{" not in text
                    assert "  " not in text
                    assert text.endswith((".", "?", "!"))
    assert len(seen) > 25
    assert linked <= set(topics("kogge"))
