"""A robot that plays by the buttons and selects it is shown, wherever that is.

Here it is found out what leads to an action, what to use next, and when a turn is over. A `Player`
shows the private panel of a person and presses in it: on the stand-in (`tests/wire/hands.py`) and
in a browser (`tests/play/screen.py`). Components are JSON as Discord has it. `tests/leaks` alone
does not play like this: its actions are drawn beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Protocol

from bot.local.model import Json

BUTTON, SELECT = 2, 3
CHOOSING = ("act", "do", "open", "pick", "pieces", "whole")
"""What a press begins with that brings an action nearer."""
SEALED = (":found,", ":block,", ":choose,")
"""In a press that makes a choice which may be changed until all have chosen."""
MAX_STEPS = 60
"""A turn that takes more of them never ends."""

Decide = Callable[[Sequence[Json]], Json]
"""Which of some components to use next."""


class Player(Protocol):
    """Somebody with a private panel before them."""

    async def shown(self) -> Iterable[Json]:
        """The components of the panel; none where there is none."""

    async def choose(self, part: Json) -> object:
        """Press a button, or choose in a select, and wait for the answer."""


def verb(part: Json) -> str:
    """What a press on a component asks for, `act` or `play`; empty for a link."""
    return str(part.get("custom_id", "")).partition(":")[0].rstrip("0123456789")


def leading(parts: Iterable[Json]) -> list[Json]:
    """Those that can be used and bring an action nearer."""
    return [part for part in parts if verb(part) in CHOOSING and not part.get("disabled")]


def picked(select: Json, rng: Random) -> list[str]:
    """Some values of a select, as many as it wants."""
    values = [str(option["value"]) for option in select["options"]]
    count = rng.randint(select.get("min_values", 1), select.get("max_values", 1))
    return rng.sample(values, count)


async def step(player: Player, decide: Decide) -> bool:
    """One choice; whether the turn goes on. One sealed choice is enough."""
    choices = leading(await player.shown())
    if not choices:
        return False
    part = decide(choices)
    await player.choose(part)
    if not any(each in part["custom_id"] for each in SEALED):
        return True
    # Where the choice has more words, what is shown next begins with those that are there.
    begun = f"{part['custom_id']},"
    return any(begun in str(each.get("custom_id")) for each in await player.shown())


async def turn(player: Player, decide: Decide) -> None:
    """Choose in the open panel until nothing more is asked."""
    for _ in range(MAX_STEPS):
        if not await step(player, decide):
            return
    raise AssertionError(f"a turn that does not end: {list(await player.shown())}")
