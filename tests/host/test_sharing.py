"""One process of several: its metrics and its status page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.cluster import leases
from bot.cluster.leases import Leases
from bot.host.health import OK, Sharing
from bot.host.metrics import Metrics
from bot.host.page import StatusPage
from bot.local import Standin
from tests.host.conftest import Hosted, settings_in
from tests.store.database import SERVER_ALONE, Database
from tests.tables.world import World
from tests.waiting import until

SEEN = Sharing(
    process="harbour",
    name="harbour-3fa9c1",
    shards=8,
    here={2: False, 0: True},
    leases=(0, 2),
    processes={"harbour-3fa9c1": "1/2", "mill-77b0e2": "4-5"},
    unrunnable=(1, 3),
    unassigned=(4,),
    takeovers=3,
    stale_writes=5,
)


def metrics_of(sharing: Sharing) -> str:
    metrics = Metrics()
    metrics.sharing = lambda: sharing
    metrics.acted("pebbles", True, 0.01)
    metrics.refused("not_seated")
    metrics.set_health({"leases": True})
    return metrics.text().decode()


def test_every_metric_has_the_process_label_and_leases_and_errors_are_counted() -> None:
    shared = metrics_of(SEEN)
    lines = [line for line in shared.splitlines() if line[0] != "#"]
    assert all(re.search(r'[{,]process="harbour"[,}]', line) for line in lines)
    assert 'kontor_actions_total{game="pebbles",player="person",process="harbour"} 1.0' in lines
    assert any(line.startswith("process_resident_memory_bytes{") for line in lines)
    for name, value in {
        "kontor_leases": 2,
        "kontor_shards_connected": 1,
        "kontor_processes": 2,
        "kontor_shards_unassigned": 3,
        "kontor_takeovers_total": 3,
        "kontor_stale_writes_total": 5,
    }.items():
        assert f'{name}{{process="harbour"}} {value:.1f}' in lines

    # A single process has no such labels and metrics.
    single = Metrics().text().decode()
    assert "process=" not in single
    assert "takeovers" not in single
    names = set(re.findall(r"^# TYPE (\S+) (\S+)$", shared, re.MULTILINE))
    assert set(re.findall(r"^# TYPE (\S+) (\S+)$", single, re.MULTILINE)) < names


async def test_health_lists_the_connected_and_the_unassigned_shards(tmp_path: Path) -> None:
    world = await World(Database(tmp_path)).open()
    checks = {"discord": lambda: OK, "leases": lambda: "lost"}
    metrics = Metrics()
    metrics.sharing = lambda: SEEN
    page = StatusPage(checks, metrics, world.tables, None, world.clock)
    async with (
        page.serve("127.0.0.1", 0) as address,
        aiohttp.ClientSession() as session,
        session.get(f"{address}/healthz") as answer,
    ):
        assert answer.status == 503
        assert json.loads(await answer.text()) == {
            "healthy": False,
            "discord": "ok",
            "database": "ok",
            "leases": "lost",
            "process": {
                "name": "harbour-3fa9c1",
                "shards": 8,
                "here": {"0": "connected", "2": "not connected"},
                "leases": [0, 2],
                "processes": {"harbour-3fa9c1": "1/2", "mill-77b0e2": "4-5"},
                "unrunnable": [1, 3],
                "unassigned": [4],
            },
        }
    await world.close()


async def health(bot: Hosted) -> dict[str, Any]:
    try:
        status, text = await bot.ask("/healthz")
    except OSError:
        return {}
    answer: dict[str, Any] = json.loads(text)
    return answer if status == 200 else {}


@SERVER_ALONE
async def test_a_member_without_a_session_is_unhealthy(
    standin: Standin, tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "IDENTIFY_EVERY_S", 0.0)
    changed: dict[str, Any] = {"database_url": database.url, "shards": 2, "process_name": "first"}
    bot = Hosted(settings_in(tmp_path, standin.url, **changed))

    async def is_healthy() -> bool:
        answer = await health(bot)
        return answer != {} and answer["leases"] == "ok" and answer["process"]["here"] != {}

    async with bot.running(standin.token):
        await until(is_healthy)
        assert await bot.metric('kontor_processes{process="first"}') == 1
        with monkeypatch.context() as patch:
            patch.setattr(Leases, "is_held", False)
            status, text = await bot.ask("/healthz")
        answer = json.loads(text)
        assert (status, answer["healthy"], answer["leases"]) == (503, False, "lost")
        await until(is_healthy)
