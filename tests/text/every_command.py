"""All commands there are, those of every title's moves among them, by their paths."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.commands import COMMANDS, CommandText, GameCommands
from bot.titles import TITLES


def by_path(game: GameCommands) -> dict[str, CommandText]:
    """A game's commands in the form of `COMMANDS`: ``kogge``, ``kogge deal``, ``kogge offer``."""
    root = game.whole.name
    found = {root: game.whole}
    for name, text in {**game.groups, **game.moves}.items():
        found[f"{root} {name}"] = text._replace(group=text.group and f"{root} {text.group}")
    return found


EVERY_COMMAND: Mapping[str, CommandText] = {
    **COMMANDS,
    **{path: text for title in TITLES.values() for path, text in by_path(title.commands).items()},
}
