"""What a person typed that a tool cannot use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.game.contract import AnyGame
from bot.game.registry import GAMES
from bot.game.versions import UnknownTitle


class Unusable(Exception):
    """An argument that makes no sense; the message is for the person who typed it."""


def game_named(name: str) -> AnyGame:
    """The game of that name. Raises Unusable."""
    try:
        return GAMES[name]
    except UnknownTitle as error:
        raise Unusable(str(error)) from error


def options_of(game: AnyGame, pairs: Iterable[str]) -> Mapping[str, str]:
    """The options of a table, from words like ``goods=hidden``. Raises Unusable."""
    known = {option.name: option.values for option in game.options}
    chosen: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Unusable(f"An option is written name=value, not {pair!r}.")
        if name not in known:
            raise Unusable(f"{game.name} has no option {name!r}. There is: {', '.join(known)}.")
        if value not in known[name]:
            raise Unusable(f"{name} can be {', '.join(known[name])}; it cannot be {value!r}.")
        chosen[name] = value
    return chosen
