"""The moves of every game as commands, built from its rules and its words.

A move has a command, and each of its parameters an option, for which the legal values are offered
while it is typed. What a command leaves out is filled in where there is no choice, and asked for by
a panel where there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import Any, NamedTuple

from discord import app_commands
from discord.ext import commands

from bot.cogs.panel.turn import TurnGuide
from bot.cogs.ui import action_builder
from bot.cogs.ui.access import table_for
from bot.cogs.ui.autocomplete import Choice, focused, for_words, in_order
from bot.cogs.ui.layout import Interaction
from bot.cogs.ui.localized_commands import Command, command_of, group
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.user_errors import KNOWN
from bot.game.contract import Move
from bot.tables import PROMISE_MOST, Status, Table, Terms
from bot.text.commands import PROMISES, CommandText, OptionText
from bot.text.words import Message, Words
from bot.titles.title import Title

MOST = 25
"""The most commands and subgroups in a group, by Discord's rules."""

Promised = app_commands.Range[str, 1, PROMISE_MOST]
"""A promise in words."""


class MoveCommands(commands.Cog, name="moves"):
    """A group of commands for each title, registered while the cog is loaded.

    Raises ValueError for a title whose moves cannot all be commands.
    """

    def __init__(
        self, services: Services, guide: TurnGuide, tree: app_commands.CommandTree[Any]
    ) -> None:
        self._tree = tree
        self.groups = tuple(
            _OfTitle(services, guide, title).group() for title in services.titles.values()
        )
        """By the newest rules of each title."""

    async def cog_load(self) -> None:
        """Add them to the bot's commands."""
        for each in self.groups:
            self._tree.add_command(each)

    async def cog_unload(self) -> None:
        """Remove them."""
        for each in self.groups:
            self._tree.remove_command(each.name)


class _OfTitle:
    """The commands of one title's moves."""

    def __init__(self, services: Services, guide: TurnGuide, title: Title) -> None:
        self._services = services
        self._guide = guide
        self._title = title

    def group(self) -> app_commands.Group:
        """All of them, some in groups of their own."""
        texts, (groups, inside) = self._title.commands, arranged(self._title)
        whole = group(texts.whole)
        parts = {name: group(text) for name, text in groups.items()}
        for part in parts.values():
            whole.add_command(part)
        for kind, text in texts.moves.items():
            name = inside[kind]
            (whole if name is None else parts[name]).add_command(self._command(kind, text))
        return whole

    def _command(self, kind: str, text: CommandText) -> Command:
        move = self._title.game.moves[kind]
        options = {
            # A number has bounds instead of a list.
            param: text.options[param]._replace(listed=False)
            if param in move.amounts
            else text.options[param]
            for param in move.params
        }
        options |= PROMISES if move.offers else {}

        async def typed(interaction: Interaction, table: int | None, **typed: Any) -> None:
            said = {param: None if word is None else str(word) for param, word in typed.items()}
            words = [said[param] for param in move.params]
            terms = Terms(said.get("promise") or "", said.get("ask") or "")
            async with Reply(interaction) as reply:
                meant = await self._table(interaction, table)
                await self._guide.command(reply, meant.id, kind, words, terms)

        async def offered(interaction: Interaction, typed: str) -> list[Choice]:
            return await self._offered(interaction, move, typed)

        # discord.py derives a command's options from the parameters of its callback.
        typed.__signature__ = _signature(options, move)  # type: ignore[attr-defined]
        path = f"{self._title.commands.whole.name} {kind}"
        return command_of(typed, path, text._replace(options=options), offered)

    async def _offered(self, interaction: Interaction, move: Move, typed: str) -> list[Choice]:
        """Choices for the option being typed, given the options before it."""
        here = interaction.command
        if not isinstance(here, app_commands.Command):
            return []
        params = move.params
        typing = next(
            (name for name in params if _option(here, name) == focused(interaction)), None
        )
        if typing is None:
            return []
        before = params[: params.index(typing)]
        try:
            table = await self._table(interaction, interaction.namespace.table)
            seat = await self._services.tables.reader.seat_of(table.id, interaction.user.id)
            snapshot = await self._services.snapshot(
                table.id, seat, self._services.words_of(interaction)
            )
            said = in_order(interaction, [_option(here, name) or name for name in before])
            at = await action_builder.typed(snapshot, seat, move.kind, said)
        except KNOWN:
            # Nothing can be offered; the command itself will say why.
            return []
        if len(at.action) != 1 + len(before):
            return []
        return await for_words(snapshot, at.action, at.choices, typed)

    async def _table(self, interaction: Interaction, number: int | None) -> Table:
        game = self._title.game.name
        return await table_for(
            self._services, interaction, number, among=(Status.PLAYING,), game=game
        )


class Arranged(NamedTuple):
    """The groups of a title's commands by name, and the group of each move, if any."""

    groups: Mapping[str, CommandText]
    inside: Mapping[str, str | None]


def arranged(title: Title) -> Arranged:
    """The groups that the words of a title name, and more where Discord's limits need them.

    Where there are too many commands, those of one chapter of the rules become a group, the largest
    chapters first. Raises ValueError where that is not enough either.
    """
    _check(title)
    texts, moves = title.commands, title.game.moves
    groups = dict(texts.groups)
    inside = {kind: text.group for kind, text in texts.moves.items()}
    chapters = Counter(moves[kind].topic for kind, name in inside.items() if name is None)
    for topic, _ in chapters.most_common():
        if len(groups) + list(inside.values()).count(None) <= MOST:
            break
        description = Message(title.text.topic(Words(), topic))
        groups.setdefault(topic, CommandText(topic.replace("_", "-"), description))
        inside |= {
            kind: name or topic for kind, name in inside.items() if moves[kind].topic == topic
        }
    sizes = Counter(inside.values())
    sizes[None] += len(groups)
    if max(sizes.values()) > MOST:
        raise ValueError(f"{title.game.name} has more commands than Discord takes: {dict(sizes)}")
    return Arranged(groups, inside)


def _check(title: Title) -> None:
    moves, texts, groups = title.game.moves, title.commands.moves, title.commands.groups
    for kind in {**moves, **texts}:
        if kind not in moves or kind not in texts:
            raise ValueError(f"{title.game.name} lacks the move {kind!r} or words for its command")
        if tuple(texts[kind].options) != moves[kind].params:
            raise ValueError(f"the command of {kind!r} must have words for {moves[kind].params}")
        if texts[kind].group not in {None, *groups}:
            raise ValueError(f"the command of {kind!r} is in a group that has no words")


def _signature(options: Mapping[str, OptionText], move: Move) -> Signature:
    """The signature of a callback that gets each option as it was typed."""
    said = [
        Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            default=None if option.optional else Parameter.empty,
            annotation=_type(name, option, move),
        )
        for name, option in options.items()
    ]
    return Signature(
        [
            Parameter("interaction", Parameter.POSITIONAL_ONLY),
            *said,
            Parameter("table", Parameter.KEYWORD_ONLY, default=None, annotation=int | None),
        ]
    )


def _type(name: str, option: OptionText, move: Move) -> Any:
    kind: Any = Promised if name in PROMISES else str
    if name in move.amounts:
        least, most = move.amounts[name]
        kind = app_commands.Range[int, least, most]
    return kind | None if option.optional else kind


def _option(here: app_commands.Command[Any, ..., Any], param: str) -> str | None:
    """The name of the option behind a parameter."""
    return next((known.display_name for known in here.parameters if known.name == param), None)
