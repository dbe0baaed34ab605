"""Which method of a dialogue answers which command, button, select or form.

A press may be forged. Before a method is called, the id and the values have been read within their
bounds, it has been pressed in a way that it can be, and whoever pressed may see the table that the
id names; a method reads the words of its own ids, and raises Forged as well.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Iterable, Iterator, Sequence
from enum import Enum
from typing import Annotated, Any, NamedTuple, Optional, TypeVar, cast

import discord
from discord import app_commands

from bot.cogs.ui.access import Scope, admitted, table_for
from bot.cogs.ui.budgets import PATH, VERBS
from bot.cogs.ui.custom_id import CustomId, Forged, parse
from bot.cogs.ui.layout import MAX_OPTIONS, Interaction
from bot.cogs.ui.localized_commands import SlashCommand, command_of, group
from bot.cogs.ui.reply import REPLY, Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.user_errors import TABLE, carry_out, charge
from bot.tables import Status, Table
from bot.text.commands import COMMANDS

MOST_LINES = 5
"""Lines of a form."""
MOST_LINE = 4000
"""Characters in one of them; a line may take less."""
MOST_VALUE = 100


class Way(Enum):
    """How somebody presses: the type of a component as Discord numbers it, or a form."""

    BUTTON = 2
    SELECT = 3
    FORM = "form"


BUTTON, SELECT, FORM = Way
TableOption = Annotated[Table, Optional[int]]  # noqa: UP045
"""The option of a command by which people name a table; the method gets the one they mean."""
AMONG = "among"
"""The extra of a command that says which states a table may be in that nobody names."""


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
    scope: Scope = Scope.TABLE
    words: Container[int] = (0,)
    """How many words an id may have."""
    decided: bool = False
    """Whether an id may have a decision, or a game or a setting in its place."""

    def takes(self, custom_id: CustomId, way: Way) -> bool:
        """Whether this bot could have written that id, for that way of pressing it."""
        return (
            way in self.ways
            and self.scope.admits(custom_id.table)
            and len(custom_id.words) in self.words
            and (self.decided or custom_id.decision is None)
        )


def Verb(  # noqa: N802
    handler: Callable[[Reply, CustomId, Sequence[str]], Awaitable[None]],
    ways: Sequence[Way] = (BUTTON,),
    scope: Scope = Scope.TABLE,
    words: Container[int] = (0,),
    decided: bool = False,
) -> PressRoute:
    """A route as cogs register it by `Routes.on`, until they are dialogues."""

    async def handle(press: Press) -> None:
        await handler(press.reply, press.custom_id, press.values)

    return PressRoute(handle, ways, scope, words, decided)


Handled = TypeVar("Handled")
_ROUTES = "__routes__"


def route(
    name: str,
    *ways: Way,
    scope: Scope = Scope.TABLE,
    words: Container[int] = (0,),
    decided: bool = False,
) -> Callable[[Handled], Handled]:
    """Decorates the method of a dialogue that answers a press of what has such a custom id: one
    that begins with `name`. See `PressRoute`; without `ways` it is a button.

    A command that is decorated as well is given the table that was pressed."""

    def decorate(method: Handled) -> Handled:
        made = PressRoute(cast(Any, method), ways or (BUTTON,), scope, words, decided)
        vars(method).setdefault(_ROUTES, {})[name] = made
        return method

    return decorate


class RoutedCommand(SlashCommand):
    """A command of a dialogue, whose method gets a `Reply` in place of the interaction."""

    async def _do_call(self, interaction: Interaction, params: dict[str, Any]) -> None:
        bound = () if self.binding is None else (self.binding,)
        if AMONG in self.extras:
            params["table"] = await table_for(
                interaction.client.services,
                interaction,
                params["table"],
                among=self.extras[AMONG],
            )
        await self._callback(*bound, interaction.extras[REPLY], **params)

    async def press(self, press: Press) -> None:
        """Carries it out for a button, without its other options."""
        callback: Any = self.callback
        await callback(self.binding, press.reply, table=press.table)


def command(
    path: str, complete: Any = None, among: Sequence[Status] | None = None
) -> Callable[[Any], RoutedCommand]:
    """Makes a method of a dialogue a command with the names and descriptions of `path` in
    bot.text.commands.

    It is called with a `Reply` that is already entered, and the options. `complete` offers choices
    for every option that is listed there; `@method.autocomplete(option)` for one. Both get an
    interaction. With `among`, `table_for` finds the table that is meant. Raises KeyError for an
    unknown path.
    """
    text = COMMANDS[path]

    def made(method: Any) -> RoutedCommand:
        found = command_of(method, path, text, complete, by_name=True, kind=RoutedCommand)
        if among is not None:
            found.extras[AMONG] = among
        return found

    return made


def register(
    tree: app_commands.CommandTree[Any], routes: Routes, dialogues: Iterable[object]
) -> None:
    """Makes known what the decorated methods of these dialogues answer: commands, in the order of
    bot.text.commands, and presses. Raises ValueError for what two of them answer."""
    found: dict[str, RoutedCommand] = {}
    for dialogue in dialogues:
        members = {
            name: member
            for kind in reversed(type(dialogue).__mro__)
            for name, member in vars(kind).items()
        }
        for attribute, member in members.items():
            if isinstance(member, RoutedCommand):
                path = member.extras[PATH]
                if path in found:
                    raise ValueError(f"two dialogues for /{path}")
                copied = member._copy_with(parent=None, binding=dialogue, set_on_binding=False)
                assert isinstance(copied, RoutedCommand)
                found[path] = copied
            for name, each in getattr(member, _ROUTES, {}).items():
                pressed = found[path].press if isinstance(member, RoutedCommand) else None
                routes.add(name, each._replace(handler=pressed or getattr(dialogue, attribute)))
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


class Routes:
    """What can be pressed, by what its custom id begins with. Errors become words here."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._routes: dict[str, PressRoute] = {}

    def add(self, name: str, added: PressRoute) -> None:
        """Adds what the ids that begin with that name lead to. Raises ValueError where something
        does already."""
        if name in self._routes:
            raise ValueError(f"two routes for {name!r}")
        self._routes[name] = added

    on = add

    def off(self, *names: str) -> None:
        """Removes routes."""
        for name in names:
            self._routes.pop(name, None)

    async def hear(self, interaction: Interaction) -> None:
        """Passes a press or a filled form to its method, if it is ours. Never raises."""
        await carry_out(self._services, interaction, self._handle)

    async def _handle(self, reply: Reply) -> None:
        custom_id = parse(_said(reply.interaction))
        known, (way, values) = self._routes.get(custom_id.verb), _pressed(reply.interaction)
        if known is None or not known.takes(custom_id, way):
            raise Forged(custom_id.verb)
        charge(self._services, reply.interaction, VERBS.get(custom_id.verb))
        if custom_id.table:
            await admitted(self._services, reply.interaction, custom_id.table)
        await known.handler(Press(reply, custom_id, values))


def _said(interaction: Interaction) -> str:
    data: Any = interaction.data or {}
    return str(data.get("custom_id", ""))


def _pressed(interaction: Interaction) -> tuple[Way, tuple[str, ...]]:
    """The way somebody pressed, and the values. Raises Forged."""
    data: Any = interaction.data or {}
    if interaction.type is discord.InteractionType.modal_submit:
        typed = tuple(_typed(data.get("components", ())))
        return Way.FORM, _bounded(typed, MOST_LINES, MOST_LINE)
    if data.get("component_type") == Way.SELECT.value:
        chosen = _bounded(tuple(data.get("values", ())), MAX_OPTIONS, MOST_VALUE)
        if not chosen:
            raise Forged("nothing chosen")
        return Way.SELECT, tuple("" if value == "-" else value for value in chosen)
    if data.get("component_type") == Way.BUTTON.value:
        return Way.BUTTON, ()
    raise Forged("no such component")


def _typed(components: Sequence[Any]) -> Iterator[Any]:
    """The text in the lines of a form, each in its label; older forms had rows of them."""
    for component in components:
        for line in (component, component.get("component", {}), *component.get("components", ())):
            if "value" in line:
                yield line["value"]


def _bounded(values: tuple[Any, ...], most: int, characters: int) -> tuple[str, ...]:
    if len(values) > most or any(
        not isinstance(value, str) or len(value) > characters for value in values
    ):
        raise Forged("more than fits")
    return values
