"""Whispers: private messages between two people at a table.

They belong to users, not to seats: a later player of the seat does not see them. They are not in
the log, and change nothing that others see. After the game, two people can together show theirs.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.game.contract import Seat
from bot.store import HandledRow, OutboxKind, Status, VoteRow, WhisperRow
from bot.tables.core import Table, TableChange, UnitOfWork, errors, from_store, seating

MAX_LENGTH = 500
"""Characters of a whisper."""
MAX_WHISPERS = 200
"""Whispers that a user can send at a table."""
SHOW = "whispers"
"""The kind of vote to show a talk to all; its word is the other user. A whisper's number would tell
how many others there are at the table, so it is never shown."""


def parties(whisper: WhisperRow) -> frozenset[int]:
    return frozenset((whisper.sender, whisper.receiver))


class Whispers:
    """Stores whispers. Every method raises UnknownTable or StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self.on_queued: Callable[[int, Seat | None], None] = lambda *_: None
        """Called with the table and the seat of a new message in the outbox. Other subscribers are
        not notified, as nothing at the table has changed."""

    async def at_table(self, table_id: int) -> list[WhisperRow]:
        """Return all whispers at the table, oldest first."""
        return await from_store(self._unit_of_work.store.whispers(table_id))

    async def talks(self, table_id: int, user: int) -> dict[int, list[WhisperRow]]:
        """Return the user's whispers by the other user, oldest first."""
        talks: dict[int, list[WhisperRow]] = {}
        for row in await self.at_table(table_id):
            if user in parties(row):
                talks.setdefault(row.receiver if user == row.sender else row.sender, []).append(row)
        return talks

    async def send(
        self, table_id: int, user: int, seat: Seat, text: str, *, delivery: str | None = None
    ) -> WhisperRow:
        """Whisper to the person on a seat.

        Raise bad_whisper, not_seated, not_started, table_over, whisper_to_computer,
        whisper_to_oneself or too_many_whispers.
        """

        async def work(change: TableChange) -> WhisperRow:
            receiver, rows = _receiver(change.table, user, seat), await self.at_table(table_id)
            if not 0 < len(text) <= MAX_LENGTH:
                raise errors.Rejected("bad_whisper", most=MAX_LENGTH)
            if sum(row.sender == user for row in rows) >= MAX_WHISPERS:
                raise errors.Rejected("too_many_whispers", most=MAX_WHISPERS)
            number = 1 + max((row.number for row in rows), default=0)
            now = self._unit_of_work.clock.now()
            sent = WhisperRow(table_id, number, user, receiver, text, now)
            change.batch.insert(sent)
            change.batch.enqueue(table_id, OutboxKind.WHISPER, seat, number)
            return sent

        async def repeat(handled: HandledRow) -> WhisperRow:
            table = (await self._unit_of_work.cache.load(table_id)).table
            return WhisperRow(table_id, 0, user, table.players[seat].user or 0, text, handled.at)

        sent = await self._unit_of_work.carry_out(table_id, delivery, work, repeat, notifies=False)
        self.on_queued(table_id, seat)
        return sent

    async def shows(self, table_id: int, user: int, other: int) -> bool:
        """Return whether the user wants to show their talk with the other user to all."""
        votes = self._unit_of_work.store.votes(table_id, SHOW, str(other))
        return user in await from_store(votes)

    async def show(self, table_id: int, user: int, other: int) -> None:
        """Agree to show the talk with the other user. Once both have, it is posted, once.

        Raise no_whisper or whispers_not_over.
        """

        async def work(change: TableChange) -> None:
            if not change.table.is_over:
                raise errors.Rejected("whispers_not_over")
            talks = await self.talks(table_id, user)
            if other not in talks:
                raise errors.Rejected("no_whisper")
            if await self.shows(table_id, user, other):
                return
            now = self._unit_of_work.clock.now()
            change.batch.save(VoteRow(table_id, SHOW, user, now, str(other)))
            if await self.shows(table_id, other, user):
                change.batch.enqueue(table_id, OutboxKind.TALK, None, talks[other][0].number)

        await self._unit_of_work.carry_out(table_id, None, work, notifies=False)
        self.on_queued(table_id, None)


def _receiver(table: Table, user: int, seat: Seat) -> int:
    seating.seated(table, user)
    seating.check_open(table)
    if table.status is Status.LOBBY:
        raise errors.NotPlaying("not_started")
    receiver = table.players[seat].user
    if receiver is None:
        raise errors.Rejected("whisper_to_computer")
    if receiver == user:
        raise errors.Rejected("whisper_to_oneself")
    return receiver
