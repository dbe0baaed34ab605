"""Who may see which table: checked for every command, choice, button, select and form alike.

A table's number is easy to guess, and an id or a form can be forged. Whoever may not see a table is
told what they would be told of one that does not exist.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

import discord

from bot.cogs.ui.services import Services
from bot.cogs.ui.user_errors import TABLE
from bot.tables import Table, UnknownTable


class Scope(Enum):
    """What a verb is about."""

    TABLE = "a table"
    NO_TABLE = "no table"
    EITHER = "a table or none"

    def admits(self, table: int) -> bool:
        """Whether an id with such a verb may have this table number; 0 means no table."""
        return self is Scope.EITHER or (self is Scope.TABLE) == (table != 0)


class Standpoint(NamedTuple):
    """A person's relation to a table at the moment they act."""

    seated: bool
    in_place: bool
    """They act where the table plays, or where it was opened."""
    in_server: bool
    """They act in the table's server."""
    sees_channel: bool
    """They may read the channel where it was opened."""


def may_see(stand: Standpoint) -> bool:
    """Whether a person could read what the table posts."""
    return stand.seated or stand.in_place or (stand.in_server and stand.sees_channel)


def standpoint(interaction: discord.Interaction[Any], table: Table) -> Standpoint:
    """The person's relation to a table as they act now."""
    here = interaction.channel_id
    return Standpoint(
        seated=table.seat_of(interaction.user.id) is not None,
        in_place=here is not None and here in (table.channel, table.thread),
        in_server=table.guild is not None and table.guild == interaction.guild_id,
        sees_channel=_sees(interaction, table.channel),
    )


async def admitted(services: Services, interaction: discord.Interaction[Any], number: int) -> Table:
    """The table of this number, which the interaction is about from now on.

    Raises UnknownTable where there is none, and where the person may not see it.
    """
    table = await services.tables.reader.get(number)
    if not may_see(standpoint(interaction, table)):
        raise UnknownTable("unknown_table", table=number)
    about(interaction, table)
    return table


def about(interaction: discord.Interaction[Any], table: Table) -> None:
    """Records which table an interaction is about."""
    interaction.extras[TABLE] = table


def _sees(interaction: discord.Interaction[Any], channel: int) -> bool:
    user, guild = interaction.user, interaction.guild
    # Not of the client: it would ask all of its servers, at every press.
    place = None if guild is None else guild.get_channel_or_thread(channel)
    if isinstance(place, discord.Thread) and (place.parent is None or place.is_private()):
        return False
    return (
        isinstance(place, discord.abc.GuildChannel | discord.Thread)
        and isinstance(user, discord.Member)
        and place.permissions_for(user).view_channel
    )
