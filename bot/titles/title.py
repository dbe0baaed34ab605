"""Titles: games with everything that belongs to them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any

from bot.game.contract import Action, Decision, Event, Seat
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

Upcoming = Callable[[Any, Decision], Seat | None]
"""Called with a spectator's view and a decision; returns the seat whose turn follows that of the
decision's seat, or None if that is open."""


def none_known(_view: Any, _decision: Decision) -> Seat | None:
    """Return None, for a game without a fixed turn order."""
    return None


def in_order(*kinds: str, around: bool = False) -> Upcoming:
    """Return a function that follows the state's `order`, or else the order of the seats.

    `kinds` are the kinds of decisions in a turn. After the last seat the next is unknown, unless
    the order goes `around`.
    """

    def upcoming(view: Any, decision: Decision) -> Seat | None:
        known = view.known
        order = known.order if hasattr(known, "order") else range(len(known.players))
        if decision.kind not in kinds or decision.seat not in order:
            return None
        place = order.index(decision.seat) + 1
        if place == len(order) and not around:
            return None
        return int(order[place % len(order)])

    return upcoming


@dataclass(frozen=True, kw_only=True, eq=False)
class Title:
    """A game in one version of its rules, with everything the program needs for it."""

    game: AnyGame
    text: type[AnyGameWords]
    commands: GameCommands
    pictures: GamePictures[Any]
    judgement: Judgement[Any] | None = None
    """For the computer players; without it there is only the random one."""
    own_orders: Mapping[str, Order] = field(default_factory=dict)
    """The game's additional standing orders by name. The first order with an answer is used."""
    upcoming: Upcoming = none_known
    """Returns the next seat."""
    revealing: tuple[type[Event], ...] = ()
    """Kinds of events that reveal secrets, such as sealed choices and face-down cards. For the
    search for leaks, which exempts nothing: if these events are equal, everything else must be."""
    open_hands: tuple[str, str] = ("", "")
    """The option and value with which hands are open, so that the hand shows which cards were
    played face down. For the search for leaks."""

    def __repr__(self) -> str:
        return f"<Title: {self.game.name}, rules version {self.game.version}>"

    @cached_property
    def players(self) -> Mapping[str, Policy]:
        """The computer players by name. The strong one searches in the calling thread."""
        searching = {} if self.judgement is None else {STRONG: strong(self.judgement)}
        return {**self.quick_players, **searching}

    @cached_property
    def quick_players(self) -> Mapping[str, Policy]:
        """The computer players by name, with the normal one instead of the strong one, for when no
        search is available."""
        players = {RANDOM: random_policy(self.game.moves)}
        if self.judgement is not None:
            players[EASY] = self.judgement.easy_player()
            players[NORMAL] = players[STRONG] = self.judgement.player()
        return players

    @property
    def levels(self) -> Sequence[str]:
        """The names of the computer players for tables, the weakest first."""
        return self.quick_levels if self.judgement is None else (*self.quick_levels, STRONG)

    @property
    def quick_levels(self) -> Sequence[str]:
        """The levels when no search is available."""
        return (RANDOM,) if self.judgement is None else (EASY, NORMAL)

    @property
    def default_level(self) -> str:
        """The default computer player."""
        return RANDOM if self.judgement is None else NORMAL

    @cached_property
    def orders(self) -> Mapping[str, Order]:
        return {**shared_orders(self.game), **self.own_orders}

    def menu(self, view: Any, decision: Decision, legal: Legal) -> Sequence[Action]:
        """Return the whole actions for a menu, the best first."""
        menu_of = few_actions if self.judgement is None else self.judgement.menu
        return menu_of(view, decision, legal)

    def incomplete_kinds(
        self, menu: Collection[Action], legal: Legal, kinds: Sequence[str]
    ) -> tuple[str, ...]:
        """Return those of the kinds for which the menu does not have every action."""
        return tuple(kind for kind in kinds if not has_all(menu, legal, kind))

    def __reduce__(self) -> Any:
        # Not all of it can be pickled, but every process has the same object.
        return _registered, (self.game.name, self.game.version)


class Titles(Versions[Title]):
    """All titles by name and version, and by name alone with the newest rules.

    For an unknown version, `of` returns the newest one, which can explain the problem; use `games`
    for the rules of a table. Raises ValueError for two titles with one name and version.
    """

    def __init__(self, titles: Iterable[Title]) -> None:
        every = tuple(titles)
        self.games = Games(title.game for title in every)
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
        self.players = self.games.each(lambda game: self._at(game).players)
        self.quick_players = self.games.each(lambda game: self._at(game).quick_players)
        self.judgements = self.games.each(lambda game: self._at(game).judgement)
        self.orders = self.games.each(lambda game: self._at(game).orders)
        newest_first = sorted(every, key=lambda title: -title.game.version)
        own_signs = [title.pictures.signs for title in reversed(newest_first)]
        self.signs: Signs = {
            **seat_signs(),
            **{name: draw for signs in own_signs for name, draw in signs.items()},
        }
        """The signs of all titles by name; newer versions take precedence."""

    def _at(self, game: AnyGame) -> Title:
        return self._own[game.name, game.version]


def _registered(name: str, version: int) -> Title:
    titles: Titles = import_module("bot.titles").TITLES
    return titles.of(name, version)
