"""Titles: their defaults, lookup, and the next player."""

from __future__ import annotations

import pickle
from dataclasses import replace
from random import Random
from typing import NamedTuple

import pytest

from bot.game.contract import SPECTATOR, Decision
from bot.game.hidden import View
from bot.titles import NAMES, TITLES, versions_of
from bot.titles.title import Titles, in_order
from bot.tools.playing import play, players
from tests.games.pebbles_titles import AFTER, FIRST, SECOND


def test_a_name_without_a_version_means_the_newest_rules() -> None:
    assert AFTER["pebbles"] is SECOND is AFTER.of("pebbles", 2)
    assert AFTER.of("pebbles", 1) is FIRST
    assert AFTER.texts.of("pebbles", 1) is FIRST.text
    assert AFTER.players["pebbles"] is SECOND.players
    assert AFTER.games.versions("pebbles") == (1, 2)
    # An older version has its own key.
    assert [AFTER.key("pebbles", version) for version in (1, 2)] == ["pebbles.1", "pebbles"]
    assert AFTER.by_key("pebbles.1") is FIRST
    assert AFTER.by_key("pebbles") is SECOND
    with pytest.raises(ValueError, match="two titles 'pebbles', version 1"):
        Titles((FIRST, SECOND, replace(FIRST, text=SECOND.text)))


def test_every_title_has_a_random_player_and_the_shared_orders() -> None:
    assert list(FIRST.players) == ["random", "easy", "normal", "strong"]
    assert list(FIRST.levels) == ["easy", "normal", "strong"]
    assert list(SECOND.levels) == ["random"]
    assert list(FIRST.orders) == ["decline"]


def test_another_process_has_the_same_titles() -> None:
    for name in NAMES:
        for title in versions_of(name):
            assert title.game.name == name
            loaded = pickle.loads(pickle.dumps(title))
            assert loaded is title is TITLES.of(name, title.game.version)


class Ordered(NamedTuple):
    order: tuple[int, ...]


def asked(seat: int, kind: str = "turn") -> Decision:
    return Decision(id="1", seat=seat, kind=kind)


def test_the_next_player_follows_the_turn_order() -> None:
    view = View(SPECTATOR, Ordered((2, 0, 1)))

    assert in_order("turn")(view, asked(2)) == 0
    assert in_order("turn")(view, asked(1)) is None
    assert in_order("turn", around=True)(view, asked(1)) == 2
    assert in_order("turn")(view, asked(2, "block")) is None
    assert in_order("turn")(view, asked(3)) is None


def test_the_predicted_next_player_is_mostly_right() -> None:
    title = TITLES["kogge"]
    predicted: int | None = None
    before: int | None = None
    right = wrong = 0
    for done in play(title.game, players(title, ["normal"], 3), {}, Random(1)):
        now = [each for each in title.game.pending(done.state) if not each.optional]
        if len(now) != 1:
            predicted = before = None
            continue
        if predicted is not None and now[0].seat != before:
            right += now[0].seat == predicted
            wrong += now[0].seat != predicted
        before = now[0].seat
        predicted = title.upcoming(title.game.view(done.state, SPECTATOR), now[0])

    assert right > 4 * wrong
