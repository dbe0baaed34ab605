"""The whole game once more, slowly and from the fact sheet alone, to hold the engine against.

It knows nothing of the engine: the game is told as a generator, which asks a question and goes on
with the answer, of cities as naive_city.py has them. What chance deals is handed in. Numbers in
brackets are sections of the fact sheet, those with an r its rulings.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.game.flandern.naive_city import CITIES, GUILDS, HOME, PLAYER_GUILDS, City, Quarter, Stock


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
