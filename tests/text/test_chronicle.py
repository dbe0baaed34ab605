"""The story of a game."""

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
from bot.text.chronicle import MAX_LINES, ChronicleTurn, chronicle, points_alt, turning_points
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


def story(turns: list[ChronicleTurn], **result: Any) -> list[str]:
    outcome = Outcome(**{"ending": "development", "winners": (1,), "scores": (2, 5), **result})
    return chronicle(TEXT, turns, outcome, DAYS)


def test_a_story_begins_with_the_length_and_ends_with_the_result() -> None:
    lines = story([ChronicleTurn(0, -1, (), (0, 0)), ChronicleTurn(1, 0, (raid(0, 4),), (0, 0))])
    assert lines[0] == "**Anna** and **Bert** played 1 round over 3 days."
    assert lines[-1].startswith("🏆 **Bert** wins with 5 points, ahead of **Anna** with 2.")
    assert "raids" in lines[1]
    assert lines[1].startswith("**Round 1** · ")
    # The result gives the reason if the points of the story did not decide.
    for ending, scores, text in (
        ("development", (2, 5), "with 2. The game ended with five development points."),
        ("laps", (40, 84), "with 40."),
    ):
        lines = story([ChronicleTurn(1, 0, (), (40, 84))], ending=ending, scores=scores)
        assert lines[-1].endswith(f"ahead of **Anna** {text}")


def test_a_long_game_has_ten_lines_in_order_with_the_final_lead() -> None:
    turns = [ChronicleTurn(0, -1, (), (0, 0))]
    scores = [0, 0]
    for number in range(1, 80):
        seat = number % 2
        events: list[Event] = [raid(seat, number % 9)]
        if number in (10, 23, 40, 60):
            winner = {10: 0, 23: 1, 40: 1, 60: 1}[number]
            scores[winner] += 1 if number == 10 else 2
            events.append(built(winner, scores[winner]))
        turns.append(ChronicleTurn(1 + number // 8, seat, events, (scores[0], scores[1])))

    lines = story(turns)

    assert len(lines) == MAX_LINES
    rounds = [int(line.split()[1].rstrip("*")) for line in lines[1:-1]]
    assert rounds == sorted(rounds)
    (first,) = [line for line in lines if "scores first" in line]
    assert "**Anna** scores first: 1 point." in first
    (final_lead,) = [line for line in lines if "the lead for good" in line]
    assert "**Bert** 🏠 builds" in final_lead
    assert len({line.split("·")[1] for line in lines[1:-1]}) > 2


def test_a_lead_for_good_needs_a_sole_winner() -> None:
    turns = [ChronicleTurn(0, -1, (), (0, 0)), ChronicleTurn(1, 0, (built(0, 3),), (3, 0))]

    lines = story(turns, ending="laps", winners=(0, 1), scores=(40, 40))

    assert not any("for good" in line for line in lines)
    assert lines[-1].startswith("🏆 **Anna** and **Bert** share the win with 40 points each.")


def test_all_tied_players_are_named() -> None:
    four = called("Anna", "Bert", "Clara", "Dirk")
    turns = [ChronicleTurn(0, -1, (), (0,) * 4), ChronicleTurn(1, 0, (), (4, 2, 4, 0))]
    tied = "**Anna**, **Bert** and **Clara**"
    for winners, scores, text in (
        (
            (0,),
            (9, 5, 5, 4),
            "**Anna** wins with 9 points, ahead of **Bert** and **Clara** with 5.",
        ),
        ((0,), (9, 9, 9, 4), f"{tied} have 9 points each; **Anna** wins the "),
        ((0, 1, 2), (9, 9, 9, 4), f"{tied} share the win with 9 points each."),
    ):
        outcome = Outcome("laps", winners, scores)
        *_, gained, ended = chronicle(TEXT.named(four), turns, outcome, DAYS)
        assert "**Anna** and **Clara** score 4 points each in one turn" in gained
        assert ended.startswith(f"🏆 {text}")


@pytest.mark.parametrize("title", sorted(TITLES.games))
def test_every_game_has_a_story_and_points_for_the_chart(title: str, pseudo: Words) -> None:
    game = TITLES.games[title]
    recorded = read_record(game, names(game)[0])
    text = TITLES.texts[title](EN, called(*recorded.seats))
    turns = []
    for entry, state in record.fold(game, recorded):
        events = entry.visible_to(SPECTATOR)
        view = game.view(state, SPECTATOR)
        scores = text.at(view).scores()
        turns.append(ChronicleTurn(game.round(state), entry.seat, events, scores))
    outcome = game.outcome(state)
    assert outcome is not None

    lines = chronicle(text, turns, outcome, DAYS)

    assert 5 <= len(lines) <= MAX_LINES
    assert lines[-1].startswith("🏆")
    assert max(turns[-1].scores) > 0
    alt = points_alt(text, turns)
    assert text.scored in alt
    assert all(f"{name}: " in alt for name in recorded.seats)

    text = TITLES.texts[title](pseudo, called(*recorded.seats))
    foreign = [*chronicle(text, turns, outcome, DAYS), points_alt(text, turns)]
    proper = "|".join(map(re.escape, (*recorded.seats, *CITY_NAMES)))
    assert not re.search("[A-Za-z]{2}", re.sub(proper, "", " ".join(foreign)))


def test_no_player_takes_the_lead_twice_in_a_row() -> None:
    turns = [ChronicleTurn(0, -1, (), (0, 0))]
    for number in range(1, 40):
        seat = number % 2
        scores = (number, number - 1) if seat else (number - 1, number)
        events = (built(seat, 9),) if number % 5 == 0 else ()
        turns.append(ChronicleTurn(number, seat, events, scores))

    lines = story(turns, scores=(39, 38), winners=(0,))

    led = [line.split("**")[-2] for line in lines[1:-1] if "takes the lead with" in line]
    assert led
    assert all(one != other for one, other in pairwise(led))


@pytest.mark.parametrize("locale", ["en", "it"])
def test_turning_points_are_the_weightiest_lines_of_the_story_in_plain_text(locale: str) -> None:
    text = TITLES.texts["kogge"](words_for(locale), NAMES)
    turns = [ChronicleTurn(0, -1, (), (0, 0)), ChronicleTurn(1, 0, (raid(0, 4),), (2, 0))]
    turns += [ChronicleTurn(n, n % 2, (raid(n % 2, n),), (2, 0)) for n in range(2, 9)]
    turns += [ChronicleTurn(9, 1, (built(1, 5),), (2, 7)), ChronicleTurn(9, 0, (), (2, 7))]
    outcome = Outcome("development", (1,), (2, 7))
    points = turning_points(text, turns, outcome)
    told = re.sub(r"\*\*|[🪨🦊] ", "", " ".join(chronicle(text, turns, outcome, DAYS)))
    assert len(points) == 3
    assert points == sorted(points)
    assert all(each.content in told for each in points)
    # The last lead is the winner's.
    assert (points[-1].place, points[-1].seat) == (9, 1)
    assert points[0].seat == 0
