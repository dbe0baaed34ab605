"""The search for better weights and the fit of what a search expects: what they find is read."""

from __future__ import annotations

import tomllib
from random import Random

import msgspec
import numpy as np
import pytest

from bot.policy.burgundy.weights import NORMAL, BurgundyWeights
from bot.policy.guatemala.weights import GuatemalaRating
from bot.policy.tuning import size
from bot.titles import TITLES
from bot.tools import OK, fit, tune
from tests.tools.typed import run


@pytest.mark.slow
def test_what_is_fitted_is_a_table_of_what_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(fit, "guatemala", "--games", "1", "--jobs", "1") == OK
    said = capsys.readouterr().out
    (found,) = tomllib.loads(said)[fit.FITTED]
    rating = msgspec.convert(found, GuatemalaRating)
    assert min(msgspec.structs.astuple(rating)) >= 0
    assert any(msgspec.structs.astuple(rating))
    assert "games of 2:" in said.splitlines()[0]


def test_what_leads_to_more_is_told_from_what_does_harm_and_from_what_a_seat_has_anyhow() -> None:
    rng = Random(1)
    found = []
    for _ in range(50):
        anyhow = rng.gauss(0, 100)
        rows = []
        for _ in range(4):
            good, harm = rng.gauss(0, 1), rng.gauss(0, 1)
            rows.append((3 * good - harm + 2 * anyhow, good, harm, anyhow))
        found.append(rows)
    good, harm, anyhow = fit.fitted(np, found)
    assert good == pytest.approx(3, abs=0.3)
    assert harm == anyhow == 0


@pytest.mark.slow
def test_the_same_game_has_the_same_moments_and_what_is_done_there_counts() -> None:
    title = TITLES["guatemala"]
    moments = fit.moments(title, 2, "3")
    assert moments == fit.moments(title, 2, "3")
    assert title.fittable is not None
    assert {len(row) for rows in moments for row in rows} == {1 + len(title.fittable.names)}
    assert any(len({row[0] for row in rows}) > 1 for rows in moments)


@pytest.mark.slow
def test_what_is_tuned_is_a_table_of_weights(capsys: pytest.CaptureFixture[str]) -> None:
    brief = ("--seconds", "0.1", "--deals", "1", "--check", "1", "--jobs", "1")
    assert run(tune, "burgundy", *brief) == OK
    said = capsys.readouterr()
    found = tomllib.loads(said.out)[tune.TUNED]
    weights = msgspec.convert(found, BurgundyWeights)
    assert weights != NORMAL
    assert "of 2," in said.out.splitlines()[0]
    assert said.err.startswith("1: ")


def test_better_weights_are_told_from_worse_ones() -> None:
    # Whoever takes nothing to be worth anything does not even build.
    numbers = size(NORMAL)
    spoiled, same = (
        tune._worth(TITLES["burgundy"], 2, NORMAL, ["1", "2"], [weight] * numbers)
        for weight in (-5.0, 0.0)
    )
    assert spoiled < same
