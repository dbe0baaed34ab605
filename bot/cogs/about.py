"""`/about`: the version, the source, and where privacy and terms are explained."""

from __future__ import annotations

from typing import Any

import discord
from discord.ext import commands

from bot.cogs.ui.components import Interaction
from bot.cogs.ui.layout import said
from bot.cogs.ui.localized_commands import command
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.text import about as text


class AboutCog(commands.Cog, name="about"):
    """Says what the bot is and what it stores."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @command("about")
    async def about(self, interaction: Interaction) -> None:
        """Show the version, what is stored, and links to read more."""
        async with Reply(interaction) as reply:
            words, links = self._services.reader(interaction), self._services.links
            lines = [words(text.TITLE, version=self._services.version), words(text.STORED)]
            if links.privacy is None or links.terms is None:
                lines.append(words(text.NO_LINKS))
            buttons: list[discord.ui.Button[Any]] = [
                discord.ui.Button(label=words(label), url=url)
                for label, url in (
                    (text.SOURCE, links.source),
                    (text.PRIVACY, links.privacy),
                    (text.TERMS, links.terms),
                )
                if url is not None
            ]
            await reply.say(said("\n".join(lines), buttons))
