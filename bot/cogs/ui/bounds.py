"""What a person may type, and how much: Discord's own bounds hold only for honest clients.

Whatever arrives is cleaned and measured before anything reads it: no reader here is made for as
much as an interaction can hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
from discord import AppCommandOptionType, app_commands

from bot.text.user_text import cleaned

MOST_TYPED = 100
"""Characters of an option without a bound of its own."""
MOST_NUMBER = 2**31 - 1
"""The highest number a table can have, in whichever database."""

Command = app_commands.Command[Any, Any, Any]


def bound(command: Command) -> None:
    """Gives a bound to every option of the command that has none."""
    for parameter in command._params.values():
        if parameter.max_value is not None or parameter.choices:
            continue
        if parameter.type is AppCommandOptionType.string:
            parameter.max_value = MOST_TYPED
        elif parameter.type is AppCommandOptionType.integer:
            parameter.min_value, parameter.max_value = 1, MOST_NUMBER


def clean(interaction: discord.Interaction[Any]) -> None:
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


def too_long(interaction: discord.Interaction[Any]) -> int | None:
    """The bound, in characters, that an option exceeds; None where all fit."""
    return next(
        (
            int(parameter.max_value or MOST_TYPED)
            for parameter, value in _filled(interaction)
            if isinstance(value, str) and len(value) > (parameter.max_value or MOST_TYPED)
        ),
        None,
    )


def fits(interaction: discord.Interaction[Any]) -> bool:
    """Whether every option filled in is of its kind, among its choices and in its range."""
    return all(_fits(parameter, value) for parameter, value in _filled(interaction))


def _fits(parameter: app_commands.Parameter, value: Any) -> bool:
    if parameter.choices:
        return any(choice.value == value for choice in parameter.choices)
    if parameter.type is AppCommandOptionType.string:
        return isinstance(value, str)
    if parameter.type is AppCommandOptionType.integer:
        lowest, highest = parameter.min_value, parameter.max_value
        return (
            type(value) is int
            and (lowest is None or lowest <= value)
            and (highest is None or value <= highest)
        )
    return True


def _filled(
    interaction: discord.Interaction[Any],
) -> Iterator[tuple[app_commands.Parameter, Any]]:
    """Every option that is filled in, with the parameter it is for."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return
    known = {parameter.display_name: parameter for parameter in command.parameters}
    for option in _leaves(interaction):
        parameter = known.get(option.get("name"))
        if parameter is not None:
            yield parameter, option.get("value")


def _leaves(interaction: discord.Interaction[Any]) -> list[Any]:
    data: Any = interaction.data or {}
    options: list[Any] = data.get("options", [])
    while options and "options" in options[0]:
        options = options[0]["options"]
    return options
