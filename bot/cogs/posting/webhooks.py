"""Posts as JSON, sent to the web address that a server's managers have set for a table."""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections.abc import Sequence
from datetime import timedelta

import msgspec

from bot.cogs.posting.context import PostingContext
from bot.cogs.ui import TableView, web
from bot.cogs.ui.public_state import public_state
from bot.tables import OutboxItem, SentMessage
from bot.tables.webhooks import signing_key

log = logging.getLogger(__name__)

WEBHOOK = "webhook"
"""Kind of the numbered messages. In place of a message's id they have the log entry up to which the
address knows the game."""
SIGNATURE = "X-Kontor-Signature"
MAX_AGE = timedelta(days=1)
"""How long a post is retried."""
GONE = 410
"""The HTTP status by which an address asks for no more posts."""


async def send_webhook(
    posting: PostingContext, table_view: TableView, items: Sequence[OutboxItem]
) -> None:
    """Send the table's public state, and what has happened since the last one, and acknowledge it.

    A post that may have been received is sent again with the same id, and perhaps newer content.
    Raise ConnectionError if the address does not accept it.
    """
    tables, table = posting.tables, table_view.table
    row, last = await tables.webhooks.get(table.id), items[-1]
    if row is None:
        await tables.outbox.acknowledge(items)
        return
    (entry, *_) = await tables.reader.entries(table_view, last.seq)
    if entry.at is not None and tables.notifications.now() - entry.at > MAX_AGE:
        log.warning("webhook dropped, too old table=%s", table.id)
        await tables.outbox.acknowledge(items)
        return
    numbered = await tables.outbox.number(table.id, WEBHOOK, table_view.seq)
    since = last.seq - 1 if numbered.newest is None else numbered.newest
    events = await tables.reader.visible_events_since(table_view, since)
    body = msgspec.json.encode(
        {
            "id": numbered.nonce,
            "sent": int(tables.notifications.now().timestamp()),
            **public_state(table_view, events),
        }
    )
    status = await web.post(row.url, body, {SIGNATURE: signature(row.secret, body)})
    if status == GONE:
        log.info("webhook removed, gone table=%s", table.id)
        await tables.webhooks.save(table.id, None)
    elif not 200 <= status < 300:
        raise ConnectionError(f"status {status}")
    sent = SentMessage(numbered, place=0, message=table_view.seq, seq=table_view.seq)
    await tables.outbox.acknowledge(items, sent=[sent])


def signature(secret: bytes, body: bytes) -> str:
    """Return the header that proves that the body comes from this bot."""
    key = signing_key(secret).encode()
    return f"sha256={hmac.new(key, body, hashlib.sha256).hexdigest()}"
