"""Slash commands named and described by bot/text, in every language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import discord
from discord import app_commands

from bot.cogs.ui.autocomplete import FOCUSED
from bot.cogs.ui.bounds import Command, bound
from bot.cogs.ui.budgets import PATH
from bot.cogs.ui.components import Interaction
from bot.cogs.ui.user_errors import KNOWN, UNSENT, refuse
from bot.text.commands import CHOICES, COMMANDS, TABLE, CommandText
from bot.text.folding import fold
from bot.text.words import ENGLISH, Message, NameContext, Words

BY_NAME = "by_name"
"""The extra of a command whose options may hold what is shown of a choice in place of its value."""
GROUPED = (
    discord.AppCommandOptionType.subcommand.value,
    discord.AppCommandOptionType.subcommand_group.value,
)
"""The options of a command that are commands themselves."""

in_servers = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
"""Decorates a command or group that Discord offers in servers, and not in direct messages."""


def discord_languages(words_for: Callable[[str | None], Words]) -> Mapping[str, Words]:
    """The languages besides English by Discord's names for them."""
    known = {locale.value: words_for(locale.value) for locale in discord.Locale}
    return {locale: words for locale, words in known.items() if words.locale != ENGLISH}


def localized(
    payload: Mapping[str, Any],
    languages: Mapping[str, Words],
    place: NameContext | None = NameContext.COMMAND,
) -> dict[str, Any]:
    """What Discord is told of a command, with its names and descriptions in those languages.

    discord.py would ask for each of them in all the languages that Discord has.
    """
    told = dict(payload)
    name, description = Message(payload["name"]), payload.get("description")
    told["name_localizations"] = {
        locale: words(name) if place is None else words.name(place, name)
        for locale, words in languages.items()
    }
    if description is not None:
        told["description_localizations"] = {
            locale: words(Message(description)) for locale, words in languages.items()
        }
    if "options" in payload:
        told["options"] = [
            localized(
                option,
                languages,
                NameContext.COMMAND if option["type"] in GROUPED else NameContext.OPTION,
            )
            for option in payload["options"]
        ]
    if "choices" in payload:
        told["choices"] = [localized(choice, languages, None) for choice in payload["choices"]]
    return told


class SlashCommand(app_commands.Command[Any, Any, Any]):
    """A command whose choices may come too late, for whoever types on no longer wants them, and
    may come back by the names that are shown of them."""

    async def _invoke_with_namespace(
        self, interaction: Interaction, namespace: app_commands.Namespace
    ) -> Any:
        if self.extras.get(BY_NAME):
            # What one option offers may depend on one after it.
            for parameter in 2 * [each for each in self._params.values() if each.autocomplete]:
                name = parameter.display_name
                typed = namespace.__dict__.get(name)
                if isinstance(typed, str):
                    namespace.__dict__[name] = await self._meant(interaction, parameter, typed)
        return await super()._invoke_with_namespace(interaction, namespace)

    async def _meant(self, interaction: Interaction, parameter: Any, typed: str) -> str:
        """The value of the choice of that name; what was typed where it is a value or none."""
        offer, binding = parameter.autocomplete, self.binding
        is_bound = getattr(offer, "pass_command_binding", False)
        interaction.extras[FOCUSED] = parameter.display_name
        try:
            offered = await (
                offer(binding, interaction, typed) if is_bound else offer(interaction, typed)
            )
        except KNOWN:
            return typed
        finally:
            del interaction.extras[FOCUSED]
        values = [each.value for each in offered if fold(each.name) == fold(typed)]
        known = any(each.value == typed for each in offered)
        return values[0] if values and not known else typed

    async def _invoke_autocomplete(
        self, interaction: Interaction, name: str, namespace: app_commands.Namespace
    ) -> None:
        try:
            await super()._invoke_autocomplete(interaction, name, namespace)
        except (*KNOWN, *UNSENT) as error:
            await refuse(interaction.client.tree.services, interaction, error)


def group(text: CommandText) -> app_commands.Group:
    """A group of that name and description."""
    return app_commands.Group(name=text.name, description=text.description)


def fixed(option: str) -> list[app_commands.Choice[str]]:
    """The fixed values of an option."""
    return [app_commands.Choice(name=said, value=value) for value, said in CHOICES[option].items()]


def command(path: str, complete: Any = None) -> Callable[[Any], Command]:
    """A command with the names and descriptions of `path` in bot.text.commands.

    `complete` offers choices for every option that is listed there. Raises KeyError for an unknown
    path.
    """
    text = COMMANDS[path]
    return lambda callback: command_of(callback, path, text, complete, by_name=True)


Made = TypeVar("Made", bound=SlashCommand)


def command_of(
    callback: Any,
    path: str,
    text: CommandText,
    complete: Any = None,
    *,
    by_name: bool = False,
    kind: type[Made] = SlashCommand,  # type: ignore[assignment]
) -> Made:
    """A command with the names and descriptions of its text, which `path` stands for.

    Its options are the parameters of the callback. Whatever can be typed or counted gets a bound.
    With `by_name` it is given values for the names of choices that are typed.
    """
    made = kind(
        name=text.name,
        description=text.description,
        callback=callback,
        extras={PATH: path, BY_NAME: by_name},
    )
    bound(made)
    known = {parameter.name for parameter in made.parameters}
    options = {
        param: option
        for param, option in {**text.options, "table": TABLE}.items()
        if param in known
    }
    said = {param: option.description for param, option in options.items()}
    app_commands.describe(**said)(made)
    app_commands.rename(**{param: option.name for param, option in options.items()})(made)
    if complete is not None:
        app_commands.autocomplete(
            **{param: complete for param, option in options.items() if option.listed}
        )(made)
    return made
