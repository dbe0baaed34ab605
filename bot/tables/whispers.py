"""Whispers: private messages between two people at a table.

They belong to users, not to seats: a later player of the seat does not see them. They are not in
the log, and change nothing that others see. After the game, two people can together show theirs.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.store import HandledRow, OutboxKind, VoteRow, WhisperRow
from bot.tables.core import TableChange, UnitOfWork, errors, from_store, seating

MAX_LENGTH = 500
"""Characters of a whisper."""
MAX_WHISPERS = 200
"""Whispers that a user can send at a table."""
SHOW = "whispers"
"""The kind of vote to show a talk to all; its word is the time of the talk's first whisper. Its
number would tell the user, in their exported data, how many others there were at the table."""


class Whispers:
    """Stores whispers. Every method raises UnknownTable or StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self.on_queued: Callable[[int], None] = lambda _: None
        """Called with the table of a new message in the outbox. Other subscribers are not notified,
        as nothing at the table has changed."""

    async def at_table(self, table_id: int) -> list[WhisperRow]:
        """Return all whispers at the table, oldest first."""
        return await from_store(self._unit_of_work.store.whispers(table_id))

    async def talks(self, table_id: int, user: int) -> dict[int, list[WhisperRow]]:
        """Return the user's whispers by the other user, oldest first."""
        talks: dict[int, list[WhisperRow]] = {}
        for row in await self.at_table(table_id):
            if user in (row.sender, row.receiver):
                talks.setdefault(row.receiver if user == row.sender else row.sender, []).append(row)
        return talks

    async def send(
        self, table_id: int, user: int, receiver: int, text: str, *, delivery: str | None = None
    ) -> WhisperRow:
        """Whisper to a person at the table.

        Raise bad_whisper, not_seated, table_over, whisper_to_oneself, whisper_to_absent or
        too_many_whispers.
        """

        async def work(change: TableChange) -> WhisperRow:
            table = change.table
            seating.seated(table, user)
            seating.check_open(table)
            if receiver == user:
                raise errors.Rejected("whisper_to_oneself")
            seat = seating.seated(table, receiver, "whisper_to_absent")
            if not 0 < len(text) <= MAX_LENGTH:
                raise errors.Rejected("bad_whisper", most=MAX_LENGTH)
            rows = await self.at_table(table_id)
            if sum(row.sender == user for row in rows) >= MAX_WHISPERS:
                raise errors.Rejected("too_many_whispers", most=MAX_WHISPERS)
            number = 1 + max((row.number for row in rows), default=0)
            sent = WhisperRow(
                table_id, number, user, receiver, text, self._unit_of_work.clock.now()
            )
            change.batch.insert(sent)
            change.batch.enqueue(table_id, OutboxKind.WHISPER, seat, number)
            return sent

        async def repeat(handled: HandledRow) -> WhisperRow:
            return WhisperRow(table_id, 0, user, receiver, text, handled.at)

        sent = await self._unit_of_work.carry_out(table_id, delivery, work, repeat, notifies=False)
        self.on_queued(table_id)
        return sent

    async def show(self, table_id: int, user: int, other: int) -> None:
        """Agree to show the talk with the other user. Once both have, it is posted, once.

        Raise no_whisper or whispers_not_over.
        """

        async def work(change: TableChange) -> None:
            if not change.table.is_over:
                raise errors.Rejected("whispers_not_over")
            talk = (await self.talks(table_id, user)).get(other)
            if talk is None:
                raise errors.Rejected("no_whisper")
            word = talk[0].at.isoformat()
            agreed = await from_store(self._unit_of_work.store.votes(table_id, SHOW, word))
            if user not in agreed:
                at = self._unit_of_work.clock.now()
                change.batch.save(VoteRow(table_id, SHOW, user, at, word))
                if agreed:
                    change.batch.enqueue(table_id, OutboxKind.TALK, None, talk[0].number)

        await self._unit_of_work.carry_out(table_id, None, work, notifies=False)
        self.on_queued(table_id)
