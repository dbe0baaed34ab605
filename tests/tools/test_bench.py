"""The bench prints all its figures, and a press and a turn take only so much."""

from __future__ import annotations

import asyncio
import json

import pytest

from bot.titles import TITLES
from tools import bench

TINY = bench.Amounts(
    games=1,
    entries=20,
    pictures_apart=40,
    warm_presses=1,
    presses=2,
    breath_s=0,
    tables=1,
    actions=3,
    busy_tables=2,
    busy_warm_s=0,
    busy_s=0.2,
    think_s=0,
    settled_s=0,
    seeds=(1,),
    turns=5,
)
PRESSES = {"kogge": 5, "burgundy": 4, "guatemala": 4, "flandern": 4}
"""The median of a player's presses in a round, including the one that opens the panel, at most."""
MAX_OF_A_PRESS = {"press_files": 97, "press_functions": 690, "press_reads": 7}
"""Limits for the code that a press runs until the board is posted."""


@pytest.mark.slow
def test_each_row_has_a_figure(capsys: pytest.CaptureFixture[str]) -> None:
    bench.main(["burgundy", "--rounds", "1", "--json"], TINY)
    found = json.loads(capsys.readouterr().out)
    figures = found["figures"]["burgundy"]
    # The panel comes back without a press.
    assert figures.pop("reopening_presses") == 0
    floors = {f"{row}_floor" for row in ("press_p50_ms", "press_p99_ms", bench.DURABLE)}
    assert figures.keys() == {*bench.ROWS, *floors} - {"reopening_presses"}
    assert min(figures.values()) > 0
    assert {row for row, limit in MAX_OF_A_PRESS.items() if figures[row] > limit} == set()


def test_the_table_marks_worse_figures_and_shows_the_ratios_to_floors() -> None:
    figures = {"press_p50_ms": 30.0, "press_p50_ms_floor": 2.0, bench.DURABLE: 600.0}
    before = {"press_p50_ms": 20.0, "press_p50_ms_floor": 2.0, bench.DURABLE: 650.0}
    found = {"peers": {}, "figures": {"kogge": figures}, "against": {"kogge": before}}
    _heads, _line, press, durable = bench.table(found).splitlines()
    assert press == "| press_p50_ms | 2 | 30 | 15.00 | 20 | 1.50 worse |"
    assert durable == f"| {bench.DURABLE} | – | 600 | – | 650 | 0.92 |"


@pytest.mark.slow
def test_another_checkout_is_measured_by_its_own_bench(capsys: pytest.CaptureFixture[str]) -> None:
    bench.main(["kogge", "--only", "picture_kib", "--rounds", "1", "--against", str(bench.ROOT)])
    (size,) = [line for line in capsys.readouterr().out.splitlines() if "picture_kib" in line]
    assert size.endswith(" 1.00 |")


@pytest.mark.slow
def test_half_of_all_turns_take_few_presses() -> None:
    for game, limit in PRESSES.items():
        assert asyncio.run(bench.turns(TITLES[game], TINY))["turn_presses"] <= limit, game
