"""People who keep playing whatever happens, in a thread or in direct messages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from bot.local import CannotDoError, Channel, Message, NoAnswerError, Person, Standin
from tests.wire.players import HARBOUR, ids
from tests.wire.witness import Witness

PATIENCE_S = 15.0
"""How long a player waits for a promised panel before they open another."""
IDLE_S = 1.0
"""How long a player waits for a new post after a turn without questions."""
TURN_S = 240.0
"""Timeout for the turns of others, including the ping after them."""


class Player(Witness):
    """One person at the first table; with `by_dm` they play in direct messages."""

    def __init__(
        self, standin: Standin, person: Person, *, home: Channel, by_dm: bool = False
    ) -> None:
        super().__init__(standin, person, home=home)
        self.by_dm = by_dm
        self.unanswered: list[str] = []
        # At least as long as they wait for an answer.
        self.patience_s = max(PATIENCE_S, standin.interactions.acknowledge_s)

    @property
    def is_over(self) -> bool:
        return any(f"log:{self.table}" in ids(post) for post in self.posts[-1:])

    async def open(self) -> Message:
        if not self.by_dm:
            return await super().open()
        answer = await self.person.slash(self.person.dm, "game turn", table=self.table)
        panel = answer.message
        assert panel is not None
        await self._until_answered(answer)
        self.panel = panel
        return panel

    async def play(self) -> None:
        while True:
            await self.person.wait_for(lambda: self.is_over or self.is_pinged, timeout=TURN_S)
            if self.is_over:
                return
            seen, count = self._post(), len(self.presses)
            try:
                await self.turn()
            except (NoAnswerError, TimeoutError) as error:
                self.unanswered.append(str(error))
                self.expect_stale()
            except CannotDoError:
                # The component was removed before they pressed it.
                self.expect_stale()
            if len(self.presses) == count:
                await self._anything_new(seen)

    async def sees_another_post(self) -> None:
        wanted = len(self.posts) + 1
        await self.person.wait_for(lambda: self.is_over or len(self.posts) >= wanted, timeout=60.0)

    async def _anything_new(self, seen: tuple[int, str | None]) -> None:
        try:
            await self.person.wait_for(lambda: self._post() != seen, timeout=IDLE_S)
        except TimeoutError:
            self.expect_stale()

    def _post(self) -> tuple[int, str | None]:
        posts = self.posts
        return (posts[-1].id, posts[-1].edited_at) if posts else (0, None)


@asynccontextmanager
async def at_play(players: Sequence[Player]) -> AsyncIterator[None]:
    async with asyncio.TaskGroup() as group:
        for each in players:
            group.create_task(each.play())
        yield


def harbour(standin: Standin, shard: int) -> Channel:
    return standin.channel(HARBOUR, f"Guild {shard}")
