"""Bots whose requests go through a proxy."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import aiohttp
import pytest
from aiohttp import web

from bot.cluster import leases
from bot.local import Standin
from tests.host.conftest import TIMEOUT_S, Hosted, settings_in
from tests.store.conftest import database, template
from tests.store.database import KINDS, SERVER, Database
from tests.wire.players import RandomPlayer, sit_down

__all__ = ["database", "template"]

API = "/api/v10"
HOP_BY_HOP = ("host", "content-length", "transfer-encoding", "connection")


class Proxy:
    """Forwards requests to the address `target` and counts them. It has no gateway."""

    def __init__(self, target: str) -> None:
        self.url = ""
        self.seen: Counter[tuple[str, str]] = Counter()
        self._target = target
        self._session: aiohttp.ClientSession

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[Proxy]:
        app = web.Application(client_max_size=0)
        app.router.add_route("*", API + "/{path:.*}", self._forward)
        runner = web.AppRunner(app)
        await runner.setup()
        # Forward compressed bodies unchanged.
        async with aiohttp.ClientSession(auto_decompress=False) as self._session:
            try:
                site = web.TCPSite(runner, "127.0.0.1", 0)
                await site.start()
                host, port = runner.addresses[0][:2]
                self.url = f"http://{host}:{port}"
                yield self
            finally:
                await runner.cleanup()

    async def _forward(self, request: web.Request) -> web.Response:
        self.seen[request.method, request.path.removeprefix(API)] += 1
        async with self._session.request(
            request.method,
            self._target + request.raw_path,
            headers=_forwarded(request.headers.items()),
            data=await request.read(),
        ) as answer:
            headers = _forwarded(answer.headers.items())
            return web.Response(status=answer.status, headers=headers, body=await answer.read())


def _forwarded(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {name: value for name, value in headers if name.lower() not in HOP_BY_HOP}


@pytest.mark.parametrize(
    "database",
    [pytest.param(kind, marks=[pytest.mark.slow] if kind == SERVER else []) for kind in KINDS],
    indirect=True,
)
async def test_all_requests_go_through_the_proxy(
    standin: Standin, tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "IDENTIFY_EVERY_S", 0.0)
    # Processes that share a database ask Discord for the number of shards.
    shards = None if database.server is None else "auto"
    standin.limits.shards = sessions = 1 if shards is None else 2
    gateway, model = standin.gateway, standin.model
    async with Proxy(standin.url).serving() as proxy:
        settings = {"discord_proxy": proxy.url, "database_url": database.url, "shards": shards}
        bot = Hosted(settings_in(tmp_path, standin.url, **settings))
        async with bot.running(standin.token):
            async with asyncio.timeout(TIMEOUT_S):
                await model.until(lambda: len(gateway.shards()) == sessions and model.commands)
            anna, bert = (
                RandomPlayer(standin, standin.person(n), Random(n)) for n in ("Anna", "Bert")
            )
            await sit_down(standin, anna.person, bert.person)
            await anna.turn()
            await bert.turn()
    arrived = Counter((each.method, each.path) for each in standin.faults.requests)
    assert arrived == proxy.seen
    first_parts = {path.split("/")[1] for _, path in arrived}
    assert {"users", "applications", "interactions", "channels"} <= first_parts
    assert ("gateway" in first_parts) == (shards == "auto")
