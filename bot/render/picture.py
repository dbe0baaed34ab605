"""The frame of every game's pictures: what they are drawn from, and what is drawn over them.

A game draws its table and the parts of it that have close-ups; what is asked, the result and the
file are the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar

from bot.game.contract import Event, Observer, Outcome, Seat
from bot.game.sides import Looks, Sides, looks_of, one_each
from bot.render import tiles
from bot.render.asked import AskedWords, Places, Sheet, draw_asked
from bot.render.contract import PartAsked
from bot.render.ending import draw_ending
from bot.render.layout import Labels, Say, said
from bot.render.sides import seat_names
from bot.render.theme import Palette


class TableView(Protocol):
    """What the views of all games have in common."""

    @property
    def observer(self) -> Observer:
        """The seat that it was made for, or `SPECTATOR`."""
        ...

    @property
    def seats(self) -> Sequence[object]:
        """What is known of each seat."""
        ...

    @property
    def active(self) -> Sequence[Seat]:
        """Whom everybody waits for."""
        ...

    @property
    def order(self) -> Sequence[Seat]:
        """The order of play; empty where there is none yet."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended."""
        ...


V = TypeVar("V", bound=TableView)
V_co = TypeVar("V_co", bound=TableView, covariant=True)


class Scene(NamedTuple, Generic[V_co]):
    """What a picture shows, all of it for one observer: a view, names of the seats that can be
    drawn, the looks of their sides, what has just happened, and what puts a label into their
    language: ``scene.say("Round")``.
    """

    view: V_co
    names: Sequence[str]
    looks: Looks
    events: Sequence[Event]
    say: Say
    labels: Labels


@dataclass(frozen=True)
class GamePictures(Generic[V]):
    """The pictures of one game.

    `table` draws a scene, and `part` one of its `parts`, large; the latter is also given what each
    piece does, in a sentence by its word, and explains those it shows. `places` finds the words of
    a question on either. At the end of a game its result stands in the bar, `bar` pixels high.
    """

    palette: Palette
    bar: int
    table: Callable[[Scene[V]], Sheet]
    part: Callable[[Scene[V], str, Mapping[str, str]], Sheet]
    parts: Callable[[V], tuple[str, ...]]
    part_asked: PartAsked
    places: Callable[[V, AskedWords, Sheet], Places]
    sides: Sides = one_each
    labels: Labels = field(default_factory=dict)
    """By what they are for; going."""

    def draw(
        self,
        view: V,
        names: Sequence[str],
        events: Sequence[Event] = (),
        asked: AskedWords | None = None,
        say: Say = str,
    ) -> bytes:
        """The PNG of the table as the view's observer may know it.

        `names` are those of the seats, in seat order. `events` are what this observer has heard
        since the last picture; what they changed is marked. What is `asked` of the observer is
        highlighted; nobody else may see it. `say` puts the labels into a language. The same input
        gives the same `png.contents` in every process. May be called from several threads at once.
        """
        scene = self._scene(view, names, events, say)
        sheet = self.table(scene)
        if asked is not None:
            draw_asked(sheet, self.places(view, asked, sheet), asked)
        if view.outcome is not None:
            draw_ending(sheet, view.outcome, scene.names, scene.say, self.bar, scene.looks)
        return self._encoded(sheet)

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
        """The PNG of one of the parts, large; otherwise as `draw`.

        What is asked is highlighted if it lies in this part. Raises ValueError for an unknown one.
        """
        if part not in self.parts(view):
            raise ValueError(f"there is no part {part!r} of the table, only {self.parts(view)}")
        sheet = self.part(self._scene(view, names, events, say), part, words)
        if asked is not None and part == self.part_asked(view, asked):
            draw_asked(sheet, self.places(view, asked, sheet), asked)
        return self._encoded(sheet)

    def _scene(self, view: V, names: Sequence[str], events: Sequence[Event], say: Say) -> Scene[V]:
        seats = len(view.seats)
        looks = looks_of(self.sides(view, seats), seats)
        drawn = seat_names(names, say("Player"), looks)
        return Scene(view, drawn, looks, events, say, said(self.labels, say))

    def _encoded(self, sheet: Sheet) -> bytes:
        return tiles.encode(sheet, self.palette)
