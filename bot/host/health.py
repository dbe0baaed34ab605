"""Whether everything the bot needs is working, part by part."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from bot.tables import TableError

OK = "ok"
DATABASE = "database"
"""The part without which nothing can be counted."""
PING_TIMEOUT_S = 2.0
"""Seconds that a part may take to answer."""

Check = Callable[[], Awaitable[str]]
"""Says `OK`, or what is wrong in a few words."""


class Health:
    """Checks each part when it is asked."""

    def __init__(self, checks: Mapping[str, Check]) -> None:
        self._checks = checks

    async def look(self) -> dict[str, str]:
        """For each part, `OK` or what is wrong with it."""
        said = await asyncio.gather(*map(_within_time, self._checks.values()))
        return dict(zip(self._checks, said, strict=True))


def holds(condition: Callable[[], bool], otherwise: str) -> Check:
    """A part that is healthy as long as a condition holds."""

    async def check() -> str:
        return OK if condition() else otherwise

    return check


def answers(ask: Callable[[], Awaitable[object]]) -> Check:
    """A part that is healthy if it answers in time."""

    async def check() -> str:
        try:
            await ask()
        except TableError as error:
            return error.code
        return OK

    return check


async def _within_time(check: Check) -> str:
    try:
        async with asyncio.timeout(PING_TIMEOUT_S):
            return await check()
    except TimeoutError:
        return "no answer in time"
