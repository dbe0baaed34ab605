"""What happened, in words: a template for each kind of event (see `bot.text.telling`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.game.contract import Event, Fact, parse_action
from bot.text.burgundy.actions import step_text
from bot.text.burgundy.names import SCORE_LINES
from bot.text.burgundy.speech import ANY, Speech
from bot.text.telling import Frame, Line, Teller, Template, template
from bot.text.words import Forms, Message, forms, msg

_FRAMES = {
    "turn": Frame(msg("{seat} {what}."), by_seat=True),
    "final": Frame(msg("At the end {seat} scores {what}."), by_seat=True),
    "castles": Frame(msg("🏰 Castles: {what}.")),
    "round": Frame(msg("🎲 {what}."), joint=" · "),
    "mines": Frame(msg("⛏️ Mines: {what}.")),
    "news": Frame(msg("{what}"), alone=True),
}

_QUIET = ("turn_ended", "depot_filled")
"""Kinds that go without saying: what follows them, or the table itself, tells as much."""
_NOTHING = {"scored": "points", "depots_cleared": "count"}
"""Kinds that are not worth a word where this fact is 0."""


def _turn(*lines: Line | Message | Forms) -> Template:
    return template("turn", *lines)


def _news(*lines: Line | Message | Forms) -> Template:
    return template("news", *lines)


TEMPLATES: Mapping[str, Template] = {
    # Set-up
    "board_chosen": _turn(msg("takes board {board}")),
    "castle_chosen": _news(msg("Your castle will stand on {space}. Nobody else knows it yet.")),
    "castle_placed": template("castles", msg("{seat} {space}")),
    # Phases and rounds
    "phase_began": _news(
        msg("📦 Phase {phase} begins, and the depots are filled. Goods to come: {goods}.")
    ),
    "depot_filled": _news(msg("New in {depot}: {tiles}.")),
    "round_began": template("round", msg("Round {phase}{round}")),
    "rolled": template("round", msg("{seat} {dice}")),
    "goods_placed": template("round", msg("goods of {good} to {depot}")),
    "mines_paid": template(
        "mines",
        Line(msg("{seat} {silverlings} and {workers}"), "workers"),
        msg("{seat} {silverlings}"),
    ),
    "depots_cleared": _news(
        forms(
            "{count} tile that nobody took leaves the game.",
            "{count} tiles that nobody took leave the game.",
        )
    ),
    # Actions
    "taken": _turn(
        Line(msg("takes {tile} from {depot}"), "die", ANY),
        Line(msg("takes {tile} from {depot} ({die}, {spent})"), "spent"),
        msg("takes {tile} from {depot} ({die})"),
    ),
    "bought": _turn(msg("buys {tile} from {depot} for {price}")),
    "discarded": _turn(msg("discards {tile}")),
    "placed": _turn(
        Line(msg("places {tile} on {space}"), "die", ANY),
        Line(msg("places {tile} on {space} ({die}, {spent})"), "spent"),
        msg("places {tile} on {space} ({die})"),
    ),
    "sold": _turn(
        Line(msg("sells {count} of {good} for {points}, {silverlings} and {workers}"), "workers"),
        msg("sells {count} of {good} for {points} and {silverlings}"),
    ),
    "workers_taken": _turn(
        Line(msg("takes {workers}"), "die", ANY),
        Line(msg("takes {workers} and {silverlings} ({die})"), "silverlings"),
        msg("takes {workers} ({die})"),
    ),
    "turn_ended": _turn(msg("ends the turn")),
    # What placing a tile brings
    "region_completed": _turn(
        forms(
            "completes a {region} of {count} space: {points}, and {bonus} for the phase",
            "completes a {region} of {count} spaces: {points}, and {bonus} for the phase",
        )
    ),
    "colour_completed": _turn(
        Line(msg("has covered all spaces for {colour}, in place {rank}: {points}"), "points"),
        msg("has covered all spaces for {colour}, too late for a bonus"),
    ),
    "animals_scored": _turn(msg("scores {points} for the animals")),
    "watchtower_scored": _turn(msg("scores {points}")),
    "workers_given": _turn(msg("gets {workers}")),
    "silverlings_given": _turn(msg("gets {silverlings}")),
    "moved_ahead": _turn(msg("moves ahead to place {count} of the turn track")),
    "loaded": _turn(
        Line(msg("loads {goods} from {depot}"), "goods"), msg("loads nothing from {depot}")
    ),
    "declined": _turn(
        Line(msg("loads from one depot only"), "tile", "ship"),
        msg("declines the effect of {tile}"),
    ),
    "lapsed": _turn(
        Line(msg("loads nothing, for no depot has goods that fit"), "tile", "ship"),
        msg("can make no use of {tile}"),
    ),
    # The end
    "scored": template("final", msg("{points} ({item})")),
    "game_ended": _news(msg("🏆 The game has ended. {ending}")),
}


class _Telling(Speech):
    """Speech for events, which may tell of whole actions and of rows of the score."""

    def fact(self, name: str, value: Fact) -> str:
        """One fact in words."""
        match name, value:
            case "action", str():
                return step_text(self, parse_action(value))
            case "item", str() if value in SCORE_LINES:
                return self.words(SCORE_LINES[value])
        return super().fact(name, value)


def _quiet(event: Event) -> bool:
    return event.kind in _QUIET or (
        event.kind in _NOTHING and not event.facts.get(_NOTHING[event.kind])
    )


_TELLER = Teller(_FRAMES, TEMPLATES, _quiet)


_REMEMBERED = {"region_completed": 0, "colour_completed": 5, "animals_scored": 0, "sold": 0}
"""What is remembered when the game is over, and how much more than for its points."""
_POINTS_A_WEIGHT = 3
_MOST_WEIGHT = 9


def weight(event: Event) -> int:
    """How well an event is remembered, from 0 (not at all) to 9: by the points it brought."""
    if event.kind not in _REMEMBERED:
        return 0
    brought = (event.facts.get(name) for name in ("points", "bonus"))
    points = sum(count for count in brought if isinstance(count, int))
    return min(_MOST_WEIGHT, _REMEMBERED[event.kind] + points // _POINTS_A_WEIGHT)


def event_line(speech: Speech, event: Event) -> str | None:
    """One event as a line; None where it is not worth one."""
    return _TELLER.line(_telling(speech), event)


def story(speech: Speech, events: Sequence[Event]) -> list[str]:
    """The events as lines; neighbours that belong together share one."""
    return _TELLER.story(_telling(speech), events)


def _telling(speech: Speech) -> _Telling:
    return _Telling(speech.words, speech.names, speech.rich)
