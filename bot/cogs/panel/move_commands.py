"""The moves of every game as commands, built from its rules and its words.

A move has a command, and each of its parameters an option, for which the legal values are offered
while it is typed. What a command leaves out is filled in where there is no choice, and asked for by
a panel where there is.
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

MOST = 25
"""The most commands and subgroups in a group, by Discord's rules."""
SOME = 200
"""Words of a bundle, or numbers, that are compared with what was typed."""

Promised = app_commands.Range[str, 1, MAX_PROMISE]
"""A promise in words."""


def move_commands(services: Services, guide: TurnGuide) -> list[app_commands.Group]:
    """A group of commands for each title, by its newest rules.

    Raises ValueError for a title whose moves cannot all be commands.
    """
    return [group_of(services, guide, title) for title in services.titles.values()]


def group_of(services: Services, guide: TurnGuide, title: Title) -> app_commands.Group:
    """The commands of a title's moves, some in groups of their own."""
    texts, (groups, inside) = title.commands, arranged(title)
    whole = group(texts.whole)
    parts = {name: group(text) for name, text in groups.items()}
    for part in parts.values():
        whole.add_command(part)
    for kind, text in texts.moves.items():
        name = inside[kind]
        made = _command(services, guide, title, kind, text)
        (whole if name is None else parts[name]).add_command(made)
    return whole


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

    async def meant(interaction: Interaction, number: int | None) -> int:
        playing = (Status.PLAYING,)
        return (await table_for(services, interaction, number, among=playing, game=game)).id

    async def typed(reply: Reply, table: int | None, **typed: Any) -> None:
        said = {param: None if word is None else str(word) for param, word in typed.items()}
        terms = Terms(said.get("promise") or "", said.get("ask") or "")
        words = [said[param] for param in move.params]
        await guide.act_typed(reply, await meant(reply.interaction, table), kind, words, terms)

    async def offered(interaction: Interaction, typed: str) -> list[Choice]:
        """Choices for the option being typed, given the options before it."""
        here = interaction.command
        shown = {each.name: each.display_name for each in getattr(here, "parameters", ())}
        before = list(takewhile(lambda name: shown.get(name) != focused(interaction), move.params))
        if len(before) == len(move.params):
            return []
        table = await meant(interaction, interaction.namespace.table)
        moves = await moves_of(services, interaction.extras[REPLY], table)
        said = in_order(interaction, [shown.get(name) or name for name in before])
        action = await moves.typed(kind, said)
        if len(action) != 1 + len(before):
            return []
        return await for_words(moves.table_view, action, moves.choices(action), typed)

    # discord.py derives a command's options from the parameters of its callback.
    typed.__signature__ = _signature(options, move)  # type: ignore[attr-defined]
    path = f"{title.commands.whole.name} {kind}"
    return SlashCommand(path, replace(text, options=options), typed, offered)


async def for_words(
    table_view: TableView, prefix: Action, choices: Choices, typed: str
) -> list[Choice]:
    """Choices for the next word of an action; what can already be read comes first.

    In a large domain every name is compared with what was typed, off the event loop.
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
    known = {each.value for each in first}
    rest = [each for each in matching(more, typed) if each.value not in known]
    return [*first, *rest][:MAX_CHOICES]


def _some(choices: Bundle | Amount) -> list[str]:
    """Words of a bundle, all where they can be counted, else the single pieces and everything; the
    lowest of many amounts, and the highest.
    """
    if isinstance(choices, Amount):
        ends = (*islice(choices.each(), SOME), str(choices.maximum))
        return [word for word in dict.fromkeys(ends) if choices.admits(word)]
    if math.prod(count + 1 for count in choices.have) <= COUNTABLE:
        return list(islice(choices.each(), SOME))
    pieces = [letter for letter, count in zip(choices.alphabet, choices.have, strict=True) if count]
    return [word for word in (*pieces, choices.stock()) if choices.admits(word)]


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
        description = Message(title.text(Words()).topic(topic))
        groups.setdefault(topic, CommandText(description, topic.replace("_", "-")))
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
            Parameter("reply", Parameter.POSITIONAL_ONLY),
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
