"""Slash commands named and described by bot/text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from discord import app_commands

from bot.text.commands import COMMANDS, TABLE

Command = app_commands.Command[Any, Any, Any]

PATH = "path"
"""Where a command's extras keep its path in bot.text.commands."""


def group(path: str) -> app_commands.Group:
    """A group, inside a cog's own, with the name and description of `path`."""
    text = COMMANDS[path]
    return app_commands.Group(name=text.name, description=text.description)


def command(
    path: str, complete: Any = None, inside: app_commands.Group | None = None
) -> Callable[[Any], Command]:
    """A command with the names and descriptions of `path` in bot.text.commands.

    `complete` offers choices for every option that is listed there. Raises KeyError for an
    unknown path.
    """
    text = COMMANDS[path]

    def decorate(callback: Any) -> Command:
        made: Command = app_commands.command(
            name=text.name, description=text.description, extras={PATH: path}
        )(callback)
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
            app_commands.autocomplete(
                **{name: complete for name, option in options.items() if option.listed}
            )(made)
        if inside is not None:
            inside.add_command(made)
        return made

    return decorate
