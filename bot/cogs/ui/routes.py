"""Which method of a dialogue answers which command, button, select or form.

What arrives may be forged. Before a method is called, what was typed has been measured; the id and
the values of a press have been read within their bounds, it has been pressed in a way that it can
be, and whoever pressed may see the table that the id names; a method reads the words of its own
ids, and raises Forged as well.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, Optional, TypeVar, cast

import discord
from discord import AppCommandOptionType, app_commands

from bot.cogs.ui.access import admitted, table_for
from bot.cogs.ui.autocomplete import FOCUSED
from bot.cogs.ui.budgets import COMMANDS as COSTS
from bot.cogs.ui.budgets import PATH, VERBS, Budget
from bot.cogs.ui.custom_id import MAX_NUMBER, CustomId, Forged, parse
from bot.cogs.ui.layout import MAX_OPTIONS, Interaction
from bot.cogs.ui.reply import REPLY, Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.user_errors import KNOWN, TABLE, answer, carry_out, charge
from bot.tables import Rejected, Status, Table
from bot.text.commands import CHOICES, COMMANDS, CommandText
from bot.text.commands import TABLE as TABLE_TEXT
from bot.text.matching import fold

MAX_LINES = 5
"""Lines of a form."""
MAX_LINE = 4000
"""Characters in one of them; a line may take less."""
MAX_VALUE = 100
MAX_TYPED = 100
"""Characters of an option without a bound of its own."""

in_servers = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
"""Decorates a command that Discord offers in servers, and not in direct messages."""


class Way(Enum):
    """How somebody presses: the type of a component as Discord numbers it, or a form."""

    BUTTON = 2
    SELECT = 3
    FORM = "form"


BUTTON, SELECT, FORM = Way
TableOption = Annotated[Table, Optional[int]]  # noqa: UP045
"""The option of a command by which people name a table; the method gets the one they mean."""


class Press(NamedTuple):
    """A press of what carries a custom id, by somebody who may see the table that it names."""

    reply: Reply
    custom_id: CustomId
    values: Sequence[str] = ()
    """Those of a select, or the text typed into a form."""

    @property
    def table_id(self) -> int:
        """The number of the table; 0 where it is about none."""
        return self.custom_id.table

    @property
    def table(self) -> Table:
        """The table, as it was when the press came in. Raises KeyError where it is about none."""
        return cast(Table, self.reply.interaction.extras[TABLE])

    @property
    def user(self) -> int:
        """Who pressed."""
        return self.reply.user

    @property
    def interaction(self) -> Interaction:
        """What Discord says of it."""
        return self.reply.interaction


class PressRoute(NamedTuple):
    """What can be pressed: who answers it, and which ids and ways of pressing it there are."""

    handler: Callable[[Press], Awaitable[None]]
    """Raises Forged for words that this bot does not write into such an id."""
    ways: Sequence[Way] = (BUTTON,)
    at_table: bool | None = True
    """Whether an id names a table; None for one that may or may not."""
    words: Container[int] = (0,)
    """How many words an id may have."""
    decided: bool = False
    """Whether an id may have a decision, or a game or a setting in its place."""

    def takes(self, custom_id: CustomId, way: Way) -> bool:
        """Whether this bot could have written that id, for that way of pressing it."""
        return (
            way in self.ways
            and self.at_table in (None, custom_id.table != 0)
            and len(custom_id.words) in self.words
            and (self.decided or custom_id.decision is None)
        )


Handled = TypeVar("Handled", bound=Callable[..., Awaitable[None]])
_ROUTES, _COMMAND = "__routes__", "__command__"


def route(
    name: str,
    *ways: Way,
    at_table: bool | None = True,
    words: Container[int] = (0,),
    decided: bool = False,
) -> Callable[[Handled], Handled]:
    """Decorates the method of a dialogue that answers a press of what has such a custom id: one
    that begins with `name`. See `PressRoute`; without `ways` it is a button.

    A method that is a `command` as well is given the table of the id in place of the press.
    """

    def decorate(method: Handled) -> Handled:
        made = PressRoute(method, ways or (BUTTON,), at_table, words, decided)
        vars(method).setdefault(_ROUTES, {})[name] = made
        return method

    return decorate


class SlashCommand(app_commands.Command[Any, Any, Any]):
    """A command, which calls its method with a `Reply` in place of the interaction.

    Its names and descriptions are those of `text`, its options the parameters of `method`. Whatever
    can be typed or counted gets a bound. See `command`; with `by_name` a method is given the values
    of choices of which the names were typed.
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
            params["table"] = await table_for(
                interaction.client.services, interaction, params["table"], among=self._among
            )
        bound = () if self.binding is None else (self.binding,)
        await self._callback(*bound, interaction.extras[REPLY], **params)

    async def _invoke_with_namespace(
        self, interaction: Interaction, namespace: app_commands.Namespace
    ) -> Any:
        # What one option offers may depend on one after it.
        for parameter in 2 * [each for each in self._params.values() if each.autocomplete]:
            name = parameter.display_name
            typed = namespace.__dict__.get(name)
            if self._by_name and isinstance(typed, str):
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


def command(
    path: str, offer: Any = None, *, among: Sequence[Status] | None = None, **offers: Any
) -> Callable[[Handled], Handled]:
    """Decorates the method of a dialogue that answers the command with the names and descriptions
    of `path` in bot.text.commands. Other decorators of commands stand below it.

    It is called with a `Reply` and the options; with `among`, `table` is the table that `table_for`
    finds. `offers` are functions that give the choices for an option while it is typed, `offer` is
    one for every option that is listed there; they get the interaction and what is typed. Raises
    KeyError for an unknown path.
    """
    text = COMMANDS[path]

    def decorate(method: Handled) -> Handled:
        made = SlashCommand(path, text, method, offer, by_name=True, among=among, offers=offers)
        vars(method)[_COMMAND] = made
        return method

    return decorate


def group(text: CommandText) -> app_commands.Group:
    """A group of that name and description."""
    return app_commands.Group(name=text.name, description=text.description)


def fixed(option: str) -> list[app_commands.Choice[str]]:
    """The fixed values of an option."""
    return [app_commands.Choice(name=said, value=value) for value, said in CHOICES[option].items()]


def register(
    tree: app_commands.CommandTree[Any], routes: Routes, dialogues: Iterable[object]
) -> None:
    """Makes known what the decorated methods of these dialogues answer: commands, in the order of
    bot.text.commands, and presses. Raises ValueError for what two of them answer."""
    found: dict[str, SlashCommand] = {}
    for dialogue in dialogues:
        for attribute, member in vars(type(dialogue)).items():
            marks = getattr(member, "__dict__", {})
            answer: Any = getattr(dialogue, attribute) if marks else None
            if _COMMAND in marks:
                made = marks[_COMMAND]
                path = made.extras[PATH]
                if path in found:
                    raise ValueError(f"two dialogues for /{path}")
                found[path] = made._copy_with(parent=None, binding=dialogue, set_on_binding=False)
                answer = partial(_answer_at_table, answer)
            for name, each in marks.get(_ROUTES, {}).items():
                routes.add(name, each._replace(handler=answer))
    for path in sorted(found, key=list(COMMANDS).index):
        made, (name, *inside) = found[path], path.split()
        if not inside:
            tree.add_command(made)
            continue
        whole = tree.get_command(name)
        if not isinstance(whole, app_commands.Group):
            whole = group(COMMANDS[name])
            # Discord knows both of a whole group alone.
            whole.allowed_contexts = made.allowed_contexts
            whole.default_permissions = made.default_permissions
            tree.add_command(whole)
        whole.add_command(made)


async def _answer_at_table(method: Callable[..., Awaitable[None]], press: Press) -> None:
    await method(press.reply, table=press.table)


class Routes:
    """What can be pressed, by what its custom id begins with."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._routes: dict[str, PressRoute] = {}

    def add(self, name: str, added: PressRoute) -> None:
        """Adds what the ids that begin with that name lead to. Raises ValueError where something
        does already."""
        if name in self._routes:
            raise ValueError(f"two routes for {name!r}")
        self._routes[name] = added

    async def hear(self, interaction: Interaction) -> None:
        """Passes a press or a filled form to its method, if it is ours. Never raises."""
        await carry_out(self._services, interaction, self._handle)

    async def _handle(self, reply: Reply) -> None:
        data: Any = reply.interaction.data or {}
        custom_id = parse(str(data.get("custom_id", "")))
        known, (way, values) = self._routes.get(custom_id.verb), _pressed(reply.interaction)
        if known is None or not known.takes(custom_id, way):
            raise Forged(custom_id.verb)
        charge(self._services, reply.interaction, VERBS.get(custom_id.verb))
        if custom_id.table:
            await admitted(self._services, reply.interaction, custom_id.table)
        await known.handler(Press(reply, custom_id, values))


def _pressed(interaction: Interaction) -> tuple[Way, tuple[str, ...]]:
    """The way somebody pressed, and the values. Raises Forged."""
    data: Any = interaction.data or {}
    if interaction.type is discord.InteractionType.modal_submit:
        way, most, longest = FORM, MAX_LINES, MAX_LINE
        values = tuple(_typed(data.get("components", ())))
    elif data.get("component_type") == SELECT.value:
        way, most, longest = SELECT, MAX_OPTIONS, MAX_VALUE
        values = tuple(data.get("values", ()))
    elif data.get("component_type") == BUTTON.value:
        return BUTTON, ()
    else:
        raise Forged("no such component")
    if len(values) > most or any(
        not isinstance(each, str) or len(each) > longest for each in values
    ):
        raise Forged("more than fits")
    if way is FORM:
        return FORM, values
    if not values:
        raise Forged("nothing chosen")
    return SELECT, tuple("" if value == "-" else value for value in values)


def _typed(components: Sequence[Any]) -> Iterator[Any]:
    """The text in the lines of a form, each in its label; older forms had rows of them."""
    for component in components:
        for line in (component, component.get("component", {}), *component.get("components", ())):
            if "value" in line:
                yield line["value"]


class Tree(app_commands.CommandTree[Any]):
    """The commands. What goes wrong in one is told to the person who typed it."""

    async def _call(self, interaction: Interaction) -> None:
        call = super()._call

        async def act(_reply: Reply) -> None:
            try:
                await call(interaction)
            except (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch) as error:
                raise Rejected("old_command") from error

        await carry_out(interaction.client.services, interaction, act)

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Count what is asked for, and measure what was typed. Raises Rejected."""
        budget: Budget | None = Budget.AUTOCOMPLETE
        if interaction.type is not discord.InteractionType.autocomplete:
            extras = {} if interaction.command is None else interaction.command.extras
            budget = COSTS.get(extras.get(PATH, ""))
        charge(interaction.client.services, interaction, budget)
        for parameter, value in _filled(interaction):
            most = parameter.max_value or MAX_TYPED
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
