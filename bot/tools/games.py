"""Lists the games: player counts, options, versions of the rules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import Any

from bot.text.words import words_for
from bot.titles import TITLES
from bot.titles.title import Titles
from bot.tools import OK, as_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON array")


def run(args: argparse.Namespace, titles: Titles = TITLES) -> int:
    """Print each title with its newest rules and all their versions, the newest last."""
    result = [
        {
            "game": name,
            "title": words_for(None)(title.text.title),
            "seats": title.game.seats,
            "options": [
                {"name": option.name, "values": option.values, "default": option.values[0]}
                for option in title.game.options
            ],
            "versions": titles.games.versions(name),
        }
        for name, title in titles.items()
    ]
    sys.stdout.write(as_json(result) if args.json else "\n".join(map(_as_text, result)))
    return OK


def _as_text(result: Mapping[str, Any]) -> str:
    words = words_for(None)
    seats = words.either(list(map(str, result["seats"])))
    versions = words.listing(list(map(str, result["versions"])))
    lines = [f"{result['title']} ({result['game']}): {seats} players, rules version {versions}"]
    lines += [f"  {each['name']}: {', '.join(each['values'])}" for each in result["options"]]
    return "\n".join([*lines, ""])
