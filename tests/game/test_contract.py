"""Actions as rows of words."""

from __future__ import annotations

import pytest

from bot.game.contract import THEN, AnyGame, in_turn, joined, parse_action
from bot.titles import TITLES
from tests.recorded.results import names, read_record

VOYAGE = (("sail", "left", ""), ("sail", "right", "o"), ("stop",))


def test_actions_that_were_joined_come_apart_again() -> None:
    assert joined(*VOYAGE)[2:5] == ("", THEN, "sail")
    assert in_turn(joined(*VOYAGE)) == [*VOYAGE]


def test_one_action_is_joined_to_nothing() -> None:
    assert joined(("stop",)) == ("stop",)
    assert in_turn(("stop",)) == [("stop",)]


@pytest.mark.parametrize("game", TITLES.games.values(), ids=lambda game: game.name)
def test_no_game_has_the_word_that_joins_actions(game: AnyGame) -> None:
    assert THEN not in game.moves
    said = {
        word
        for name in names(game)
        for entry in read_record(game, name).entries
        for word in parse_action(entry.action)
    }
    assert THEN not in said
