"""Registries by title and rules version: a table keeps the version it began with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from bot.game.game import AnyGame

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class UnknownTitle(KeyError):
    """There is no such title or version; the message lists those that exist."""

    def __str__(self) -> str:
        # KeyError would quote the message.
        return str(self.args[0])


class Versions(Mapping[str, T_co]):
    """A registry by title: of words, pictures or computer players.

    The entry for the newest rules also serves older versions, except those in `own`, which is keyed
    by name and version.
    """

    def __init__(
        self, newest: Mapping[str, T_co], own: Mapping[tuple[str, int], T_co] | None = None
    ) -> None:
        self._newest = newest
        self._own = own or {}

    def of(self, name: str, version: int) -> T_co:
        """Return the entry for that version of a title. Raise UnknownTitle if there is none."""
        own = self._own.get((name, version))
        return self[name] if own is None else own

    def key(self, name: str, version: int) -> str:
        """Return the entry's key: the title, with the version if an older one has its own entry."""
        own = self._own.get((name, version))
        return name if own is None or own is self._newest.get(name) else f"{name}.{version}"

    def by_key(self, key: str) -> T_co:
        """Return the entry with a key that `key` made. Raise KeyError if there is none."""
        name, _, version = key.partition(".")
        return self._own[name, int(version)] if version.isdecimal() else self._newest[key]

    def __getitem__(self, name: str) -> T_co:
        """Return the entry for the newest rules. Raise UnknownTitle if there is none."""
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
    """The rules: every version of every title that a table may still use.

    A name alone means the newest version, for new tables. Raises ValueError if two games have the
    same name and version.
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

    def of(self, name: str, version: int) -> AnyGame:
        """Return the rules of exactly that version. Raise UnknownTitle if there are none."""
        newest = self[name]
        if (name, version) not in self._own:
            available = ", ".join(map(str, self.versions(newest.name)))
            raise UnknownTitle(f"{name!r} has no rules version {version}. Available: {available}.")
        return self._own[name, version]

    def each(self, make: Callable[[AnyGame], T]) -> Versions[T]:
        """Return a registry with `make(game)` for each version."""
        own = {(game.name, game.version): make(game) for game in self.every}
        return Versions({name: own[name, game.version] for name, game in self.items()}, own)

    def versions(self, name: str) -> tuple[int, ...]:
        """Return the versions of a title, the newest last; none for an unknown title."""
        return tuple(sorted(game.version for game in self.every if game.name == name))
