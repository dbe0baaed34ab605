"""Slash commands named and described by bot/text, in every language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import discord
from discord import AppCommandOptionType, app_commands

from bot.cogs.ui.autocomplete import FOCUSED
from bot.cogs.ui.budgets import COMMANDS as COSTS
from bot.cogs.ui.budgets import PATH, Budget
from bot.cogs.ui.custom_id import MOST_NUMBER
from bot.cogs.ui.layout import Interaction
from bot.cogs.ui.reply import REPLY, Reply
from bot.cogs.ui.user_errors import KNOWN, answer, carry_out, charge
from bot.tables import Rejected
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
MOST_TYPED = 100
"""Characters of an option without a bound of its own."""

Command = app_commands.Command[Any, Any, Any]

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
    """A command whose choices may come back by the names that are shown of them."""

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
        except Exception as error:  # noqa: BLE001
            # discord.py would log what is no fault.
            await answer(interaction.client.services, interaction.extras[REPLY], error)


class Tree(app_commands.CommandTree[Any]):
    """The commands. What goes wrong in one is told to the person who typed it."""

    async def _call(self, interaction: Interaction) -> None:
        call = super()._call

        async def act(_reply: Reply) -> None:
            try:
                await call(interaction)
            except (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch) as error:
                raise Rejected("old_command") from error
            except app_commands.CommandInvokeError as error:
                raise error.original from error

        await carry_out(interaction.client.services, interaction, act)

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Count what is asked for, and measure what was typed. Raises Rejected."""
        budget: Budget | None = Budget.TYPING
        if interaction.type is not discord.InteractionType.autocomplete:
            extras = {} if interaction.command is None else interaction.command.extras
            budget = COSTS.get(extras.get(PATH, ""))
        charge(interaction.client.services, interaction, budget)
        for parameter, value in _filled(interaction):
            most = parameter.max_value or MOST_TYPED
            if isinstance(value, str) and len(value) > most:
                raise Rejected("typed_too_long", most=int(most))
            if not _fits(parameter, value):
                raise Rejected("old_command")
        return True

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Leaves it to who called."""
        raise error


def _fits(parameter: app_commands.Parameter, value: Any) -> bool:
    """Whether the value of an option is of its kind, among its choices and in its range."""
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


def _filled(interaction: Interaction) -> Iterator[tuple[app_commands.Parameter, Any]]:
    """Every option that is filled in, with the parameter it is for."""
    if not isinstance(interaction.command, app_commands.Command):
        return
    known = {parameter.display_name: parameter for parameter in interaction.command.parameters}
    data: Any = interaction.data or {}
    options: list[Any] = data.get("options", [])
    while options and "options" in options[0]:
        options = options[0]["options"]
    for option in options:
        parameter = known.get(option.get("name"))
        if parameter is not None:
            yield parameter, option.get("value")


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
    for parameter in made._params.values():
        if parameter.max_value is not None or parameter.choices:
            continue
        if parameter.type is AppCommandOptionType.string:
            parameter.max_value = MOST_TYPED
        elif parameter.type is AppCommandOptionType.integer:
            parameter.min_value, parameter.max_value = 1, MOST_NUMBER
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
