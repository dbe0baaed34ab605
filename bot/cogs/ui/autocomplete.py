"""What a command's option offers while it is being typed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import islice
from typing import Any

import discord
from discord import app_commands

from bot.cogs.ui import who
from bot.cogs.ui.action_builder import COUNTABLE
from bot.cogs.ui.services import Snapshot
from bot.game.choices import Bundle, Choices, Done, OneOf
from bot.game.contract import Action
from bot.tables import Table
from bot.text.contract import Unreadable
from bot.text.markup import clip
from bot.text.words import Words

MAX_CHOICES = 25
MAX_NAME = 100
"""Characters of a choice's name, and of its value."""

Choice = app_commands.Choice[str]


def matching(pairs: Iterable[tuple[str, str]], typed: str) -> list[Choice]:
    """Choices out of (value, name) whose name or value holds what was typed; best first.

    A value that Discord would not take, such as all pieces of a long game, is left out.
    """
    wanted = typed.strip().casefold()
    found = [
        (not name.casefold().startswith(wanted), place, value, name)
        for place, (value, name) in enumerate(pairs)
        if len(value) <= MAX_NAME and (wanted in name.casefold() or wanted in value.casefold())
    ]
    return [
        app_commands.Choice(name=clip(name, MAX_NAME), value=value or "-")
        for _far, _place, value, name in sorted(found)[:MAX_CHOICES]
    ]


def for_words(snapshot: Snapshot, prefix: Action, choices: Choices, typed: str) -> list[Choice]:
    """Choices for the next word of an action; what can be read already comes first."""
    if isinstance(choices, Done):
        return []

    def named(word: str) -> tuple[str, str]:
        return word, snapshot.text.label(
            snapshot.words, prefix, choices, word, snapshot.view, snapshot.names
        ).text

    if isinstance(choices, OneOf):
        found = matching(map(named, choices.values), typed)
        if found:
            return found
    try:
        word = (
            snapshot.text.read(choices, typed, prefix, snapshot.view, snapshot.names)
            if typed
            else None
        )
    except Unreadable:
        word = None
    is_choice = word is not None and len(word) <= MAX_NAME and choices.admits(word)
    first = [named(word)] if word is not None and is_choice else []
    more = [named(word) for word in _some(choices)] if isinstance(choices, Bundle) else []
    read = [
        app_commands.Choice(name=clip(name, MAX_NAME), value=value or "-") for value, name in first
    ]
    rest = [
        choice
        for choice in matching(more, typed)
        if choice.value not in {known.value for known in read}
    ]
    return [*read, *rest][:MAX_CHOICES]


def _some(bundle: Bundle) -> list[str]:
    """Words of a bundle, all where they can be counted, else the single pieces and everything."""
    if math.prod(count + 1 for count in bundle.have) <= COUNTABLE:
        return list(islice(bundle.each(), 200))
    pieces = [letter for letter, count in zip(bundle.alphabet, bundle.have, strict=True) if count]
    return [word for word in (*pieces, bundle.stock()) if bundle.admits(word)]


def focused(interaction: discord.Interaction[Any]) -> str | None:
    """The name of the option that is being typed."""
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


def offered_seats(words: Words, table: Table, typed: str) -> list[Choice]:
    """The players of a table, by the numbers of their seats."""
    names = who.names(words, table)
    return matching(((str(seat), name.plain) for seat, name in enumerate(names)), typed)
