"""Access to tables, checked for every command, choice, button, select and form.

Table numbers are easy to guess, and ids and forms can be forged. A table that a user may not see
gives the same error as one that does not exist.
"""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.cogs.ui.layout import Interaction
from bot.cogs.ui.services import Services
from bot.cogs.ui.table_view import names_of
from bot.cogs.ui.user_errors import TABLE
from bot.game.contract import Seat
from bot.tables import IN_PROGRESS, NOT_OVER, Closers, Rejected, Status, Table, UnknownTable
from bot.text import Words, Written, plain


def may_see(interaction: Interaction, table: Table) -> bool:
    """Return whether a user may read the table's posts.

    They have a seat, act in the table's channel or thread, or act in its server and can view the
    channel in which it was opened.
    """
    channel, user, guild = interaction.channel_id, interaction.user, interaction.guild
    if table.seat_of(user.id) is not None or (
        channel is not None and channel in (table.channel, table.thread)
    ):
        return True
    if guild is None or table.guild != interaction.guild_id:
        return False
    return isinstance(user, discord.Member) and may_view(user, table.channel)


def may_view(member: discord.Member | discord.Role, channel: int) -> bool:
    """Return whether a member or a role of a server can view this channel of it."""
    # Not `client.get_channel`, which searches all servers at every press.
    place = member.guild.get_channel_or_thread(channel)
    if isinstance(place, discord.Thread) and (place.parent is None or place.is_private()):
        return False
    return (
        isinstance(place, discord.abc.GuildChannel | discord.Thread)
        and place.permissions_for(member).view_channel
    )


async def visible_table(services: Services, interaction: Interaction, number: int) -> Table:
    """Return the table with this number and record it in the interaction.

    Raise UnknownTable if there is none, or the user may not see it.
    """
    table = await services.tables.reader.get(number)
    if not may_see(interaction, table):
        raise UnknownTable("unknown_table", table=number)
    interaction.extras[TABLE] = table
    return table


STARTED = (*IN_PROGRESS, Status.FINISHED, Status.ABANDONED)


async def table_for(
    services: Services,
    interaction: Interaction,
    number: int | None,
    *,
    among: Sequence[Status] = NOT_OVER,
    game: str | None = None,
) -> Table:
    """Return the table with this number, else the only one the user can mean.

    Candidates are the tables of the channel: the user's own first, and of finished tables only
    the last. Without any, they are the user's tables elsewhere. Of several, it is the only one at
    which it's the user's turn. If none has a status of `among`, a table in another state is
    better than none, since its own error says what is wrong. Raise Rejected with "which_table" or
    "no_table_here", and UnknownTable also for a table that the user may not see.
    """
    if number is not None:
        table = await visible_table(services, interaction, number)
        if game is not None and table.game != game:
            raise Rejected("other_game", game=table.game)
        return table
    candidates = await _candidates(services, interaction, among, game)
    if len(candidates) > 1:
        user = interaction.user.id
        awaiting = [each for each in candidates if await _is_to_act(services, each, user)]
        if len(awaiting) != 1:
            raise Rejected("which_table", tables=tuple(each.id for each in candidates))
        candidates = awaiting
    for others in (NOT_OVER, STARTED):
        candidates = candidates or await _candidates(services, interaction, others, game)
    if len(candidates) != 1:
        raise Rejected("no_table_here")
    interaction.extras[TABLE] = candidates[0]
    return candidates[0]


def seat_for(words: Words, table: Table, typed: str) -> Seat:
    """Return the seat with that number, as autocomplete offers it, or with that player's name.

    Raise Rejected with "no_such_seat".
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
    local: list[Table] = []
    if interaction.channel_id is not None:
        found = await services.tables.reader.find(interaction.channel_id, among)
        local = [table for table in found if fits(table)]
    if local:
        local = [table for table in local if not table.is_over] or local[:1]
        return [table for table in local if table.seat_of(user) is not None] or local
    return [table for table, _seat in await services.tables.reader.seats_of(user) if fits(table)]


async def _is_to_act(services: Services, table: Table, user: int) -> bool:
    seat = table.seat_of(user)
    if seat is None or table.status is not Status.PLAYING:
        return False
    try:
        pending = await services.tables.reader.pending(table.id)
    except Rejected:
        # An unreadable table must not block the user's other tables.
        return False
    return any(decision.seat == seat and not decision.optional for decision in pending)


async def may_close(services: Services, interaction: Interaction, table: Table) -> bool:
    """Return whether the user may end the table's game without asking the others.

    At a table to watch, the host and moderators may.
    """
    if table.guild is None or table.is_over:
        return False
    if table.watch_pace is not None:
        return interaction.user.id == table.host or _is_moderator(interaction, table)
    closers = (await services.tables.servers.get(table.guild)).closers
    if closers is Closers.HOST:
        return interaction.user.id == table.host
    return closers is Closers.MODERATORS and _is_moderator(interaction, table)


async def check_referee(services: Services, interaction: Interaction, table: Table) -> None:
    """Raise Rejected unless the user is the table's host, a moderator or its cup's organiser."""
    user = interaction.user.id
    if user == table.host or _is_moderator(interaction, table):
        return
    if table.cup is None or user != (await services.tables.cups.get(table.cup)).organiser:
        raise Rejected("not_referee")


def _is_moderator(interaction: Interaction, table: Table) -> bool:
    user = interaction.user
    return (
        isinstance(user, discord.Member)
        and user.guild.id == table.guild
        and user.guild_permissions.manage_messages
    )


def server_of(interaction: Interaction) -> int:
    """Return the id of the interaction's server. Raise Rejected in direct messages."""
    if interaction.guild_id is None:
        raise Rejected("not_in_server")
    return interaction.guild_id


def managed_server(interaction: Interaction) -> int:
    """Return the id of the interaction's server. Raise Rejected if the user doesn't manage it.

    Discord shows these commands only to managers, but a server can change that.
    """
    server = server_of(interaction)
    if not interaction.permissions.manage_guild:
        raise Rejected("not_owner")
    return server
