"""Who may see which table: checked for every command, choice, button, select and form alike.

A table's number is easy to guess, and an id or a form can be forged. Whoever may not see a table is
told what they would be told of one that does not exist.
"""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.cogs.ui.layout import Interaction
from bot.cogs.ui.services import Services
from bot.cogs.ui.table_view import names_of
from bot.cogs.ui.user_errors import TABLE
from bot.game.contract import Seat
from bot.tables import GOING, NOT_OVER, Closers, Rejected, Status, Table, UnknownTable
from bot.text import Words, Written, plain


def may_see(interaction: Interaction, table: Table) -> bool:
    """Whether a person could read what the table posts: they sit there, act where it plays or was
    opened, or act in its server and may read the channel where it was opened."""
    here, user, guild = interaction.channel_id, interaction.user, interaction.guild
    if table.seat_of(user.id) is not None or (
        here is not None and here in (table.channel, table.thread)
    ):
        return True
    if guild is None or table.guild != interaction.guild_id:
        return False
    # Not of the client: it would ask all of its servers, at every press.
    place = guild.get_channel_or_thread(table.channel)
    if isinstance(place, discord.Thread) and (place.parent is None or place.is_private()):
        return False
    return (
        isinstance(place, discord.abc.GuildChannel | discord.Thread)
        and isinstance(user, discord.Member)
        and place.permissions_for(user).view_channel
    )


async def admitted(services: Services, interaction: Interaction, number: int) -> Table:
    """The table of this number, which the interaction is about from now on.

    Raises UnknownTable where there is none, and where the person may not see it.
    """
    table = await services.tables.reader.get(number)
    if not may_see(interaction, table):
        raise UnknownTable("unknown_table", table=number)
    about(interaction, table)
    return table


def about(interaction: Interaction, table: Table) -> None:
    """Records which table an interaction is about."""
    interaction.extras[TABLE] = table


BEGUN = (*GOING, Status.FINISHED, Status.ABANDONED)


async def table_for(
    services: Services,
    interaction: Interaction,
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
        return table
    candidates = await _candidates(services, interaction, among, game)
    if len(candidates) > 1:
        user = interaction.user.id
        awaiting = [each for each in candidates if await _awaits(services, each, user)]
        if len(awaiting) != 1:
            raise Rejected("which_table", tables=tuple(each.id for each in candidates))
        candidates = awaiting
    for others in (NOT_OVER, BEGUN):
        candidates = candidates or await _candidates(services, interaction, others, game)
    if len(candidates) != 1:
        raise Rejected("no_table_here")
    about(interaction, candidates[0])
    return candidates[0]


def seat_for(words: Words, table: Table, typed: str) -> Seat:
    """The seat of that number, as lists offer it, or of the player of that name.

    Raises Rejected with "no_such_seat".
    """
    names = names_of(words, table)
    shown = [name.plain.casefold() for name in names]
    wanted = Written(typed).plain.casefold()
    if wanted in map(str, range(len(shown))):
        return int(wanted)
    if wanted in shown:
        return shown.index(wanted)
    raise Rejected("no_such_seat", names=plain(names))


async def _candidates(
    services: Services,
    interaction: Interaction,
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


async def may_close(services: Services, interaction: Interaction, table: Table) -> bool:
    """Whether the person may end the table's game for everybody without asking."""
    if table.guild is None or table.is_over:
        return False
    closers = (await services.tables.servers.get(table.guild)).closers
    if closers is Closers.HOST:
        return interaction.user.id == table.host
    user = interaction.user
    return (
        closers is Closers.MODERATORS
        and isinstance(user, discord.Member)
        and user.guild.id == table.guild
        and user.guild_permissions.manage_messages
    )


def owned(interaction: Interaction) -> int:
    """The server that the person manages, and in which they typed. Raises Rejected.

    Discord shows the commands of owners to nobody else, unless a server wants it so.
    """
    if interaction.guild_id is None:
        raise Rejected("not_in_server")
    if not interaction.permissions.manage_guild:
        raise Rejected("not_owner")
    return interaction.guild_id
