"""Which servers this process knows of: with several processes, those of the shards it runs."""

from __future__ import annotations

from typing import Protocol, cast

import discord


class _Client(Protocol):
    def awaits_server(self, guild: int) -> bool: ...


def is_awaited(client: discord.Client, guild: int) -> bool:
    """Whether Discord has not told this process of that server, but may: nothing is known of it."""
    return cast(_Client, client).awaits_server(guild)


def is_gone(client: discord.Client, guild: int) -> bool:
    """Whether the bot is known to be in that server no more."""
    return client.is_ready() and not is_awaited(client, guild) and client.get_guild(guild) is None


def is_in(client: discord.Client, guild: int) -> bool | None:
    """Whether the bot is in that server, which may be out of reach; None where it is not known."""
    if client.get_guild(guild) is not None:
        return True
    return False if is_gone(client, guild) else None


async def locale_of(client: discord.Client, guild: int) -> str | None:
    """The language of a server, which is asked for where it is not known here; None where the bot
    may not know it."""
    known = client.get_guild(guild)
    if known is None and is_awaited(client, guild):
        try:
            known = await client.fetch_guild(guild, with_counts=False)
        except (discord.Forbidden, discord.NotFound):
            return None
    return None if known is None else known.preferred_locale.value
