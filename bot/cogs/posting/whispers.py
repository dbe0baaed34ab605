"""Whispers as direct messages, and talks that both people show to all after the game."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus

import discord

from bot.cogs.dialogues.whispers import answer_button, line_of, name_of
from bot.cogs.posting.context import PostingContext, table_button
from bot.cogs.posting.work_queue import run_all
from bot.cogs.ui import Held, Keep, Layout, NewMessage, Text, Unreachable, text_layout
from bot.game.contract import Seat
from bot.tables import OutboxItem, OutboxKind, SentMessage, Table, WhisperRow
from bot.text import Words, bold


async def post_whispers(
    posting: PostingContext, words: Words, table: Table, items: Sequence[OutboxItem]
) -> None:
    """Send whispers to their receivers, and post the talks that are shown to all.

    Raise Closed if the bot may not post in the channel.
    """
    whispers = {row.number: row for row in await posting.tables.whispers.at_table(table.id)}

    async def deliver(seat: Seat | None) -> None:
        for item in [each for each in items if each.seat == seat]:
            post = _post_talk if item.kind is OutboxKind.TALK else _send
            row, sent = whispers.get(item.seq), None
            # In quiet hours the item waits for their end.
            with suppress(Held):
                # At a finished table `/me forget` may have deleted it.
                if row is not None:
                    sent = await post(posting, words, table, row)
                await posting.tables.outbox.acknowledge([item], sent=filter(None, [sent]))

    await run_all(map(deliver, {item.seat for item in items}))


async def _send(
    posting: PostingContext, table_words: Words, table: Table, row: WhisperRow
) -> SentMessage | None:
    """Send a whisper; return None if the receiver can't get it, or has left the table."""
    seat = table.seat_of(row.receiver)
    if seat is None:
        return None
    words = await posting.services.user_words(row.receiver, table_words)
    text = f"{bold(posting.services.heading(words, table))}\n{line_of(words, table, row)}"
    answer = answer_button(words, table, row.sender)
    new = NewMessage(
        table=table,
        kind=f"whisper{seat}",
        content=text_layout(text, [answer, table_button(words, table)]),
        seq=row.number,
        button_id=answer.custom_id,
        to=table.players[seat],
    )
    try:
        return await posting.sender.send(new)
    except (Unreachable, discord.HTTPException) as error:
        # Discord may also refuse a person's text. Only the sender learns it.
        if isinstance(error, discord.HTTPException) and error.status != HTTPStatus.BAD_REQUEST:
            raise
        words = await posting.services.user_words(row.sender, table_words)
        unread = words(
            "I couldn't send {name} your whisper as a direct message. Tell them to look at `/table "
            "whispers`.",
            name=bold(name_of(words, table, row.receiver)),
        )
        text = f"{bold(posting.services.heading(words, table))}\n{unread}"
        with suppress(Unreachable):
            await posting.sender.send_direct(
                row.sender, text, nonce=f"unread{table.id}.{seat}", silent=True
            )
        return None


async def _post_talk(
    posting: PostingContext, words: Words, table: Table, first: WhisperRow
) -> SentMessage | None:
    """Post the whispers of two people, of which this is the first."""
    talk = (await posting.tables.whispers.talks(table.id, first.sender))[first.receiver]
    names = [bold(name_of(words, table, each)) for each in (first.sender, first.receiver)]
    head = words("{players} have published their whispers:", players=words.listing(names))
    lines = "\n".join(line_of(words, table, row) for row in talk)
    content = Layout([Text(head), Text(lines, Keep.NEWEST)])
    return await posting.sender.send(NewMessage(table=table, kind="talk", content=content))
