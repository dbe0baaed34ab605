"""Building and scoring in a city once more, slowly and from the fact sheet alone.

It knows nothing of the engine: plots are words in sets, a city is a list of quarters. Numbers in
brackets are sections of the fact sheet, those with an r its rulings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

GUILDS = ("red", "green", "blue", "yellow", "grey")
HOME = {
    "brugge": "blue",
    "gent": "red",
    "ieper": "green",
    "leuven": "yellow",
    "utrecht": "grey",
    "luik": "church",
}

LONG_SIDE: dict[str, set[str]] = {}
"""What the long side of a plot lies against (2.2)."""
for _below, _plots in {
    "c": ("t1", "t2", "t3", "t4"),
    "t1": ("p1", "p2"),
    "t2": ("p2", "p3"),
    "t3": ("p3", "p4"),
    "t4": ("p4", "p1"),
    "p1": ("r4", "r1"),
    "p2": ("r1", "r2"),
    "p3": ("r2", "r3"),
    "p4": ("r3", "r4"),
}.items():
    for _plot in _plots:
        LONG_SIDE.setdefault(_plot, set()).add(_below)
PRINTED = frozenset(LONG_SIDE)
BEYOND: dict[tuple[str, str], tuple[str, ...]] = {
    ("church-a", "p1"): ("r5",),
    ("church-a", "p2"): ("r6",),
    ("church-a", "p3"): ("r7",),
    ("church-a", "p4"): ("r8",),
    ("church-b", "r1"): ("t5",),
    ("church-b", "r2"): ("t6",),
    ("church-b", "r3"): ("t7",),
    ("church-b", "r4"): ("t8",),
    ("church-c", "r1"): ("t9", "t13"),
    ("church-c", "r2"): ("t10", "t14"),
    ("church-c", "r3"): ("t11", "t15"),
    ("church-c", "r4"): ("t12", "t16"),
}
"""The plots that a special quarter of the church makes, by where it goes (2.4)."""
LONG_SIDE.update({new: {plot} for (_, plot), plots in BEYOND.items() for new in plots})
BESIDE = {
    plot: LONG_SIDE.get(plot, set()) | {each for each in LONG_SIDE if plot in LONG_SIDE[each]}
    for plot in ("c", *LONG_SIDE)
}
"""On this plan plots that touch do so along the long side of one of them (2.2)."""

Stock = Counter[tuple[str, str]]
"""Quarters by their word and shape: ``red-leader``, ``t``."""


def emblem_of(tile: str) -> str:
    """Whose quarter a word of the notation is."""
    return tile.partition("-")[0]


@dataclass
class Quarter:
    """A quarter on the board; D has two plots, the bar second. `pawns` are leaders put on it."""

    tile: str
    plots: tuple[str, ...]
    site: bool = False
    cathedral: bool = False
    pawns: int = 0

    @property
    def emblem(self) -> str:
        """Whose it is."""
        return emblem_of(self.tile)

    @property
    def printed(self) -> int:
        """The leaders that it shows (2.3)."""
        if self.plots == ("c",):
            return 0 if self.tile == "church" else 2
        return int(self.tile.endswith("-leader"))


@dataclass
class City:
    """A city of the board."""

    quarters: list[Quarter]
    free: set[str]

    def at(self, plot: str) -> Quarter | None:
        """What is built on a plot."""
        return next((each for each in self.quarters if plot in each.plots), None)

    def keeps_off(self, emblem: str, plot: str) -> bool:
        """Whether a quarter of the same emblem shares an edge with the plot (6.3)."""
        found = (self.at(other) for other in BESIDE[plot])
        return any(each is not None and each.emblem == emblem for each in found)

    # 6.1 to 6.5

    def buildings(self, emblems: Collection[str], stock: Stock) -> Iterator[tuple[str, str]]:
        """Each plot and word of a quarter that may be built on it."""
        for plot in self.free:
            if not any(self.at(below) for below in LONG_SIDE[plot]):
                continue
            for (tile, shape), count in stock.items():
                emblem = emblem_of(tile)
                fits = count and shape == plot[0] and emblem in emblems
                if not fits or self.keeps_off(emblem, plot):
                    continue
                if tile == "church-d":
                    for bar in self.pairs(plot, self.free):
                        yield plot, f"church-d-{bar}"
                else:
                    yield plot, tile

    def pairs(self, plot: str, possible: Collection[str]) -> list[str]:
        """The other plot that D would take with this one: a bar of the print beside a trapezoid or
        the reverse, both possible and neither beside the church (r36, r48)."""
        return [
            other
            for other in BESIDE[plot]
            if {plot, other} <= {*possible} & PRINTED
            and {plot[0], other[0]} == {"p", "r"}
            and not self.keeps_off("church", plot)
            and not self.keeps_off("church", other)
        ]

    # 6.6

    def dead(self, stock: Stock) -> set[str]:
        """The free plots on which nothing can ever be built (r20)."""
        dead: set[str] = set()
        while True:
            more = {
                plot
                for plot in self.free - dead
                if not any(self.at(each) or each in self.free - dead for each in LONG_SIDE[plot])
                or not self.comers(plot, self.free - dead, stock)
            }
            if not more:
                return dead
            dead |= more

    def comers(self, plot: str, living: set[str], stock: Stock) -> set[str]:
        """The emblems of which a quarter in stock could come to stand on a plot."""
        found = set()
        for (tile, shape), count in stock.items():
            if not count or self.keeps_off(emblem_of(tile), plot):
                continue
            if self.pairs(plot, living) if tile == "church-d" else shape == plot[0]:
                found.add(emblem_of(tile))
        return found

    # 7

    def value(self) -> int:
        """What its completed quarters are worth (7.1)."""
        worth = 0
        for each in self.quarters:
            if not each.site:
                worth += 1 if each.emblem != "church" else 3 if each.cathedral else 2
        return worth

    def ranking(self) -> dict[str, tuple[int, int, int, int]]:
        """By guild its completed quarters and the leaders there, its place and points (7.2 to
        7.4)."""
        strength = {}
        for guild in GUILDS:
            own = [each for each in self.quarters if each.emblem == guild and not each.site]
            if own:
                strength[guild] = (len(own), sum(each.printed + each.pawns for each in own))
        ranking = {}
        for guild, has in strength.items():
            place = sum(other >= has for other in strength.values())
            points = [self.value(), -(-self.value() // 2), 4, 2, 0][place - 1]
            ranking[guild] = (*has, place, points)
        return ranking
