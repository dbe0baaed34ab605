"""The lessons of all games, played to their goals by the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pytest

from bot.game.chance import KeyedChance
from bot.game.choices import Done
from bot.game.contract import Action, Event, Seat, canonical, parse_action
from bot.game.game import AnyGame
from bot.tables.core.record import decode, encode, fold, played, verify
from bot.text.game_data import Lesson, lessons
from bot.titles import NAMES, TITLES

MENU = 200
"""Legal actions that are tried."""
LENGTHS = {"title": 40, "text": 400, "right": 200, "wrong": 200}
SENTENCES = 2
"""Of a reaction, at most."""
OTHER_KEYS = (b"a" * 32, b"b" * 32, b"c" * 32)

WITH_LESSONS = [name for name in NAMES if lessons(name)]
every_title = pytest.mark.parametrize("name", WITH_LESSONS)
every_lesson = pytest.mark.parametrize(
    ("name", "lesson"),
    [
        pytest.param(name, each, id=f"{name}-{each.name}")
        for name in NAMES
        for each in lessons(name)
    ],
)


@every_title
def test_a_game_has_a_few_lessons_and_ends_with_a_whole_turn(name: str) -> None:
    every = lessons(name)
    assert 5 <= len(every) <= 8
    for field in ("name", "title"):
        assert len({getattr(each, field) for each in every}) == len(every)
    assert [each.whole_turn for each in every] == [each is every[-1] for each in every]


@every_lesson
def test_a_lesson_is_short(name: str, lesson: Lesson) -> None:
    for field, most in LENGTHS.items():
        assert 0 < len(getattr(lesson, field)) <= most, field
    for reaction in (lesson.right, lesson.wrong):
        assert len(re.findall(r"[.!?](?=\s|$)", reaction)) <= SENTENCES


@every_lesson
def test_the_position_can_be_imported_and_only_the_learner_is_to_act(
    name: str, lesson: Lesson
) -> None:
    game = TITLES.games[name]
    seats = [f"Player {seat}" for seat in range(lesson.seats)]
    record = played(game, seats, lesson.options, lesson.secret, lesson.played)
    record = decode(encode(record))
    assert verify(game, record) is None
    *_, (_, state) = fold(game, record)
    assert to_act(game, state) == {lesson.seat}
    assert not lesson.is_reached([], is_to_act=True)
    assert not lesson.is_reached([], is_to_act=False)


@every_lesson
def test_the_solution_reaches_the_goal_whatever_is_drawn(name: str, lesson: Lesson) -> None:
    for key in OTHER_KEYS:
        *before, (at_last, _) = attempt(name, lesson, lesson.solution, key)
        assert at_last
        assert before == [(False, {lesson.seat})] * len(before)


@every_lesson
def test_the_mistake_misses_the_goal(name: str, lesson: Lesson) -> None:
    for key in OTHER_KEYS:
        assert not any(reached for reached, _ in attempt(name, lesson, lesson.mistake, key))


@every_lesson
def test_no_action_of_another_kind_reaches_the_goal(name: str, lesson: Lesson) -> None:
    """Try all in each step of the solution; at first there is something else to do."""
    for step, line in enumerate(lesson.solution):
        game, state = position(name, lesson)
        for before in lesson.solution[:step]:
            game.apply(state, lesson.seat, parse_action(before), KeyedChance(OTHER_KEYS[0]))
        others = 0
        for action in islice(whole_actions(game, state, lesson.seat), MENU):
            lines = [*lesson.solution[:step], canonical(action)]
            *_, (reached, _) = attempt(name, lesson, lines, OTHER_KEYS[0])
            assert not reached or (step, action[0]) == (len(lesson.solution) - 1, line.split()[0])
            others += not reached
        assert others or step


def attempt(
    name: str, lesson: Lesson, lines: Iterable[str], key: bytes
) -> Iterator[tuple[bool, set[Seat]]]:
    """Take the actions, and yield after each whether the goal is reached, and the seats to act."""
    game, state = position(name, lesson)
    chance, events = KeyedChance(key), list[Event]()
    for line in lines:
        events += game.apply(state, lesson.seat, parse_action(line), chance)
        seats = to_act(game, state)
        seen = [event for event in events if event.visible_to(lesson.seat)]
        reached = lesson.is_reached(seen, is_to_act=lesson.seat in seats)
        yield reached, seats


def position(name: str, lesson: Lesson) -> tuple[AnyGame, Any]:
    game, chance = TITLES.games[name], KeyedChance(lesson.secret)
    state = game.setup(lesson.seats, lesson.options, chance)
    for seat, line in lesson.played:
        game.apply(state, seat, parse_action(line), chance)
    return game, state


def to_act(game: AnyGame, state: Any) -> set[Seat]:
    return {each.seat for each in game.pending(state) if not each.optional}


def whole_actions(game: AnyGame, state: Any, seat: Seat, prefix: Action = ()) -> Iterator[Action]:
    choices = game.legal(state, seat, prefix)
    if isinstance(choices, Done):
        yield prefix
        return
    for word in choices.each():
        yield from whole_actions(game, state, seat, (*prefix, word))
