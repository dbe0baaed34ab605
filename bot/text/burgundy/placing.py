"""Placing tiles into the estate, and what they bring there (sections 5, 7.3 and 7.4)."""

from __future__ import annotations

from msgspec.structs import asdict

from bot.game.burgundy import placing as rules
from bot.game.burgundy.data import CONTENT, SPACE_OF_NAME, SPACES
from bot.game.burgundy.game import Declined, Lapsed
from bot.game.burgundy.view import EstatePlace
from bot.text.burgundy import dice, tiles
from bot.text.contract import Label, Style
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.words import msg

_POINTS_A_WEIGHT, _MOST_WEIGHT = 3, 9
_COLOUR_WEIGHT = 5
"""How much more memorable a whole colour is than its points alone."""


def _tile(asked: dice.Asked, word: str) -> Label:
    words, use, paid = asked.speech.words, dice.use_of(asked), msg("{space} ({workers})")
    places = [place for place in (use.places if use else ()) if place.tile == word]
    spots = [asked.speech.phrase(paid, asdict(p)) if p.workers else p.space for p in places]
    note = words("On {spaces}", spaces=", ".join(spots)) if spots else None
    return Label(tiles.described(words, word), tiles.sign(words, word), note)


def _space(asked: dice.Asked, word: str) -> Label:
    words, space, use = asked.speech.words, SPACES[SPACE_OF_NAME[word]], dice.use_of(asked)
    parts = [
        words("{space} · die {number}", space=word, number=space.number),
        *dice.cost(asked, word),
    ]
    spot = (asked.prefix[2], word)
    place = next((p for p in (use.places if use else ()) if (p.tile, p.space) == spot), None)
    if place is None:
        return Label(" · ".join(parts), "📍")
    text, note = completed_by(asked, place)
    style = Style.SUCCESS if note else Style.NORMAL
    return Label(" · ".join([*parts, text]), "📍", note or None, style)


def completed_by(asked: dice.Asked, place: EstatePlace) -> tuple[str, str]:
    """What a tile completes or brings on a space, and of what its points are made; '' for none."""
    speech, words, seat = asked.speech, asked.speech.words, dice.player(asked)
    parts, notes = list[int](), list[str]()
    region = next(r for r in seat.regions if place.space in r.spaces)
    rest = place.points
    done = region.empty == (place.space,)
    if done:
        size = CONTENT.region_points[len(region.spaces) - 1]
        phase, colour = region.points - size, seat.worth[SPACE_OF_NAME[place.space]] - region.points
        rest -= region.points + colour
        parts, notes = [size, phase], [words("size: {points}", points=size)]
        notes.append(words("phase: {points}", points=phase))
        if colour:
            parts.append(colour)
            notes.append(words("whole colour: {points}", points=colour))
    if rest:
        parts.append(rest)
        notes.append(words("{tile}: {points}", tile=speech.tile(place.tile), points=rest))
    points = " + ".join(map(str, parts))
    name = words(tiles.NAMES.regions[region.colour])
    if done:
        return words("{points} points, completes the {region}", region=name, points=points), (
            words("Points: {parts}", parts=", ".join(notes))
        )
    left = len(region.empty) - 1
    open_ = words("{count} left in the {region}", region=name, count=left)
    if not parts:
        return open_, ""
    return words("{points}, {region}", points=speech.counted("points", rest), region=open_), ""


def _decline(asked: dice.Asked, button: Label) -> Label:
    if asked.view.loaded is None:
        return button
    return button._replace(text=asked.speech.words("Stop loading"), description=None)


def weight(points: int, more: int = 0) -> int:
    """How memorable something is for its points, from 0 to 9."""
    return min(_MOST_WEIGHT, more + points // _POINTS_A_WEIGHT)


CHAPTER = dice.BurgundyChapter(
    chapter_words("burgundy", "placing"),
    parts={
        "place": {
            "die": dice.DIE,
            "tile": dice.part("tile", _tile),
            "space": dice.part("space", _space),
        }
    },
    buttons={"decline": _decline},
    events=(
        EventWords(rules.Placed, "turn", msg("places {tile} on {space}"))
        .when(lambda event: event.spent, msg("places {tile} on {space} ({die}, {spent})"))
        .remembered(1),
        EventWords(
            rules.RegionCompleted,
            "turn",
            msg("completes a {count}-space {region}: {points}, +{bonus} for phase {phase}"),
        )
        .when(
            lambda event: event.count == 8,
            msg("completes an {count}-space {region}: {points}, +{bonus} for phase {phase}"),
        )
        .remembered(lambda event: weight(event.points + event.bonus))
        .reason(),
        EventWords(
            rules.ColourCompleted,
            "turn",
            msg("covers all spaces for {colour}, too late for a bonus"),
        )
        .when(
            lambda event: event.points and event.rank == 1,
            msg("is first to cover all spaces for {colour}: {points}"),
        )
        .when(
            lambda event: event.points, msg("is second to cover all spaces for {colour}: {points}")
        )
        .remembered(lambda event: weight(event.points, _COLOUR_WEIGHT))
        .reason(),
        EventWords(rules.AnimalsScored, "turn", msg("scores {points} for animals"))
        .remembered(lambda event: weight(event.points))
        .reason(),
        EventWords(rules.WatchtowerScored, "turn", msg("scores {points}")),
        EventWords(rules.WorkersGiven, "turn", msg("gets {workers}")),
        EventWords(rules.SilverlingsGiven, "turn", msg("gets {silverlings}")),
        EventWords(Declined, "turn", msg("declines the effect of {tile}")).when(
            lambda event: event.tile == "ship", msg("loads from one depot only")
        ),
        EventWords(Lapsed, "turn", msg("gets nothing from {tile}")).when(
            lambda event: event.tile == "ship",
            msg("finds no goods to load"),
        ),
    ),
)
