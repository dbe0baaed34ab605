"""The rules of building, covering and scoring once more, from the sheet and as plainly as can be,
so that tests can compare the engine with them. Plots are words; nothing is fast."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from bot.game.flandern.view import FlandernCityView

GUILDS = ("red", "green", "blue", "yellow", "grey")

_SIDES = {
    "c": "t1 t2 t3 t4",
    "t1": "c p1 p2",
    "t2": "c p2 p3",
    "t3": "c p3 p4",
    "t4": "c p4 p1",
    "p1": "t4 t1 r4 r1",
    "p2": "t1 t2 r1 r2",
    "p3": "t2 t3 r2 r3",
    "p4": "t3 t4 r3 r4",
    "r1": "p1 p2",
    "r2": "p2 p3",
    "r3": "p3 p4",
    "r4": "p4 p1",
}
SPECIAL_SHAPE = {"a": "p", "b": "r", "c": "r", "d": "p"}


def beside(plot: str) -> set[str]:
    """The plots that share an edge with a plot, those of special quarters among them (2.2, 2.4)."""
    return set(_SIDES.get(plot, under(plot)).split()) | set(made_on(plot))


def under(plot: str) -> str:
    """The plots on which the long side of a plot lies."""
    letter, number = plot[0], int(plot[1:])
    if number > 4:
        return f"{'p' if letter == 'r' else 'r'}{(number - 1) % 4 + 1}"
    if letter == "t":
        return "c"
    return " ".join(
        each for each in _SIDES[plot].split() if each[0] == {"p": "t", "r": "p"}[letter]
    )


def made_on(plot: str) -> list[str]:
    """The plots that any special quarter would make on a plot."""
    return [each for special in SPECIAL_SHAPE for each in made(special, plot)]


def made(special: str, plot: str) -> list[str]:
    """The plots that a special quarter makes on a plot (section 2.4)."""
    if plot == "c" or plot[0] != SPECIAL_SHAPE[special] or int(plot[1:]) > 4:
        return []
    number = int(plot[1:])
    new = {"a": ("r", [4]), "b": ("t", [4]), "c": ("t", [8, 12]), "d": ("", [])}
    letter, steps = new[special]
    return [f"{letter}{number + step}" for step in steps]


class Quarter(NamedTuple):
    """What stands on a plot."""

    emblem: str
    leaders: int = 0
    site: bool = False
    cathedral: bool = False


Stock = Mapping[str, Sequence[str]]
"""By emblem, the kinds of quarter that are left: ``t``, ``p-leader``, ``d``."""


def _plots_of(places: Iterable[str]) -> list[str]:
    return [place.partition("-")[2] for place in places]


class Town:
    """A city in words: what stands where. `bar` is the plot that D takes in, "" for none."""

    def __init__(
        self,
        quarters: Mapping[str, Quarter],
        free: Iterable[str],
        covered: Iterable[str] = (),
        bar: str = "",
    ) -> None:
        self.quarters = dict(quarters)
        self.free = set(free)
        self.covered = set(covered)
        self.bar = bar

    @classmethod
    def seen(cls, city: FlandernCityView) -> Town:
        """That of a view."""
        quarters, bar = {}, ""
        for each in city.quarters:
            leaders = each.printed + each.leaders
            plot = each.place.partition("-")[2]
            quarters[plot] = Quarter(each.emblem, leaders, each.site, each.cathedral)
            bar = bar or each.bar.partition("-")[2]
        free, covered = (_plots_of(places) for places in (city.free, city.covered))
        return cls(quarters, free, covered, bar)

    def emblem(self, plot: str) -> str:
        """Of what stands on a plot, be it a part of D; "" for nothing."""
        if plot == self.bar:
            return "church"
        return self.quarters[plot].emblem if plot in self.quarters else ""

    def beside_own(self, plot: str, emblem: str) -> bool:
        """Paragraph 6.3."""
        return any(self.emblem(other) == emblem for other in beside(plot))

    # Building

    def builds(self, emblem: str, kinds: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Every plot on which a quarter of an emblem may be built, and the word of that quarter."""
        for kind in kinds:
            shape, _, leader = kind.partition("-")
            for plot in self.free:
                if plot[0] != SPECIAL_SHAPE.get(shape, shape) or self.beside_own(plot, emblem):
                    continue
                if not any(self.emblem(other) for other in under(plot).split()):
                    continue
                if shape == "d":
                    for bar in self.bars(plot):
                        yield plot, f"church-d-{bar}"
                else:
                    yield plot, "-".join(filter(None, (emblem, shape * (shape in "abc"), leader)))

    def bars(self, plot: str) -> list[str]:
        """The bars that D can take in from a trapezoid (rulings 36 and 48)."""
        return [
            bar
            for bar in sorted(self.free & beside(plot))
            if bar in ("r1", "r2", "r3", "r4") and not self.beside_own(bar, "church")
        ]

    def build(self, plot: str, word: str) -> Town:
        """The city with that quarter, which may make plots or take one away."""
        emblem, *more = word.split("-")
        new = Town(self.quarters, self.free - {plot}, self.covered, self.bar)
        new.quarters[plot] = Quarter(emblem, int(more == ["leader"]))
        if more and more[0] in SPECIAL_SHAPE:
            new.free |= set(made(more[0], plot))
        if len(more) == 2:
            new.bar = more[1]
            new.free -= {more[1]}
        return new

    # Covering

    def dead(self, stock: Stock) -> set[str]:
        """Ruling 20, read word for word: none at first, more and more until nothing changes."""
        found: set[str] = set()
        while more := {plot for plot in self.free - found if self._is_dead(plot, found, stock)}:
            found |= more
        return found

    def _is_dead(self, plot: str, dead: set[str], stock: Stock) -> bool:
        sides = under(plot).split()
        if all(side in self.covered or side in dead for side in sides):
            return True
        return not any(
            self._could_take(plot, emblem, kinds, dead) for emblem, kinds in stock.items()
        )

    def _could_take(self, plot: str, emblem: str, kinds: Iterable[str], dead: set[str]) -> bool:
        if self.beside_own(plot, emblem):
            return False
        for kind in kinds:
            shape = kind.partition("-")[0]
            if shape != "d":
                if plot[0] == SPECIAL_SHAPE.get(shape, shape):
                    return True
                continue
            partners = [
                other
                for other in beside(plot) & self.free - dead
                if not self.beside_own(other, "church")
                and {plot[0], other[0]} == {"p", "r"}
                and all(int(each[1:]) <= 4 for each in (plot, other))
            ]
            if partners:
                return True
        return False

    def ever_built(self, stock: Stock) -> set[str]:
        """The free plots on which something could come to stand, by trying every way to go on."""
        found: set[str] = set()
        tried: set[tuple[object, ...]] = set()
        self._try_all({emblem: tuple(kinds) for emblem, kinds in stock.items()}, found, tried)
        return found & self.free

    def _try_all(
        self, stock: dict[str, tuple[str, ...]], found: set[str], tried: set[tuple[object, ...]]
    ) -> None:
        key = (frozenset(self.quarters.items()), self.bar, tuple(sorted(stock.items())))
        if key in tried:
            return
        tried.add(key)
        for emblem, kinds in stock.items():
            for kind in set(kinds):
                left = list(kinds)
                left.remove(kind)
                for plot, word in self.builds(emblem, [kind]):
                    found |= {plot, *word.split("-")[2:]}
                    self.build(plot, word)._try_all({**stock, emblem: tuple(left)}, found, tried)

    # Scoring

    def value(self) -> int:
        """Paragraph 7.1."""
        worth = 0
        for quarter in self.quarters.values():
            if not quarter.site:
                worth += 1 if quarter.emblem != "church" else 2 + quarter.cathedral
        return worth

    def points(self) -> dict[str, tuple[int, int, int, int]]:
        """By guild that is represented, in the order of ranks: its completed quarters, the leaders
        on them, its place, and the points (7.2 to 7.4)."""
        own = {
            guild: [
                each for each in self.quarters.values() if each.emblem == guild and not each.site
            ]
            for guild in GUILDS
        }
        ranks = {
            guild: (len(each), sum(quarter.leaders for quarter in each))
            for guild, each in own.items()
            if each
        }
        scored, place = {}, 0
        for rank in sorted(set(ranks.values()), reverse=True):
            equal = [guild for guild in ranks if ranks[guild] == rank]
            place += len(equal)
            worth = self.value()
            won = {1: worth, 2: ceil(worth / 2), 3: 4, 4: 2, 5: 0}[place]
            for guild in equal:
                scored[guild] = (*rank, place, won)
        return scored
