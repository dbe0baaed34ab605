"""How many expensive requests one person, and one server, may make.

It is checked at the edge, where a command or a press comes in, before anything is read or drawn.
Acting in a game is free, so nobody is kept from a turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

REMEMBERED = 10_000
"""Keys kept before idle ones are removed."""

TOLERANCE_S = 1e-6
"""Tolerance for rounding errors of fractions of seconds."""


class Rate(NamedTuple):
    """At most `most` at once; it takes `per_s` seconds until all of it is available again."""

    most: int
    per_s: float


class Buckets:
    """A bucket for each key, full at first. `now` gives a time in seconds that never goes back.

    All that is stored of each is when it will be full again, and no longer than until then.
    """

    def __init__(self, rate: Rate, now: Callable[[], float]) -> None:
        self._each_s = rate.per_s / rate.most
        self._per_s = rate.per_s
        self._now = now
        self._full_at: dict[int, float] = {}
        self._sweep_at = REMEMBERED

    def wait(self, key: int) -> float:
        """Seconds until the bucket has something; 0 where it has."""
        now = self._now()
        missing = max(self._full_at.get(key, now), now) - now + self._each_s - self._per_s
        return missing if missing > TOLERANCE_S else 0.0

    def take(self, key: int) -> None:
        """Take one out of the bucket."""
        now = self._now()
        self._full_at[key] = max(self._full_at.get(key, now), now) + self._each_s
        if len(self._full_at) > self._sweep_at:
            self._full_at = {each: at for each, at in self._full_at.items() if at > now}
            self._sweep_at = max(REMEMBERED, 2 * len(self._full_at))

    def __len__(self) -> int:
        return len(self._full_at)


class Budget(StrEnum):
    """What is counted."""

    PICTURES = "pictures"
    TABLES = "tables"
    IMPORTS = "imports"
    EXPORTS = "exports"
    REPORTS = "reports"
    SEARCHES = "searches"
    HINTS = "hints"
    """What the strong player is asked by people."""
    REVIEWS = "reviews"
    """Reviews that are worked out; to read one costs a picture."""
    AUTOCOMPLETE = "autocomplete"
    """Choices offered while something is typed."""


PATH = "path"
"""Where a command's extras keep its path in bot.text.commands."""
COMMANDS: Mapping[str, Budget] = {
    "table rematch": Budget.TABLES,
    "table import": Budget.IMPORTS,
    "game export": Budget.EXPORTS,
    "me export": Budget.EXPORTS,
    "game report": Budget.REPORTS,
    "rules": Budget.SEARCHES,
    "game hint": Budget.HINTS,
    "game board": Budget.PICTURES,
    "game replay": Budget.PICTURES,
    "game review": Budget.PICTURES,
    "stats": Budget.PICTURES,
}
"""What a command costs, by its path in bot.text.commands."""

VERBS: Mapping[str, Budget] = {
    "rematch": Budget.TABLES,
    "board": Budget.PICTURES,
    "seat": Budget.PICTURES,
    "replay": Budget.PICTURES,
    "step": Budget.PICTURES,
    "hint": Budget.HINTS,
    "planjudge": Budget.HINTS,
    "review": Budget.PICTURES,
    "turning": Budget.PICTURES,
}
"""What a press costs."""


class BudgetRates(NamedTuple):
    """How often one person may ask, and all the people of a server together."""

    person: Rate
    server: Rate


def budget_rates(setting: str) -> BudgetRates | None:
    """The rates of a budget as it is set: `PERSON/SERVER/SECONDS`; None for `off`, no limit."""
    if setting == "off":
        return None
    person, server, seconds = map(int, setting.split("/"))
    return BudgetRates(Rate(person, seconds), Rate(server, seconds))


class Empty(NamedTuple):
    """A budget is spent, the person's or the server's; some is available again in `wait_s`."""

    of_server: bool
    wait_s: float


class Budgets:
    """The budgets of everybody; what has no `rates` has no limit."""

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
        """Spends one; None where there was enough. Refused requests are not counted.

        In direct messages (`guild` None) only the person's budget applies.
        """
        asked = [(False, user)] if guild is None else [(False, user), (True, guild)]
        limited = [each for each in asked if (budget, each[0]) in self._buckets]
        for of_server, key in limited:
            wait_s = self._buckets[budget, of_server].wait(key)
            if wait_s:
                return Empty(of_server, wait_s)
        for of_server, key in limited:
            self._buckets[budget, of_server].take(key)
        return None
