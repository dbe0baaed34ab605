"""Which table a command is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord

from bot.cogs.common.shell import Shell
from bot.cogs.common.trouble import TABLE, Sorry
from bot.tables import Status, Table


async def table_for(
    shell: Shell,
    interaction: discord.Interaction[Any],
    number: int | None,
    *,
    among: Sequence[Status] = (Status.LOBBY, Status.PLAYING),
    game: str | None = None,
) -> Table:
    """The table with this number, else the one that is plainly meant.

    That is one of the channel the command was typed in, the person's own before others; or, where
    there is none, one the person sits at elsewhere; of several the only one that awaits the
    person. Raises Sorry with "which_table", "no_table_here" or "no_tables".
    """
    if number is not None:
        table = await shell.tables.get(number)
        if game is not None and table.game != game:
            raise Sorry("other_game", game=shell.texts[table.game].title)
    else:
        table = await _meant(shell, interaction, among, game)
    interaction.extras[TABLE] = table
    return table


async def _meant(
    shell: Shell,
    interaction: discord.Interaction[Any],
    among: Sequence[Status],
    game: str | None,
) -> Table:
    def fits(table: Table) -> bool:
        return table.status in among and game in (None, table.game)

    user = interaction.user.id
    here: list[Table] = []
    if interaction.channel_id is not None:
        here = [table for table in await shell.tables.find(interaction.channel_id) if fits(table)]
    mine = [table for table in here if table.seat_of(user) is not None]
    if not here:
        mine = [table for table, _seat in await shell.tables.seats_of(user) if fits(table)]
    candidates = mine or here
    if len(candidates) > 1:
        awaiting = [table for table in candidates if await _awaits(shell, table, user)]
        candidates = awaiting if len(awaiting) == 1 else candidates
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        raise Sorry("which_table", tables=tuple(table.id for table in candidates))
    raise Sorry("no_table_here")


async def _awaits(shell: Shell, table: Table, user: int) -> bool:
    seat = table.seat_of(user)
    if seat is None or table.status is not Status.PLAYING:
        return False
    pending = await shell.tables.pending(table.id)
    return any(decision.seat == seat and not decision.optional for decision in pending)
