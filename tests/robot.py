"""A robot that plays by buttons and selects, on the stand-in and in a browser.

It finds the components that lead to an action, chooses one, and knows when a turn is over. A
`Player` gives it a person's private panel (`tests/wire/players.py`, `tests/play/screen.py`).
Components are Discord's JSON. Only `tests/leaks` does without it, as its actions are given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Protocol

from bot.local.model import Json

BUTTON, SELECT = 2, 3
CHOOSING = ("act", "do", "open", "pick", "pieces", "whole")
"""Verbs of components that lead to an action."""
SEALED = (":found,", ":block,", ":choose,")
"""Parts of custom ids for secret choices, which may be changed until all have chosen."""
MAX_STEPS = 60
"""The limit of choices in a turn."""

Decide = Callable[[Sequence[Json]], Json]
"""Chooses the component to use next."""


class Player(Protocol):
    """A person with a private panel."""

    async def shown(self) -> Iterable[Json]:
        """Return the components of the panel; none if there is no panel."""

    async def choose(self, part: Json) -> object:
        """Press a button, or choose in a select, and wait for the answer."""


def verb(part: Json) -> str:
    """Return the verb of a component's custom id, such as `act`; empty for a link."""
    return str(part.get("custom_id", "")).partition(":")[0].rstrip("0123456789")


def leading(parts: Iterable[Json]) -> list[Json]:
    """Return the enabled components that lead to an action."""
    return [part for part in parts if verb(part) in CHOOSING and not part.get("disabled")]


def picked(select: Json, rng: Random) -> list[str]:
    """Return random values of a select, as many as it needs."""
    values = [str(option["value"]) for option in select["options"]]
    count = rng.randint(select.get("min_values", 1), select.get("max_values", 1))
    return rng.sample(values, count)


async def step(player: Player, decide: Decide) -> bool:
    """Make one choice; return whether the turn continues. A secret choice ends it."""
    choices = leading(await player.shown())
    if not choices:
        return False
    part = decide(choices)
    await player.choose(part)
    if not any(each in part["custom_id"] for each in SEALED):
        return True
    # If the action needs more words, the next components continue this one's custom id.
    prefix = f"{part['custom_id']},"
    return any(prefix in str(each.get("custom_id")) for each in await player.shown())


async def turn(player: Player, decide: Decide) -> None:
    """Choose in the open panel until nothing more is asked."""
    for _ in range(MAX_STEPS):
        if not await step(player, decide):
            return
    raise AssertionError(f"a turn that does not end: {list(await player.shown())}")
