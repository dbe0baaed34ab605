"""Buttons and selects that outlive a restart, and the desk that hears their presses."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Protocol, cast

import discord

from bot.cogs.common import trouble
from bot.cogs.common.press import TEMPLATE, Press, parse, parsed
from bot.cogs.common.reply import Reply
from bot.cogs.common.shell import Shell
from bot.text.contract import Label, Style
from bot.text.markup import clip

log = logging.getLogger(__name__)

MAX_OPTIONS = 25
MAX_BUTTON = 80
MAX_TEXT = 100
PER_ROW = 5

STYLES = {
    Style.NORMAL: discord.ButtonStyle.secondary,
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.SUCCESS: discord.ButtonStyle.success,
    Style.DANGER: discord.ButtonStyle.danger,
}

Interaction = discord.Interaction[Any]
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
                await handler(reply, press, _values(interaction))
            except trouble.KNOWN as error:
                await trouble.answer(self._shell, reply, error)
            except trouble.UNSENT as error:
                # Done or not, the person has no answer; the next press shows how things stand.
                log.warning("user=%s not answered: %s", interaction.user.id, error)
            except Exception:
                log.exception("unforeseen user=%s press=%s", interaction.user.id, press.verb)
                await trouble.answer(self._shell, reply, trouble.Sorry("unforeseen"))


class _Client(Protocol):
    presses: Presses


class Pressable(discord.ui.DynamicItem[discord.ui.Item[Any]], template=TEMPLATE):
    """A button or select whose custom id says all there is to know about it."""

    def __init__(self, item: discord.ui.Item[Any], press: Press, *, row: int | None = None) -> None:
        super().__init__(item, row=row)
        self.press = press

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Pressable:
        """The item of a message that was posted before, perhaps by an earlier process."""
        return cls(item, parsed(match))

    async def callback(self, interaction: Interaction) -> None:
        """Hand the press to whoever answers its verb."""
        await cast(_Client, interaction.client).presses.hear(interaction, self.press)


def press_of(interaction: Interaction) -> Press | None:
    """The press behind a component or a filled form; None where it is not ours."""
    data: Any = interaction.data or {}
    return parse(str(data.get("custom_id", "")))


def button(
    press: Press,
    label: Label | str,
    *,
    style: Style | None = None,
    row: int | None = None,
    disabled: bool = False,
) -> Pressable:
    """A button. Raises TooLong where the press does not fit into a custom id."""
    shown = Label(label) if isinstance(label, str) else label
    return Pressable(
        discord.ui.Button(
            label=clip(shown.text, MAX_BUTTON),
            emoji=shown.emoji,
            style=STYLES[style or shown.style],
            custom_id=press.custom_id(),
            disabled=disabled,
        ),
        press,
        row=row,
    )


def option(value: str, label: Label, *, default: bool = False) -> discord.SelectOption:
    """One line of a select."""
    return discord.SelectOption(
        label=clip(label.text, MAX_TEXT),
        value=value or "-",
        description=None if label.description is None else clip(label.description, MAX_TEXT),
        emoji=label.emoji,
        default=default,
    )


def select(
    press: Press,
    options: Sequence[discord.SelectOption],
    placeholder: str,
    *,
    least: int = 1,
    most: int = 1,
    row: int | None = None,
) -> Pressable:
    """A select of at most 25 lines. Raises TooLong where the press does not fit an id."""
    return Pressable(
        discord.ui.Select(
            custom_id=press.custom_id(),
            placeholder=clip(placeholder, MAX_TEXT),
            min_values=least,
            max_values=most,
            options=list(options),
        ),
        press,
        row=row,
    )


def panel(items: Iterable[discord.ui.Item[Any]]) -> discord.ui.View:
    """The items as a message carries them: each in its row, else in the next free one."""
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    return view


class Form(discord.ui.Modal):
    """A form of one line. What is typed comes back as a press, also after a restart."""

    def __init__(self, press: Press, title: str, label: str, hint: str, value: str = "") -> None:
        super().__init__(title=clip(title, 45), custom_id=press.custom_id(), timeout=None)
        line = discord.ui.TextInput[discord.ui.Modal](
            placeholder=clip(hint, 100) or None,
            default=value or None,
            required=False,
            max_length=200,
        )
        self.add_item(discord.ui.Label(text=clip(label, 45), component=line))
        # Its answer is heard as an interaction, so that no process has to remember the form.
        self.stop()


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
