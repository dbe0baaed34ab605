"""`/about`: the version, the source, and where privacy and terms are explained."""

from __future__ import annotations

from typing import Any

import discord

from bot.cogs.ui.layout import said
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.routes import command
from bot.cogs.ui.services import Services
from bot.text import about as text


class About:
    """Says what the bot is and what it stores."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @command("about")
    async def show(self, reply: Reply) -> None:
        """Show the version, what is stored, and links to read more."""
        words, links = reply.words, self._services.links
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
