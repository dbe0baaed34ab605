"""The weights of a computer player as numbers to vary, and as the table of a file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from math import log
from random import Random

import msgspec
import pytest

from bot.policy.levels import NORMAL
from bot.policy.tuning import as_toml, size, varied
from bot.titles import NAMES, TITLES
from bot.tools.playing import ComputerPlayer, play


class Weights(msgspec.Struct, frozen=True):
    """Some of each kind that there may be."""

    one: float
    few: tuple[float, ...]
    named: Mapping[str, float]


WEIGHTS = Weights(2.0, (0.0, 3.0), {"k1": 5.0, "k2": 0.5})


def test_each_number_is_varied_by_a_factor_of_its_own() -> None:
    assert size(WEIGHTS) == 5
    found = varied(WEIGHTS, [log(2), log(7), log(0.5), 0.0, log(3)])
    assert found.one == pytest.approx(4)
    assert found.few == pytest.approx((0, 1.5))
    assert found.named == pytest.approx({"k1": 5, "k2": 1.5})


def test_a_table_is_read_again_as_it_was() -> None:
    text = as_toml("found", WEIGHTS)
    assert text.startswith("[found]\none = 2.0\n")
    assert msgspec.convert(tomllib.loads(text)["found"], Weights) == WEIGHTS


TUNABLE = [name for name in NAMES if TITLES[name].tunable is not None]


@pytest.mark.parametrize("name", TUNABLE)
def test_weights_that_are_not_varied_make_the_normal_player(name: str) -> None:
    title = TITLES[name]
    assert title.tunable is not None
    players = title.game.seats[0]
    weights = title.tunable.weights[title.tunable.normal(players)]
    same = varied(weights, [0.0] * size(weights))
    # Some are told apart by which they are.
    assert msgspec.to_builtins(same) == msgspec.to_builtins(weights)
    seated = [ComputerPlayer(title.tunable.player(same)), ComputerPlayer(title.players[NORMAL])]
    one, other = (
        [(played.seat, played.action) for played in play(title.game, pair, {}, Random(1))]
        for pair in (seated, seated[::-1])
    )
    assert one == other
