"""The status page, for the operator or a monitoring system."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from bot.host.backups import Backups
from bot.host.health import OK, Check
from bot.host.metrics import Metrics
from bot.tables import Clock, Rejected, Tables
from bot.workers import in_thread

DATABASE = "database"
PING_TIMEOUT_S = 2.0
"""Seconds that the database may take to answer."""
SHUTDOWN_S = 1.0
"""Seconds that a running request has when the bot stops."""


class StatusPage:
    """Answers `/healthz` and `/metrics`, and what is added to `routes`. It is read-only."""

    def __init__(
        self,
        checks: Mapping[str, Check],
        metrics: Metrics,
        tables: Tables,
        backups: Backups | None,
        clock: Clock,
    ) -> None:
        self.routes = [web.get("/healthz", self.healthz), web.get("/metrics", self.metrics)]
        self._checks = checks
        self._metrics = metrics
        self._tables = tables
        self._backups = backups
        self._clock = clock

    @asynccontextmanager
    async def serve(self, host: str, port: int) -> AsyncIterator[str]:
        """Serve the page within the block, and yield its address. Raise OSError."""
        app = web.Application()
        app.router.add_routes(self.routes)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=SHUTDOWN_S)
        await runner.setup()
        try:
            await web.TCPSite(runner, host, port).start()
            yield f"http://{host}:{runner.addresses[0][1]}"
        finally:
            await runner.cleanup()

    async def healthz(self, _: web.Request) -> web.Response:
        """Return 200 if all parts are healthy, else 503, with the state of each part as JSON."""
        parts = await self._health()
        is_healthy = all(state == OK for state in parts.values())
        answer: dict[str, object] = {"healthy": is_healthy, **parts}
        if self._metrics.sharing is not None:
            sharing = self._metrics.sharing()
            answer["process"] = {
                "name": sharing.name,
                "shards": sharing.shards,
                "here": {
                    str(shard): "connected" if is_connected else "not connected"
                    for shard, is_connected in sorted(sharing.here.items())
                },
                "leases": sharing.leases,
                "processes": dict(sharing.processes),
                "unrunnable": sharing.unrunnable,
                "unassigned": sharing.unassigned,
            }
        return web.json_response(answer, status=200 if is_healthy else 503)

    async def metrics(self, _: web.Request) -> web.Response:
        """Return the metrics. Those of the database keep their last values if it is down."""
        parts = await self._health()
        self._metrics.set_health({part: state == OK for part, state in parts.items()})
        if self._backups is not None:
            last, future_dated = await in_thread(self._backups.state)
            self._metrics.set_backups(last, len(future_dated))
        if parts[DATABASE] == OK:
            with suppress(Rejected):
                self._metrics.set_totals(await self._tables.reader.census(), self._clock.now())
        return web.Response(
            body=self._metrics.text(), headers={"Content-Type": CONTENT_TYPE_LATEST}
        )

    async def _health(self) -> dict[str, str]:
        state = {part: check() for part, check in self._checks.items()}
        try:
            async with asyncio.timeout(PING_TIMEOUT_S):
                await self._tables.reader.ping()
        except Rejected as error:
            return state | {DATABASE: error.code}
        except TimeoutError:
            return state | {DATABASE: "timed out"}
        return state | {DATABASE: OK}
