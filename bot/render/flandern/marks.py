"""What has just happened, gathered from events: what the pictures mark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.game.contract import Event, Seat
from bot.game.flandern import building, cards, scoring


@dataclass(frozen=True)
class FlandernMarks:
    """Things to mark: `places` where something was built, completed, put or covered, cities that
    were `scored`, the points that guilds got and seats as a bonus, seats that have `laid` a card,
    and the cards that were `turned`: golden ones, or of two players those of the deck.
    """

    places: set[str] = field(default_factory=set)
    scored: set[str] = field(default_factory=set)
    points: Counter[str] = field(default_factory=Counter)
    bonus: Counter[Seat] = field(default_factory=Counter)
    laid: set[Seat] = field(default_factory=set)
    turned: list[str] = field(default_factory=list)


def gather(events: Iterable[Event]) -> FlandernMarks:
    """The marks of events in the order in which they happened."""
    marks = FlandernMarks()
    for event in events:
        match event:
            case (
                building.QuarterBuilt()
                | building.SitePut()
                | building.QuarterCompleted()
                | building.CathedralPut()
                | building.LeaderPut()
            ):
                marks.places.add(event.place)
            case scoring.PlotsCovered():
                marks.places.update(event.places)
            case scoring.CityScored():
                marks.scored.add(event.city)
            case scoring.GuildScored():
                marks.points[event.guild] += event.points
            case scoring.BonusScored():
                marks.bonus[event.seat] += event.points
            case cards.CardRevealed() | cards.CardPlayed():
                marks.laid.add(event.seat)
            case cards.GoldenRevealed() | cards.CardDrawn():
                marks.turned.append(event.card)
    return marks
