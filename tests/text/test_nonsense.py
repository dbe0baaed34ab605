"""Nonsense at random moments of games is refused in every language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from bot.game.choices import Done
from bot.game.contract import Action, Fact, IllegalAction, Refusal
from bot.game.game import AnyGame
from bot.text.contract import Unreadable
from bot.text.game_words import AnyGameWords
from bot.text.words import all_words, words_for
from bot.titles import NAMES as TITLE_NAMES
from bot.titles import TITLES
from tests.game.sampled import SAMPLED
from tests.text.people import called

NONSENSE = (
    *("", "-", "x", "99", "c3", "port1", "gent-c", "luik-t1", "church-a", "-1", "05", "٣", "²"),
    *("ﷺ" * 100, "8" * 999, "office9", "{a}", "\n"),
)
NAMES = called("Anna", "Bert", "Clara", "Dirk")
STEPS = 400
EVERY = 20
MAX_CHECKED = 30
"""Maximum refusals of a kind that are checked."""
CODES = {"kogge": 30, "burgundy": 25, "guatemala": 20, "flandern": 20}
"""Minimum number of kinds of refusals."""

each_game = pytest.mark.parametrize("name", TITLE_NAMES)


def spoiled(game: AnyGame, state: Any, seat: int, kind: str, rng: Random) -> Iterator[Action]:
    """Yield beginnings of actions of a kind, with nonsense or a misplaced word at the end."""
    action: Action = (kind,)
    words = SAMPLED[game.name].words
    while True:
        yield from ((*action, word) for word in (*NONSENSE, *rng.sample(words, 9)))
        try:
            choices = game.legal(state, seat, action)
        except IllegalAction:
            return
        if isinstance(choices, Done):
            return
        action = (*action, choices.sample(rng))


def check(text: type[AnyGameWords], refusal: Refusal, seats: int) -> None:
    """Check that a refusal is a whole sentence and leads to a rule."""
    assert refusal.topic in text(words_for("en")).topics()
    for words in all_words():
        message = text(words, NAMES[:seats]).refusal(refusal)
        assert message.endswith((".", "?", "!")), message
        assert "  " not in message
        assert "{" not in message or "{a}" in refusal.facts.values()


@each_game
def test_nonsense_is_refused_with_a_message(name: str) -> None:
    sampled, text, rng, codes = SAMPLED[name], TITLES.texts[name], Random(4), Counter[str]()
    game, tables = sampled.game, sampled.few_tables()
    for seats, options in tables[:: len(tables) // 4]:
        for step in islice(sampled.steps(seats, options, 1), 0, STEPS, EVERY):
            for kind in (*game.moves, "dance"):
                for action in spoiled(game, step.state, step.seat, kind, rng):
                    seat = rng.randrange(seats) if rng.random() < 0.1 else step.seat
                    try:
                        game.legal(step.state, seat, action)
                    except IllegalAction as error:
                        codes[error.refusal.code] += 1
                        if codes[error.refusal.code] <= MAX_CHECKED:
                            check(text, error.refusal, seats)
    assert len(codes) >= CODES[name], codes


@each_game
def test_typed_nonsense_is_read_or_refused_with_a_message(name: str) -> None:
    sampled, text, met = SAMPLED[name], TITLES.texts[name], Counter[tuple[str, ...]]()
    game, tables, refused = sampled.game, sampled.few_tables(), 0
    for seats, options in tables[:: len(tables) // 4]:
        for step in sampled.steps(seats, options, 2):
            view, action = game.view(step.state, step.seat), step.action
            for length in range(len(action)):
                place = (*action[: min(length, 1)], str(length))
                met[place] += 1
                if met[place] > 2:
                    continue
                choices = game.legal(step.state, step.seat, action[:length])
                for typed in NONSENSE:
                    try:
                        reader = text(words_for("en"), NAMES[:seats], view)
                        word = reader.read(choices, typed, action[:length])
                        game.legal(step.state, step.seat, (*action[:length], word))
                    except (Unreadable, IllegalAction) as error:
                        check(text, error.refusal, seats)
                        refused += 1
    assert refused > 100


def test_typed_text_is_escaped_when_quoted() -> None:
    facts: dict[str, Fact] = {"param": "kind", "word": "**`boo`**\n" * 30}
    for text in TITLES.texts.values():
        message = text(words_for("en"), NAMES).refusal(Refusal("not_a_choice", "overview", facts))
        assert r"\*\*\`boo\`\*\*" in message
        assert len(message) < 300
