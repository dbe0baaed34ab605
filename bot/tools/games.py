"""Lists the games: player counts, options, versions of the rules."""

from __future__ import annotations

import argparse
import sys

import msgspec

from bot.text.words import words_for
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools import OK, as_json


class Choice(msgspec.Struct, frozen=True):
    """An option of a table."""

    name: str
    values: tuple[str, ...]
    default: str


class Listed(msgspec.Struct, frozen=True):
    """A title by its newest rules.

    `game` is its name in records and commands, `seats` how many may play, `versions` all versions
    of its rules in this program, the newest last.
    """

    game: str
    title: str
    seats: tuple[int, ...]
    options: tuple[Choice, ...]
    versions: tuple[int, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `python -m bot games`."""
    parser.add_argument("--json", action="store_true", help="print one JSON array")


def run(args: argparse.Namespace, titles: Titles = TITLES) -> int:
    """Prints the list."""
    found = [listed(title, titles.games.versions(name)) for name, title in titles.items()]
    if args.json:
        sys.stdout.write(as_json(found))
    else:
        sys.stdout.write("\n".join(map(_as_text, found)))
    return OK


def listed(title: Title, versions: tuple[int, ...]) -> Listed:
    """The listing of a title, by its newest rules."""
    game = title.game
    return Listed(
        game=game.name,
        title=words_for(None)(title.text.title),
        seats=game.seats,
        options=tuple(
            Choice(option.name, option.values, option.values[0]) for option in game.options
        ),
        versions=versions,
    )


def _as_text(found: Listed) -> str:
    words = words_for(None)
    seats = words.either([str(number) for number in found.seats])
    versions = words.listing([str(number) for number in found.versions])
    lines = [f"{found.title} ({found.game}): {seats} players, rules version {versions}"]
    lines += [f"  {option.name}: {', '.join(option.values)}" for option in found.options]
    return "\n".join([*lines, ""])
