"""Rate limits on expensive requests, per person and per server.

They are checked when a command or a button press arrives, before anything is read or drawn. Game
actions have no limit, so no one is kept from their turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

MAX_KEYS = 10_000
"""Keys stored before idle ones are removed."""

TOLERANCE_S = 1e-6
"""Tolerance for rounding errors."""


class Rate(NamedTuple):
    """A bucket of `limit` requests that takes `per_s` seconds to refill."""

    limit: int
    per_s: float


class Buckets:
    """A token bucket for each key, full at first. `now` is a monotonic clock in seconds.

    A key is stored only until its bucket is full again, with the time at which it will be.
    """

    def __init__(self, rate: Rate, now: Callable[[], float]) -> None:
        self._each_s = rate.per_s / rate.limit
        self._per_s = rate.per_s
        self._now = now
        self._full_at: dict[int, float] = {}
        self._sweep_at = MAX_KEYS

    def wait(self, key: int) -> float:
        """Return the seconds until the next request is allowed; 0 if one is now."""
        now = self._now()
        missing = max(self._full_at.get(key, now), now) - now + self._each_s - self._per_s
        return missing if missing > TOLERANCE_S else 0.0

    def take(self, key: int) -> None:
        """Take one request out of the bucket."""
        now = self._now()
        self._full_at[key] = max(self._full_at.get(key, now), now) + self._each_s
        if len(self._full_at) > self._sweep_at:
            self._full_at = {each: at for each, at in self._full_at.items() if at > now}
            self._sweep_at = max(MAX_KEYS, 2 * len(self._full_at))

    def __len__(self) -> int:
        return len(self._full_at)


class Budget(StrEnum):
    """Kinds of limited requests."""

    PICTURES = "pictures"
    TABLES = "tables"
    IMPORTS = "imports"
    EXPORTS = "exports"
    REPORTS = "reports"
    SEARCHES = "searches"
    HINTS = "hints"
    """Hints by the strong computer player."""
    REVIEWS = "reviews"
    """Reviews to prepare; reading a finished one counts as a picture."""
    FILMS = "films"
    PAGES = "pages"
    """Replays to save as pages."""
    AUTOCOMPLETE = "autocomplete"
    WEBHOOKS = "webhooks"
    """Web addresses to look up."""
    LESSONS = "lessons"


PATH = "path"
"""Key in a command's extras of its path in bot.text.commands."""
COMMANDS: Mapping[str, Budget] = {
    "table rematch": Budget.TABLES,
    "table import": Budget.IMPORTS,
    "table webhook": Budget.WEBHOOKS,
    "table film": Budget.FILMS,
    "table moments": Budget.PICTURES,
    "game watch": Budget.TABLES,
    "cup new": Budget.TABLES,
    "cup file": Budget.EXPORTS,
    "game export": Budget.EXPORTS,
    "me export": Budget.EXPORTS,
    "game report": Budget.REPORTS,
    "rules": Budget.SEARCHES,
    "game hint": Budget.HINTS,
    "game board": Budget.PICTURES,
    "game replay": Budget.PICTURES,
    "game mine": Budget.PICTURES,
    "game review": Budget.PICTURES,
    "stats": Budget.PICTURES,
}
"""Budget that a command uses, by its path in bot.text.commands."""

VERBS: Mapping[str, Budget] = {
    "rematch": Budget.TABLES,
    "playnow": Budget.TABLES,
    "playlater": Budget.TABLES,
    "lesson": Budget.LESSONS,
    "look": Budget.TABLES,
    "imin": Budget.TABLES,
    "board": Budget.PICTURES,
    "seat": Budget.PICTURES,
    "replay": Budget.PICTURES,
    "since": Budget.PICTURES,
    "mine": Budget.PICTURES,
    "step": Budget.PICTURES,
    "playfrom": Budget.PICTURES,
    "fromseat": Budget.PICTURES,
    "fromlevel": Budget.PICTURES,
    "saveturn": Budget.EXPORTS,
    "hint": Budget.HINTS,
    "planjudge": Budget.HINTS,
    "review": Budget.PICTURES,
    "turning": Budget.PICTURES,
    "film": Budget.FILMS,
    "savereplay": Budget.PAGES,
    "moments": Budget.PICTURES,
}
"""Budget that a button press uses, by the verb of its custom id."""


class BudgetRates(NamedTuple):
    """Rates for one person, and for all people of a server together."""

    person: Rate
    server: Rate


def budget_rates(setting: str) -> BudgetRates | None:
    """Parse the setting of a budget: `PERSON/SERVER/SECONDS`, or `off` (None) for no limit."""
    if setting == "off":
        return None
    person, server, seconds = map(int, setting.split("/"))
    return BudgetRates(Rate(person, seconds), Rate(server, seconds))


class Empty(NamedTuple):
    """A used-up budget, the person's or the server's; the next request is allowed in `wait_s`."""

    of_server: bool
    wait_s: float


class Budgets:
    """Budgets of all people and servers; a budget without `rates` has no limit."""

    def __init__(
        self,
        rates: Mapping[Budget, BudgetRates],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._buckets = {
            (each, of_server): Buckets(rate.server if of_server else rate.person, now)
            for each, rate in rates.items()
            for of_server in (False, True)
        }

    def spend(self, budget: Budget, user: int, guild: int | None) -> Empty | None:
        """Count a request and return None, or return `Empty` and count nothing.

        In direct messages (`guild` None) only the person's budget applies.
        """
        keys = [(False, user)] if guild is None else [(False, user), (True, guild)]
        limited = [each for each in keys if (budget, each[0]) in self._buckets]
        for of_server, key in limited:
            wait_s = self._buckets[budget, of_server].wait(key)
            if wait_s:
                return Empty(of_server, wait_s)
        for of_server, key in limited:
            self._buckets[budget, of_server].take(key)
        return None
