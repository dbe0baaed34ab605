"""What is still to be sent: written with the change that causes it, sent, then acknowledged."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from bot.store import NotificationRow, OutboxRow, WriteBatch
from bot.store.slicing import slices
from bot.tables.core import outbox_drafts
from bot.tables.core.cache import from_store
from bot.tables.core.message_numbers import SentMessage, note
from bot.tables.core.model import OutboxItem, OutboxKind
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.unit_of_work import UnitOfWork
from bot.workers import TimeSlice


class Outbox:
    """The items that wait to be sent, oldest first."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def items(self, table_id: int | None = None) -> list[OutboxItem]:
        """What is still to be sent, of one table or of all that are ours; oldest first.

        Whoever reads one table after its items sees what they tell of, whichever process wrote it.
        Raises StoreUnavailable.
        """
        store = self._unit_of_work.store
        if table_id is None:
            shards = self._unit_of_work.ownership.shards()
            rows = await from_store(store.outbox(shards=shards))
        elif store.is_shared:
            rows, revision = await from_store(store.outbox_with_revision(table_id))
            # They may be here before the notice of what they tell of.
            self._unit_of_work.cache.heard(table_id, revision)
        else:
            rows = await from_store(store.outbox(table_id))
        found: list[OutboxItem] = []
        time_slice = TimeSlice()
        for some in slices(rows):
            found += map(outbox_drafts.outbox_item, some)
            await time_slice.take()
        return found

    async def acknowledge(
        self,
        items: Iterable[OutboxItem],
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
        items, sent = list(items), list(sent)
        notified = None if notified is None else list(notified)

        def acknowledging() -> WriteBatch:
            batch = WriteBatch()
            for item in items:
                batch.delete(OutboxRow, table=item.table, id=item.id)
            for each in sent:
                note(batch, each)
            return batch

        if table_id is None:
            await from_store(self._unit_of_work.store.commit(acknowledging()))
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
            batch = acknowledging()
            batch.save_table(after.row())
            if panel_message is not None:
                batch.end_outage(table_id, self._unit_of_work.clock.now())
            if notified is not None:
                for notification in notified:
                    batch.save_notification(replace(notification, notified=True))
                outbox_drafts.write(batch, table_id, loaded.seq(), [OutboxDraft(OutboxKind.NOTIFY)])
            await self._unit_of_work.keep(batch, after)

        await self._unit_of_work.cache.alone(table_id, work)
