"""Which table, and which of its seats, a command is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord

from bot.cogs.ui import who
from bot.cogs.ui.access import about, admitted
from bot.cogs.ui.services import Services
from bot.game.contract import Seat
from bot.tables import GOING, NOT_OVER, Rejected, Status, Table
from bot.text.user_text import Written, plain
from bot.text.words import Words

BEGUN = (*GOING, Status.FINISHED, Status.ABANDONED)


async def table_for(
    services: Services,
    interaction: discord.Interaction[Any],
    number: int | None,
    *,
    among: Sequence[Status] = NOT_OVER,
    game: str | None = None,
) -> Table:
    """The table with this number, else the one that is clearly meant.

    That is one of the channel in which the command was typed, the person's own before others, and
    of those that are over the last one; where there is none, one at which the person sits
    elsewhere; of several, the only one that awaits the person. A single one in another state is
    better than none: it says itself what is wrong. Raises Rejected with "which_table" or
    "no_table_here", and UnknownTable also for a table in a place that the person cannot see.
    """
    if number is not None:
        table = await admitted(services, interaction, number)
        if game is not None and table.game != game:
            raise Rejected("other_game", game=table.game)
    else:
        table = await _meant(services, interaction, among, game)
        about(interaction, table)
    return table


def seat_for(words: Words, table: Table, typed: str) -> Seat:
    """The seat of that number, as lists offer it, or of the player of that name.

    Raises Rejected with "no_such_seat".
    """
    names = who.names(words, table)
    shown = [name.plain.casefold() for name in names]
    wanted = Written(typed).plain.casefold()
    if wanted in map(str, range(len(shown))):
        return int(wanted)
    if wanted in shown:
        return shown.index(wanted)
    raise Rejected("no_such_seat", names=plain(names))


async def _meant(
    services: Services,
    interaction: discord.Interaction[Any],
    among: Sequence[Status],
    game: str | None,
) -> Table:
    candidates = await _candidates(services, interaction, among, game)
    if len(candidates) > 1:
        user = interaction.user.id
        awaiting = [table for table in candidates if await _awaits(services, table, user)]
        candidates = awaiting if len(awaiting) == 1 else candidates
    if len(candidates) > 1:
        raise Rejected("which_table", tables=tuple(table.id for table in candidates))
    if not candidates:
        candidates = await _candidates(services, interaction, NOT_OVER, game)
    if not candidates:
        candidates = await _candidates(services, interaction, BEGUN, game)
    if len(candidates) != 1:
        raise Rejected("no_table_here")
    return candidates[0]


async def _candidates(
    services: Services,
    interaction: discord.Interaction[Any],
    among: Sequence[Status],
    game: str | None,
) -> list[Table]:
    def fits(table: Table) -> bool:
        return table.status in among and game in (None, table.game)

    user = interaction.user.id
    here: list[Table] = []
    if interaction.channel_id is not None:
        found = await services.tables.reader.find(interaction.channel_id, among)
        here = [table for table in found if fits(table)]
    if here:
        here = [table for table in here if not table.is_over] or here[:1]
        return [table for table in here if table.seat_of(user) is not None] or here
    return [table for table, _seat in await services.tables.reader.seats_of(user) if fits(table)]


async def _awaits(services: Services, table: Table, user: int) -> bool:
    seat = table.seat_of(user)
    if seat is None or table.status is not Status.PLAYING:
        return False
    try:
        pending = await services.tables.reader.pending(table.id)
    except Rejected:
        # A table that cannot be read must not stand between a person and the others.
        return False
    return any(decision.seat == seat and not decision.optional for decision in pending)
