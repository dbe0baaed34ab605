"""Arguments of tools that play games in many processes."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence

from bot.titles import TITLES


def parser_for(tool: str, about: str | None, games: Iterable[str]) -> argparse.ArgumentParser:
    """Return a parser with the common arguments."""
    parser = argparse.ArgumentParser(prog=f"python -m tools.{tool}", description=about)
    parser.add_argument("game", choices=[*games], help="game")
    parser.add_argument("--players", type=int, default=2, metavar="N", help="number of players (2)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="random seed (1)")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="processes (all cores)"
    )
    return parser


def parsed(
    parser: argparse.ArgumentParser, argv: Sequence[str] | None, *counts: str
) -> argparse.Namespace:
    """Parse the arguments, or exit with an error. The options `counts` must be at least 1."""
    args = parser.parse_args(argv)
    game = TITLES.games[args.game]
    if args.players not in game.seats:
        parser.error(f"{game.name} is not for {args.players} players.")
    if min(getattr(args, count) for count in ("jobs", *counts)) < 1:
        parser.error(f"--{', --'.join(('jobs', *counts))} must be at least 1.")
    return args
