"""Autocomplete: the choices offered while someone types a command's option."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import discord
from discord import app_commands

from bot.cogs.ui.access import table_for
from bot.cogs.ui.table_view import names_of
from bot.game.contract import Option
from bot.tables import IN_PROGRESS
from bot.text import AnyGameWords, Words, clip, terms
from bot.text.matching import fold
from bot.text.words import ENGLISH, words_for

MAX_CHOICES = 25
MAX_NAME = 100
"""Characters of a choice's name, and of its value."""
FOCUSED = "focused"
"""Key in an interaction's extras of the option being resolved (see `focused`)."""
_NO_MATCH = 3
"""Distance of a name that does not contain the typed text."""

Choice = app_commands.Choice[str]


def matching(choices: Iterable[tuple[str, ...]], typed: str) -> list[Choice]:
    """Return the choices out of (value, name shown, other names …) that contain the typed text.

    Exact matches come first, then beginnings, then other parts. Values longer than Discord accepts
    are left out.
    """
    wanted = fold(typed).strip()
    choices = (each for each in choices if len(each[0]) <= MAX_NAME)
    if not wanted:
        choices = islice(choices, MAX_CHOICES)
    matched = [
        (min(_distance(wanted, fold(name)) for name in each), index, each[0], each[1])
        for index, each in enumerate(choices)
    ]
    return [
        app_commands.Choice(name=clip(name, MAX_NAME), value=value or "-")
        for distance, _index, value, name in sorted(matched)[:MAX_CHOICES]
        if distance < _NO_MATCH
    ]


def bilingual(words: Words, value: str, name: Callable[[Words], str]) -> tuple[str, str, str]:
    """Return a choice for `matching` that is also found by its English name."""
    return value, name(words), name(words_for(ENGLISH))


def _distance(wanted: str, name: str) -> int:
    if wanted == name and name:
        return 0
    return 1 if name.startswith(wanted) else 2 if wanted in name else _NO_MATCH


def focused(interaction: discord.Interaction[Any]) -> str | None:
    """Return the name of the option being typed, or of the one being resolved."""
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
    """Return the text typed for each parameter, None if empty."""
    typed = interaction.namespace
    return [
        None if (value := getattr(typed, name, None)) in (None, "") else str(value)
        for name in names
    ]


async def games_offered(interaction: discord.Interaction[Any], typed: str) -> list[Choice]:
    """Offer the games by their titles."""
    services = interaction.client.services
    words, texts = services.words_of(interaction), services.titles.texts
    return matching(((name, words(text.title)) for name, text in texts.items()), typed)


def options_offered(
    words: Words, text: type[AnyGameWords], known: Iterable[Option], typed: str
) -> list[Choice]:
    """Offer these options by their names."""
    texts = [text(reader) for reader in (words, words_for(ENGLISH))]
    return matching(
        ((option.name, *(terms.option(each, option.name) for each in texts)) for option in known),
        typed,
    )


def values_offered(
    words: Words, text: type[AnyGameWords], known: Iterable[Option], name: str, typed: str
) -> list[Choice]:
    """Offer the values of the option with that name."""
    texts = [text(reader) for reader in (words, words_for(ENGLISH))]
    values = (value for each in known if each.name == name for value in each.values)
    return matching(
        ((value, *(terms.option_value(each, name, value) for each in texts)) for value in values),
        typed,
    )


async def seats_offered(interaction: discord.Interaction[Any], typed: str) -> list[Choice]:
    """Offer the players of the table that `table_for` finds; the values are seat numbers."""
    services, number = interaction.client.services, interaction.namespace.table
    table = await table_for(services, interaction, number, among=IN_PROGRESS)
    names = names_of(services.words_of(interaction), table)
    return matching(((str(seat), name.plain) for seat, name in enumerate(names)), typed)
