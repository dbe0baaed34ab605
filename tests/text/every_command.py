"""All commands there are, those of every title's moves among them, by their paths."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.commands import COMMANDS, CommandText
from bot.titles import TITLES

EVERY_COMMAND: Mapping[str, CommandText] = {
    **COMMANDS,
    **{path: text for title in TITLES.values() for path, text in title.commands.by_path().items()},
}
