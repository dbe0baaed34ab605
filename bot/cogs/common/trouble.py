"""The one place where errors become words for the person who acted."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from math import ceil
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot.cogs.common import bounds, who
from bot.cogs.common.budgets import COMMANDS, Budget
from bot.cogs.common.items import Pressable, panel, rules_button
from bot.cogs.common.named import PATH
from bot.cogs.common.reply import Reply, reason
from bot.cogs.common.shell import Shell
from bot.game.contract import Fact, IllegalAction
from bot.tables import Table, TableError
from bot.text import errors, general
from bot.text.contract import Unreadable
from bot.text.guidebook import AROUND
from bot.text.words import Words

log = logging.getLogger(__name__)

TABLE = "table"
"""The extra of an interaction that holds the table it is about, once that is known."""


class Sorry(Exception):
    """Something that the shell itself cannot do for a person. `code` is one of bot.text.errors."""

    def __init__(self, code: str, **facts: Fact) -> None:
        super().__init__(f"{code}: {facts!r}")
        self.code = code
        self.facts: Mapping[str, Fact] = facts


KNOWN = (IllegalAction, Unreadable, TableError, Sorry)
"""What may be said no to."""
UNSENT = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What keeps an answer from being sent."""


def in_words(shell: Shell, words: Words, error: Exception, table: Table | None) -> str:
    """What went wrong and what can be done; it is counted as well."""
    shell.watch.refused(code_of(error))
    match error:
        case IllegalAction() | Unreadable() if table is not None:
            return shell.text(table).refusal(words, error.refusal, who.names(words, table))
        case IllegalAction() | Unreadable():
            return errors.error(words, error.refusal.code, error.refusal.facts)
        case TableError() | Sorry():
            return errors.error(words, error.code, _titled(shell, words, error.facts))
        case _:
            return errors.error(words, "unforeseen", {})


def _titled(shell: Shell, words: Words, facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """The facts, a game by what it is called, or as it was typed if there is none."""
    game = facts.get("game")
    return {**facts, "game": shell.title(words, game)} if isinstance(game, str) else dict(facts)


def rule_link(
    shell: Shell, words: Words, error: Exception, table: Table | None
) -> Pressable | None:
    """A button to the rule behind a refusal; None for what is no fault of the person's."""
    match error:
        case IllegalAction() | Unreadable() if table is not None:
            topic = error.refusal.topic
            title = shell.text(table).topic(words, topic)
        case TableError() | Sorry() if error.code not in errors.FAULTS:
            topic, title = AROUND, words(general.AROUND_TITLE)
        case _:
            return None
    return rules_button(None if table is None else shell.book(table), topic, words, title)


def code_of(error: Exception) -> str:
    """Why something was refused, in one word."""
    match error:
        case IllegalAction() | Unreadable():
            return error.refusal.code
        case TableError() | Sorry():
            return error.code
        case _:
            return "unforeseen"


async def answer(shell: Shell, reply: Reply, error: Exception) -> None:
    """Tell the person who acted, and nobody else."""
    interaction = reply.interaction
    table = interaction.extras.get(TABLE)
    place = None if table is None else table.id
    shell.refusals.note(interaction.user.id, place, code_of(error))
    log.info(
        "refused user=%s table=%s reason=%s",
        interaction.user.id,
        place,
        code_of(error),
    )
    words = shell.reader(interaction)
    link = rule_link(shell, words, error, table)
    view = None if link is None else panel([link])
    try:
        await reply.say(in_words(shell, words, error, table), view=view)
    except UNSENT as unsent:
        log.warning("user=%s not answered: %s", interaction.user.id, reason(unsent))


def charge(shell: Shell, interaction: discord.Interaction[Any], budget: Budget | None) -> None:
    """Count what is asked for. Raises Sorry where the person, or the server, must wait a while."""
    if budget is None:
        return
    empty = shell.budgets.spend(budget, interaction.user.id, interaction.guild_id)
    if empty is not None:
        again = shell.tables.calls.now() + timedelta(seconds=ceil(empty.wait_s))
        code = f"many_{budget.value}_here" if empty.of_server else f"many_{budget.value}"
        raise Sorry(code, when=int(again.timestamp()))


def _budget(interaction: discord.Interaction[Any]) -> Budget | None:
    if interaction.type is discord.InteractionType.autocomplete:
        return Budget.TYPING
    path = "" if interaction.command is None else interaction.command.extras.get(PATH, "")
    return COMMANDS.get(path)


class Tree(app_commands.CommandTree[Any]):
    """The commands; what goes wrong in one is told to the person who typed it."""

    shell: Shell

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Whether to go on: what is asked for is counted, and what was typed is measured.

        From here on the language of whoever is going to be answered is known.
        """
        try:
            charge(self.shell, interaction, _budget(interaction))
        except Sorry as empty:
            await self._refuse(interaction, empty)
            return False
        await self.shell.arrived(interaction)
        most = bounds.too_long(interaction)
        if most is not None:
            await self._refuse(interaction, Sorry("typed_too_long", most=most))
        elif bounds.fits(interaction):
            return True
        else:
            await self._refuse(interaction, Sorry("old_command"))
        return False

    async def on_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer in words. Whatever nobody foresaw is logged with its trace as well."""
        cause: Exception = error
        if isinstance(error, app_commands.CommandInvokeError):
            cause = error.original
        if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            cause = Sorry("old_command")
        elif isinstance(cause, UNSENT):
            log.warning("user=%s not answered: %s", interaction.user.id, reason(cause))
            return
        elif not isinstance(cause, KNOWN):
            log.error("unforeseen user=%s", interaction.user.id, exc_info=cause)
        await self._refuse(interaction, cause)

    async def _refuse(self, interaction: discord.Interaction[Any], cause: Exception) -> None:
        if interaction.type is discord.InteractionType.autocomplete:
            # Nothing can be offered; the command itself will say why.
            self.shell.watch.refused(code_of(cause))
            with suppress(*UNSENT):
                await interaction.response.autocomplete([])
            return
        async with Reply(interaction) as reply:
            await answer(self.shell, reply, cause)
