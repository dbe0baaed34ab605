"""One process of several: whose metrics they are, and who runs which shards."""

from __future__ import annotations

import json
import re
from pathlib import Path

import aiohttp

from bot.host.health import DATABASE, Health, holds
from bot.host.metrics import Metrics
from bot.host.page import StatusPage
from bot.host.sharing import Sharing
from tests.store.database import Database
from tests.tables.world import World

SEEN = Sharing(
    process="harbour",
    member="harbour-3fa9c1",
    shards=8,
    here={2: False, 0: True},
    leases=(0, 2),
    members={"harbour-3fa9c1": "1/2", "mill-77b0e2": "4-5"},
    nobody_may_run=(1, 3),
    nobody_has=(4,),
    takeovers=3,
    stale_writes=5,
)


def metrics_of(process: str, seen: Sharing) -> str:
    metrics = Metrics()
    metrics.share(process, lambda: seen)
    metrics.acted("pebbles", True, 0.01)
    metrics.refused("not_seated")
    metrics.looked({"leases": True})
    return metrics.text().decode()


def test_every_metric_says_whose_it_is() -> None:
    lines = [line for line in metrics_of("harbour", SEEN).splitlines() if line[0] != "#"]
    assert all(re.search(r'[{,]process="harbour"[,}]', line) for line in lines)
    assert 'kontor_actions_total{game="pebbles",player="person",process="harbour"} 1.0' in lines
    assert any(line.startswith("process_resident_memory_bytes{") for line in lines)


def test_a_single_process_labels_nothing_and_counts_no_shards() -> None:
    single, shared = Metrics().text().decode(), metrics_of("harbour", SEEN)
    assert "process=" not in single
    assert "takeovers" not in single
    names = set(re.findall(r"^# TYPE (\S+) (\S+)$", shared, re.MULTILINE))
    assert set(re.findall(r"^# TYPE (\S+) (\S+)$", single, re.MULTILINE)) < names


def test_leases_shards_and_what_went_wrong_are_counted() -> None:
    text = metrics_of("harbour", SEEN)
    for name, value in {
        "kontor_leases": 2,
        "kontor_shards_connected": 1,
        "kontor_members": 2,
        "kontor_shards_of_nobody": 3,
        "kontor_takeovers_total": 3,
        "kontor_stale_writes_total": 5,
    }.items():
        assert f'{name}{{process="harbour"}} {value:.1f}' in text


async def test_health_says_which_shards_are_here_and_what_nobody_runs(tmp_path: Path) -> None:
    world = await World(Database(tmp_path)).open()
    checks = {DATABASE: holds(lambda: True, ""), "leases": holds(lambda: False, "not kept")}
    page = StatusPage(Health(checks), Metrics(), world.tables, None, world.clock, lambda: SEEN)
    async with (
        page.served("127.0.0.1", 0) as address,
        aiohttp.ClientSession() as session,
        session.get(f"{address}/healthz") as answer,
    ):
        assert answer.status == 503
        assert json.loads(await answer.text()) == {
            "healthy": False,
            "database": "ok",
            "leases": "not kept",
            "member": {
                "name": "harbour-3fa9c1",
                "shards": 8,
                "here": {"0": "connected", "2": "not connected"},
                "leases": [0, 2],
                "members": {"harbour-3fa9c1": "1/2", "mill-77b0e2": "4-5"},
                "nobody_may_run": [1, 3],
                "nobody_has": [4],
            },
        }
    await world.close()
