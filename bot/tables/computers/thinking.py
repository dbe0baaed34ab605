"""Computer players that think long, elsewhere, and what they have thought so far at each table.

A table is thought about while its lock is held, but whoever wants the lock gets it at once: the
thought goes on, and counts if the table still asks the same afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from bot.game.contract import Action, Decision
from bot.tables.core.cache import LoadedTable
from bot.tables.core.model import Table
from bot.tables.core.table_locks import TableLocks


class Thinker(Protocol):
    """Thinks for those computer players that need long."""

    def thinks(self, game: str, version: int, policy: str) -> bool:
        """Whether the computer player of that name thinks long in this game."""
        ...

    async def action(
        self, game: str, version: int, view: Any, decision: Decision, seed: str
    ) -> Action | None:
        """What the player does, by what its seat may know; None where nobody can think now."""
        ...


class Nobody:
    """Nobody thinks long."""

    def thinks(self, game: str, version: int, policy: str) -> bool:
        """Never."""
        return False

    async def action(
        self, game: str, version: int, view: Any, decision: Decision, seed: str
    ) -> Action | None:
        """Nothing."""
        return None


class _Thought(NamedTuple):
    """What is being thought about: the entry after which it was asked, and what."""

    after: int
    decision: Decision
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
        self, loaded: LoadedTable, decision: Decision, view: Callable[[], Any]
    ) -> tuple[Action | None] | None:
        """What the player does, by the `view` of its seat; None as soon as somebody else wants the
        table, whose lock the caller holds, or it is not to be thought about any more. An action of
        None is that nobody can think now."""
        if self._stopped:
            return None
        table, seq = loaded.table, loaded.position().seq
        thought = self._thoughts.get(table.id)
        if thought is None or (thought.after, thought.decision) != (seq, decision):
            self.drop(table.id)
            thinking = self._thinker.action(
                table.game, table.version, view(), decision, self._seed()
            )
            thought = _Thought(seq, decision, asyncio.create_task(thinking))
            self._thoughts[table.id] = thought
        wanted = asyncio.create_task(self._locks.wanted(table.id))
        try:
            await asyncio.wait({thought.task, wanted}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            wanted.cancel()
        if thought.task.cancelled() or not thought.task.done():
            return None
        # What was thought of is kept: it may be that it cannot be done before others have acted.
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
