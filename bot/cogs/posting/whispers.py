"""Whispers as direct messages, and talks that both people show to all after the game."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress

from bot.cogs.dialogues.whispers import UNREAD, answer_button, line_of, name_of, parts_of
from bot.cogs.posting.context import PostingContext, table_button
from bot.cogs.ui import Keep, Layout, NewMessage, Text, Unreachable, rows
from bot.tables import OutboxItem, OutboxKind, SentMessage, Table, WhisperRow
from bot.tables.whispers import parties
from bot.text import Words, bold

log = logging.getLogger(__name__)


async def post_whispers(
    posting: PostingContext, words: Words, table: Table, items: Sequence[OutboxItem]
) -> None:
    """Send the whispers to a seat in one message, or post the talks that are shown to all.

    Raise Held in the receiver's quiet hours, and Closed if the bot may not post in the channel.
    """
    whispers = {row.number: row for row in await posting.tables.whispers.at_table(table.id)}
    while items:
        first, due = items[0], [whispers[item.seq] for item in items if item.seq in whispers]
        if first.kind is OutboxKind.TALK:
            both = parties(whispers[first.seq]) if first.seq in whispers else None
            talk = [row for row in whispers.values() if parties(row) == both]
            sent, covered = await _post_talk(posting, words, table, talk), items[:1]
        else:
            user = table.players[first.seat or 0].user
            # A later player of the seat must not see them.
            sent = await _send(
                posting, words, table, items, [row for row in due if row.receiver == user]
            )
            # A message sent before a restart covers only the whispers up to its number.
            covered = [item for item in items if sent is None or item.seq <= sent.seq]
        await posting.tables.outbox.acknowledge(covered, sent=filter(None, [sent]))
        items = items[len(covered) :]


async def _send(
    posting: PostingContext,
    table_words: Words,
    table: Table,
    items: Sequence[OutboxItem],
    due: Sequence[WhisperRow],
) -> SentMessage | None:
    """Send these whispers; return None if there are none, or the receiver can't get them."""
    if not due:
        return None
    player, senders = table.players[items[0].seat or 0], dict.fromkeys(row.sender for row in due)
    words = await posting.services.user_words(due[0].receiver, table_words)
    lines = [bold(posting.services.heading(words, table))]
    lines += [line_of(words, table, row) for row in due]
    answers = [answer_button(words, table, sender) for sender in senders]
    buttons = rows([*answers, table_button(words, table)])
    new = NewMessage(
        table=table,
        kind=f"whisper{player.seat}",
        content=Layout([Text("\n".join(lines), Keep.NEWEST), *buttons]),
        seq=items[-1].seq,
        button_id=answers[0].custom_id,
        to=player,
    )
    try:
        return await posting.sender.send(new)
    except Unreachable:
        # Only the senders learn it, by a message if the answer to their whisper did not say so.
        log.info("whisper not sent, direct messages off table=%s", table.id)
        await posting.tables.people.mark_unread(due[0].receiver, table.id, unread=True)
        for sender in senders if player.reachable else ():
            posting.tidy(table.id, _warn, posting, table_words, table, sender, due[-1])
        return None


async def _warn(
    posting: PostingContext, table_words: Words, table: Table, sender: int, row: WhisperRow
) -> None:
    words = await posting.services.user_words(sender, table_words)
    unread = words(UNREAD, name=bold(name_of(words, table, row.receiver)))
    text = f"{bold(posting.services.heading(words, table))}\n{unread}"
    nonce = f"late{table.id}.{int(row.at.timestamp())}"
    with suppress(Unreachable):
        await posting.sender.send_direct(sender, text, nonce=nonce, silent=True)


async def _post_talk(
    posting: PostingContext, words: Words, table: Table, talk: Sequence[WhisperRow]
) -> SentMessage | None:
    """Post the whispers of a talk."""
    if not talk:
        return None
    names = [bold(name_of(words, table, each)) for each in (talk[0].sender, talk[0].receiver)]
    head = words("{players} show to all what they whispered:", players=words.listing(names))
    content = Layout([Text(head), *parts_of(words, [line_of(words, table, row) for row in talk])])
    return await posting.sender.send(NewMessage(table=table, kind="talk", content=content))
