"""How many expensive requests one person, and one server, may make.

It is checked at the edge, where a command or a press comes in, before anything is read or drawn.
Acting in a game is free, so nobody is kept from a turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from bot.cogs.ui.buckets import Buckets, Rate


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
    TYPING = "typing"
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
        self._people = {each: Buckets(rate.person, now) for each, rate in rates.items()}
        self._servers = {each: Buckets(rate.server, now) for each, rate in rates.items()}

    def spend(self, budget: Budget, user: int, guild: int | None) -> Empty | None:
        """Spends one; None where there was enough. Refused requests are not counted.

        In direct messages (`guild` None) only the person's budget applies.
        """
        people, servers = self._people.get(budget), self._servers.get(budget)
        if people is None or servers is None:
            return None
        wait_s = people.wait(user)
        if wait_s:
            return Empty(False, wait_s)
        if guild is not None:
            wait_s = servers.wait(guild)
            if wait_s:
                return Empty(True, wait_s)
            servers.take(guild)
        people.take(user)
        return None
