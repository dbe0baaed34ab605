"""What a command's option offers while it is typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import discord
from discord import app_commands

from bot.cogs.ui.access import table_for
from bot.cogs.ui.table_view import names_of
from bot.game.contract import Option
from bot.tables import GOING
from bot.text import AnyGameWords, Words, clip, terms
from bot.text.matching import fold
from bot.text.words import ENGLISH, words_for

MAX_CHOICES = 25
MAX_NAME = 100
"""Characters of a choice's name, and of its value."""
FOCUSED = "focused"
"""The extra of an interaction that names the option at which it is looked now."""
_FAR = 3
"""The distance of a name that does not contain what was typed."""

Choice = app_commands.Choice[str]


def matching(choices: Iterable[tuple[str, ...]], typed: str) -> list[Choice]:
    """Choices out of (value, name shown, other names …) that contain what was typed: exact matches
    first, then beginnings, then parts.

    A value that Discord would not accept, such as all pieces of a long game, is left out.
    """
    wanted = fold(typed).strip()
    choices = (each for each in choices if len(each[0]) <= MAX_NAME)
    if not wanted:
        choices = islice(choices, MAX_CHOICES)
    found = [
        (min(_distance(wanted, fold(name)) for name in each), place, each[0], each[1])
        for place, each in enumerate(choices)
    ]
    return [
        app_commands.Choice(name=clip(name, MAX_NAME), value=value or "-")
        for far, _place, value, name in sorted(found)[:MAX_CHOICES]
        if far < _FAR
    ]


def bilingual(words: Words, value: str, name: Callable[[Words], str]) -> tuple[str, str, str]:
    """A choice for `matching` that is also found by its English name."""
    return value, name(words), name(words_for(ENGLISH))


def _distance(wanted: str, name: str) -> int:
    if wanted == name and name:
        return 0
    return 1 if name.startswith(wanted) else 2 if wanted in name else _FAR


def focused(interaction: discord.Interaction[Any]) -> str | None:
    """The name of the option that is being typed, or is looked at by itself."""
    if FOCUSED in interaction.extras:
        return str(interaction.extras[FOCUSED])
    data: Any = interaction.data or {}
    options: list[Any] = list(data.get("options", ()))
    while options:
        option = options.pop()
        if option.get("focused"):
            return str(option["name"])
        options += option.get("options", ())
    return None


def in_order(interaction: discord.Interaction[Any], names: Iterable[str]) -> list[str | None]:
    """What has been typed for each parameter, None where nothing was."""
    typed = interaction.namespace
    return [
        None if (value := getattr(typed, name, None)) in (None, "") else str(value)
        for name in names
    ]


async def games_offered(interaction: discord.Interaction[Any], typed: str) -> list[Choice]:
    """The games by their titles, for an option that is being typed."""
    services = interaction.client.services
    words, texts = services.words_of(interaction), services.titles.texts
    return matching(((name, words(text.title)) for name, text in texts.items()), typed)


def options_offered(
    words: Words, text: type[AnyGameWords], known: Iterable[Option], typed: str
) -> list[Choice]:
    """These options by their names, where one is being typed."""
    texts = [text(reader) for reader in (words, words_for(ENGLISH))]
    return matching(
        ((option.name, *(terms.option(each, option.name) for each in texts)) for option in known),
        typed,
    )


def values_offered(
    words: Words, text: type[AnyGameWords], known: Iterable[Option], name: str, typed: str
) -> list[Choice]:
    """The values of the option of that name."""
    texts = [text(reader) for reader in (words, words_for(ENGLISH))]
    values = (value for each in known if each.name == name for value in each.values)
    return matching(
        ((value, *(terms.option_value(each, name, value) for each in texts)) for value in values),
        typed,
    )


async def seats_offered(interaction: discord.Interaction[Any], typed: str) -> list[Choice]:
    """The players of the table that is meant, by the numbers of their seats."""
    services, number = interaction.client.services, interaction.namespace.table
    table = await table_for(services, interaction, number, among=GOING)
    names = names_of(services.words_of(interaction), table)
    return matching(((str(seat), name.plain) for seat, name in enumerate(names)), typed)
