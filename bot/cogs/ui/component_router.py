"""Receives the presses of buttons and selects, and passes them to their handlers.

What arrives here may be forged. Before a handler is called, the id and the values have been read
within their bounds, the verb has been pressed in a way that it can be, and whoever pressed may see
the table that the id names; a handler reads the words of its own verb, and raises Forged as well.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Container, Iterator, Sequence
from enum import Enum
from typing import Any, NamedTuple

import discord

from bot.cogs.ui import user_errors
from bot.cogs.ui.access import Scope, admitted
from bot.cogs.ui.budgets import VERBS
from bot.cogs.ui.components import MAX_OPTIONS, Interaction
from bot.cogs.ui.custom_id import MAX_ID, CustomId, Forged, parse
from bot.cogs.ui.reply import Reply, answers_of, reason
from bot.cogs.ui.services import Services
from bot.tables import Rejected

log = logging.getLogger(__name__)

MOST_LINES = 5
"""Lines of a form."""
MOST_LINE = 4000
"""Characters in one of them; a line may take less."""
MOST_VALUE = 100

Handler = Callable[[Reply, CustomId, Sequence[str]], Awaitable[None]]
"""Acts on a press; the values are those of a select, or the text typed into a form.

Raises Forged for words that this bot does not write into an id of that verb.
"""


class Way(Enum):
    """How somebody presses: the type of a component as Discord numbers it, or a form."""

    BUTTON = 2
    SELECT = 3
    FORM = "form"


class Verb(NamedTuple):
    """What can be pressed: who answers it, and which ids and ways of pressing it there are."""

    handler: Handler
    ways: Sequence[Way] = (Way.BUTTON,)
    scope: Scope = Scope.TABLE
    words: Container[int] = (0,)
    """How many words an id may have."""
    decided: bool = False
    """Whether an id may have a decision, or a game or a setting in its place."""

    def takes(self, custom_id: CustomId, way: Way) -> bool:
        """Whether this bot could have written that id, for that way of pressing it."""
        return (
            way in self.ways
            and self.scope.admits(custom_id.table)
            and len(custom_id.words) in self.words
            and (self.decided or custom_id.decision is None)
        )


class ComponentRouter:
    """Routes verbs to handlers, which cogs register. Errors become words here."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._verbs: dict[str, Verb] = {}

    def on(self, name: str, verb: Verb) -> None:
        """Registers the handler of a verb. Raises ValueError where it has one."""
        if name in self._verbs:
            raise ValueError(f"two handlers for {name!r}")
        self._verbs[name] = verb

    def off(self, *names: str) -> None:
        """Removes the handlers of verbs."""
        for name in names:
            self._verbs.pop(name, None)

    async def hear(self, interaction: Interaction) -> None:
        """Passes a press or a filled form to its handler, if it is ours. Never raises."""
        await user_errors.carry_out(self._services, interaction, self._hear(interaction))

    async def _hear(self, interaction: Interaction) -> None:
        with answers_of(interaction).heard():
            if await self._services.is_ours(interaction):
                await self._answer(interaction)

    async def _answer(self, interaction: Interaction) -> None:
        async with Reply(interaction) as reply:
            try:
                await self._services.arrived(interaction)
                await self._handle(reply)
            except Forged:
                await user_errors.answer(self._services, reply, Rejected("old_button"))
            except user_errors.KNOWN as error:
                await user_errors.answer(self._services, reply, error)
            except user_errors.UNSENT as error:
                # Done or not, the person has no answer; the next press shows the current state.
                log.warning("user=%s not answered: %s", interaction.user.id, reason(error))
            except Exception:
                said = _said(interaction)[:MAX_ID]
                log.exception("unforeseen user=%s press=%r", interaction.user.id, said)
                await user_errors.answer(self._services, reply, Rejected("unforeseen"))

    async def _handle(self, reply: Reply) -> None:
        custom_id = parse(_said(reply.interaction))
        verb, (way, values) = self._verbs.get(custom_id.verb), _pressed(reply.interaction)
        if verb is None or not verb.takes(custom_id, way):
            raise Forged(custom_id.verb)
        user_errors.charge(self._services, reply.interaction, VERBS.get(custom_id.verb))
        if custom_id.table:
            await admitted(self._services, reply.interaction, custom_id.table)
        await verb.handler(reply, custom_id, values)


def _said(interaction: Interaction) -> str:
    data: Any = interaction.data or {}
    return str(data.get("custom_id", ""))


def _pressed(interaction: Interaction) -> tuple[Way, tuple[str, ...]]:
    """The way somebody pressed, and the values. Raises Forged."""
    data: Any = interaction.data or {}
    if interaction.type is discord.InteractionType.modal_submit:
        typed = tuple(_typed(data.get("components", ())))
        return Way.FORM, _bounded(typed, MOST_LINES, MOST_LINE)
    if data.get("component_type") == Way.SELECT.value:
        chosen = _bounded(tuple(data.get("values", ())), MAX_OPTIONS, MOST_VALUE)
        if not chosen:
            raise Forged("nothing chosen")
        return Way.SELECT, tuple("" if value == "-" else value for value in chosen)
    if data.get("component_type") == Way.BUTTON.value:
        return Way.BUTTON, ()
    raise Forged("no such component")


def _typed(components: Sequence[Any]) -> Iterator[Any]:
    """The text in the lines of a form, each in its label; older forms had rows of them."""
    for component in components:
        for line in (component, component.get("component", {}), *component.get("components", ())):
            if "value" in line:
                yield line["value"]


def _bounded(values: tuple[Any, ...], most: int, characters: int) -> tuple[str, ...]:
    if len(values) > most or any(
        not isinstance(value, str) or len(value) > characters for value in values
    ):
        raise Forged("more than fits")
    return values
