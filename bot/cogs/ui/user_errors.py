"""Error handling: errors become private answers to the user who acted."""

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
from bot.cogs.ui.layout import Control, Interaction, rules_button, text_layout
from bot.cogs.ui.reply import ANSWERED, UNCLAIMED, WAITED_S, Reply, reason
from bot.cogs.ui.services import Services
from bot.cogs.ui.table_view import names_of
from bot.game.contract import IllegalAction
from bot.tables import COMMITS, Rejected, Table
from bot.text import Unreadable, Words, cleaned, errors, general
from bot.text.guidebook import AROUND

log = logging.getLogger(__name__)

TABLE = "table"
"""Extra of an interaction: the table that it is about, once known."""


ExpectedError = IllegalAction | Unreadable | Rejected
EXPECTED_ERRORS = (IllegalAction, Unreadable, Rejected)
"""Expected errors, with a message for the user."""
SEND_ERRORS = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""Errors that prevent sending an answer or a message. TimeoutError is an OSError."""


def error_text(services: Services, words: Words, error: ExpectedError, table: Table | None) -> str:
    """Return the message for an error, and count the error."""
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
    services: Services, words: Words, error: ExpectedError, table: Table | None
) -> Control | None:
    """Return a button to the rule behind a refusal; None if it is not the user's fault."""
    book = None if table is None else services.rulebook_key(table)
    if isinstance(error, Rejected):
        if error.code in errors.FAULTS:
            return None
        return rules_button(book, AROUND, words, words(general.AROUND_TITLE))
    if table is None:
        return None
    topic = error.refusal.topic
    text = services.title_of(table).text(words)
    return rules_button(book, topic, words, text.topic(topic))


def code_of(error: ExpectedError) -> str:
    return error.code if isinstance(error, Rejected) else error.refusal.code


async def answer(services: Services, reply: Reply, error: Exception) -> None:
    """Answer an error privately to the user who acted.

    An autocomplete request gets no choices, as the command itself will report the error. Unexpected
    errors are logged with their traceback.
    """
    interaction = reply.interaction
    if isinstance(error, SEND_ERRORS):
        # The user got no answer; their next press shows the current state. For autocomplete that
        # hardly matters, as the user types on.
        level = logging.INFO if reply.is_typing else logging.WARNING
        log.log(level, "response not sent user=%s error=%s", reply.user, reason(error))
        return
    if isinstance(error, Forged):
        error = Rejected("old_button")
    if not isinstance(error, EXPECTED_ERRORS):
        log.error("unexpected error user=%s", reply.user, exc_info=error)
        error = Rejected("unforeseen")
    if reply.is_typing:
        services.metrics.refused(code_of(error))
        with suppress(*SEND_ERRORS):
            await interaction.response.autocomplete([])
        return
    error = account_for_commit(interaction, error)
    table: Table | None = interaction.extras.get(TABLE)
    place = None if table is None else table.id
    services.refusals.append((reply.user, place, code_of(error)))
    log.info("refused table=%s user=%s code=%s", place, reply.user, code_of(error))
    words = services.words_of(interaction)
    link = rule_link(services, words, error, table)
    try:
        await reply.say(
            text_layout(error_text(services, words, error, table), [link] if link else [])
        )
    except SEND_ERRORS as unsent:
        log.warning("response not sent user=%s error=%s", reply.user, reason(unsent))


def account_for_commit(interaction: Interaction, error: ExpectedError) -> ExpectedError:
    """Return the error, or another one if it would deny an action that was, or may be, stored.

    This task may have stored the action, or another process.
    """
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
    """Run the handler of an interaction with cleaned input, if the interaction is ours.

    After a timeout the handler is cancelled, and the user gets an error if they have no answer. A
    change of a table still runs to its end: see `TableCache.alone`.
    """
    clean(interaction)
    working = asyncio.create_task(_answered(services, interaction, act))
    timeout_s = interaction.client.answers.timeout_s - interaction.extras.get(WAITED_S, 0.0)
    try:
        await asyncio.wait([working], timeout=timeout_s)
    finally:
        is_late = working.cancel()
    if not is_late and not working.cancelled():
        working.result()
        return
    # Retrieve its exception, or asyncio would log it as never retrieved.
    working.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    is_answered = ANSWERED in interaction.extras
    why = "timed out" if is_late else "cancelled"
    log.error("interaction %s user=%s answered=%s", why, interaction.user.id, is_answered)
    if not is_answered:
        # A new Reply, as the old one may be ending.
        async with Reply(interaction) as reply:
            await answer(services, reply, Rejected("unfinished" if is_late else "unforeseen"))


async def _answered(
    services: Services, interaction: Interaction, act: Callable[[Reply], Awaitable[None]]
) -> None:
    async with Reply(interaction) as reply:
        try:
            if not await services.is_ours(interaction):
                return
            reply.start_timer()
            await services.load_user(interaction)
            # The user's language is known from here on.
            await act(reply)
        except Exception as error:  # noqa: BLE001
            await answer(services, reply, error)


def clean(interaction: Interaction) -> None:
    """Clean all text of an interaction except custom ids, which must be exactly ours."""
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
    """Charge a budget. Raise Rejected if the user, or the server, must wait."""
    if budget is None:
        return
    empty = services.budgets.spend(budget, interaction.user.id, interaction.guild_id)
    if empty is not None:
        retry = services.tables.notifications.now() + timedelta(seconds=ceil(empty.wait_s))
        code = f"many_{budget.value}_here" if empty.of_server else f"many_{budget.value}"
        raise Rejected(code, when=int(retry.timestamp()))
