"""The measurements: that each gives its figures, never how large they are."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bot.game.kogge import GAME
from bot.titles.title import Title
from bot.tools import OK, bench
from bot.tools.measures import (
    busy,
    engine,
    hundred,
    idle,
    pictures,
    presses,
    tables,
    thinking,
    turns,
    typed,
)
from tests.tools.typed import printed, run


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """The measurements as they are, but each of them short."""
    for module, name, value in (
        (busy, "TABLES", 2),
        (busy, "SECONDS", 0.2),
        (busy, "WARM_S", 0.0),
        (busy, "THINK_S", 0.0),
        (engine, "RUNS", 1),
        (engine, "GAMES", 1),
        (hundred, "TABLES", 2),
        (hundred, "THINK_S", 0.0),
        (hundred, "WARM", 1),
        (hundred, "WAITS", 2),
        (idle, "SETTLED_S", 0.1),
        (pictures, "EVERY", 40),
        (presses, "MOST_TURNS", 2),
        (tables, "LONG", 20),
        (tables, "LOADS", 2),
        (tables, "DURABLE_TABLES", 2),
        (tables, "DURABLE_ACTIONS", 3),
        (tables, "DURABLE_RUNS", 1),
        (tables, "HEAVY_TABLES", 1),
        (tables, "HEAVY_ACTIONS", 3),
        (tables, "OPEN_TABLES", 5),
        (tables, "OPEN_ENTRIES", 3),
        (tables, "STARTS", 1),
        (tables, "TICKS", 2),
        (typed, "ENTRIES", 30),
        (typed, "ACTIONS", 10),
        (typed, "PAST_TABLES", 3),
        (typed, "OPEN_TABLES", 2),
        (thinking, "TABLES", 1),
        (turns, "WARM", 1),
        (turns, "POSTS", 2),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.mark.slow
def test_one_object_holds_all_figures(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, bench, "kogge", "--rounds", "1")
    assert found.pop("game") == "kogge"
    assert found.pop("typed_worst")
    assert found.pop("presses_by_kind")
    assert found.pop("range") == {}
    assert {*found, "typed_worst", "presses_by_kind"} == set(bench.NAMES)
    assert all(figure > 0 for figure in found.values())


def test_some_figures_can_be_asked_for_and_without_json_there_is_a_line_for_each(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("kogge", "--rounds", "1", "--only")
    found = printed(capsys, bench, *words, "replay_500_ms,image_kb")
    assert list(found) == ["game", "replay_500_ms", "image_ms", "image_kb", "range"]
    assert run(bench, *words, "load_snapshot_ms") == OK
    (line,) = capsys.readouterr().out.splitlines()
    assert line.split()[:2] == ["kogge", "load_snapshot_ms"]


def test_a_figure_is_the_median_of_its_rounds_and_says_how_far_they_lay_apart(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = iter([(8.0, "first"), (9.5, "second"), (7.25, "third")])

    def take(_: Title) -> bench.Figures:
        ms, words = next(rounds)
        return {"ms": ms, "of": words}

    counted = iter([4.0])
    monkeypatch.setattr(
        bench,
        "MEASURES",
        (
            bench.Measure(("ms", "of"), take),
            bench.Measure(("count",), lambda _: {"count": next(counted)}, is_once=True),
        ),
    )
    monkeypatch.setattr(bench, "NAMES", ("ms", "of", "count"))
    assert printed(capsys, bench, "kogge", "--rounds", "3") == {
        "game": "kogge",
        "ms": 8.0,
        # What is behind the worst value.
        "of": "second",
        "count": 4.0,
        "range": {"ms": [7.25, 9.5]},
    }


def test_the_long_record_has_500_actions_and_is_always_the_same() -> None:
    long = engine.long_record(GAME)
    assert len(long.entries) == 501
    assert long == engine.long_record(GAME)


async def test_copies_of_a_table_are_tables_at_play(tmp_path: Path) -> None:
    async with tables.open_tables(GAME, tmp_path) as (store, there):
        model = await tables.new_table(GAME, there, 1)
        await tables.play_on(GAME, there, model, Random(1), 5)
        await tables.copies(store, model, 3)
        last = model + 3
        assert await there.reader.seq(last) == await there.reader.seq(model)
        assert await there.reader.view(last, 0) == await there.reader.view(model, 0)
        assert {row.table for row in await there.outbox.items()} == {
            model,
            *range(model + 1, last + 1),
        }
