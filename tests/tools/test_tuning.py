"""`tune` searches for better weights of a computer player, and `fit` those of its search."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from math import log
from random import Random
from types import ModuleType

import msgspec
import pytest

from bot.policy.burgundy.judgement import NORMAL as BURGUNDY
from bot.policy.burgundy.judgement import BurgundyWeights
from bot.policy.contract import NORMAL
from bot.titles import NAMES, TITLES
from bot.tools.playing import ComputerPlayer, play
from tools import fit, tune
from tools.tune import as_toml, size, varied


class Weights(msgspec.Struct, frozen=True):
    """Weights of each possible type."""

    one: float
    few: tuple[float, ...]
    named: Mapping[str, float]


WEIGHTS = Weights(2.0, (0.0, 3.0), {"k1": 5.0, "k2": 0.5})


def test_each_number_is_varied_by_its_own_factor() -> None:
    assert size(WEIGHTS) == 5
    found = varied(WEIGHTS, [log(2), log(7), log(0.5), 0.0, log(3)])
    assert found.one == pytest.approx(4)
    assert found.few == pytest.approx((0, 1.5))
    assert found.named == pytest.approx({"k1": 5, "k2": 1.5})


def test_a_table_can_be_read_back() -> None:
    text = as_toml("found", WEIGHTS)
    assert text.startswith("[found]\none = 2.0\n")
    assert msgspec.convert(tomllib.loads(text)["found"], Weights) == WEIGHTS


@pytest.mark.parametrize("name", NAMES)
def test_unchanged_weights_make_the_normal_player(name: str) -> None:
    title = TITLES[name]
    judgement = title.judgement
    assert judgement is not None
    weights = judgement.weights[judgement.weights_name(title.game.seats[0])]
    same = varied(weights, [0.0] * size(weights))
    # Compared as builtins, as some weights compare by identity.
    assert msgspec.to_builtins(same) == msgspec.to_builtins(weights)
    seated = [ComputerPlayer(judgement.player(same)), ComputerPlayer(title.players[NORMAL])]
    one, other = (
        [(played.seat, played.action) for played in play(title.game, pair, {}, Random(1))]
        for pair in (seated, seated[::-1])
    )
    assert one == other


@pytest.mark.slow
def test_tune_prints_a_table_of_weights(capsys: pytest.CaptureFixture[str]) -> None:
    tune.main(["burgundy", "--seconds", "0.1", "--deals", "1", "--check", "1", "--jobs", "1"])
    output = capsys.readouterr()
    found = msgspec.convert(tomllib.loads(output.out)[tune.TUNED], BurgundyWeights)
    assert found != BURGUNDY
    assert "of 2," in output.out.splitlines()[0]
    assert output.err.startswith("1: ")


def test_better_weights_score_higher_than_worse_ones() -> None:
    # With all weights near zero, the player does not even build.
    numbers = size(BURGUNDY)
    spoiled, same = (
        tune.score_of(TITLES["burgundy"], 2, BURGUNDY, ["1", "2"], [weight] * numbers)
        for weight in (-5.0, 0.0)
    )
    assert spoiled < same


@pytest.mark.slow
def test_fit_prints_a_weight_for_each_holding(capsys: pytest.CaptureFixture[str]) -> None:
    fit.main(["guatemala", "--games", "1", "--jobs", "1"])
    output = capsys.readouterr().out
    (found,) = tomllib.loads(output)[fit.FITTED]
    judgement = TITLES["guatemala"].judgement
    assert judgement is not None
    assert tuple(found) == tuple(judgement.counted)
    assert min(found.values()) >= 0
    assert any(found.values())
    assert "games of 2:" in output.splitlines()[0]


def test_fit_separates_useful_holdings_from_harmful_and_unrelated_ones() -> None:
    rng = Random(1)
    found = []
    for _ in range(50):
        shared = rng.gauss(0, 100)
        rows = []
        for _ in range(4):
            good, harm = rng.gauss(0, 1), rng.gauss(0, 1)
            rows.append((3 * good - harm + 2 * shared, good, harm, shared))
        found.append(rows)
    good, harm, shared = fit.fitted(found)
    assert good == pytest.approx(3, abs=0.3)
    assert harm == shared == 0


@pytest.mark.parametrize(
    ("tool", "words", "message"),
    [
        (tune, "burgundy --begin mine", "There are no weights 'mine'"),
        (tune, "burgundy --step 0", "--step must be more than 0"),
        (fit, "kogge", "invalid choice: 'kogge'"),
        (fit, "guatemala --players 7", "not for 7 players"),
    ],
)
def test_invalid_arguments_are_reported(
    capsys: pytest.CaptureFixture[str], tool: ModuleType, words: str, message: str
) -> None:
    with pytest.raises(SystemExit):
        tool.main(words.split())
    assert message in capsys.readouterr().err
