"""Draws, events, sides, and registries by rules version."""

from __future__ import annotations

from collections import Counter
from random import Random

import msgspec
import pytest

from bot.game.chance import ChanceMismatch, KeyedChance, RandomChance, RecordedChance
from bot.game.contract import SPECTATOR, Event
from bot.game.events import SeatEvent, TurnEnded, event_of, kinds_of
from bot.game.sides import Side, letters_of, looks_of, one_each, own_looks
from bot.game.versions import Games, UnknownTitle, Versions
from tests.games import pebbles
from tests.games.pebbles import GAME, NEWER, Accept, Pebbles, Rolled, Took

KEY = bytes(range(32))


def random_weights(rng: Random) -> list[int]:
    """Return weights, some but not all of them 0."""
    return [*(rng.randrange(10) for _ in range(rng.randrange(8))), 0, rng.randint(1, 9)]


def test_a_key_always_draws_the_same_and_a_record_replays_it() -> None:
    for seed in range(100):
        rng = Random(seed)
        draws = [(rng.choice(["pair", "lot", "ü"]), random_weights(rng)) for _ in range(6)]
        one, other = KeyedChance(KEY, seed), KeyedChance(KEY, seed)
        for chance in (one, RandomChance(rng)):
            drawn = [chance.draw(*draw) for draw in draws]
            assert all(some[place] for (_, some), place in zip(draws, drawn, strict=True))
            recorded = RecordedChance(chance.drawn)
            assert [recorded.draw(*draw) for draw in draws] == drawn
            recorded.finish()
        assert [other.draw(*draw) for draw in draws] == one.drawn == other.drawn


def test_draws_follow_their_weights() -> None:
    chance = KeyedChance(KEY)
    counts = Counter(chance.draw("x", (1, 0, 3)) for _ in range(4000))
    assert counts[1] == 0
    assert 0.2 < counts[0] / 4000 < 0.3


def test_a_record_that_does_not_fit_is_refused() -> None:
    for outcomes in ([], [-1], [3], [1]):
        with pytest.raises(ChanceMismatch):
            RecordedChance(outcomes).draw("x", (1, 0, 1))
    with pytest.raises(ChanceMismatch):
        RecordedChance([0]).finish()


def test_a_draw_without_weights_is_an_error() -> None:
    for chance in (KeyedChance(KEY), RandomChance(Random(0))):
        with pytest.raises(ValueError, match="pair"):
            chance.draw("pair", (0, 0))


# Events and sides


class Building(SeatEvent, frozen=True):
    """A base class, which is no kind of event."""


class TowerBuilt(Building, frozen=True):
    """A seat has built."""

    height: int


EVENTS = (Took(seat=1, count=2), Accept(seat=0, other=2, but=(1,)), Rolled(count=3, seats=(1, 2)))


def test_an_event_has_an_actor_the_seats_it_names_and_its_facts() -> None:
    assert [event.by for event in EVENTS] == [1, 0, None]
    assert [event.named for event in EVENTS] == [(1,), (0, 2), (1, 2)]
    assert list(EVENTS[1].facts.items()) == [("seat", 0), ("other", 2)]
    assert TowerBuilt.kind == TowerBuilt(seat=1, height=2).kind == "tower_built"


def test_an_event_is_visible_to_only_and_not_to_but() -> None:
    def observers_of(event: Event) -> list[int]:
        return [observer for observer in (SPECTATOR, 0, 1, 2) if event.visible_to(observer)]

    assert observers_of(Took(seat=1, count=2)) == [SPECTATOR, 0, 1, 2]
    assert observers_of(Took(seat=1, count=2, only=(0, 2))) == [0, 2]
    assert observers_of(Took(seat=1, count=2, but=(0, 2))) == [SPECTATOR, 1]


def test_an_event_can_be_built_from_its_kind_and_facts() -> None:
    kinds = kinds_of(__name__, TurnEnded, Took)
    assert kinds == {"tower_built": TowerBuilt, "turn_ended": TurnEnded, "took": Took}
    assert kinds_of(pebbles.__name__) == pebbles.GAME.events
    for event in (TowerBuilt(seat=1, height=2), TurnEnded(seat=3), Took(seat=1, count=2)):
        assert event_of(kinds, event.kind, event.facts) == event
    wrong: list[tuple[str, dict[str, object]]] = [
        ("snowed", {}),
        ("building", {"seat": 1}),
        ("tower_built", {"seat": 1}),
        ("tower_built", {"seat": 1, "height": "tall"}),
    ]
    for kind, facts in wrong:
        with pytest.raises(msgspec.ValidationError):
            event_of(kinds, kind, facts)


def test_a_seat_has_the_looks_and_letters_of_all_its_sides() -> None:
    """A seat may play one side, several, or none that is known."""
    assert own_looks(3) == looks_of(one_each("a view", 3), 3) == ((0,), (1,), (2,))
    looks = looks_of((Side(0, 0), Side(1, 1), Side(0, 2), Side(None, 3)), 3)
    assert looks == ((0, 2), (1,), ())
    assert [letters_of(each) for each in looks] == ["A+C", "B", ""]


# Versions


class Stones(Pebbles):
    """Another title."""

    name, version = "stones", 4


STONES = Stones()
GAMES = Games((GAME, NEWER, STONES))


def test_a_name_means_the_newest_version_and_a_number_exactly_that_one() -> None:
    for games in (GAMES, Games((STONES, NEWER, GAME))):
        assert set(games) == {"pebbles", "stones"}
        assert games["pebbles"] is games.of("pebbles", 2) is NEWER
        assert games.of("pebbles", 1) is GAME
        assert games.versions("pebbles") == (1, 2)
        assert games.versions("stones") == (4,)
        assert games.versions("chess") == ()
        assert set(games.every) == {GAME, NEWER, STONES}


def test_a_missing_version_is_an_error() -> None:
    for name, version, message in (
        ("pebbles", 3, "'pebbles' has no rules version 3. Available: 1, 2."),
        ("pebbles", 0, "'pebbles' has no rules version 0. Available: 1, 2."),
        ("chess", 1, "There is no game 'chess'. Choose one of: pebbles, stones."),
    ):
        with pytest.raises(UnknownTitle) as caught:
            GAMES.of(name, version)
        assert str(caught.value) == message
    with pytest.raises(UnknownTitle) as caught:
        Versions({"pebbles": 1, "stones": 2})["chess"]
    assert str(caught.value) == "There is no game 'chess'. Choose one of: pebbles, stones."


def test_two_games_of_one_version_are_an_error() -> None:
    with pytest.raises(ValueError, match="two games 'pebbles', version 1"):
        Games((GAME, Pebbles()))


def test_an_entry_serves_all_versions_without_their_own() -> None:
    words = Versions({"pebbles": "new"}, {("pebbles", 1): "old"})
    assert [words.of("pebbles", version) for version in (1, 2, 3)] == ["old", "new", "new"]
    assert words["pebbles"] == "new"
    keys = [words.key("pebbles", version) for version in (1, 2, 3)]
    assert keys == ["pebbles.1", "pebbles", "pebbles"]
    assert [words.by_key(key) for key in keys] == ["old", "new", "new"]
    for key in ("pebbles.2", "pebbles.x", "pebbles.", "chess", "chess.1", ""):
        with pytest.raises(KeyError):
            words.by_key(key)
    with pytest.raises(KeyError):
        words.of("chess", 1)
    made = Games((GAME, NEWER)).each(lambda game: game.options)
    assert made.of("pebbles", 1) == GAME.options != made.of("pebbles", 2) == NEWER.options
    assert made["pebbles"] == NEWER.options
