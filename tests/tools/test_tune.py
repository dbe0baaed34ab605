"""The search for better weights: that it plays, and prints what the program reads."""

from __future__ import annotations

import argparse
import tomllib

import msgspec
import pytest

from bot.policy.burgundy.weights import NORMAL, BurgundyWeights
from bot.policy.tuning import size
from bot.titles import TITLES
from bot.tools import OK, USAGE, tune

BRIEF = ("--seconds", "0.1", "--deals", "1", "--check", "1", "--jobs", "1")


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    tune.add_arguments(parser)
    return tune.run(parser.parse_args((*words, *BRIEF)))


def test_what_it_finds_is_a_table_of_weights(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("burgundy") == OK
    said = capsys.readouterr()
    found = tomllib.loads(said.out)[tune.TUNED]
    weights = msgspec.convert(found, BurgundyWeights)
    assert weights != NORMAL
    assert "of 2," in said.out.splitlines()[0]
    assert said.err.startswith("1: ")


def test_better_weights_are_told_from_worse_ones() -> None:
    title = TITLES["burgundy"]
    seeds = ["1", "2"]
    # Whoever takes nothing to be worth anything does not even build.
    numbers = size(NORMAL)
    spoiled = [-5.0] * numbers
    assert tune._worth(title, 2, NORMAL, seeds, spoiled) < tune._worth(
        title, 2, NORMAL, seeds, [0.0] * numbers
    )


@pytest.mark.parametrize(
    "words", [("chess",), ("burgundy", "--begin", "mine"), ("burgundy", "--players", "7")]
)
def test_what_cannot_be_tuned_is_told(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert run(*words) == USAGE
    assert len(capsys.readouterr().err.splitlines()) == 1
