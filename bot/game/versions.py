"""Versions of rules side by side: a table keeps the one it began with until its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from bot.game.game import AnyGame

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class UnknownTitle(KeyError):
    """A title, or a version of one, that does not exist; the message lists those that do."""

    def __str__(self) -> str:
        # A KeyError alone would quote its message.
        return str(self.args[0])


class Versions(Mapping[str, T_co]):
    """A registry by title: the words, pictures or computer players of each.

    A name alone means the entry for the newest rules. It also serves older versions, except those
    with one of their `own`, by name and version.
    """

    def __init__(
        self, newest: Mapping[str, T_co], own: Mapping[tuple[str, int], T_co] | None = None
    ) -> None:
        self._newest = newest
        self._own = own or {}

    def of(self, name: str, version: int) -> T_co:
        """The entry for that version of a title. Raises UnknownTitle."""
        own = self._own.get((name, version))
        return self[name] if own is None else own

    def key(self, name: str, version: int) -> str:
        """The key of the entry for that version: the title, with the version if it has its own
        entry.
        """
        own = self._own.get((name, version))
        return name if own is None or own is self._newest.get(name) else f"{name}.{version}"

    def by_key(self, key: str) -> T_co:
        """The entry with that key. Raises KeyError."""
        name, _, version = key.partition(".")
        return self._own[name, int(version)] if version.isdecimal() else self._newest[key]

    def __getitem__(self, name: str) -> T_co:
        """The entry for the newest rules. Raises UnknownTitle."""
        if name not in self._newest:
            raise UnknownTitle(
                f"There is no game {name!r}. Choose one of: {', '.join(sorted(self))}."
            )
        return self._newest[name]

    def __contains__(self, name: object) -> bool:
        return name in self._newest

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(sorted(self))}>"

    def __iter__(self) -> Iterator[str]:
        return iter(self._newest)

    def __len__(self) -> int:
        return len(self._newest)


class Games(Versions[AnyGame]):
    """All rules: of each title every version that a table may still need.

    A name alone means the newest, for whatever has not begun. Raises ValueError for two of one name
    and version.
    """

    def __init__(self, games: Iterable[AnyGame]) -> None:
        every: dict[tuple[str, int], AnyGame] = {}
        newest: dict[str, AnyGame] = {}
        for game in games:
            if every.setdefault((game.name, game.version), game) is not game:
                raise ValueError(f"There are two games {game.name!r}, version {game.version}.")
            if game.name not in newest or game.version > newest[game.name].version:
                newest[game.name] = game
        super().__init__(newest, every)
        self.every: tuple[AnyGame, ...] = tuple(every.values())
        """Every version of every title."""

    def of(self, name: str, version: int) -> AnyGame:
        """The rules of exactly that version. Raises UnknownTitle."""
        newest = self[name]
        if (name, version) not in self._own:
            there = ", ".join(map(str, self.versions(newest.name)))
            raise UnknownTitle(f"{name!r} has no rules version {version}. Available: {there}.")
        return self._own[name, version]

    def each(self, make: Callable[[AnyGame], T]) -> Versions[T]:
        """What is made of each version."""
        own = {(game.name, game.version): make(game) for game in self.every}
        return Versions({name: own[name, game.version] for name, game in self.items()}, own)

    def versions(self, name: str) -> tuple[int, ...]:
        """The versions of a title, the newest last; none of an unknown title."""
        return tuple(sorted(game.version for game in self.every if game.name == name))
