"""Slash commands named and described by bot/text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from discord import app_commands

from bot.text.commands import COMMANDS, TABLE

Command = app_commands.Command[Any, Any, Any]


def command(path: str, complete: Any = None) -> Callable[[Any], Command]:
    """A command with the names and descriptions of `path` in bot.text.commands.

    `complete` offers choices for every option that has a text there. Raises KeyError for an
    unknown path.
    """
    text = COMMANDS[path]

    def decorate(callback: Any) -> Command:
        made: Command = app_commands.command(name=text.name, description=text.description)(callback)
        known = {parameter.name for parameter in made.parameters}
        options = {
            name: option
            for name, option in {**text.options, "table": TABLE}.items()
            if name in known
        }
        app_commands.describe(**{name: option.description for name, option in options.items()})(
            made
        )
        app_commands.rename(**{name: option.name for name, option in options.items()})(made)
        if complete is not None:
            app_commands.autocomplete(**{name: complete for name in options if name != "table"})(
                made
            )
        return made

    return decorate
