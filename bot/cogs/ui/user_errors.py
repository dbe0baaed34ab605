"""The one place where errors become words for the person who acted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from datetime import timedelta
from math import ceil
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot.cogs.ui import bounds, who
from bot.cogs.ui.budgets import COMMANDS, PATH, Budget
from bot.cogs.ui.components import Pressable, rules_button
from bot.cogs.ui.layout import said
from bot.cogs.ui.reply import ANSWERED, UNCLAIMED, WAITED_S, Reply, answers_of, reason
from bot.cogs.ui.services import Services
from bot.game.contract import Fact, IllegalAction
from bot.tables import COMMITS, Rejected, Table
from bot.text import errors, general
from bot.text.contract import Unreadable
from bot.text.guidebook import AROUND
from bot.text.words import Words

log = logging.getLogger(__name__)

TABLE = "table"
"""The extra of an interaction that holds the table it is about, once that is known."""


KNOWN = (IllegalAction, Unreadable, Rejected)
"""Errors that are answered in words."""
UNSENT = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""Errors that keep an answer or a message from being sent. A time-out is an OSError."""


def in_words(services: Services, words: Words, error: Exception, table: Table | None) -> str:
    """What went wrong and what can be done; it is counted as well."""
    services.metrics.refused(code_of(error))
    match error:
        case IllegalAction() | Unreadable() if table is not None:
            return services.text(table).refusal(words, error.refusal, who.names(words, table))
        case IllegalAction() | Unreadable():
            return errors.error(words, error.refusal.code, error.refusal.facts)
        case Rejected():
            return errors.error(words, error.code, _titled(services, words, error.facts))
        case _:
            return errors.error(words, "unforeseen", {})


def _titled(services: Services, words: Words, facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """The facts, a game by what it is called, or as it was typed if there is none."""
    game = facts.get("game")
    return {**facts, "game": services.title(words, game)} if isinstance(game, str) else dict(facts)


def rule_link(
    services: Services, words: Words, error: Exception, table: Table | None
) -> Pressable | None:
    """A button to the rule behind a refusal; None for what is not the person's fault."""
    match error:
        case IllegalAction() | Unreadable() if table is not None:
            topic = error.refusal.topic
            title = services.text(table).topic(words, topic)
        case Rejected() if error.code not in errors.FAULTS:
            topic, title = AROUND, words(general.AROUND_TITLE)
        case _:
            return None
    return rules_button(None if table is None else services.book(table), topic, words, title)


def code_of(error: Exception) -> str:
    """Why something was refused, in one word."""
    match error:
        case IllegalAction() | Unreadable():
            return error.refusal.code
        case Rejected():
            return error.code
        case _:
            return "unforeseen"


def truthful(error: Exception) -> Exception:
    """The error, or what to say instead where it would deny what this task has stored."""
    commits = COMMITS.get()
    if commits is None or code_of(error) not in errors.DENIALS:
        return error
    if commits.is_unsure:
        return Rejected("maybe_saved")
    return Rejected("saved") if commits.is_stored else error


async def answer(services: Services, reply: Reply, error: Exception) -> None:
    """Tells the person who acted, and nobody else."""
    interaction, error = reply.interaction, truthful(error)
    if interaction.extras.get(UNCLAIMED, False) and code_of(error) in errors.DENIALS:
        error = Rejected("maybe_saved")
    table = interaction.extras.get(TABLE)
    place = None if table is None else table.id
    services.refusals.note(interaction.user.id, place, code_of(error))
    log.info(
        "refused user=%s table=%s reason=%s",
        interaction.user.id,
        place,
        code_of(error),
    )
    words = services.reader(interaction)
    link = rule_link(services, words, error, table)
    try:
        await reply.say(said(in_words(services, words, error, table), [link] if link else []))
    except UNSENT as unsent:
        log.warning("user=%s not answered: %s", interaction.user.id, reason(unsent))


async def refuse(
    services: Services, interaction: discord.Interaction[Any], cause: Exception
) -> None:
    """Tells who typed a command, or is typing it, what went wrong."""
    is_typing = interaction.type is discord.InteractionType.autocomplete
    if isinstance(cause, UNSENT):
        # Whoever types on no longer wants the choices of before.
        level = logging.INFO if is_typing else logging.WARNING
        log.log(level, "user=%s not answered: %s", interaction.user.id, reason(cause))
    elif is_typing:
        # Nothing can be offered; the command itself will say why.
        services.metrics.refused(code_of(cause))
        with suppress(*UNSENT):
            await interaction.response.autocomplete([])
    else:
        async with Reply(interaction) as reply:
            await answer(services, reply, cause)


async def carry_out(
    services: Services, interaction: discord.Interaction[Any], work: Coroutine[Any, Any, None]
) -> None:
    """Do what an interaction asks for, with its text cleaned; what takes too long is ended, and
    whoever has no answer until then is told so.

    A change of a table that is under way goes on to its end: see `TableCache.alone`.
    """
    bounds.clean(interaction)
    working = asyncio.create_task(work)
    at_most_s = answers_of(interaction).at_most_s - interaction.extras.get(WAITED_S, 0.0)
    try:
        await asyncio.wait([working], timeout=at_most_s)
    finally:
        is_late = working.cancel()
    if not is_late and not working.cancelled():
        error = working.exception()
        if isinstance(error, Exception) and not isinstance(error, app_commands.AppCommandError):
            await _failed(services, interaction, error)
        elif error is not None:
            raise error
        return
    # Nobody waits for how it ends.
    working.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    is_answered = interaction.extras.get(ANSWERED, False)
    why = f"ended after {at_most_s:.0f} s" if is_late else "cancelled"
    log.error("%s user=%s answered=%s", why, interaction.user.id, is_answered)
    if not is_answered:
        await refuse(services, interaction, Rejected("unfinished" if is_late else "unforeseen"))


async def _failed(
    services: Services, interaction: discord.Interaction[Any], cause: Exception
) -> None:
    """Answers in words. What nobody foresaw is logged with its trace as well."""
    if not isinstance(cause, (*KNOWN, *UNSENT)):
        log.error("unforeseen user=%s", interaction.user.id, exc_info=cause)
    await refuse(services, interaction, cause)


def charge(
    services: Services, interaction: discord.Interaction[Any], budget: Budget | None
) -> None:
    """Charges a budget. Raises Rejected where the person, or the server, must wait a while."""
    if budget is None:
        return
    empty = services.budgets.spend(budget, interaction.user.id, interaction.guild_id)
    if empty is not None:
        again = services.tables.notifications.now() + timedelta(seconds=ceil(empty.wait_s))
        code = f"many_{budget.value}_here" if empty.of_server else f"many_{budget.value}"
        raise Rejected(code, when=int(again.timestamp()))


def _budget(interaction: discord.Interaction[Any]) -> Budget | None:
    if interaction.type is discord.InteractionType.autocomplete:
        return Budget.TYPING
    path = "" if interaction.command is None else interaction.command.extras.get(PATH, "")
    return COMMANDS.get(path)


class Tree(app_commands.CommandTree[Any]):
    """The commands; what goes wrong in one is told to the person who typed it."""

    services: Services

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Whether to go on: it is ours, what is asked for is counted, what was typed is measured.

        After this the language of whoever is to be answered is known.
        """
        with answers_of(interaction).heard():
            return await self._check(interaction)

    async def _call(self, interaction: discord.Interaction[Any]) -> None:
        await carry_out(self.services, interaction, super()._call(interaction))

    async def _check(self, interaction: discord.Interaction[Any]) -> bool:
        if not await self.services.is_ours(interaction):
            return False
        try:
            charge(self.services, interaction, _budget(interaction))
        except Rejected as empty:
            await refuse(self.services, interaction, empty)
            return False
        await self.services.arrived(interaction)
        most = bounds.too_long(interaction)
        if most is not None:
            await refuse(self.services, interaction, Rejected("typed_too_long", most=most))
        elif bounds.fits(interaction):
            return True
        else:
            await refuse(self.services, interaction, Rejected("old_command"))
        return False

    async def on_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /
    ) -> None:
        """Answers in words."""
        cause: Exception = error
        if isinstance(error, app_commands.CommandInvokeError):
            cause = error.original
        if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            cause = Rejected("old_command")
        await _failed(self.services, interaction, cause)
