"""The player of imagined games, which has no whole view."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from bot.game.kogge import GAME
from bot.policy.kogge.glance import glance
from bot.policy.kogge.greedy import silent
from bot.policy.kogge.weights import NORMAL
from bot.policy.search import by_view
from tests.game.kogge.random_games import SAMPLED

EVERY = 4


def test_it_answers_as_the_normal_player_does_that_has_the_whole_view() -> None:
    slow = silent(NORMAL)
    quick = by_view(GAME, slow, glance)
    kinds = set[str]()
    for seats, options in SAMPLED.few_tables():
        for number, step in enumerate(SAMPLED.steps(seats, options, 3)):
            for decision in GAME.pending(step.state):
                new = decision.kind not in kinds
                if decision.optional or not (new or number % EVERY == 0):
                    continue
                seat = decision.seat
                view, legal = GAME.view(step.state, seat), GAME.walk(step.state, seat)
                expected = slow(view, decision, legal, Random(number))
                assert quick(step.state, decision, Random(number)) == expected, (options, decision)
                kinds.add(decision.kind)
    assert len(kinds) == 13


def test_a_glance_shows_what_a_view_does_of_all_that_it_shows() -> None:
    for seats, options in SAMPLED.few_tables():
        for number, step in enumerate(SAMPLED.steps(seats, options, 4)):
            if number % 16:
                continue
            for seat in range(seats):
                view, seen = GAME.view(step.state, seat), glance(step.state, seat)
                assert seen.cities == tuple(replace(city, price=None) for city in view.cities)
                assert seen.seats == tuple(replace(each, marker_count=None) for each in view.seats)
                for name in (
                    *("observer", "round", "laps", "guild_city", "end_city", "order", "display"),
                    *("reserve", "chits_left", "variants", "start", "pushed", "may_pass"),
                ):
                    assert getattr(seen, name) == getattr(view, name), name
                if view.active == (seat,):
                    assert seen.groups == view.groups
