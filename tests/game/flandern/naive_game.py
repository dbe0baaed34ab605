"""The whole game once more, slowly and from the fact sheet alone, to hold the engine against.

It knows nothing of the engine: plots are words in sets, a city is a list of quarters, and the game
is told as a generator, which asks a question and goes on with the answer. What chance deals is
handed in. Numbers in brackets are sections of the fact sheet, those with an r its rulings.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

PLAYER_GUILDS = ("red", "green", "blue", "yellow")
GUILDS = (*PLAYER_GUILDS, "grey")
CITIES = ("brugge", "gent", "ieper", "leuven", "utrecht", "luik")
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


class Rank(NamedTuple):
    """A guild in a city that is scored: completed quarters, leaders, place and points."""

    quarters: int
    leaders: int
    place: int
    points: int


@dataclass
class City:
    """A city of the board; one that is scored keeps what came of it."""

    name: str
    quarters: list[Quarter] = field(default_factory=list)
    free: set[str] = field(default_factory=lambda: set(PRINTED))
    covered: set[str] = field(default_factory=set)
    scored: bool = False

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

    def build(self, plot: str, tile: str, *, site: bool) -> None:
        """Put a quarter on its plot; new plots are there at once (r37, r49)."""
        plots: tuple[str, ...] = (plot,)
        if tile.startswith("church-d"):
            tile, bar = tile.rsplit("-", 1)
            plots = (plot, bar)
        self.quarters.append(Quarter(tile, plots, site))
        self.free -= {*plots}
        self.free |= {*BEYOND.get((tile, plot), ())}

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

    def ranking(self) -> dict[str, Rank]:
        """The guilds by what each has and gets (7.2 to 7.4)."""
        strength = {}
        for guild in GUILDS:
            own = [each for each in self.quarters if each.emblem == guild and not each.site]
            if own:
                strength[guild] = (len(own), sum(each.printed + each.pawns for each in own))
        ranking = {}
        for guild, has in strength.items():
            place = sum(other >= has for other in strength.values())
            points = [self.value(), -(-self.value() // 2), 4, 2, 0][place - 1]
            ranking[guild] = Rank(*has, place, points)
        return ranking


def decks(cities: str) -> tuple[Counter[str], Counter[str]]:
    """The golden decks A and B with each city so often in both together (2.5)."""
    if cities == "1":
        rest = Counter(influence=3, site=2, take=2, cathedral=2, leader=2)
        return Counter(CITIES[:3]) + rest, Counter(CITIES[3:]) + rest
    rest = Counter(influence=2, site=1, take=1, cathedral=2, leader=2)
    return Counter(CITIES) + rest, Counter(CITIES) + rest


@dataclass
class Player:
    """A seat: its guilds, its cards in hand and before it, and what it lays out."""

    guild: str = ""
    controlled: str = ""
    hand: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)
    influence: int = 0
    chosen: tuple[str, int] | None = None


class Question(NamedTuple):
    """What is asked, and what each seat may answer; `waited` are those that everybody waits for."""

    kind: str
    answers: dict[int, set[str]]
    waited: set[int]


Asking = Generator[Question, tuple[int, str], None]
"""Asks questions; goes on with a seat and its answer."""


class NaiveGame:
    """A table. `question` is what is asked now; `deals` are the cards that chance gives next, to be
    filled before `answer`."""

    def __init__(
        self, seats: int, options: Mapping[str, str], first: int, guilds: Iterable[tuple[str, str]]
    ) -> None:
        """`guilds` are those that chance gives, none where players choose, with the second ones of
        two players."""
        self.players = [Player() for _ in range(seats)]
        self.options, self.first, self.deals = options, first, deque[str]()
        for player, (guild, controlled) in zip(self.players, guilds, strict=False):
            player.guild, player.controlled = guild, controlled
        self.cities: dict[str, City] = {}
        self.stock: Stock = Counter()
        self.sites, self.cathedrals, self.leaders, self.covers = 10, 4, 4, 9
        self.points: dict[str, Counter[str]] = {}
        self.golden = decks(options["golden_cities"])
        self.golden_out: list[str] = []
        self.golden_card: str | None = None
        self.deck: Counter[str] = Counter()
        self.discards: Counter[str] = Counter()
        self.round, self.order, self.bonus = 0, list[int](), [0] * seats
        self.building, self.still = False, 0
        self.ending = ""
        self._game = self._play()
        self.question = next(self._game)

    def answer(self, seat: int, line: str) -> None:
        """Go on to the next question, or to the end."""
        assert line in self.question.answers[seat]
        try:
            self.question = self._game.send((seat, line))
        except StopIteration:
            self.question = Question("over", {}, set())

    def guilds_of(self, seat: int) -> set[str]:
        """Those whose points are the seat's."""
        player = self.players[seat]
        return {player.guild, player.controlled} - {""}

    def score(self, seat: int) -> int:
        """Its points so far, the bonus included."""
        return self.bonus[seat] + sum(self.points[guild].total() for guild in self.guilds_of(seat))

    def seats_from(self, first: int) -> list[int]:
        """All seats clockwise from one."""
        return [(first + step) % len(self.players) for step in range(len(self.players))]

    def _play(self) -> Asking:
        if not self.players[0].guild:
            yield from self._choose_guilds()
        self._set_up()
        yield from self._turns_of_two() if len(self.players) == 2 else self._rounds()
        for city in self.cities.values():
            if not city.scored:
                self._cover(city, set(city.free))
                self._score(city)
        if len(self.players) > 2:
            self._give_bonus()

    # 3 and 9.2 to 9.4

    def _choose_guilds(self) -> Asking:
        left = list(PLAYER_GUILDS)
        for seat in self.seats_from(self.first):
            guild = left[0]
            if len(left) > 1:
                answers = {f"guild {each}" for each in left}
                _, line = yield Question("guild", {seat: answers}, {seat})
                guild = line.split()[1]
            self.players[seat].guild = guild
            left.remove(guild)
        if len(self.players) == 2:
            seat = 1 - self.first
            answers = {f"control {each}" for each in left}
            _, line = yield Question("control", {seat: answers}, {seat})
            self.players[seat].controlled = line.split()[1]
            left.remove(self.players[seat].controlled)
            self.players[self.first].controlled = left[0]

    def _set_up(self) -> None:
        two = len(self.players) == 2
        playing = {guild for seat in range(len(self.players)) for guild in self.guilds_of(seat)}
        playing |= {"grey", "church"}
        self.points = {guild: Counter() for guild in GUILDS if guild in playing}
        for name, emblem in HOME.items():
            if emblem in playing:
                self.cities[name] = City(name, [Quarter(emblem, ("c",))])
            else:
                for deck in self.golden:
                    del deck[name]
        for shape in "tpr":
            for guild in playing & {*PLAYER_GUILDS}:
                self.stock[guild, shape], self.stock[f"{guild}-leader", shape] = 4, 1
            self.stock["grey", shape], self.stock["church", shape] = 5, 3
        for tile, shape in (("a", "p"), ("b", "r"), ("c", "r"), ("d", "p")):
            self.stock[f"church-{tile}", shape] = 1
        for player in self.players:
            player.hand = {*self.cities, "site", "take"}
            player.influence = 0 if two else 3
            if two:
                self.deck.update(f"{player.controlled} {card}" for card in (*CITIES, "site"))
        if two:
            self.cathedrals = self.leaders = 0

    # 4

    def _rounds(self) -> Asking:
        while not self.ending:
            self.round += 1
            self.order = []
            yield from self._choice()
            for seat in self.order:
                card, _ = self.players[seat].chosen or ("", 0)
                emblems = {self.players[seat].guild, "grey", "church"}
                yield from self._carry_out(seat, card, emblems)
            if self.golden_card is not None:
                yield from self._golden_action(self.golden_card)
            for player in self.players:
                player.chosen = None
            self.golden_card = None
            self._cover_and_score()
            if self._free() <= 1:
                self.ending = "full"
            elif not any(deck.total() for deck in self.golden):
                self.ending = "deck"
            else:
                self.first = (self.first + 1) % len(self.players)

    def _draw_golden(self) -> None:
        while any(deck.total() for deck in self.golden):
            card = self.deals.popleft()
            deck = next(each for each in self.golden if each.total())
            assert deck[card]
            deck[card] -= 1
            if card not in CITIES or not self.cities[card].scored:
                self.golden_card = card
                return
            self.golden_out.append(card)

    def _choice(self) -> Asking:
        choices = {
            seat: {
                f"choose {card} {influence}"
                for card in player.hand
                for influence in range(player.influence + 1)
            }
            for seat, player in enumerate(self.players)
        }
        looks = any(deck.total() for deck in self.golden)
        while waited := {seat for seat in choices if self.players[seat].chosen is None}:
            answers = choices | ({self.first: {"look"}} if looks else {})
            seat, line = yield Question("choose", answers, waited)
            if line == "look":
                looks = False
                self._draw_golden()
                continue
            _, card, influence = line.split()
            self.players[seat].chosen = (card, int(influence))
        count = {}
        for seat, player in enumerate(self.players):
            card, laid = player.chosen or ("", 0)
            count[seat] = 1 + laid
            player.influence -= laid
            player.hand.remove(card)
            player.open.add(card)
        clockwise = self.seats_from(self.first)
        self.order = sorted(clockwise, key=lambda seat: (-count[seat], clockwise.index(seat)))

    # 4.5 and 5.4 to 5.8

    def _golden_action(self, card: str) -> Asking:
        self.golden_out.append(card)
        player = self.players[self.first]
        if card == "influence":
            player.influence += 1
        elif card in ("cathedral", "leader"):
            emblems = {"church"} if card == "cathedral" else {player.guild, "grey"}
            places = {
                f"{card} {city.name}-{quarter.plots[0]}": quarter
                for city in self.cities.values()
                for quarter in city.quarters
                if not city.scored
                and quarter.emblem in emblems
                and not (card == "cathedral" and quarter.cathedral)
            }
            if places:
                _, line = yield Question(card, {self.first: {*places}}, {self.first})
                if card == "cathedral":
                    places[line].cathedral = True
                    self.cathedrals -= 1
                else:
                    places[line].pawns += 1
                    self.leaders -= 1
        else:
            yield from self._carry_out(self.first, card, {"grey", "church"})

    # 5.1 to 5.3

    def _carry_out(self, seat: int, card: str, emblems: set[str]) -> Asking:
        if card == "take":
            player = self.players[seat]
            player.hand |= player.open
            player.open = set()
            return
        kind = "site" if card == "site" else "city"
        word = "site" if card == "site" else "build"
        answers = set()
        for city in self.cities.values():
            if (
                city.scored
                or card not in ("site", city.name)
                or (card == "site" and not self.sites)
            ):
                continue
            for plot, tile in city.buildings(emblems, self.stock):
                answers.add(f"{word} {city.name}-{plot} {tile}")
            for quarter in city.quarters if kind == "city" else ():
                if quarter.site and quarter.emblem in emblems:
                    answers.add(f"complete {city.name}-{quarter.plots[0]}")
        if not answers:
            return
        _, line = yield Question(kind, {seat: answers}, {seat})
        self.building = True
        word, place, *rest = line.split()
        name, _, plot = place.partition("-")
        if word == "complete":
            completed = self.cities[name].at(plot)
            assert completed is not None
            completed.site = False
            self.sites += 1
            return
        (tile,) = rest
        self.cities[name].build(plot, tile, site=word == "site")
        used = "church-d" if tile.startswith("church-d") else tile
        self.stock[used, plot[0]] -= 1
        self.sites -= word == "site"

    # 4.6, 6.6, 7 and 8

    def _free(self) -> int:
        return sum(len(city.free) for city in self.cities.values() if not city.scored)

    def _cover_and_score(self) -> None:
        for city in self.cities.values():
            if not city.scored:
                self._cover(city, city.dead(self.stock))
        for city in self.cities.values():
            if not city.scored and not city.free:
                self._score(city)

    def _cover(self, city: City, plots: set[str]) -> None:
        city.free -= plots
        city.covered |= plots
        self.covers = max(0, self.covers - len(plots))

    def _score(self, city: City) -> None:
        for guild, rank in city.ranking().items():
            self.points[guild][city.name] = rank.points
        city.scored = True
        self.sites += sum(quarter.site for quarter in city.quarters)
        for player in self.players:
            player.hand.discard(city.name)
            player.open.discard(city.name)
            self.discards -= Counter({f"{player.controlled} {city.name}": 1})

    def _give_bonus(self) -> None:
        most = max(player.influence for player in self.players)
        if most or self.options["bonus"] == "any":
            self.bonus = [3 * (player.influence == most) for player in self.players]

    def winners(self) -> tuple[int, ...]:
        """Those with most points (8.4)."""
        scores = [self.score(seat) for seat in range(len(self.players))]
        return tuple(seat for seat, score in enumerate(scores) if score == max(scores))

    # 9.5 to 9.9

    def _turns_of_two(self) -> Asking:
        seat = self.first
        while not self.ending:
            self.round += seat == self.first
            self.building = False
            yield from self._turn(seat)
            self._cover_and_score()
            self.still = 0 if self.building else self.still + 1
            if not self._free():
                self.ending = "full"
            elif self._only_controlled():
                self.ending = "controlled"
            elif self.still >= 16:
                self.ending = "standstill"
            seat = 1 - seat

    def _turn(self, seat: int) -> Asking:
        player = self.players[seat]
        left = {"play", "draw"}
        while left:
            answers = {"draw"} & left
            if "play" in left:
                answers |= {"take"} | {f"play {card}" for card in player.hand - {"take"}}
            _, line = yield Question("turn", {seat: answers}, {seat})
            if line == "draw":
                left.remove("draw")
                guild, card = self._draw()
                yield from self._carry_out(seat, card, {guild, "grey", "church"})
                self.discards[f"{guild} {card}"] += 1
                continue
            left.remove("play")
            card = line.split()[-1]
            player.hand.remove(card)
            player.open.add(card)
            yield from self._carry_out(seat, card, {player.guild, "grey", "church"})

    def _draw(self) -> tuple[str, str]:
        while True:
            if not self.deck.total():
                self.deck, self.discards = self.discards, Counter()
            drawn = self.deals.popleft()
            assert self.deck[drawn]
            self.deck[drawn] -= 1
            guild, card = drawn.split()
            if card == "site" or not self.cities[card].scored:
                return guild, card

    def _only_controlled(self) -> bool:
        controlled = {player.controlled for player in self.players}
        return all(
            city.comers(plot, city.free, self.stock) <= controlled
            for city in self.cities.values()
            if not city.scored
            for plot in city.free
        )
