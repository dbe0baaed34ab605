"""Games played in process, and their records."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.kogge import GAME
from bot.tables.core.record import fold
from bot.titles import TITLES
from bot.tools.playing import play, players, record


def test_a_record_of_a_played_game_folds_to_the_same_state() -> None:
    *_, last = play(GAME, players(TITLES["kogge"], ["random"], 3), {}, Random(5))
    made = record(GAME, players(TITLES["kogge"], ["random"], 3), {}, Random(5))
    *_, folded = fold(GAME, made)
    assert GAME.encode(folded.state) == GAME.encode(last.state)


def test_a_record_may_stop_early() -> None:
    made = record(GAME, players(TITLES["kogge"], ["normal"], 2), {}, Random(5), 20)
    assert len(made.entries) == 20


def test_the_named_players_sit_down_in_turn() -> None:
    one, two, three = players(TITLES["kogge"], ["normal", "random"], 3)
    assert one == three
    assert (one.blind, two.blind) == (False, True)


def test_nobody_sits_down_who_is_not_known() -> None:
    with pytest.raises(KeyError):
        players(TITLES["kogge"], ["genius"], 2)


def test_each_open_offer_is_taken_up_once() -> None:
    offered, answered = 0, 0
    for seed in range(30):
        for played in play(GAME, players(TITLES["kogge"], ["random"], 2), {}, Random(seed)):
            offered += played.action[0] == "offer"
            answered += played.action[0] in ("accept", "decline")
    assert answered > 0
    assert offered > 0
