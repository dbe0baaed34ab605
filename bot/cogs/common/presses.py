"""The desk that hears the presses of buttons and selects, and hands them to whoever answers."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

import discord

from bot.cogs.common import trouble
from bot.cogs.common.budgets import VERBS
from bot.cogs.common.items import Interaction
from bot.cogs.common.press import Press
from bot.cogs.common.reply import Reply, reason
from bot.cogs.common.shell import Shell

log = logging.getLogger(__name__)

Handler = Callable[[Reply, Press, Sequence[str]], Awaitable[None]]
"""Acts on a press; the values are those of a select, or the text typed into a form."""


class Presses:
    """Who answers which verb; cogs sign up. Whatever goes wrong becomes words here."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._handlers: dict[str, Handler] = {}

    def on(self, verb: str, handler: Handler) -> None:
        """Answer a verb. Raises ValueError where two would."""
        if verb in self._handlers:
            raise ValueError(f"two handlers for {verb!r}")
        self._handlers[verb] = handler

    def off(self, *verbs: str) -> None:
        """Stop answering."""
        for verb in verbs:
            self._handlers.pop(verb, None)

    async def hear(self, interaction: Interaction, press: Press) -> None:
        """Hand a press or a filled form to its handler. Never raises."""
        async with Reply(interaction) as reply:
            try:
                handler = self._handlers.get(press.verb)
                if handler is None:
                    raise trouble.Sorry("old_button")
                trouble.charge(self._shell, interaction, VERBS.get(press.verb))
                await self._shell.arrived(reply.user, press.table)
                await handler(reply, press, _values(interaction))
            except trouble.KNOWN as error:
                await trouble.answer(self._shell, reply, error)
            except trouble.UNSENT as error:
                # Done or not, the person has no answer; the next press shows how things stand.
                log.warning("user=%s not answered: %s", interaction.user.id, reason(error))
            except Exception:
                log.exception("unforeseen user=%s press=%s", interaction.user.id, press.verb)
                await trouble.answer(self._shell, reply, trouble.Sorry("unforeseen"))


def _values(interaction: Interaction) -> tuple[str, ...]:
    data: Any = interaction.data or {}
    if interaction.type is discord.InteractionType.modal_submit:
        return tuple(_typed(data.get("components", ())))
    return tuple("" if value == "-" else value for value in data.get("values", ()))


def _typed(components: Iterable[Any]) -> Iterable[str]:
    for component in components:
        if "value" in component:
            yield component["value"]
        yield from _typed(component.get("components", ()))
        if "component" in component:
            yield from _typed((component["component"],))
