"""The small server that shows the bot's status to the operator or a monitoring system."""

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
FAREWELL = 1.0
"""Seconds that an answer in progress has when the bot stops."""


class StatusPage:
    """Answers `/healthz` and `/metrics`. It is read-only."""

    def __init__(
        self,
        checks: Mapping[str, Check],
        metrics: Metrics,
        tables: Tables,
        backups: Backups | None,
        clock: Clock,
    ) -> None:
        self._checks = checks
        self._metrics = metrics
        self._tables = tables
        self._backups = backups
        self._clock = clock

    @asynccontextmanager
    async def served(self, host: str, port: int) -> AsyncIterator[str]:
        """Serve the page within the block; yields its address. Raises OSError."""
        app = web.Application()
        app.router.add_get("/healthz", self.healthz)
        app.router.add_get("/metrics", self.metrics)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=FAREWELL)
        await runner.setup()
        try:
            await web.TCPSite(runner, host, port).start()
            yield f"http://{host}:{runner.addresses[0][1]}"
        finally:
            await runner.cleanup()

    async def healthz(self, _: web.Request) -> web.Response:
        """200 if all is well, else 503; what is wrong with which part, as JSON."""
        parts = await self._parts()
        is_well = all(said == OK for said in parts.values())
        told: dict[str, object] = {"healthy": is_well, **parts}
        if self._metrics.sharing is not None:
            seen = self._metrics.sharing()
            told["process"] = {
                "name": seen.name,
                "shards": seen.shards,
                "here": {
                    str(shard): "connected" if is_connected else "not connected"
                    for shard, is_connected in sorted(seen.here.items())
                },
                "leases": seen.leases,
                "processes": dict(seen.processes),
                "unrunnable": seen.unrunnable,
                "unassigned": seen.unassigned,
            }
        return web.json_response(told, status=200 if is_well else 503)

    async def metrics(self, _: web.Request) -> web.Response:
        """The metrics. Those of the database keep their last values where it does not answer."""
        parts = await self._parts()
        self._metrics.looked({part: said == OK for part, said in parts.items()})
        if self._backups is not None:
            last, ahead = await in_thread(self._backups.state)
            self._metrics.backed_up(last, len(ahead))
        if parts[DATABASE] == OK:
            with suppress(Rejected):
                self._metrics.counted(await self._tables.reader.census(), self._clock.now())
        return web.Response(
            body=self._metrics.text(), headers={"Content-Type": CONTENT_TYPE_LATEST}
        )

    async def _parts(self) -> dict[str, str]:
        said = {part: check() for part, check in self._checks.items()}
        try:
            async with asyncio.timeout(PING_TIMEOUT_S):
                await self._tables.reader.ping()
        except Rejected as error:
            return said | {DATABASE: error.code}
        except TimeoutError:
            return said | {DATABASE: "timed out"}
        return said | {DATABASE: OK}
