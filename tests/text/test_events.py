"""Summaries of turns."""

from __future__ import annotations

from bot.game.contract import Event
from bot.game.events import SeatEvent
from bot.text.contract import Summary, SummaryLine
from bot.text.flandern.table import NAMES
from bot.text.formatter import SHORT, Formatter
from bot.text.game_data import ChapterWords, EventSentence
from bot.text.markup import visible
from bot.text.words import msg, words_for
from tests.text.people import called


class Sawed(SeatEvent, frozen=True):
    wood: str


class Won(SeatEvent, frozen=True):
    pass


class Sang(SeatEvent, frozen=True):
    pass


class Rained(Event, frozen=True):
    pass


class YardWords(Formatter[None]):
    things = NAMES
    sentences = ChapterWords(
        events={
            Sawed.kind: EventSentence(msg("saws {wood}")),
            Won.kind: EventSentence(msg("wins the prize of the town"), weight=9),
            Sang.kind: EventSentence(msg("sings " + "la" * SHORT)),
            Rained.kind: EventSentence(msg("It rains."), "news"),
        }
    )


def summary(*events: Event) -> list[SummaryLine]:
    return YardWords(words_for("en"), called("Anna", "Bert")).summary(events)


def sawed(seat: int, *woods: str) -> list[Event]:
    return [Sawed(seat=seat, wood=wood) for wood in woods]


def test_a_players_actions_are_one_line_until_there_is_other_news() -> None:
    assert summary(*sawed(0, "oak"), *sawed(1, "ash"), *sawed(0, "elm")) == [
        SummaryLine("**Anna** saws oak, saws elm.", shown_count=2),
        SummaryLine("**Bert** saws ash.", shown_count=1),
    ]
    lines = [line.text for line in summary(*sawed(0, "oak"), Rained(), *sawed(0, "elm"))]
    assert lines == ["**Anna** saws oak.", "It rains.", "**Anna** saws elm."]


def test_a_long_turn_is_shortened_to_the_memorable_events() -> None:
    (line,) = summary(*sawed(0, *["a very long plank of oak"] * 9), Won(seat=0))
    assert visible(line.text) <= SHORT
    assert line.text.startswith("**Anna** saws a very long plank of oak, ")
    assert line.text.endswith(", wins the prize of the town …")
    assert (line.shown_count, line.hidden_count) == (3, 7)
    # A single phrase is shown even if it is too long.
    assert summary(Sang(seat=0)) == [SummaryLine(f"**Anna** sings {'la' * SHORT}.")]


def test_a_summary_shows_the_newest_lines_and_counts_the_hidden_events() -> None:
    lines = [
        SummaryLine(f"line {number}", shown_count=2, hidden_count=number) for number in range(8)
    ]

    assert Summary(lines).lines == [f"line {number}" for number in range(2, 8)]
    assert Summary(lines).hidden_count == 2 * 2 + sum(range(8))
    assert Summary(lines[:6]).hidden_count == sum(range(6))
    assert Summary(lines[:2]).then(Summary(lines[2:3])).lines == ["line 0", "line 1", "line 2"]
