"""The measurements: that each gives its figures, never how large they are."""

from __future__ import annotations

import asyncio
import json
from statistics import median

import msgspec
import pytest

from bot.titles import TITLES
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
from bot.tools.measures.performance import growth, report
from bot.tools.measures.performance.run import Performance
from bot.tools.measures.scale import databases, durable, storage, wire
from bot.tools.measures.scale import growth as scale_growth
from bot.tools.measures.scale.server import server_cpu_s
from tests import postgres
from tests.tools.typed import printed, run

KOGGE = TITLES["kogge"]
MOST = {"kogge": 5, "burgundy": 4, "guatemala": 4, "flandern": 4}
"""Presses a round of one player, the opening of the panel included: half of the games' turns."""
TURNS = 5


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
        (growth, "TABLES", (3, 5)),
        (growth, "ACTIONS", (4, 8)),
        (growth, "ENTRIES", 3),
        (growth, "TIMES", 2),
        (growth, "FEW", 1),
        (growth, "ACTS", 1),
        (durable, "RUNS", 1),
        (durable, "TABLES", 2),
        (scale_growth, "STARTS", 1),
        (scale_growth, "ENTRIES", 3),
        (storage, "GAMES", 3),
        (wire, "SHARDS", 1),
        (wire, "WARM", 1),
        (wire, "POSTS", 2),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.mark.slow
def test_one_object_holds_all_figures(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, bench, "kogge", "--rounds", "1")
    assert found.pop("game") == "kogge"
    assert found.pop("typed_worst")
    assert found.pop("presses_by_kind")
    assert found.pop("range") == {}
    # The panel comes back by itself.
    assert found.pop("presses_reopening") == 0
    assert {*found, "typed_worst", "presses_by_kind", "presses_reopening"} == set(bench.NAMES)
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


@pytest.mark.slow
def test_one_object_has_the_figures_of_a_title_and_how_they_grow(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("kogge", "--growth", "--rounds", "1", "--only", "image_kb")
    assert run(bench, *words) == OK
    found = msgspec.json.decode(capsys.readouterr().out, type=Performance)
    (title,) = found.titles
    assert title.game == "kogge"
    assert title.figures["image_kb"]
    assert [each.tables for each in found.growth.tables] == [3, 5]
    assert [each.actions for each in found.growth.actions] == [4, 8]
    assert [each.players for each in found.growth.players] == list(TITLES["kogge"].game.seats)
    for row in (*found.growth.tables, *found.growth.actions, *found.growth.players):
        figures = json.loads(msgspec.json.encode(row))
        assert all(value for value in figures.values())
    assert report.chart(found.growth).startswith(b"\x89PNG")


@pytest.mark.slow
@pytest.mark.skipif(not postgres.IS_EXPECTED, reason="no PostgreSQL: see CONTRIBUTING.md")
async def test_each_measurement_of_several_processes_gives_its_figures() -> None:
    async with databases.on_server(postgres.session_url()) as url:
        grown = await scale_growth.growth(url, KOGGE.game, 60)
        # Two processes at the same tables are told of, and refused.
        found = await durable.durable(url, KOGGE.game, 2, shared=True, contended=True)
        assert await server_cpu_s(url) is not None
    assert (grown.database, grown.tables) == ("postgresql", 60)
    assert min(grown.presses_s, grown.outbox_s, grown.tick_ms, grown.load_ms) > 0
    assert grown.table_kib > 0
    assert grown.outbox_mib >= grown.idle_mib > 0
    assert found.actions_per_second > 0
    assert found.retries > 0
    assert found.rows is not None
    assert found.rows > 1

    async with databases.in_file() as url:
        stored = await storage.storage(url, KOGGE)
        posted = await wire.wire(url, KOGGE.game, 0)
    assert stored.entries > 50
    assert stored.game_kib > 1
    assert posted.board_p99_ms >= posted.board_p50_ms > 0
    assert posted.idle_mib > 0


def test_half_of_all_turns_take_few_presses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presses, "MOST_TURNS", TURNS)
    for game, most in MOST.items():
        found = asyncio.run(presses.counted(TITLES[game], (1,)))
        assert len(found.turns) >= TURNS, game
        assert median(found.turns.values()) <= most, game
