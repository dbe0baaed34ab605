"""The recorded games of Flandern 1302."""

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
"""Options by how guilds are assigned."""

ENDINGS = {2: ("full", "controlled", "standstill"), 3: ("full", "deck"), 4: ("full", "deck")}
"""By number of players. Greedy players hardly ever reach another ending than the first."""

BOARD = frozenset({"build", "site", "complete"})
ROUND = BOARD | {"look", "choose take", "cathedral", "leader"}
REQUIRED = {2: BOARD | {"play", "take", "draw"}, 3: ROUND, 4: ROUND}

GameEvents = Sequence[Sequence[Event]]
"""The events of each action of a game."""


def ties(game: GameEvents) -> set[tuple[int, bool]]:
    """Return the sizes of ties in cities, each with whether it was for first place."""
    found = set()
    for events in game:
        scored = [event for event in events if isinstance(event, GuildScored)]
        for (_, rank), size in Counter((event.city, event.rank) for event in scored).items():
            found.add((size, rank == size))
    return found


def dead_shapes(game: GameEvents) -> str:
    """Return the shapes of plots that were covered before the end."""
    events = [event for events in game[:-1] for event in events if isinstance(event, PlotsCovered)]
    shapes = {place.partition("-")[2][0] for event in events for place in event.places}
    return "".join(sorted(shapes))


RARE_EVENTS: Mapping[str, tuple[Callable[[GameEvents], bool], str]] = {
    "2-full-level": (lambda game: (4, True) in ties(game), "chosen"),
    # Dead bars are rare.
    "3-full-dying": (lambda game: "r" in dead_shapes(game), "drawn"),
    # The last golden cards are those of scored cities (ruling 3).
    "3-deck-aside": (
        lambda game: any(isinstance(event, NoGolden) for events in game for event in events),
        "chosen",
    ),
    "4-full-level": (lambda game: (4, False) in ties(game), "chosen"),
    "4-deck-level": (lambda game: (4, True) in ties(game), "drawn"),
    "4-deck-dying": (lambda game: "r" in dead_shapes(game), "chosen"),
}
"""By the name of a game: the rare event that it must have, and its options."""

WANTED = (
    {
        f"{seats}-{ending}-{table}": RecordingSpec(
            seats, ending, options, RANDOM_SHARE if ending == "full" else 1, REQUIRED[seats]
        )
        for seats, endings in ENDINGS.items()
        for ending in endings
        for table, options in TABLES.items()
    }
    | {
        f"{seats}-whims-{table}": RecordingSpec(seats, "full", options, 1, REQUIRED[seats])
        for seats in ENDINGS
        for table, options in TABLES.items()
    }
    | {
        name: RecordingSpec(int(name[0]), name.split("-")[1], TABLES[table], 1, shows=shows)
        for name, (shows, table) in RARE_EVENTS.items()
    }
)
