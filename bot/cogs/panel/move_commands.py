"""Slash commands for the moves of every game, built from its rules and texts.

Each parameter of a move is an option, and autocomplete offers its legal values. An omitted option
is filled in if it has only one value; else a panel asks for it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from inspect import Parameter, Signature
from itertools import islice, takewhile
from typing import Any, NamedTuple

from discord import app_commands
from msgspec.structs import replace

from bot.cogs.panel.browsing import COUNTABLE, is_large
from bot.cogs.panel.open_moves import moves_of
from bot.cogs.panel.turn import TurnGuide
from bot.cogs.ui import (
    MAX_CHOICES,
    Choice,
    Interaction,
    Reply,
    Services,
    TableView,
    focused,
    matching,
    table_for,
)
from bot.cogs.ui.autocomplete import MAX_NAME, in_order
from bot.cogs.ui.reply import REPLY
from bot.cogs.ui.routes import SlashCommand, group
from bot.game.choices import Amount, Bundle, Choices, Done, OneOf
from bot.game.contract import Action, Move
from bot.tables import MAX_PROMISE, Status, Terms
from bot.text import Message, Unreadable, Words
from bot.text.commands import PROMISES, CommandText, OptionText
from bot.titles.title import Title
from bot.workers import in_thread

MAX_COMMANDS = 25
"""Commands and subgroups that Discord allows in a group."""
MAX_COMPARED = 200
"""Words of a bundle, or numbers, that are compared with the typed text."""

Promised = app_commands.Range[str, 1, MAX_PROMISE]


def move_commands(services: Services, guide: TurnGuide) -> list[app_commands.Group]:
    """Return a group of commands for each title, by its newest rules.

    Raise ValueError if the moves of a title do not fit into Discord's limits.
    """
    return [group_of(services, guide, title) for title in services.titles.values()]


def group_of(services: Services, guide: TurnGuide, title: Title) -> app_commands.Group:
    """Return the commands of a title's moves, some of them in subgroups."""
    texts, (groups, group_names) = title.commands, arranged(title)
    main_group = group(texts.whole)
    subgroups = {name: group(text) for name, text in groups.items()}
    for subgroup in subgroups.values():
        main_group.add_command(subgroup)
    for kind, text in texts.moves.items():
        name = group_names[kind]
        command = _command(services, guide, title, kind, text)
        (main_group if name is None else subgroups[name]).add_command(command)
    return main_group


def _command(
    services: Services, guide: TurnGuide, title: Title, kind: str, text: CommandText
) -> SlashCommand:
    move, game = title.game.moves[kind], title.game.name
    options = {
        # A number has bounds instead of a list.
        param: replace(text.options[param], listed=False)
        if param in move.amounts
        else text.options[param]
        for param in move.params
    }
    options |= PROMISES if move.offers else {}

    async def table_id(interaction: Interaction, number: int | None) -> int:
        playing = (Status.PLAYING,)
        return (await table_for(services, interaction, number, among=playing, game=game)).id

    async def callback(reply: Reply, table: int | None, **values: Any) -> None:
        typed = {param: None if word is None else str(word) for param, word in values.items()}
        terms = Terms(typed.get("promise") or "", typed.get("ask") or "")
        words = [typed[param] for param in move.params]
        await guide.act_typed(reply, await table_id(reply.interaction, table), kind, words, terms)

    async def autocomplete(interaction: Interaction, typed: str) -> list[Choice]:
        command = interaction.command
        shown = {each.name: each.display_name for each in getattr(command, "parameters", ())}
        before = list(takewhile(lambda name: shown.get(name) != focused(interaction), move.params))
        if len(before) == len(move.params):
            return []
        table = await table_id(interaction, interaction.namespace.table)
        moves = await moves_of(services, interaction.extras[REPLY], table)
        values = in_order(interaction, [shown.get(name) or name for name in before])
        action = await moves.typed(kind, values)
        if len(action) != 1 + len(before):
            return []
        return await for_words(moves.table_view, action, moves.choices(action), typed)

    # discord.py derives a command's options from the parameters of its callback.
    callback.__signature__ = _signature(options, move)  # type: ignore[attr-defined]
    path = f"{title.commands.whole.name} {kind}"
    return SlashCommand(path, replace(text, options=options), callback, autocomplete)


async def for_words(
    table_view: TableView, prefix: Action, choices: Choices, typed: str
) -> list[Choice]:
    """Return choices for the next word of an action; a word that can be read already comes first.

    Runs off the event loop for a large domain, because it compares all names with the typed text.
    """
    if is_large(choices) and typed:
        return await in_thread(_for_words, table_view, prefix, choices, typed)
    return _for_words(table_view, prefix, choices, typed)


def _for_words(table_view: TableView, prefix: Action, choices: Choices, typed: str) -> list[Choice]:
    if isinstance(choices, Done):
        return []

    def named(word: str) -> tuple[str, str]:
        return word, table_view.label(prefix, choices, word).text

    if isinstance(choices, OneOf):
        found = matching(map(named, choices.values), typed)
        if found:
            return found
    first: list[Choice] = []
    with suppress(Unreadable):
        if typed:
            word = table_view.text.read(choices, typed, prefix)
            is_choice = len(word) <= MAX_NAME and choices.admits(word)
            first = matching([named(word)] if is_choice else [], "")
    more = () if isinstance(choices, OneOf) else map(named, _some(choices))
    seen = {each.value for each in first}
    rest = [each for each in matching(more, typed) if each.value not in seen]
    return [*first, *rest][:MAX_CHOICES]


def _some(choices: Bundle | Amount) -> list[str]:
    """Return the words to compare: the lowest amounts and the highest; the words of a bundle, or
    its single pieces and its whole stock if there are too many words.
    """
    if isinstance(choices, Amount):
        ends = (*islice(choices.each(), MAX_COMPARED), str(choices.maximum))
        return [word for word in dict.fromkeys(ends) if choices.admits(word)]
    if math.prod(count + 1 for count in choices.have) <= COUNTABLE:
        return list(islice(choices.each(), MAX_COMPARED))
    pieces = [letter for letter, count in zip(choices.alphabet, choices.have, strict=True) if count]
    return [word for word in (*pieces, choices.stock()) if choices.admits(word)]


class Arranged(NamedTuple):
    """The groups of a title's commands by name, and the group of each move, if any."""

    groups: Mapping[str, CommandText]
    group_names: Mapping[str, str | None]


def arranged(title: Title) -> Arranged:
    """Return the groups of a title's texts, and more if Discord's limits require them.

    While there are too many commands, those of a chapter of the rules become a group, the largest
    chapters first. Raise ValueError if they still do not fit.
    """
    _check(title)
    texts, moves = title.commands, title.game.moves
    groups = dict(texts.groups)
    group_names = {kind: text.group for kind, text in texts.moves.items()}
    chapters = Counter(moves[kind].topic for kind, name in group_names.items() if name is None)
    for topic, _ in chapters.most_common():
        if len(groups) + list(group_names.values()).count(None) <= MAX_COMMANDS:
            break
        description = Message(title.text(Words()).topic(topic))
        groups.setdefault(topic, CommandText(description, topic.replace("_", "-")))
        group_names |= {
            kind: name or topic for kind, name in group_names.items() if moves[kind].topic == topic
        }
    sizes = Counter(group_names.values())
    sizes[None] += len(groups)
    if max(sizes.values()) > MAX_COMMANDS:
        raise ValueError(f"{title.game.name} has more commands than Discord allows: {dict(sizes)}")
    return Arranged(groups, group_names)


def _check(title: Title) -> None:
    moves, texts, groups = title.game.moves, title.commands.moves, title.commands.groups
    for kind in {**moves, **texts}:
        if kind not in moves or kind not in texts:
            raise ValueError(f"{title.game.name} lacks the move {kind!r} or its command's text")
        if tuple(texts[kind].options) != moves[kind].params:
            raise ValueError(f"the command of {kind!r} must have texts for {moves[kind].params}")
        if texts[kind].group not in {None, *groups}:
            raise ValueError(f"the command of {kind!r} is in a group without a text")


def _signature(options: Mapping[str, OptionText], move: Move) -> Signature:
    """Return the signature of a callback with a parameter for each option."""
    parameters = [
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
            Parameter("reply", Parameter.POSITIONAL_ONLY),
            *parameters,
            Parameter("table", Parameter.KEYWORD_ONLY, default=None, annotation=int | None),
        ]
    )


def _type(name: str, option: OptionText, move: Move) -> Any:
    kind: Any = Promised if name in PROMISES else str
    if name in move.amounts:
        minimum, maximum = move.amounts[name]
        kind = app_commands.Range[int, minimum, maximum]
    return kind | None if option.optional else kind
