"""Metrics for Prometheus. Ids and names of users are never labels."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from itertools import chain
from types import SimpleNamespace
from typing import Any

import aiohttp
import msgspec
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    Metric,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from bot.host.health import Sharing
from bot.store import Census
from bot.tables import MetricsSink

SHORT_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Bounds in seconds, from a commit to longer than Discord waits for an answer."""
LONG_BOUNDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Bounds in seconds, from barely noticeable to longer than users wait."""
LAG_EVERY_S = 1.0
ERROR = 400


class Metrics(MetricsSink):
    """The metrics of the bot, all with the prefix `kontor_`."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self.sharing: Callable[[], Sharing] | None = None
        """Set if several processes share the database: every metric then has a process label."""
        self._longest_block_s = 0.0
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)
        counter = partial(Counter, registry=registry)
        gauge = partial(Gauge, registry=registry)
        histogram = partial(Histogram, registry=registry)
        self._actions = counter("kontor_actions", "Actions played.", ("game", "player"))
        self._seconds = histogram(
            "kontor_action_seconds",
            "Time from an action's request to its commit.",
            ("game",),
            buckets=SHORT_BOUNDS,
        )
        self._answers = histogram(
            "kontor_answer_seconds",
            "Time from a press or command to its response, including computer moves.",
            buckets=SHORT_BOUNDS,
        )
        self._refusals = counter(
            "kontor_refusals", "Requests the bot refused, by reason.", ("code",)
        )
        self._errors = counter(
            "kontor_discord_errors",
            "Failed requests to Discord, by HTTP status and Discord error code; 0 for no response.",
            ("status", "code"),
        )
        self._lag = histogram(
            "kontor_event_loop_lag_seconds",
            "Delay of the event loop, sampled once a second.",
            buckets=SHORT_BOUNDS,
        )
        self._blocks = histogram(
            "kontor_event_loop_blocked_seconds",
            "Times the event loop was blocked longer than WATCHDOG_MS; the log says by what.",
            buckets=LONG_BOUNDS,
        )
        self._longest_block = gauge(
            "kontor_event_loop_blocked_max_seconds",
            "Longest time the event loop was blocked since the start.",
        )
        self.reconnected = counter(
            "kontor_gateway_reconnects", "Reconnects to the Discord gateway."
        ).inc
        self._healthy = gauge("kontor_healthy", "1 if the part is healthy, else 0.", ("part",))
        self._tables = gauge(
            "kontor_tables", "Tables in the database, by game and status.", ("game", "status")
        )
        self._outbox = gauge("kontor_outbox_messages", "Messages waiting in the outbox.")
        self._outbox_age = gauge(
            "kontor_outbox_age_seconds", "Age of the oldest message in the outbox."
        )
        self._size = gauge("kontor_database_bytes", "Size of the database in bytes.")
        self._backup = gauge(
            "kontor_last_backup_timestamp_seconds",
            "Time of the newest backup; 0 if there is none.",
        )
        self._future_dated = gauge(
            "kontor_backups_future_dated",
            "Backups dated in the future, which the bot ignores.",
        )

    # Events, from MetricsSink

    def acted(self, game: str, by_person: bool, seconds: float) -> None:
        self._actions.labels(game, "person" if by_person else "computer").inc()
        self._seconds.labels(game).observe(seconds)

    def refused(self, code: str) -> None:
        self._refusals.labels(code).inc()

    def answered(self, seconds: float) -> None:
        self._answers.observe(seconds)

    def blocked(self, seconds: float) -> None:
        """Record that the event loop was blocked. May be called from another thread."""
        self._blocks.observe(seconds)
        self._longest_block_s = max(seconds, self._longest_block_s)
        self._longest_block.set(self._longest_block_s)

    # Values set before each read

    def set_totals(self, census: Census, now: datetime) -> None:
        """Set the totals over all tables."""
        self._tables.clear()
        for (game, status), count in census.tables.items():
            self._tables.labels(game, status).set(count)
        self._outbox.set(census.outbox)
        since = census.outbox_since
        self._outbox_age.set(0 if since is None else (now - since).total_seconds())
        self._size.set(census.size)

    def set_health(self, health: Mapping[str, bool]) -> None:
        for part, is_healthy in health.items():
            self._healthy.labels(part).set(is_healthy)

    def set_backups(self, newest: datetime | None, future_dated: int) -> None:
        """Set the time of the newest backup, and how many are dated in the future."""
        self._backup.set(0 if newest is None else newest.timestamp())
        self._future_dated.set(future_dated)

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics, with the process label if there are several processes."""
        if self.sharing is None:
            yield from self._registry.collect()
        else:
            sharing = self.sharing()
            for metric in chain(self._registry.collect(), _of_sharing(sharing)):
                metric.samples = [
                    sample._replace(labels={**sample.labels, "process": sharing.process})
                    for sample in metric.samples
                ]
                yield metric

    def text(self) -> bytes:
        """Return all metrics in the format of Prometheus."""
        return generate_latest(self)

    # Measurements in the background

    async def measure_lag(self) -> None:
        """Measure the delay of the event loop once a second."""
        while True:
            before = time.perf_counter()
            await asyncio.sleep(LAG_EVERY_S)
            self._lag.observe(max(0.0, time.perf_counter() - before - LAG_EVERY_S))

    def trace(self) -> aiohttp.TraceConfig:
        """Return a trace for discord.py that counts failed requests."""
        trace = aiohttp.TraceConfig()
        trace.on_request_end.append(self._on_answer)
        trace.on_request_exception.append(self._on_no_answer)
        return trace

    async def _on_answer(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, end: aiohttp.TraceRequestEndParams
    ) -> None:
        status, code = end.response.status, 0
        if status >= ERROR:
            # aiohttp caches the body, so discord.py can still read it.
            with suppress(msgspec.MsgspecError):
                code = msgspec.json.decode(await end.response.read(), type=_Refusal).code
            self._errors.labels(status, code).inc()

    async def _on_no_answer(self, *_: Any) -> None:
        self._errors.labels(0, 0).inc()


class _Refusal(msgspec.Struct):
    code: int = 0


def _of_sharing(sharing: Sharing) -> Iterator[Metric]:
    gauge, counter = GaugeMetricFamily, CounterMetricFamily
    unassigned = len(sharing.unrunnable) + len(sharing.unassigned)
    for kind, name, documentation, value in (
        (gauge, "leases", "Shards this process holds the lease of.", len(sharing.leases)),
        (
            gauge,
            "shards_connected",
            "Shards this process has connected to Discord.",
            sum(sharing.here.values()),
        ),
        (gauge, "processes", "Live processes on the database.", len(sharing.processes)),
        (gauge, "shards_unassigned", "Shards that no process runs.", unassigned),
        (counter, "takeovers", "Shards taken over from another process.", sharing.takeovers),
        (
            counter,
            "stale_writes",
            "Writes repeated because another process wrote first.",
            sharing.stale_writes,
        ),
    ):
        yield kind(f"kontor_{name}", documentation, value)
