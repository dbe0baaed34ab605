"""Routing of commands, buttons, selects and forms to the methods of dialogues.

Input may be forged. Before a method is called, these checks have passed: the lengths of typed text,
the form of the custom id, the number and lengths of its values, the kind of component, and that
the user may see the id's table. Methods check the words of their own ids and raise Forged.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, Optional, TypeVar, cast

import discord
from discord import AppCommandOptionType, app_commands

from bot.cogs.ui.access import table_for, visible_table
from bot.cogs.ui.autocomplete import FOCUSED
from bot.cogs.ui.budgets import COMMANDS as COSTS
from bot.cogs.ui.budgets import PATH, VERBS, Budget
from bot.cogs.ui.custom_id import MAX_NUMBER, CustomId, Forged, parse
from bot.cogs.ui.layout import MAX_OPTIONS, Interaction
from bot.cogs.ui.reply import REPLY, Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.user_errors import EXPECTED_ERRORS, TABLE, answer, carry_out, charge
from bot.tables import Rejected, Status, Table
from bot.text.commands import CHOICES, COMMANDS, CommandText
from bot.text.commands import TABLE as TABLE_TEXT
from bot.text.matching import fold

MAX_LINES = 5
"""Lines of a form."""
MAX_LINE = 4000
"""Characters in a line; a form may allow fewer."""
MAX_VALUE = 100
MAX_TYPED = 100
"""Characters of an option, unless it sets its own limit."""

IN_LESSONS = tuple(f"game {name}" for name in ("turn", "hand", "board", "log", "replay", "undo"))
"""The commands that also work at the table of a lesson."""

in_servers = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
"""Decorate a command that Discord offers in servers and not in direct messages."""


class Way(Enum):
    """Kinds of components, with their numbers in Discord, and forms."""

    BUTTON = 2
    SELECT = 3
    FORM = "form"


BUTTON, SELECT, FORM = Way
TableOption = Annotated[Table, Optional[int]]  # noqa: UP045
"""A command's option for a table's number; the method gets the table."""


class Press(NamedTuple):
    """A press of a component, or a filled form, by a user who may see the table of its id."""

    reply: Reply
    custom_id: CustomId
    values: Sequence[str] = ()
    """Values of a select, or lines of a form."""

    @property
    def table_id(self) -> int:
        """The table's number; 0 if the press is about no table."""
        return self.custom_id.table

    @property
    def table(self) -> Table:
        """The table when the press arrived. Raises KeyError if the press is about none."""
        return cast(Table, self.reply.interaction.extras[TABLE])

    @property
    def user(self) -> int:
        return self.reply.user

    @property
    def interaction(self) -> Interaction:
        return self.reply.interaction


class PressRoute(NamedTuple):
    """The handler of a press, and the ids and components for which it is called."""

    handler: Callable[[Press], Awaitable[None]]
    """Raises Forged for words that this bot does not write into such an id."""
    ways: Sequence[Way] = (BUTTON,)
    at_table: bool | None = True
    """Whether an id has a table; None if it may have one."""
    words: Container[int] = (0,)
    """Allowed numbers of words in an id."""
    has_decision: bool = False
    """Whether an id may have a decision, or a game or a setting instead."""

    def accepts(self, custom_id: CustomId, way: Way) -> bool:
        """Return whether the bot could have written this id into such a component."""
        return (
            way in self.ways
            and self.at_table in (None, custom_id.table != 0)
            and len(custom_id.words) in self.words
            and (self.has_decision or custom_id.decision is None)
        )


Handled = TypeVar("Handled", bound=Callable[..., Awaitable[None]])
_ROUTES, _COMMAND = "__routes__", "__command__"


def route(
    name: str,
    *ways: Way,
    at_table: bool | None = True,
    words: Container[int] = (0,),
    has_decision: bool = False,
) -> Callable[[Handled], Handled]:
    """Decorate the method of a dialogue that answers presses with custom ids of the verb `name`.

    See `PressRoute`; without `ways` the component is a button. A method that is also a `command`
    gets the reply and the id's table instead of the press.
    """

    def decorate(method: Handled) -> Handled:
        added = PressRoute(method, ways or (BUTTON,), at_table, words, has_decision)
        vars(method).setdefault(_ROUTES, {})[name] = added
        return method

    return decorate


class SlashCommand(app_commands.Command[Any, Any, Any]):
    """A command that calls its method with a `Reply` instead of the interaction.

    Its names and descriptions come from `text`, its options from the parameters of `method`. All
    texts and numbers get a limit. With `by_name`, the typed name of a choice becomes its value. See
    `command` for the rest.
    """

    def __init__(
        self,
        path: str,
        text: CommandText,
        method: Any,
        offer: Any = None,
        *,
        by_name: bool = False,
        among: Sequence[Status] | None = None,
        offers: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        super().__init__(
            name=text.name, description=text.description, callback=method, extras={PATH: path}
        )
        self._by_name = by_name
        self._among = among
        options = {**text.options, "table": TABLE_TEXT}
        options = {name: option for name, option in options.items() if name in self._params}
        for parameter in self._params.values():
            if parameter.max_value is not None or parameter.choices:
                continue
            if parameter.type is AppCommandOptionType.string:
                parameter.max_value = MAX_TYPED
            elif parameter.type is AppCommandOptionType.integer:
                parameter.min_value, parameter.max_value = 1, MAX_NUMBER
        app_commands.describe(**{name: each.description for name, each in options.items()})(self)
        app_commands.rename(**{name: each.name for name, each in options.items()})(self)
        listed = [name for name, each in options.items() if each.listed and offer is not None]
        app_commands.autocomplete(**(dict.fromkeys(listed, offer) | dict(offers)))(self)

    async def _do_call(self, interaction: Interaction, params: dict[str, Any]) -> None:
        if self._among is not None:
            table = params["table"] = await table_for(
                interaction.client.services, interaction, params["table"], among=self._among
            )
            if table.lesson is not None and self.extras[PATH] not in IN_LESSONS:
                raise Rejected("in_lesson")
        bound = () if self.binding is None else (self.binding,)
        await self._callback(*bound, interaction.extras[REPLY], **params)

    async def _invoke_with_namespace(
        self, interaction: Interaction, namespace: app_commands.Namespace
    ) -> Any:
        # The choices of an option can depend on a later option.
        for parameter in 2 * [each for each in self._params.values() if each.autocomplete]:
            name = parameter.display_name
            typed = namespace.__dict__.get(name)
            if self._by_name and isinstance(typed, str):
                namespace.__dict__[name] = await self._value_of(interaction, parameter, typed)
        return await super()._invoke_with_namespace(interaction, namespace)

    async def _value_of(self, interaction: Interaction, parameter: Any, typed: str) -> str:
        """Return the value of the choice with the typed name, else the typed text."""
        offer, binding = parameter.autocomplete, self.binding
        is_bound = getattr(offer, "pass_command_binding", False)
        interaction.extras[FOCUSED] = parameter.display_name
        try:
            offered = await (
                offer(binding, interaction, typed) if is_bound else offer(interaction, typed)
            )
        except EXPECTED_ERRORS:
            return typed
        finally:
            del interaction.extras[FOCUSED]
        values = [each.value for each in offered if fold(each.name) == fold(typed)]
        is_offered = any(each.value == typed for each in offered)
        return values[0] if values and not is_offered else typed

    async def _invoke_autocomplete(
        self, interaction: Interaction, name: str, namespace: app_commands.Namespace
    ) -> None:
        try:
            await super()._invoke_autocomplete(interaction, name, namespace)
        except Exception as error:  # noqa: BLE001
            # discord.py would log expected errors too.
            await answer(interaction.client.services, interaction.extras[REPLY], error)


def command(
    path: str, offer: Any = None, *, among: Sequence[Status] | None = None, **offers: Any
) -> Callable[[Handled], Handled]:
    """Decorate the method of a dialogue that answers the command `path` of bot.text.commands.

    It must be the outermost decorator of commands. The method gets a `Reply` and the options; with
    `among`, `table` is the table that `table_for` finds. `offers` are autocomplete functions by
    option, and `offer` is one for all options listed in bot.text.commands; they get the interaction
    and the typed text. Raise KeyError for an unknown path.
    """
    text = COMMANDS[path]

    def decorate(method: Handled) -> Handled:
        vars(method)[_COMMAND] = SlashCommand(
            path, text, method, offer, by_name=True, among=among, offers=offers
        )
        return method

    return decorate


def group(text: CommandText) -> app_commands.Group:
    """Return a group with the text's name and description."""
    return app_commands.Group(name=text.name, description=text.description)


def fixed_choices(option: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=name, value=value) for value, name in CHOICES[option].items()]


def register(
    tree: app_commands.CommandTree[Any], routes: Routes, dialogues: Iterable[object]
) -> None:
    """Register the commands and routes of the dialogues' decorated methods.

    Commands come in the order of bot.text.commands. Raise ValueError if two methods answer the
    same command or press.
    """
    found: dict[str, SlashCommand] = {}
    for dialogue in dialogues:
        for attribute, member in vars(type(dialogue)).items():
            marks = getattr(member, "__dict__", {})
            handler: Any = getattr(dialogue, attribute) if marks else None
            if _COMMAND in marks:
                slash = marks[_COMMAND]
                path = slash.extras[PATH]
                if path in found:
                    raise ValueError(f"two dialogues for /{path}")
                found[path] = slash._copy_with(parent=None, binding=dialogue, set_on_binding=False)
                handler = partial(_call_with_table, handler)
            for name, each in marks.get(_ROUTES, {}).items():
                routes.add(name, each._replace(handler=handler))
    for path in sorted(found, key=list(COMMANDS).index):
        slash, (name, *inside) = found[path], path.split()
        if not inside:
            tree.add_command(slash)
            continue
        parent = tree.get_command(name)
        if not isinstance(parent, app_commands.Group):
            parent = group(COMMANDS[name])
            # Discord supports both only for whole groups.
            parent.allowed_contexts = slash.allowed_contexts
            parent.default_permissions = slash.default_permissions
            tree.add_command(parent)
        parent.add_command(slash)


async def _call_with_table(method: Callable[..., Awaitable[None]], press: Press) -> None:
    await method(press.reply, table=press.table)


class Routes:
    """Routes of presses, by the verbs of their custom ids."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._routes: dict[str, PressRoute] = {}

    def add(self, name: str, added: PressRoute) -> None:
        """Add the route for a verb. Raise ValueError if it has one."""
        if name in self._routes:
            raise ValueError(f"two routes for {name!r}")
        self._routes[name] = added

    async def dispatch(self, interaction: Interaction) -> None:
        """Pass a press or a filled form to its method, if it is ours. Never raises."""
        await carry_out(self._services, interaction, self._handle)

    async def _handle(self, reply: Reply) -> None:
        data: Any = reply.interaction.data or {}
        custom_id = parse(str(data.get("custom_id", "")))
        matched, (way, values) = self._routes.get(custom_id.verb), _pressed(reply.interaction)
        if matched is None or not matched.accepts(custom_id, way):
            raise Forged(custom_id.verb)
        charge(self._services, reply.interaction, VERBS.get(custom_id.verb))
        if custom_id.table:
            await visible_table(self._services, reply.interaction, custom_id.table)
        await matched.handler(Press(reply, custom_id, values))


def _pressed(interaction: Interaction) -> tuple[Way, tuple[str, ...]]:
    """Return the kind of component and its values. Raise Forged."""
    data: Any = interaction.data or {}
    if interaction.type is discord.InteractionType.modal_submit:
        way, max_count, max_length = FORM, MAX_LINES, MAX_LINE
        values = tuple(_typed(data.get("components", ())))
    elif data.get("component_type") == SELECT.value:
        way, max_count, max_length = SELECT, MAX_OPTIONS, MAX_VALUE
        values = tuple(data.get("values", ()))
    elif data.get("component_type") == BUTTON.value:
        return BUTTON, ()
    else:
        raise Forged("no such component")
    if len(values) > max_count or any(
        not isinstance(each, str) or len(each) > max_length for each in values
    ):
        raise Forged("values too long or too many")
    if way is FORM:
        return FORM, values
    return SELECT, tuple("" if value == "-" else value for value in values)


def _typed(components: Sequence[Any]) -> Iterator[Any]:
    """Yield the text of each line of a form. Lines are in labels; in older forms, in rows."""
    for component in components:
        for line in (component, component.get("component", {}), *component.get("components", ())):
            if "value" in line:
                yield line["value"]


class Tree(app_commands.CommandTree[Any]):
    """The command tree; errors are answered to the user who typed the command."""

    async def _call(self, interaction: Interaction) -> None:
        call = super()._call

        async def act(_reply: Reply) -> None:
            try:
                await call(interaction)
            except (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch) as error:
                raise Rejected("old_command") from error

        await carry_out(interaction.client.services, interaction, act)

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Charge the command's budget and check what was typed. Raise Rejected."""
        budget: Budget | None = Budget.AUTOCOMPLETE
        if interaction.type is not discord.InteractionType.autocomplete:
            extras = {} if interaction.command is None else interaction.command.extras
            budget = COSTS.get(extras.get(PATH, ""))
        charge(interaction.client.services, interaction, budget)
        for parameter, value in _filled(interaction):
            limit = parameter.max_value or MAX_TYPED
            if isinstance(value, str) and len(value) > limit:
                raise Rejected("typed_too_long", most=int(limit))
            if not _fits(parameter, value):
                raise Rejected("old_command")
        return True

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Raise the error for `_call`, instead of logging it."""
        raise error


def _fits(parameter: app_commands.Parameter, value: Any) -> bool:
    """Return whether an option's value has its type and is among its choices or in its range."""
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
    """Yield the parameter and value of every option that was filled in."""
    if not isinstance(interaction.command, app_commands.Command):
        return
    by_name = {parameter.display_name: parameter for parameter in interaction.command.parameters}
    data: Any = interaction.data or {}
    options: list[Any] = data.get("options", [])
    while options and "options" in options[0]:
        options = options[0]["options"]
    for option in options:
        parameter = by_name.get(option.get("name"))
        if parameter is not None:
            yield parameter, option.get("value")
