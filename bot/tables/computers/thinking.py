"""Computer players that think long, elsewhere, and what they have thought so far at each table.

A table is thought about while its lock is held, but whoever wants the lock gets it at once: the
thought goes on, and counts if its seat is still asked the same afterwards, and sees the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, Protocol

from bot.game.contract import Action, Decision
from bot.tables.core.model import Table
from bot.tables.core.table_locks import TableLocks

Instead = Callable[[], Awaitable[Action | None]]
"""What a computer player does that does not think long."""


class Thinker(Protocol):
    """Thinks for those computer players that need long."""

    def thinks(self, game: str, version: int, policy: str) -> bool:
        """Whether the computer player of that name thinks long in this game."""
        ...

    async def action(
        self,
        game: str,
        version: int,
        view: Any,
        decision: Decision,
        seed: str,
        instead: Instead,
    ) -> Action | None:
        """What the player does, by what its seat may know; what it does `instead` where nobody can
        think now, or not in time.

        It is given at a moment that depends on nothing but when it was asked.
        """
        ...


class Nobody:
    """Nobody thinks long."""

    def thinks(self, game: str, version: int, policy: str) -> bool:
        """Never."""
        return False

    async def action(
        self,
        game: str,
        version: int,
        view: Any,
        decision: Decision,
        seed: str,
        instead: Instead,
    ) -> Action | None:
        """Not asked."""
        return await instead()


class _Thought(NamedTuple):
    """What is being thought about, and by what view."""

    decision: Decision
    view: Any
    task: asyncio.Task[Action | None]


class Thoughts:
    """What is being thought about at each table, one decision at a time."""

    def __init__(self, thinker: Thinker, locks: TableLocks, seed: Callable[[], str]) -> None:
        self._thinker = thinker
        self._locks = locks
        self._seed = seed
        self._thoughts: dict[int, _Thought] = {}
        self._stopped = False

    def needed(self, table: Table, decision: Decision) -> bool:
        """Whether the seat's computer player thinks long."""
        player = table.players[decision.seat]
        return not player.is_human and self._thinker.thinks(
            table.game, table.version, player.policy or ""
        )

    async def of(
        self, table: Table, decision: Decision, view: Any, instead: Instead
    ) -> tuple[Action | None] | None:
        """What the player does, by the `view` of its seat; None as soon as somebody else wants the
        table, whose lock the caller holds, or it is not to be thought about any more.

        It goes on as long as the seat is asked the same and sees the same: what others do in
        secret meanwhile must not show in when it answers.
        """
        if self._stopped:
            return None
        thought = self._thoughts.get(table.id)
        if thought is None or (thought.decision, thought.view) != (decision, view):
            self.drop(table.id)
            thinking = self._thinker.action(
                table.game, table.version, view, decision, self._seed(), instead
            )
            thought = _Thought(decision, view, asyncio.create_task(thinking))
            self._thoughts[table.id] = thought
        wanted = asyncio.create_task(self._locks.wanted(table.id))
        try:
            await asyncio.wait({thought.task, wanted}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            wanted.cancel()
        if thought.task.cancelled() or not thought.task.done():
            return None
        # It is kept until it is dropped: it may be that it cannot be done before others have acted.
        return (thought.task.result(),)

    def drop(self, table_id: int) -> None:
        """Nothing is thought about at the table any more."""
        thought = self._thoughts.pop(table_id, None)
        if thought is not None:
            thought.task.cancel()

    def stop(self) -> None:
        """Nothing is thought about any more; whoever waits for a thought goes on without."""
        self._stopped = True
        for table_id in list(self._thoughts):
            self.drop(table_id)
