"""How the bot grows: that each measurement gives its figures, never how large they are."""

from __future__ import annotations

import pytest

from bot.titles import TITLES
from bot.tools import OK, bench
from bot.tools.measures.scale import (
    databases,
    durable,
    growth,
    report,
    run,
    storage,
    wire,
)
from bot.tools.measures.scale.server import server_cpu_s
from tests import postgres
from tests.tools import typed
from tests.tools.typed import printed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not postgres.IS_EXPECTED, reason="no PostgreSQL: see CONTRIBUTING.md"),
]
KOGGE = TITLES["kogge"]
GAME = KOGGE.game


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """The measurements as they are, but each of them short."""
    for module, name, value in (
        (durable, "RUNS", 1),
        (durable, "TABLES", 2),
        (growth, "STARTS", 1),
        (growth, "ENTRIES", 3),
        (storage, "GAMES", 3),
        (wire, "SHARDS", 1),
        (wire, "WARM", 1),
        (wire, "POSTS", 2),
    ):
        monkeypatch.setattr(module, name, value)


async def test_each_measurement_gives_its_figures() -> None:
    async with databases.on_server(postgres.session_url()) as url:
        grown = await growth.growth(url, GAME, 60)
        # Two processes at the same tables are told of, and refused.
        found = await durable.durable(url, GAME, 2, shared=True, contended=True)
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
        posted = await wire.wire(url, GAME, 0)
    assert stored.entries > 50
    assert stored.game_kib > 1
    assert posted.board_p99_ms >= posted.board_p50_ms > 0
    assert posted.idle_mib > 0


def test_the_command_prints_what_was_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    async def measured(*given: object) -> run.Figures:
        asked.append(given)
        return FIGURES

    monkeypatch.setattr(run, "measured", measured)
    words = ("kogge", "--database", "postgresql+asyncpg://there", "--processes", "1,2", "--tables")
    assert printed(capsys, bench, *words, "5,50")["machine"] == FIGURES.machine
    assert asked == [("postgresql+asyncpg://there", KOGGE, [5, 50], [1, 2])]
    assert typed.run(bench, *words, "5") == OK
    assert report.tables(FIGURES)["pictures"] in capsys.readouterr().out


FIGURES = run.Figures(
    machine="2 cores",
    growth=[growth.Growth("sqlite", 5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)],
    durable=[],
    wire=[],
    handover=[],
    storage=[],
    pictures=[run.BoardPicture("kogge", 20.0, 50.0)],
)
