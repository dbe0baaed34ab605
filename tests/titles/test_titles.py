"""What a title has by itself, and how all of them are looked up."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from bot.titles import NAMES, TITLES, versions_of
from bot.titles.title import Titles
from tests.games.pebbles_titles import AFTER, FIRST, SECOND


def test_by_name_alone_a_title_is_that_of_its_newest_rules() -> None:
    assert AFTER["pebbles"] is SECOND is AFTER.of("pebbles", 2)
    assert AFTER.of("pebbles", 1) is FIRST
    assert AFTER.texts.of("pebbles", 1) is FIRST.text
    assert AFTER.players["pebbles"] is SECOND.players
    assert AFTER.games.versions("pebbles") == (1, 2)
    # An older version has a word of its own.
    assert [AFTER.key("pebbles", version) for version in (1, 2)] == ["pebbles.1", "pebbles"]
    assert AFTER.by_key("pebbles.1") is FIRST
    assert AFTER.by_key("pebbles") is SECOND
    # There are no two of one.
    with pytest.raises(ValueError, match="two titles 'pebbles', version 1"):
        Titles((FIRST, SECOND, replace(FIRST, text=SECOND.text)))


def test_whoever_plays_at_random_and_orders_for_shared_moves_come_by_themselves() -> None:
    assert list(FIRST.players) == ["random", "easy", "normal", "strong"]
    assert list(FIRST.levels) == ["easy", "normal", "strong"]
    assert list(SECOND.levels) == ["easy", "normal"]
    assert list(FIRST.orders) == ["decline"]


def test_another_process_has_the_same_titles() -> None:
    for name in NAMES:
        for title in versions_of(name):
            assert title.game.name == name
            there = pickle.loads(pickle.dumps(title))
            assert there is title is TITLES.of(name, title.game.version)
