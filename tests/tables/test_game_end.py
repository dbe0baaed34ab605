"""No standing order ends a game: the person is asked."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from bot.tables.computers.choosing import ComputerChoices
from bot.tables.core.record import fold
from bot.titles import TITLES
from tests.recorded.results import names, read_record


class Seat:
    """A person whose turns end by themselves."""

    is_human, orders = True, {"end": "on"}


class Table:
    """A table of such people."""

    id, game, players = 1, "burgundy", [Seat()] * 4

    def __init__(self, version: int) -> None:
        self.version = version


@pytest.mark.parametrize("left", [1, 40])
def test_a_standing_order_ends_turns_and_not_the_game(left: int) -> None:
    """The last turn of a game of Burgundy, and one before it."""
    game = TITLES.games["burgundy"]
    record = read_record(game, names(game)[0])
    ends = [n for n, each in enumerate(record.entries) if each.action == "end" and n >= 2]
    at = ends[-1] if left == 1 else ends[-left]
    *_, folded = islice(fold(game, record), at)
    now: Any = folded
    (decision,) = game.pending(now.state)

    choices = ComputerChoices(TITLES.quick_players, TITLES.orders, Random(1))
    table: Any = Table(game.version)
    chosen = choices.chosen(game, table, now, decision)

    assert chosen == (None if left == 1 else ("end",))
