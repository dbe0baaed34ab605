"""Whispers: private messages between two people at a table.

They belong to users, not to seats: a later player of the seat does not see them. They are not in
the log, and change nothing that others see. After the game, two people can together show theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.game.contract import Seat
from bot.store import HandledRow, OutboxKind, Status, VoteRow, WhisperRow
from bot.tables.core import Table, TableChange, UnitOfWork, errors, from_store, seating

MAX_LENGTH = 500
"""Characters of a whisper."""
MAX_WHISPERS = 200
"""Whispers that a user can send at a table."""
SHOW = "whispers"
"""The kind of vote to show a talk; its word is the number of the talk's first whisper."""

Talk = Sequence[WhisperRow]
"""The whispers between two users, oldest first; at least one."""


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

    async def talks(self, table_id: int, user: int) -> list[Talk]:
        """Return the user's talks, each with another person."""
        talks: dict[frozenset[int], list[WhisperRow]] = {}
        for row in await self.at_table(table_id):
            if user in parties(row):
                talks.setdefault(parties(row), []).append(row)
        return list(talks.values())

    async def talk(self, table_id: int, user: int, number: int) -> Talk:
        """Return the user's talk with the whisper of that number. Raise no_whisper."""
        for talk in await self.talks(table_id, user):
            if any(row.number == number for row in talk):
                return talk
        raise errors.Rejected("no_whisper")

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

        async def repeat(_: HandledRow) -> WhisperRow:
            rows = await self.at_table(table_id)
            return next(row for row in reversed(rows) if (row.sender, row.text) == (user, text))

        sent = await self._unit_of_work.carry_out(table_id, delivery, work, repeat, notifies=False)
        self.on_queued(table_id, seat)
        return sent

    async def shown_by(self, talk: Talk) -> frozenset[int]:
        """Return the users who want to show the talk to all."""
        votes = self._unit_of_work.store.votes(talk[0].table, SHOW, str(talk[0].number))
        return await from_store(votes)

    async def show(self, table_id: int, user: int, number: int) -> None:
        """Agree to show the talk with that whisper. Once both have, it is posted, once.

        Raise no_whisper or whispers_not_over.
        """

        async def work(change: TableChange) -> None:
            if not change.table.is_over:
                raise errors.Rejected("whispers_not_over")
            talk = await self.talk(table_id, user, number)
            before, first = await self.shown_by(talk), talk[0]
            if user in before:
                return
            now = self._unit_of_work.clock.now()
            change.batch.save(VoteRow(table_id, SHOW, user, now, str(first.number)))
            if before | {user} == parties(first):
                change.batch.enqueue(table_id, OutboxKind.TALK, None, first.number)

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
