"""Pictures of any game.

A game draws its table and the close-ups of its parts. Highlighting choices, the result and the
file format are shared by all games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from bot.game.contract import Event, Outcome, Seat
from bot.game.game import AnyGame
from bot.game.hidden import View
from bot.game.sides import Looks, Sides, looks_of, one_each
from bot.render import tiles
from bot.render.asked import AskedWords, LayeredCanvas, Places, draw_asked
from bot.render.fonts import Face, Say, fit, fit_name, width
from bot.render.palettes import Recolouring
from bot.render.sides import TONES, crown, seat_names, stamp_emblems
from bot.render.signs import Signs
from bot.render.sprites import Canvas
from bot.render.theme import Palette

V = TypeVar("V", bound=View[Any])
V_co = TypeVar("V_co", bound=View[Any], covariant=True)


class Scene(NamedTuple, Generic[V_co]):
    """The content of a picture for one observer.

    `active` has the seats to act, `order` the turn order (empty if there is none yet), `names` the
    seats' printable names, `looks` the looks of their sides, `events` the latest events. `say`
    translates a label: ``scene.say("Round")``.
    """

    view: V_co
    active: Sequence[Seat]
    order: Sequence[Seat]
    names: Sequence[str]
    looks: Looks
    events: Sequence[Event]
    say: Say


def no_parts(_view: object) -> tuple[str, ...]:
    """Return no parts, for a game without close-ups."""
    return ()


def nowhere(_view: object, _asked: AskedWords) -> None:
    """Return None, for pictures that do not highlight choices."""


@dataclass(frozen=True, kw_only=True)
class GamePictures(Generic[V]):
    """The pictures of one game.

    `table` draws a scene. At the end of a game the result covers the top bar, `bar` pixels high.

    `parts` returns the names of the parts that have close-ups: a seat's number, or a word of the
    game (``depots``). `part` draws a close-up; it also gets explanations of pieces by their word,
    and shows those of the pieces in the picture.

    `part_asked` returns the part that a question is about: '' for the whole table, None for none.
    `places` finds the question's words on a canvas.
    """

    game: AnyGame
    palette: Palette
    bar: int
    table: Callable[[Scene[V]], LayeredCanvas]
    order: Callable[[Any], Sequence[Seat]]
    """Returns the turn order in a state; empty if there is none."""
    sides: Sides = one_each
    """Returns the owners of the sides. A seat may have several sides, or none that is known."""
    parts: Callable[[V], tuple[str, ...]] = no_parts
    part: Callable[[Scene[V], str, Mapping[str, str]], LayeredCanvas] | None = None
    part_asked: Callable[[V, AskedWords], str | None] = nowhere
    places: Callable[[V, AskedWords, LayeredCanvas], Places] | None = None
    signs: Signs = field(default_factory=dict)
    """The signs of the pieces in texts. Names begin with that of the game."""

    def __post_init__(self) -> None:
        if (self.places is None) != (self.part_asked is nowhere):
            raise ValueError("`places` and `part_asked` belong together")

    @cached_property
    def colours(self) -> Recolouring:
        return Recolouring(self.palette, self.game.name)

    def draw(
        self,
        view: V,
        names: Sequence[str],
        events: Sequence[Event] = (),
        asked: AskedWords | None = None,
        say: Say = str,
    ) -> bytes:
        """Return the PNG of the table as the view's observer may see it.

        `names` are by seat. `events` are those that the observer received since the last picture;
        their changes are marked. Choices in `asked` are highlighted: only the observer may see that
        picture. `say` translates labels. The pixels are the same in every process. Thread-safe.
        """
        scene = self._scene(view, names, events, say)
        canvas = self.table(scene)
        if asked is not None:
            self._highlight(canvas, view, asked)
        outcome = self.game.outcome(view.known)
        if outcome is not None:
            _draw_ending(canvas, scene, outcome, self.bar)
        return tiles.encode(canvas, self.palette)

    def draw_part(
        self,
        view: V,
        names: Sequence[str],
        events: Sequence[Event],
        part: str,
        words: Mapping[str, str],
        asked: AskedWords | None = None,
        say: Say = str,
    ) -> bytes:
        """Return the PNG of a close-up; otherwise like `draw`.

        Choices are highlighted if they are in this part. Raise ValueError for an unknown part.
        """
        if part not in self.parts(view) or self.part is None:
            raise ValueError(f"there is no part {part!r} of the table, only {self.parts(view)}")
        canvas = self.part(self._scene(view, names, events, say), part, words)
        if asked is not None and part == self.part_asked(view, asked):
            self._highlight(canvas, view, asked)
        return tiles.encode(canvas, self.palette)

    def _highlight(self, canvas: LayeredCanvas, view: V, asked: AskedWords) -> None:
        if self.places is not None:
            draw_asked(canvas, self.places(view, asked, canvas), asked)

    def _scene(self, view: V, names: Sequence[str], events: Sequence[Event], say: Say) -> Scene[V]:
        seats = len(view.known.players)
        decisions = self.game.pending(view.known)
        looks = looks_of(self.sides(view, seats), seats)
        return Scene(
            view=view,
            active=sorted({each.seat for each in decisions if not each.optional}),
            order=self.order(view.known),
            names=seat_names(names, say("Player"), looks),
            looks=looks,
            events=events,
            say=say,
        )


_PAD, _NAME, _GAP = 18, 160, 30
"""Pixels at both ends of a result, for a name if sides are unknown, and between two seats."""


def _draw_ending(canvas: Canvas, scene: Scene[View[Any]], outcome: Outcome, bar: int) -> None:
    """Draw the result in the bar: the winner on the left, the seats by rank with their points on
    the right."""
    wide, middle, size = canvas.size[0], bar // 2 - 1, round(bar * 0.56)
    names, places, end = scene.names, outcome.places, wide - _PAD
    canvas.rect((0, 0, wide, bar - 3), TONES.gold)
    canvas.rect((0, bar - 3, wide, bar), TONES.ink)
    for seat in sorted(range(len(names)), key=lambda seat: (places[seat], seat), reverse=True):
        points, place = str(outcome.scores[seat]), f"{places[seat]}."
        end = end - width(points, size)
        canvas.text(end, middle, points, TONES.ink, size)
        if looks := scene.looks[seat]:
            end -= len(looks) * (size + 4) + 6
            stamp_emblems(canvas, looks, end, middle, size)
        else:
            name = fit_name(names, seat, 30, _NAME)
            end -= width(name, 30) + 12
            canvas.text(end, middle, name, TONES.ink, 30)
        end -= width(place, 26) + 8
        canvas.text(end, middle, place, TONES.ink, 26)
        end -= _GAP
    canvas.stamp(crown(size), _PAD, middle - size // 2 - 2)
    start, winner = _PAD + size + 14, names[outcome.winners[0]]
    if len(outcome.winners) == 1:
        tail = " " + scene.say("wins")
        room = end - start - width(tail, size, Face.TITLE)
        title = fit(winner, size, room, Face.TITLE) + tail
    else:
        title = fit(scene.say("Shared victory"), size, end - start, Face.TITLE)
    canvas.text(start, middle, title, TONES.ink, size, Face.TITLE)
