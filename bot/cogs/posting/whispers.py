"""Whispers as direct messages, and talks that both people show to all after the game."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress

from bot.cogs.dialogues.whispers import answer_id, line_of, names_in
from bot.cogs.posting.context import PostingContext, table_button
from bot.cogs.ui import Keep, Layout, NewMessage, Row, Text, Unreachable, button
from bot.tables import OutboxItem, OutboxKind, Table, WhisperRow
from bot.text import Words, bold

log = logging.getLogger(__name__)


async def post_whispers(
    posting: PostingContext, words: Words, table: Table, items: Sequence[OutboxItem]
) -> None:
    """Send the whispers to a seat in one message, or post the talks that are shown to all.

    Raise Held in the receiver's quiet hours, and Closed if the bot may not post in the channel.
    """
    rows = {row.number: row for row in await posting.tables.whispers.at_table(table.id)}
    for item in items:
        if item.kind is OutboxKind.TALK:
            await _post_talk(posting, words, table, item, list(rows.values()))
    while new := [item for item in items if item.kind is OutboxKind.WHISPER]:
        user = table.players[new[0].seat or 0].user
        # A later player of the seat must not see them.
        due = [rows[item.seq] for item in new if item.seq in rows]
        covered = await _send(posting, words, table, new, [r for r in due if r.receiver == user])
        items = [item for item in new if item.seq > covered]


async def _send(
    posting: PostingContext,
    table_words: Words,
    table: Table,
    items: Sequence[OutboxItem],
    due: Sequence[WhisperRow],
) -> int:
    """Send these whispers, and return the number of the last one that the message covers."""
    sent, covered = None, items[-1].seq
    if due:
        receiver, senders = due[0].receiver, {row.sender: row for row in due}
        words = await posting.services.user_words(receiver, table_words)
        lines = [bold(posting.services.heading(words, table))]
        lines += [line_of(words, table, receiver, row) for row in due]
        names = names_in(words, table)
        answers = [
            button(
                answer_id(row),
                words("Answer")
                if len(senders) == 1
                else words("Answer {name}", name=names[sender].plain),
            )
            for sender, row in senders.items()
            if sender in names
        ]
        new = NewMessage(
            table=table,
            kind=f"whisper{items[0].seat}",
            content=Layout(
                [Text("\n".join(lines), Keep.NEWEST), Row([*answers, table_button(words, table)])]
            ),
            seq=covered,
            button_id=answers[0].custom_id if answers else None,
            to=table.players[items[0].seat or 0],
        )
        try:
            sent = await posting.sender.send(new)
            covered = covered if sent is None else sent.seq
        except Unreachable:
            # Nothing public may hint at it: only the senders learn it.
            log.info("whisper not sent, direct messages off table=%s", table.id)
            for row in senders.values() if table.players[items[0].seat or 0].reachable else ():
                posting.tidy(table.id, _tell, posting, table_words, table, row)
    await posting.tables.outbox.acknowledge(
        [item for item in items if item.seq <= covered], sent=filter(None, [sent])
    )
    return covered


async def _tell(posting: PostingContext, table_words: Words, table: Table, row: WhisperRow) -> None:
    """Tell the sender that the receiver gets no direct messages."""
    words = await posting.services.user_words(row.sender, table_words)
    name = names_in(words, table)[row.receiver]
    line = words(
        "{name} doesn't accept direct messages, so they'll find your whisper with `/table "
        "whispers`.",
        name=bold(name),
    )
    text = f"{bold(posting.services.heading(words, table))}\n{line}"
    with suppress(Unreachable):
        await posting.sender.send_direct(
            row.sender, text, nonce=f"{table.id}.unread.{row.number}", silent=True
        )


async def _post_talk(
    posting: PostingContext,
    words: Words,
    table: Table,
    item: OutboxItem,
    rows: Sequence[WhisperRow],
) -> None:
    """Post a whole talk, as far as it fits into a message."""
    parties = {
        party for row in rows if row.number == item.seq for party in (row.sender, row.receiver)
    }
    lines = [
        line_of(words, table, None, row) for row in rows if {row.sender, row.receiver} == parties
    ]
    sent = None
    if lines:
        names = names_in(words, table)
        shown = words.listing([bold(names[party]) for party in sorted(parties) if party in names])
        head = words("💬 {players} show what they whispered:", players=shown)
        new = NewMessage(
            table=table,
            kind=f"talk{item.seq}",
            content=Layout([Text(head), Text("\n".join(lines), Keep.NEWEST)]),
        )
        sent = await posting.sender.send(new)
    await posting.tables.outbox.acknowledge([item], sent=filter(None, [sent]))
