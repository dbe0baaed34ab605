"""Arguments of tools that play games."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from bot.config import CannotRun
from bot.game.versions import UnknownTitle
from bot.titles import TITLES
from bot.titles.title import Title, Titles


def add_games(parser: argparse.ArgumentParser, *, players: int, games: int) -> None:
    """Add the arguments for the game and its players, with these defaults."""
    parser.add_argument("game", metavar="GAME", help=f"game: {', '.join(TITLES)}")
    parser.add_argument(
        "--players", type=int, default=players, metavar="N", help=f"number of players ({players})"
    )
    parser.add_argument(
        "--games", type=int, default=games, metavar="K", help=f"number of games ({games})"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="random seed (1)")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="table option; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def games_asked(args: argparse.Namespace, titles: Titles) -> tuple[Title, Mapping[str, str]]:
    """Return the title and the options of its table. Raise CannotRun."""
    title = title_named(titles, args.game)
    game = title.game
    if args.players not in game.seats:
        seats = ", ".join(map(str, game.seats))
        raise CannotRun(f"{game.name} is for {seats} players, not {args.players}.")
    if args.games < 1:
        raise CannotRun(f"--games must be at least 1, not {args.games}.")
    options: dict[str, str] = {}
    for pair in args.option:
        name, equals, value = pair.partition("=")
        if not equals:
            raise CannotRun(f"Write an option as NAME=VALUE, not {pair!r}.")
        options[name] = value
    try:
        game.check_options(options)
    except ValueError as error:
        raise CannotRun(str(error)) from error
    return title, options


def title_named(titles: Titles, name: str) -> Title:
    """Return the title of that name, with its newest rules. Raise CannotRun."""
    try:
        return titles[name]
    except UnknownTitle as error:
        raise CannotRun(str(error)) from error
