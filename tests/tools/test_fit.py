"""The fit of what a search expects: that it finds what is there, and prints what is read."""

from __future__ import annotations

import argparse
import tomllib
from random import Random

import msgspec
import numpy as np
import pytest

from bot.policy.guatemala.weights import GuatemalaRating
from bot.titles import TITLES
from bot.tools import OK, USAGE, fit


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    fit.add_arguments(parser)
    return fit.run(parser.parse_args(words))


def test_what_it_finds_is_a_table_of_what_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("guatemala", "--games", "1", "--jobs", "1") == OK
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


def test_the_same_game_has_the_same_moments_and_what_is_done_there_counts() -> None:
    title = TITLES["guatemala"]
    moments = fit.moments(title, 2, "3")
    assert moments == fit.moments(title, 2, "3")
    assert title.fittable is not None
    assert {len(row) for rows in moments for row in rows} == {1 + len(title.fittable.names)}
    assert any(len({row[0] for row in rows}) > 1 for rows in moments)


@pytest.mark.parametrize(
    "words",
    [("chess",), ("kogge",), ("guatemala", "--players", "7"), ("guatemala", "--games", "0")],
)
def test_what_cannot_be_fitted_is_told(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert run(*words) == USAGE
    assert len(capsys.readouterr().err.splitlines()) == 1
