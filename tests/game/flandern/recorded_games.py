"""Which games of Flandern 1302 are to be recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from bot.game.contract import Event
from bot.game.flandern.cards import NoGolden
from bot.game.flandern.scoring import GuildScored, PlotsCovered
from tests.recorded.wanted import WHIM, Wanted

TABLES: Mapping[str, Mapping[str, str]] = {
    "chosen": {"guilds": "chosen", "first_player": "drawn", "golden_cities": "1", "bonus": "some"},
    "drawn": {
        "guilds": "drawn",
        "first_player": "first_seat",
        "golden_cities": "2",
        "bonus": "any",
    },
}
"""Options by how guilds are had."""

ENDINGS = {2: ("full", "controlled", "standstill"), 3: ("full", "deck"), 4: ("full", "deck")}
"""By number of players. Greedy players hardly ever let it come to the others than the first."""

TAKES = {
    2: frozenset({"play", "take", "draw", "build", "site", "complete"}),
    3: frozenset({"look", "choose take", "build", "site", "complete", "cathedral", "leader"}),
    4: frozenset({"look", "choose take", "build", "site", "complete", "cathedral", "leader"}),
}

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


def four_level_in_first_place(told: Told) -> bool:
    """They get the points of the fourth place."""
    return (4, True) in ties(told)


def four_level_in_second_place(told: Told) -> bool:
    """They get nothing."""
    return (4, False) in ties(told)


def bars_die(told: Told) -> bool:
    """Bars seldom do."""
    return "r" in dead_shapes(told)


def golden_cards_run_out(told: Told) -> bool:
    """The last ones are those of scored cities (ruling 3)."""
    return any(isinstance(event, NoGolden) for events in told for event in events)


SHOWN = {
    "2-full-level": (four_level_in_first_place, "chosen"),
    "3-full-dying": (bars_die, "drawn"),
    "3-deck-aside": (golden_cards_run_out, "chosen"),
    "4-full-level": (four_level_in_second_place, "chosen"),
    "4-deck-level": (four_level_in_first_place, "drawn"),
    "4-deck-dying": (bars_die, "chosen"),
}
"""Rare things, by the name of the game that shows them."""

WANTED = (
    {
        f"{seats}-{ending}-{table}": Wanted(
            seats, ending, options, WHIM if ending == "full" else 1, TAKES[seats]
        )
        for seats, endings in ENDINGS.items()
        for ending in endings
        for table, options in TABLES.items()
    }
    | {
        f"{seats}-whims-{table}": Wanted(seats, "full", options, 1, TAKES[seats])
        for seats in ENDINGS
        for table, options in TABLES.items()
    }
    | {
        name: Wanted(int(name[0]), name.split("-")[1], TABLES[table], 1, shows=shows)
        for name, (shows, table) in SHOWN.items()
    }
)
