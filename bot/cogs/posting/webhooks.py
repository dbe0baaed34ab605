"""Posts as JSON, sent to the web address that a server's managers have set for a table."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import msgspec

from bot.cogs.posting.context import PostingContext
from bot.cogs.ui import TableView, table_link, web
from bot.game.contract import Event
from bot.tables import OutboxItem, SentMessage, Status

log = logging.getLogger(__name__)

MAX_AGE = timedelta(days=1)
"""How long a post is retried."""


async def send_webhook(
    posting: PostingContext, table_view: TableView, items: Sequence[OutboxItem]
) -> None:
    """Send the table's public state, and what has happened since the last one, and acknowledge it.

    A post that may have been received is sent again with the same id, and perhaps newer content.
    Raise ConnectionError if the address does not accept it.
    """
    tables, table, last = posting.tables, table_view.table, items[-1]
    row, now = await tables.webhooks.get(table.id), tables.notifications.now()
    (entry, *_) = await tables.reader.entries(table_view, last.seq)
    if row is None or (entry.at is not None and now - entry.at > MAX_AGE):
        log.info("webhook dropped, removed or too old table=%s", table.id)
        await tables.outbox.acknowledge(items)
        return
    # In place of a message's id it has the log entry up to which the address knows the game.
    numbered = await tables.outbox.number(table.id, "webhook", table_view.seq)
    since = last.seq - 1 if numbered.newest is None else numbered.newest
    state = public_state(table_view, await tables.reader.visible_events_since(table_view, since))
    body = msgspec.json.encode({"id": numbered.nonce, "sent": int(now.timestamp()), **state})
    # The key is the text that its owner has seen.
    signature = hmac.new(row.secret.hex().encode(), body, "sha256").hexdigest()
    status = await web.post(row.url, body, {"X-Kontor-Signature": f"sha256={signature}"})
    if not 200 <= status < 300:
        raise ConnectionError(f"status {status}")
    sent = SentMessage(numbered, place=0, message=table_view.seq, seq=table_view.seq)
    await tables.outbox.acknowledge(items, sent=[sent])


def public_state(table_view: TableView, events: Sequence[Event]) -> dict[str, Any]:
    """Return what a post of these events shows, as JSON values. The view must be a spectator's.

    Places and scores are by seat, and empty until the game is finished. Numbers of log entries are
    left out, as a gap would reveal a secret action.
    """
    table, outcome = table_view.table, table_view.outcome
    return {
        "table": table.id,
        "game": table.game,
        "title": table_view.words(table_view.text.title),
        "status": table.status.value,
        "url": table_link(table),
        "seats": [
            {"name": name.plain, "computer": not player.is_human}
            for name, player in zip(table_view.names, table.players, strict=True)
        ],
        "happened": table_view.story(events),
        "to_act": [
            {"seat": each.seat, "text": table_view.text.to_act(each)}
            for each in table_view.pending
            if table.status is Status.PLAYING and not each.optional
        ],
        "places": [] if outcome is None else outcome.places,
        "scores": [] if outcome is None else outcome.scores,
    }
