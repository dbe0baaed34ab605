"""What a title is made of, and all titles together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any

from bot.game.contract import Action, Decision, Event
from bot.game.game import AnyGame
from bot.game.versions import Games, Versions
from bot.policy.contract import EASY, NORMAL, STRONG, Judgement, Legal, Policy
from bot.policy.menu import few_actions, has_all
from bot.policy.orders import Order, shared_orders
from bot.policy.random import RANDOM, random_policy
from bot.policy.search import strong
from bot.render.picture import GamePictures
from bot.render.signs import Signs, seat_signs
from bot.text.commands import GameCommands
from bot.text.game_words import AnyGameWords
from bot.titles.upcoming import Upcoming, nobody_known


@dataclass(frozen=True, kw_only=True, eq=False)
class Title:
    """One game with one version of its rules, and everything the program needs for it."""

    game: AnyGame
    text: type[AnyGameWords]
    commands: GameCommands
    pictures: GamePictures[Any]
    judgement: Judgement[Any] | None = None
    """What the computer players go by; without it there is only the random one."""
    own_orders: Mapping[str, Order] = field(default_factory=dict)
    """Standing orders by name, besides those that many games share; the first that answers
    counts."""
    upcoming: Upcoming = nobody_known
    """Who is next."""
    revealing: tuple[type[Event], ...] = ()
    """Kinds of events that tell what was secret until then: sealed choices revealed at once, what
    lay face down and is turned or taken up. For the search for leaks, which exempts nothing by it:
    where these tell the same, all the rest must be the same as well."""
    read_off: tuple[str, str] = ("", "")
    """An option and its value by which hands lie open, so that what is laid out of them face down
    shows in them. For the search for leaks."""

    def __repr__(self) -> str:
        return f"<Title: {self.game.name}, rules version {self.game.version}>"

    @cached_property
    def players(self) -> Mapping[str, Policy]:
        """The computer players by name; the strong one thinks where it is called."""
        thinks = {} if self.judgement is None else {STRONG: strong(self.judgement)}
        return {**self.quick_players, **thinks}

    @cached_property
    def quick_players(self) -> Mapping[str, Policy]:
        """The computer players by name; in the place of the strong one, while nobody can think, the
        normal one."""
        found = {RANDOM: random_policy(self.game.moves)}
        if self.judgement is not None:
            found[EASY] = self.judgement.easy_player()
            found[NORMAL] = found[STRONG] = self.judgement.player()
        return found

    @property
    def levels(self) -> Sequence[str]:
        """The names of the computer players that tables are offered, the weakest first."""
        return self.quick_levels if self.judgement is None else (*self.quick_levels, STRONG)

    @property
    def quick_levels(self) -> Sequence[str]:
        """The same while nobody can think."""
        return (RANDOM,) if self.judgement is None else (EASY, NORMAL)

    @property
    def usual(self) -> str:
        """The computer player that is taken where nobody says which."""
        return RANDOM if self.judgement is None else NORMAL

    @cached_property
    def orders(self) -> Mapping[str, Order]:
        """The standing orders by name."""
        return {**shared_orders(self.game), **self.own_orders}

    def menu(self, view: Any, decision: Decision, legal: Legal) -> Sequence[Action]:
        """The whole actions that a person is offered at once, the best first."""
        offered = few_actions if self.judgement is None else self.judgement.menu
        return offered(view, decision, legal)

    def lacking(
        self, menu: Collection[Action], legal: Legal, kinds: Sequence[str]
    ) -> tuple[str, ...]:
        """Those kinds of action of which a menu does not hold all."""
        return tuple(kind for kind in kinds if not has_all(menu, legal, kind))

    def __reduce__(self) -> Any:
        # Functions for drawing and deciding cannot be pickled, but every process has the same.
        return _registered, (self.game.name, self.game.version)


class Titles(Versions[Title]):
    """All titles there are, by name and version; by name alone, with the newest rules.

    `of` gives for a version of which nothing is known the newest one, whose words can at least say
    so; what a table plays by is to be had of `games`. Raises ValueError for two of one name and
    version.
    """

    def __init__(self, titles: Iterable[Title]) -> None:
        every = tuple(titles)
        self.games = Games(title.game for title in every)
        """The rules."""
        own: dict[tuple[str, int], Title] = {}
        for title in every:
            game = title.game
            if own.setdefault((game.name, game.version), title) is not title:
                raise ValueError(f"There are two titles {game.name!r}, version {game.version}.")
        newest = {name: own[name, game.version] for name, game in self.games.items()}
        super().__init__(newest, own)
        self.every: tuple[Title, ...] = every
        """Every version of every title."""
        self.texts: Versions[type[AnyGameWords]] = self.games.each(lambda game: self._at(game).text)
        """The words."""
        self.players = self.games.each(lambda game: self._at(game).players)
        """The computer players of each title by name."""
        self.quick_players = self.games.each(lambda game: self._at(game).quick_players)
        """The same with the normal one in the place of the strong one."""
        self.judgements = self.games.each(lambda game: self._at(game).judgement)
        """What the computer players of each title go by."""
        self.orders = self.games.each(lambda game: self._at(game).orders)
        """The standing orders of each title by name."""
        newest_first = sorted(every, key=lambda title: -title.game.version)
        own_signs = [title.pictures.signs for title in reversed(newest_first)]
        self.signs: Signs = {
            **seat_signs(),
            **{name: draw for signs in own_signs for name, draw in signs.items()},
        }
        """The signs of all titles by name; of several versions those of the newest."""

    def _at(self, game: AnyGame) -> Title:
        return self._own[game.name, game.version]


def _registered(name: str, version: int) -> Title:
    titles: Titles = import_module("bot.titles").TITLES
    return titles.of(name, version)
