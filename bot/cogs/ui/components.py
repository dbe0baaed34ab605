"""Buttons and selects that outlive a restart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import discord

from bot.cogs.ui.custom_id import CustomId
from bot.text import general
from bot.text.contract import LONGEST_LABEL, Label, Style
from bot.text.markup import clip
from bot.text.words import Words

MAX_OPTIONS = 25
MAX_TEXT = 100
PER_ROW = 5
THEN = "then"
"""The word of a button that opens the log as of its message: a number would tell of secrets."""

STYLES = {
    Style.NORMAL: discord.ButtonStyle.secondary,
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.SUCCESS: discord.ButtonStyle.success,
    Style.DANGER: discord.ButtonStyle.danger,
}

Interaction = discord.Interaction[Any]


class Pressable(NamedTuple):
    """A button or select whose custom id says all there is to know about it.

    No process has to remember it: `Routes` recognises it by its id, also after a restart.
    """

    item: discord.ui.Button[Any] | discord.ui.Select[Any]
    custom_id: CustomId


def button(
    custom_id: CustomId,
    label: Label | str,
    *,
    style: Style | None = None,
    disabled: bool = False,
) -> Pressable:
    """A button. Raises TooLong where its words do not fit into a custom id."""
    shown = Label(label) if isinstance(label, str) else label
    return Pressable(
        discord.ui.Button(
            label=clip(shown.text, LONGEST_LABEL),
            emoji=shown.emoji,
            style=STYLES[style or shown.style],
            custom_id=custom_id.encoded(),
            disabled=disabled,
        ),
        custom_id,
    )


def rules_button(game: str | None, topic: str, words: Words, title: str) -> Pressable:
    """A button that opens a chapter of a game's rules; None as `game` is for those of tables."""
    custom_id = CustomId("rules", 0, game, (topic,))
    return button(custom_id, Label(words(general.RULES_ON, topic=title), "📖"))


def untold_button(words: Words, table: int, count: int, *, is_newest: bool = True) -> Pressable:
    """A button that tells its presser what a message leaves out: the log, up to when the message
    was sent where it is not the newest."""
    custom_id = CustomId("log", table, words=() if is_newest else (THEN,), page=1)
    return button(custom_id, words.phrase(general.UNTOLD, count))


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
    custom_id: CustomId,
    options: Sequence[discord.SelectOption],
    placeholder: str,
    *,
    least: int = 1,
    most: int = 1,
) -> Pressable:
    """A select of at most 25 lines. Raises TooLong where its words do not fit into a custom id."""
    return Pressable(
        discord.ui.Select(
            custom_id=custom_id.encoded(),
            placeholder=clip(placeholder, MAX_TEXT),
            min_values=least,
            max_values=most,
            options=list(options),
        ),
        custom_id,
    )


class Line(NamedTuple):
    """A line of a form to type into, and an example for it.

    It holds `text` at first and at most so many characters; a `long` one has room for several
    lines.
    """

    label: str
    hint: str
    text: str = ""
    most: int = 200
    long: bool = False


class Form(discord.ui.Modal):
    """A form of some lines. What is typed comes back as a press does, also after a restart."""

    def __init__(self, custom_id: CustomId, title: str, *lines: Line) -> None:
        super().__init__(title=clip(title, 45), custom_id=custom_id.encoded(), timeout=None)
        for line in lines:
            typed = discord.ui.TextInput[discord.ui.Modal](
                placeholder=clip(line.hint, 100) or None,
                default=line.text or None,
                required=False,
                max_length=line.most,
                style=discord.TextStyle.paragraph if line.long else discord.TextStyle.short,
            )
            self.add_item(discord.ui.Label(text=clip(line.label, 45), component=typed))
        # Its answer is heard as an interaction, so that no process has to remember the form.
        self.stop()
