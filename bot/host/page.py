"""The small server that shows the bot's status to the operator or a monitoring system."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from bot.host.backups import Backups
from bot.host.health import DATABASE, OK, Health
from bot.host.metrics import Metrics
from bot.host.sharing import Sharing
from bot.tables import Clock, TableError, Tables
from bot.workers import in_thread

FAREWELL = 1.0
"""Seconds that an answer in progress has when the bot stops."""


class StatusPage:
    """Answers `/healthz` and `/metrics`. It is read-only."""

    def __init__(
        self,
        health: Health,
        metrics: Metrics,
        tables: Tables,
        backups: Backups | None,
        clock: Clock,
        sharing: Callable[[], Sharing] | None = None,
    ) -> None:
        self._health = health
        self._metrics = metrics
        self._tables = tables
        self._backups = backups
        self._clock = clock
        self._sharing = sharing

    @asynccontextmanager
    async def served(self, host: str, port: int) -> AsyncIterator[str]:
        """Within the block the page is served; yields its address. Raises OSError."""
        app = web.Application()
        app.router.add_get("/healthz", self.healthz)
        app.router.add_get("/metrics", self.metrics)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=FAREWELL)
        await runner.setup()
        try:
            site = web.TCPSite(runner, host, port)
            await site.start()
            yield f"http://{host}:{runner.addresses[0][1]}"
        finally:
            await runner.cleanup()

    async def healthz(self, _: web.Request) -> web.Response:
        """200 if all is well, else 503; what is wrong with which part, as JSON.

        Where processes share the database, also who runs which shards.
        """
        parts = await self._health.look()
        is_well = all(said == OK for said in parts.values())
        told: dict[str, object] = {"healthy": is_well, **parts}
        if self._sharing is not None:
            told["member"] = self._sharing().told()
        return web.json_response(told, status=200 if is_well else 503)

    async def metrics(self, _: web.Request) -> web.Response:
        """The metrics. Those of the database keep their last values where it does not answer."""
        parts = await self._health.look()
        well = {part: said == OK for part, said in parts.items()}
        self._metrics.looked(well)
        if self._backups is not None:
            last, ahead = await in_thread(self._backups.state)
            self._metrics.backed_up(last, len(ahead))
        if well[DATABASE]:
            with suppress(TableError):
                self._metrics.counted(await self._tables.reader.census(), self._clock.now())
        return web.Response(
            body=self._metrics.text(), headers={"Content-Type": CONTENT_TYPE_LATEST}
        )
