"""Shared context of all posts, and best-effort changes in the background."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ParamSpec

import aiohttp
import discord

from bot.cogs.posting.work_queue import finish_or_cancel
from bot.cogs.ui import (
    SEND_ERRORS,
    Control,
    MessageSender,
    Part,
    Services,
    TableView,
    hidden_events_button,
    lines_with,
    link_button,
    place_link,
    reason,
)
from bot.tables import NotOurs, Rejected, Table
from bot.text import Summary, Words, general

log = logging.getLogger(__name__)

P = ParamSpec("P")

DEADLINE_S = 30.0
"""Seconds for a background change, including retries."""
PAUSES_S = (1.0, 5.0)
"""Seconds before each retry if Discord could not be reached."""


class PostingContext:
    """Services, the message sender, and background changes: live edits, buttons of old posts, and
    open panels.

    Changes that Discord refuses, or does not make in time, are dropped.
    """

    def __init__(self, services: Services, sender: MessageSender) -> None:
        self.services = services
        self.tables = services.tables
        self.sender = sender
        self._tidying: dict[asyncio.Task[Any], int] = {}

    def tidy(
        self, table: int, change: Callable[P, Awaitable[object]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Make a change in the background."""
        self.run(table, self.attempt(table, change, *args, **kwargs))

    def run(self, table: int, changes: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run several changes in the background."""
        task = asyncio.create_task(changes)
        self._tidying[task] = table
        task.add_done_callback(self._tidying.pop)
        return task

    async def attempt(
        self, table: int, change: Callable[P, Awaitable[object]], *args: P.args, **kwargs: P.kwargs
    ) -> bool:
        """Make a change with retries. Return whether it was made."""
        try:
            async with asyncio.timeout(DEADLINE_S):
                for pause in PAUSES_S:
                    try:
                        await change(*args, **kwargs)
                    except (discord.DiscordServerError, aiohttp.ClientError, OSError):
                        await asyncio.sleep(pause)
                    else:
                        return True
                await change(*args, **kwargs)
        except (*SEND_ERRORS, Rejected, NotOurs) as error:
            log.info("message not changed table=%s error=%s", table, reason(error))
            return False
        except Exception:
            log.exception("message not changed table=%s", table)
            return False
        return True

    def is_tidying(self, table: int) -> bool:
        """Return whether changes of the table's messages are in progress."""
        return table in self._tidying.values()

    async def close(self, timeout_s: float) -> None:
        """Wait for the changes in progress, and cancel them after the timeout."""
        await finish_or_cancel(list(self._tidying), timeout_s)


def table_button(words: Words, table: Table) -> Control:
    """Return a link button to the table's channel or thread."""
    url = place_link(table, table.thread or table.channel, None)
    return link_button(words(general.GO_TO_TABLE), url)


def summary_parts(
    table_view: TableView, summary: Summary, head: str = "", *, is_newest: bool = True
) -> list[Part]:
    """Return the lines of a summary; a button next to the last one shows the hidden events."""
    lines, more = [*filter(None, [head]), *summary.lines], None
    if summary.hidden_count:
        words, table = table_view.words, table_view.table.id
        more = hidden_events_button(words, table, summary.hidden_count, is_newest=is_newest)
    return lines_with(lines, more) if lines else []
