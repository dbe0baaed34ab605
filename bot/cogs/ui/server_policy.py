"""What the owners of a server let people do at its tables."""

from __future__ import annotations

import discord

from bot.cogs.ui.components import Interaction
from bot.cogs.ui.services import Services
from bot.tables import Rejected, Table
from bot.tables.servers import Closers


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
