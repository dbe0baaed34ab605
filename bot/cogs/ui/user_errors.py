"""The one place where errors become words for the person who acted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from math import ceil
from typing import Any

import aiohttp
import discord

from bot.cogs.ui.budgets import Budget
from bot.cogs.ui.custom_id import Forged
from bot.cogs.ui.layout import Control, Interaction, rules_button, said
from bot.cogs.ui.reply import ANSWERED, UNCLAIMED, WAITED_S, Reply, reason
from bot.cogs.ui.services import Services
from bot.cogs.ui.table_view import names_of
from bot.game.contract import IllegalAction
from bot.tables import COMMITS, Rejected, Table
from bot.text import Unreadable, Words, cleaned, errors, general
from bot.text.guidebook import AROUND

log = logging.getLogger(__name__)

TABLE = "table"
"""The extra of an interaction that holds the table it is about, once that is known."""


Known = IllegalAction | Unreadable | Rejected
KNOWN = (IllegalAction, Unreadable, Rejected)
"""Errors that are answered in words."""
UNSENT = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""Errors that keep an answer or a message from being sent. A time-out is an OSError."""


def explained(services: Services, words: Words, error: Known, table: Table | None) -> str:
    """What went wrong and what can be done; it is counted as well."""
    services.metrics.refused(code_of(error))
    if isinstance(error, Rejected):
        facts, game = error.facts, error.facts.get("game")
        if isinstance(game, str):
            facts = {**facts, "game": services.title(words, game)}
        return errors.error(words, error.code, facts)
    if table is None:
        return errors.error(words, error.refusal.code, error.refusal.facts)
    text = services.title_of(table).text(words, names_of(words, table))
    return text.refusal(error.refusal)


def rule_link(
    services: Services, words: Words, error: Known, table: Table | None
) -> Control | None:
    """A button to the rule behind a refusal; None for what is not the person's fault."""
    book = None if table is None else services.book(table)
    if isinstance(error, Rejected):
        if error.code in errors.FAULTS:
            return None
        return rules_button(book, AROUND, words, words(general.AROUND_TITLE))
    if table is None:
        return None
    topic = error.refusal.topic
    text = services.title_of(table).text(words)
    return rules_button(book, topic, words, text.topic(topic))


def code_of(error: Known) -> str:
    """Why something was refused, in one word."""
    return error.code if isinstance(error, Rejected) else error.refusal.code


async def answer(services: Services, reply: Reply, error: Exception) -> None:
    """Tells the person who acted, and nobody else. Who is typing is offered nothing: the command
    itself will say why. What nobody foresaw is logged with its trace as well."""
    interaction = reply.interaction
    if isinstance(error, UNSENT):
        # Done or not, the person has no answer; the next press shows the current state. Whoever
        # types on no longer wants the choices of before.
        level = logging.INFO if reply.is_typing else logging.WARNING
        log.log(level, "response not sent user=%s error=%s", reply.user, reason(error))
        return
    if isinstance(error, Forged):
        error = Rejected("old_button")
    if not isinstance(error, KNOWN):
        log.error("unexpected error user=%s", reply.user, exc_info=error)
        error = Rejected("unforeseen")
    if reply.is_typing:
        services.metrics.refused(code_of(error))
        with suppress(*UNSENT):
            await interaction.response.autocomplete([])
        return
    error = truthful(interaction, error)
    table: Table | None = interaction.extras.get(TABLE)
    place = None if table is None else table.id
    services.refusals.append((reply.user, place, code_of(error)))
    log.info("refused table=%s user=%s code=%s", place, reply.user, code_of(error))
    words = services.words_of(interaction)
    link = rule_link(services, words, error, table)
    try:
        await reply.say(said(explained(services, words, error, table), [link] if link else []))
    except UNSENT as unsent:
        log.warning("response not sent user=%s error=%s", reply.user, reason(unsent))


def truthful(interaction: Interaction, error: Known) -> Known:
    """The error, or what to say instead where it would deny what this task has stored, or another
    process may have."""
    if code_of(error) not in errors.DENIALS:
        return error
    commits = COMMITS.get()
    if commits is not None and commits.is_stored and not commits.is_unsure:
        return Rejected("saved")
    is_unsure = commits is not None and commits.is_unsure
    return Rejected("maybe_saved") if is_unsure or UNCLAIMED in interaction.extras else error


async def carry_out(
    services: Services, interaction: Interaction, act: Callable[[Reply], Awaitable[None]]
) -> None:
    """Do what an interaction asks for, if it is ours, with its text cleaned; what takes too long is
    ended, and whoever has no answer until then is told so.

    A change of a table that is under way goes on to its end: see `TableCache.alone`.
    """
    clean(interaction)
    working = asyncio.create_task(_answered(services, interaction, act))
    at_most_s = interaction.client.answers.at_most_s - interaction.extras.get(WAITED_S, 0.0)
    try:
        await asyncio.wait([working], timeout=at_most_s)
    finally:
        is_late = working.cancel()
    if not is_late and not working.cancelled():
        working.result()
        return
    # Nobody waits for how it ends.
    working.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    is_answered = ANSWERED in interaction.extras
    why = "timed out" if is_late else "cancelled"
    log.error("interaction %s user=%s answered=%s", why, interaction.user.id, is_answered)
    if not is_answered:
        # Not by the same one, which may be ending.
        async with Reply(interaction) as reply:
            await answer(services, reply, Rejected("unfinished" if is_late else "unforeseen"))


async def _answered(
    services: Services, interaction: Interaction, act: Callable[[Reply], Awaitable[None]]
) -> None:
    async with Reply(interaction) as reply:
        try:
            if not await services.is_ours(interaction):
                return
            reply.hurry()
            await services.arrived(interaction)
            # From now on the language of whoever is to be answered is known.
            await act(reply)
        except Exception as error:  # noqa: BLE001
            await answer(services, reply, error)


def clean(interaction: Interaction) -> None:
    """Cleans all text that came with an interaction, but for custom ids, which must be ours."""
    parts: list[Any] = [interaction.data]
    while parts:
        part = parts.pop()
        if isinstance(part, dict | list):
            for key, value in list(part.items() if isinstance(part, dict) else enumerate(part)):
                if isinstance(value, str) and key != "custom_id":
                    part[key] = cleaned(value)
                else:
                    parts.append(value)


def charge(services: Services, interaction: Interaction, budget: Budget | None) -> None:
    """Charges a budget. Raises Rejected where the person, or the server, must wait a while."""
    if budget is None:
        return
    empty = services.budgets.spend(budget, interaction.user.id, interaction.guild_id)
    if empty is not None:
        again = services.tables.notifications.now() + timedelta(seconds=ceil(empty.wait_s))
        code = f"many_{budget.value}_here" if empty.of_server else f"many_{budget.value}"
        raise Rejected(code, when=int(again.timestamp()))
