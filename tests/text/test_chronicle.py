"""The story of a game: ten lines at most, the turning point among them."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from bot.game.contract import SPECTATOR, Event, Outcome
from bot.game.kogge.actions import Built
from bot.game.kogge.data import CITY_NAMES
from bot.game.kogge.raid import CityRaided
from bot.tables.core import record
from bot.text.chronicle import MAX_LINES, ChronicleTurn, chronicle, points_alt
from bot.text.words import Words, words_for
from bot.titles import TITLES
from tests.recorded.results import names, read_record
from tests.text.people import called

EN, NAMES = words_for("en"), called("Anna", "Bert")
TEXT = TITLES.texts["kogge"](EN, NAMES)
DAYS = timedelta(days=3)


def raid(seat: int, city: int) -> Event:
    return CityRaided(seat=seat, city=city, pieces="o")


def built(seat: int, points: int) -> Event:
    return Built(seat=seat, city=4, pieces="f", points=points)


def story(moments: list[ChronicleTurn], **result: Any) -> list[str]:
    outcome = Outcome(**{"ending": "development", "winners": (1,), "scores": (2, 5), **result})
    return chronicle(TEXT, moments, outcome, DAYS)


def test_it_begins_with_how_long_it_was_and_ends_with_who_won_by_what() -> None:
    lines = story([ChronicleTurn(0, -1, (), (0, 0)), ChronicleTurn(1, 0, (raid(0, 4),), (0, 0))])
    assert lines[0] == "**Anna** and **Bert** played 1 round over 3 days."
    assert lines[-1].startswith("🏆 **Bert** wins with 5 points, ahead of **Anna** with 2.")
    assert "raids" in lines[1]
    assert lines[1].startswith("**Round 1** · ")
    # What decided is told where the points of the story did not.
    for ending, scores, said in (
        ("development", (2, 5), "with 2. The game ended with five development points."),
        ("laps", (40, 84), "with 40."),
    ):
        lines = story([ChronicleTurn(1, 0, (), (40, 84))], ending=ending, scores=scores)
        assert lines[-1].endswith(f"ahead of **Anna** {said}")


def test_a_long_game_has_ten_lines_in_order_and_the_lead_that_was_kept() -> None:
    moments = [ChronicleTurn(0, -1, (), (0, 0))]
    scores = [0, 0]
    for number in range(1, 80):
        seat = number % 2
        events: list[Event] = [raid(seat, number % 9)]
        if number in (10, 23, 40, 60):
            winner = {10: 0, 23: 1, 40: 1, 60: 1}[number]
            scores[winner] += 1 if number == 10 else 2
            events.append(built(winner, scores[winner]))
        moments.append(ChronicleTurn(1 + number // 8, seat, events, (scores[0], scores[1])))

    lines = story(moments)

    assert len(lines) == MAX_LINES
    rounds = [int(line.split()[1].rstrip("*")) for line in lines[1:-1]]
    assert rounds == sorted(rounds)
    (first,) = [line for line in lines if "scores first" in line]
    assert "**Anna** scores first: 1 point." in first
    (kept,) = [line for line in lines if "the lead for good" in line]
    assert "**Bert** 🏠 builds" in kept
    assert len({line.split("·")[1] for line in lines[1:-1]}) > 2


def test_who_led_to_the_end_and_did_not_win_did_not_keep_anything() -> None:
    moments = [ChronicleTurn(0, -1, (), (0, 0)), ChronicleTurn(1, 0, (built(0, 3),), (3, 0))]

    lines = story(moments, ending="laps", winners=(0, 1), scores=(40, 40))

    assert not any("for good" in line for line in lines)
    assert lines[-1].startswith("🏆 **Anna** and **Bert** share the win with 40 points each.")


def test_everybody_who_is_tied_is_named() -> None:
    four = called("Anna", "Bert", "Clara", "Dirk")
    moments = [ChronicleTurn(0, -1, (), (0,) * 4), ChronicleTurn(1, 0, (), (4, 2, 4, 0))]
    tied = "**Anna**, **Bert** and **Clara**"
    for winners, scores, said in (
        (
            (0,),
            (9, 5, 5, 4),
            "**Anna** wins with 9 points, ahead of **Bert** and **Clara** with 5.",
        ),
        ((0,), (9, 9, 9, 4), f"{tied} have 9 points each; **Anna** wins the "),
        ((0, 1, 2), (9, 9, 9, 4), f"{tied} share the win with 9 points each."),
    ):
        outcome = Outcome("laps", winners, scores)
        *_, gained, ended = chronicle(TEXT.named(four), moments, outcome, DAYS)
        assert "**Anna** and **Clara** score 4 points each in one turn" in gained
        assert ended.startswith(f"🏆 {said}")


@pytest.mark.parametrize("title", sorted(TITLES.games))
def test_every_game_has_a_story_and_points_to_tell_it_by(title: str, pseudo: Words) -> None:
    game = TITLES.games[title]
    recorded = read_record(game, names(game)[0])
    text = TITLES.texts[title](EN, called(*recorded.seats))
    moments = []
    for entry, state in record.fold(game, recorded):
        heard = entry.visible_to(SPECTATOR)
        view = game.view(state, SPECTATOR)
        scores = text.at(view).scores()
        moments.append(ChronicleTurn(game.round(state), entry.seat, heard, scores))
    outcome = game.outcome(state)
    assert outcome is not None

    lines = chronicle(text, moments, outcome, DAYS)

    assert 5 <= len(lines) <= MAX_LINES
    assert lines[-1].startswith("🏆")
    assert max(moments[-1].scores) > 0
    said = points_alt(text, moments)
    assert text.scored in said
    assert all(f"{name}: " in said for name in recorded.seats)

    text = TITLES.texts[title](pseudo, called(*recorded.seats))
    foreign = [*chronicle(text, moments, outcome, DAYS), points_alt(text, moments)]
    proper = "|".join(map(re.escape, (*recorded.seats, *CITY_NAMES)))
    assert not re.search("[A-Za-z]{2}", re.sub(proper, "", " ".join(foreign)))


def test_nobody_takes_the_lead_twice_without_another_in_between() -> None:
    moments = [ChronicleTurn(0, -1, (), (0, 0))]
    for number in range(1, 40):
        seat = number % 2
        scores = (number, number - 1) if seat else (number - 1, number)
        events = (built(seat, 9),) if number % 5 == 0 else ()
        moments.append(ChronicleTurn(number, seat, events, scores))

    lines = story(moments, scores=(39, 38), winners=(0,))

    led = [line.split("**")[-2] for line in lines[1:-1] if "takes the lead with" in line]
    assert led
    assert all(one != other for one, other in pairwise(led))
