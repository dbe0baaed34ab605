"""What holds in random games: every piece, card and point is counted after every action.

That each step is what the rules say is held against the naive game (test_naive_game.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, Event
from bot.game.events import GameEnded
from bot.game.flandern import GAME
from bot.game.flandern.building import QuarterBuilt, QuarterCompleted, SitePut
from bot.game.flandern.cards import CardRevealed, CardsTakenBack, GoldenRevealed, RoundBegun
from bot.game.flandern.data import CARDS, EMBLEM_KEYS, TILES
from bot.game.flandern.golden import CathedralPut, LeaderPut
from bot.game.flandern.plan import CITIES
from bot.game.flandern.scoring import BonusScored, CityScored, GuildScored, PlotsCovered
from bot.game.flandern.state import FlandernState
from bot.game.flandern.two import CardPlayed
from bot.game.flandern.view import FlandernView
from tests.game.flandern.random_games import OPTION_SETS, next_action
from tests.game.random_games import named

BOX = {
    emblem: Counter(dict.fromkeys(("t", "p", "r"), 4 if emblem in EMBLEM_KEYS[:4] else 5))
    for emblem in EMBLEM_KEYS
}
"""All quarters by emblem and kind, as section 1 counts them."""
for _guild in EMBLEM_KEYS[:4]:
    BOX[_guild].update({"t-leader": 1, "p-leader": 1, "r-leader": 1})
BOX["church"] = Counter({"t": 3, "p": 3, "r": 3, "a": 1, "b": 1, "c": 1, "d": 1})


def kinds_left(view: FlandernView) -> dict[str, tuple[str, ...]]:
    """What is in stock, by emblem."""
    return {
        emblem: tuple(kind for kind, n in zip(TILES, counts, strict=True) for _ in range(n))
        for emblem, counts in zip(EMBLEM_KEYS, view.stock, strict=True)
    }


class Ledger:
    """The whole box by what the events told, written here apart from the engine's own checks."""

    def __init__(self, seats: int) -> None:
        self.two = seats == 2
        self.points = Counter[str]()
        self.bonus = [0] * seats
        self.influence = [0 if self.two else 3] * seats
        self.sites = set[str]()
        self.cathedrals = self.leaders = 0
        self.covered = set[str]()
        self.scored = set[str]()
        self.open: list[set[str]] = [set() for _ in range(seats)]
        self.firsts: list[int] = []

    def hear(self, event: Event) -> None:
        """Add what an event tells of."""
        match event:
            case SitePut(place=place):
                self.sites.add(place)
            case QuarterCompleted(place=place):
                self.sites.remove(place)
            case CathedralPut():
                self.cathedrals += 1
            case LeaderPut():
                self.leaders += 1
            case CardRevealed(seat=seat, card=card, influence=laid):
                self.influence[seat] -= laid
                self.open[seat].add(card)
            case CardPlayed(seat=seat, card=card):
                self.open[seat].add(card)
            case CardsTakenBack(seat=seat, cards=cards):
                assert set(cards) == self.open[seat]
                self.open[seat] = set()
            case GoldenRevealed(seat=seat, card="influence"):
                self.influence[seat] += 1
            case PlotsCovered(places=places):
                assert not self.covered & set(places)
                self.covered |= set(places)
            case CityScored(city=city):
                self.scored.add(city)
                self.sites = {place for place in self.sites if not place.startswith(city)}
                for lying in self.open:
                    lying.discard(city)
            case GuildScored(guild=guild, points=points):
                self.points[guild] += points
            case BonusScored(seat=seat, points=points):
                self.bonus[seat] += points
            case RoundBegun(first=first):
                self.firsts.append(first)
            case _:
                pass

    def is_whole(self, state: FlandernState) -> None:
        """Every piece and card lies somewhere, and every point was told of."""
        view = GAME.view(state, SPECTATOR)
        standing = Counter(
            (quarter.emblem, quarter.kind) for city in view.cities for quarter in city.quarters
        )
        out = [city.home for city in view.cities if not city.in_play]
        for emblem, left in kinds_left(view).items():
            there = Counter(left)
            for kind in TILES:
                there[kind] += standing[emblem, kind]
            assert +there == (Counter() if emblem in out else BOX[emblem])
        sites = {q.place for city in view.cities for q in city.quarters if q.site}
        in_play = {place for place in sites if place.partition("-")[0] not in self.scored}
        assert in_play == self.sites
        assert view.sites + len(in_play) == 10
        put = [q for city in view.cities for q in city.quarters]
        assert sum(quarter.leaders for quarter in put) == self.leaders
        assert sum(quarter.cathedral for quarter in put) == self.cathedrals
        if state.round and not self.two:
            assert (view.leaders, view.cathedrals) == (4 - self.leaders, 4 - self.cathedrals)
        assert {place for city in view.cities for place in city.covered} == self.covered
        assert {city.city for city in view.cities if city.scored} == self.scored
        assert {guild.guild: guild.score for guild in view.guilds} == {
            guild.guild: self.points[guild.guild] for guild in view.guilds
        }
        if state.round:
            self.cards_are_whole(state, view)

    def cards_are_whole(self, state: FlandernState, view: FlandernView) -> None:
        """A start set less spent influence and cards of scored cities."""
        there = {city.city for city in view.cities if city.in_play and not city.scored}
        for seat, player in enumerate(state.players):
            held = {CARDS[card] for card in player.hand}
            assert held | self.open[seat] == {*there, "site", "take"}
            assert set(view.seats[seat].open) == self.open[seat]
            assert player.influence == self.influence[seat] >= 0
            assert view.seats[seat].cards == len(held) + player.influence
        if not self.two:
            secret = state.golden_card >= 0 and not state.revealed
            assert sum(view.golden_left) + len(view.golden_out) + secret == (
                28 - (len(view.seats) == 3) * state.rules.golden_cities
            )


@pytest.mark.parametrize("options", OPTION_SETS, ids=named)
@pytest.mark.parametrize("seats", GAME.seats)
def test_pieces_cards_and_points_are_right_after_every_action_and_every_game_ends(
    seats: int, options: Mapping[str, str]
) -> None:
    rng = Random(seats)
    state = GAME.setup(seats, options, RandomChance(rng))
    ledger = Ledger(seats)
    while GAME.outcome(state) is None:
        seat, action = next_action(state, rng)
        waiting = [asked.seat for asked in GAME.pending(state) if not asked.optional]
        decision = state.decision
        events = GAME.apply(state, seat, action, RandomChance(rng))
        # Others' questions stay as they are while cards are chosen and the golden one is drawn.
        assert state.decision == decision + (waiting == [seat] and action != ("look",))
        for event in events:
            ledger.hear(event)
        ledger.is_whole(state)
        assert GAME.invariants(state) == []
    result = GAME.outcome(state)
    assert result is not None
    own = [
        sum(ledger.points[EMBLEM_KEYS[guild]] for guild in {player.guild, player.controlled} - {-1})
        for player in state.players
    ]
    scores = [points + bonus for points, bonus in zip(own, ledger.bonus, strict=True)]
    assert list(result.scores) == scores
    assert result.winners == tuple(n for n, score in enumerate(scores) if score == max(scores))
    rounds = enumerate(ledger.firsts, start=ledger.firsts[0] if ledger.firsts else 0)
    assert all(first == number % seats for number, first in rounds)
    ended = [event for event in events if isinstance(event, GameEnded)]
    assert [event.ending for event in ended] == [result.ending]


def test_every_way_of_building_and_every_kind_of_card_turns_up() -> None:
    """So the games above try all of it (14.1)."""
    tiles, golden, kinds = Counter[str](), Counter[str](), Counter[str]()
    for seats in GAME.seats:
        for seed in range(6):
            rng = Random(seed)
            state = GAME.setup(seats, {}, RandomChance(rng))
            while GAME.outcome(state) is None:
                seat, action = next_action(state, rng)
                for event in GAME.apply(state, seat, action, RandomChance(rng)):
                    kinds[event.kind] += 1
                    if isinstance(event, (QuarterBuilt, SitePut)):
                        tiles[event.tile.partition("-r")[0]] += 1
                    if isinstance(event, GoldenRevealed):
                        golden[event.card] += 1
    assert set(tiles) >= {
        *EMBLEM_KEYS,
        *(f"{emblem}-leader" for emblem in EMBLEM_KEYS[:4]),
        *("church-a", "church-b", "church-c", "church-d"),
    }
    assert set(golden) == {*CITIES, "site", "take", "influence", "cathedral", "leader"}
    assert set(kinds) >= set(GAME.events) - {"no_golden"}
