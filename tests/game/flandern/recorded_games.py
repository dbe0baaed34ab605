"""Which games of Flandern 1302 are to be recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from bot.game.contract import Event
from bot.game.flandern import GAME
from bot.game.flandern.cards import NoGolden
from bot.game.flandern.scoring import GuildScored, PlotsCovered
from tests.recorded.spec import RANDOM_SHARE, RecordingSpec

TABLES: Mapping[str, Mapping[str, str]] = {
    "chosen": {option.name: option.values[0] for option in GAME.options},
    "drawn": {option.name: option.values[-1] for option in GAME.options},
}
"""Options by how guilds are had."""

ENDINGS = {2: ("full", "controlled", "standstill"), 3: ("full", "deck"), 4: ("full", "deck")}
"""By number of players. Greedy players hardly ever let it come to the others than the first."""

BOARD = frozenset({"build", "site", "complete"})
ROUND = BOARD | {"look", "choose take", "cathedral", "leader"}
TAKES = {2: BOARD | {"play", "take", "draw"}, 3: ROUND, 4: ROUND}

Told = Sequence[Sequence[Event]]
"""The events of each action of a game."""


def ties(told: Told) -> set[tuple[int, bool]]:
    """How many guilds were level somewhere, and whether in first place."""
    found = set()
    for events in told:
        scored = [event for event in events if isinstance(event, GuildScored)]
        for (_, rank), size in Counter((event.city, event.rank) for event in scored).items():
            found.add((size, rank == size))
    return found


def dead_shapes(told: Told) -> str:
    """The shapes of plots that were covered before the end."""
    events = [event for events in told[:-1] for event in events if isinstance(event, PlotsCovered)]
    shapes = {place.partition("-")[2][0] for event in events for place in event.places}
    return "".join(sorted(shapes))


SHOWN: Mapping[str, tuple[Callable[[Told], bool], str]] = {
    "2-full-level": (lambda told: (4, True) in ties(told), "chosen"),
    # Bars seldom die.
    "3-full-dying": (lambda told: "r" in dead_shapes(told), "drawn"),
    # The last golden cards are those of scored cities (ruling 3).
    "3-deck-aside": (
        lambda told: any(isinstance(event, NoGolden) for events in told for event in events),
        "chosen",
    ),
    "4-full-level": (lambda told: (4, False) in ties(told), "chosen"),
    "4-deck-level": (lambda told: (4, True) in ties(told), "drawn"),
    "4-deck-dying": (lambda told: "r" in dead_shapes(told), "chosen"),
}
"""Rare things, by the name of the game that shows them."""

WANTED = (
    {
        f"{seats}-{ending}-{table}": RecordingSpec(
            seats, ending, options, RANDOM_SHARE if ending == "full" else 1, TAKES[seats]
        )
        for seats, endings in ENDINGS.items()
        for ending in endings
        for table, options in TABLES.items()
    }
    | {
        f"{seats}-whims-{table}": RecordingSpec(seats, "full", options, 1, TAKES[seats])
        for seats in ENDINGS
        for table, options in TABLES.items()
    }
    | {
        name: RecordingSpec(int(name[0]), name.split("-")[1], TABLES[table], 1, shows=shows)
        for name, (shows, table) in SHOWN.items()
    }
)
