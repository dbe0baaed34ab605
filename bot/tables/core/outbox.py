"""What is still to be sent: written with the change that causes it, sent, then acknowledged."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from bot.store import NotificationRow, WriteBatch
from bot.tables.core import outbox_drafts
from bot.tables.core.message_numbers import SentMessage, note
from bot.tables.core.model import OutboxItem, OutboxKind
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.unit_of_work import UnitOfWork, from_store


class Outbox:
    """The items that wait to be sent, oldest first."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def items(self, table_id: int | None = None) -> list[OutboxItem]:
        """What is still to be sent, of one table or of all; oldest first.

        Raises StoreUnavailable.
        """
        rows = await from_store(self._unit_of_work.store.outbox(table_id))
        return [outbox_drafts.outbox_item(row) for row in rows]

    async def acknowledge(
        self,
        ids: Iterable[int],
        *,
        table_id: int | None = None,
        posted_seq: int | None = None,
        thread: int | None = None,
        lobby_message: int | None = None,
        panel_message: int | None = None,
        sent: Iterable[SentMessage] = (),
        notified: Iterable[NotificationRow] | None = None,
    ) -> None:
        """These items have been sent, as the messages in `sent`. With a table, the numbers given
        are stored along with it.

        `notified` are those whom a post of the table has pinged; a new item is queued for the
        others. Raises StoreUnavailable.
        """
        batch = WriteBatch()
        batch.acknowledge(ids)
        for each in sent:
            note(batch, each)
        if table_id is None:
            await from_store(self._unit_of_work.store.commit(batch))
            return
        given = {
            "posted_seq": posted_seq,
            "thread": thread,
            "lobby_message": lobby_message,
            "panel_message": panel_message,
        }
        numbers = {name: number for name, number in given.items() if number is not None}

        async def work() -> None:
            loaded = await self._unit_of_work.cache.load(table_id)
            after = loaded.with_table(replace(loaded.table, **numbers))
            batch.save_table(after.row())
            if notified is not None:
                for notification in notified:
                    batch.save_notification(replace(notification, notified=True))
                outbox_drafts.write(
                    self._unit_of_work.store,
                    batch,
                    table_id,
                    loaded.seq(),
                    [OutboxDraft(OutboxKind.NOTIFY)],
                )
            await self._unit_of_work.keep(batch, after)

        await self._unit_of_work.cache.alone(table_id, work)
