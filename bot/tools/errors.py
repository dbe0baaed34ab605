"""What a person typed that a tool cannot use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.game.contract import AnyGame, check_options
from bot.game.versions import UnknownTitle
from bot.titles.title import Title, Titles


class BadArgument(Exception):
    """An invalid argument; the message is for the person who typed it."""


def title_named(titles: Titles, name: str) -> Title:
    """The title of that name, with its newest rules. Raises BadArgument."""
    try:
        return titles[name]
    except UnknownTitle as error:
        raise BadArgument(str(error)) from error


def options_of(game: AnyGame, pairs: Iterable[str]) -> Mapping[str, str]:
    """The options of a table, from words such as ``goods=hidden``. Raises BadArgument."""
    chosen: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadArgument(f"An option is written name=value, not {pair!r}.")
        chosen[name] = value
    try:
        check_options(game, chosen)
    except ValueError as error:
        raise BadArgument(str(error)) from error
    return chosen
