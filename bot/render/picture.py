"""The frame of every game's pictures: what they are drawn from, and what is drawn over them.

A game draws its table and the parts of it that have close-ups; what is asked, the result and the
file are the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from bot.game.contract import AnyGame, Event, Observer, Outcome, Seat
from bot.game.sides import Looks, Sides, looks_of, one_each
from bot.render import tiles
from bot.render.asked import AskedWords, Places, Sheet, draw_asked
from bot.render.contract import PartAsked
from bot.render.ending import draw_ending
from bot.render.layout import Labels, Say, said
from bot.render.sides import seat_names
from bot.render.theme import Palette


class SeenTable(Protocol):
    """What the views of all games have in common."""

    @property
    def observer(self) -> Observer:
        """The seat that it was made for, or `SPECTATOR`."""
        ...


V = TypeVar("V", bound=SeenTable)
V_co = TypeVar("V_co", bound=SeenTable, covariant=True)


class Scene(NamedTuple, Generic[V_co]):
    """What a picture shows, all of it for one observer: a view, whom everybody waits for, the order
    of play (empty where there is none yet), names of the seats that can be drawn, the looks of
    their sides, what has just happened, and what puts a label into their language:
    ``scene.say("Round")``.
    """

    view: V_co
    active: Sequence[Seat]
    order: Sequence[Seat]
    names: Sequence[str]
    looks: Looks
    events: Sequence[Event]
    say: Say
    labels: Labels
    """Going."""


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
    game: AnyGame | None = None
    """Whose views are states; None for one whose views have active, order, outcome and seats."""
    order: Callable[[Any], Sequence[Seat]] = lambda _known: ()
    """The order of play in a state, as far as there is one."""
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
        scene, outcome = self._scene(view, names, events, say)
        sheet = self.table(scene)
        if asked is not None:
            draw_asked(sheet, self.places(view, asked, sheet), asked)
        if outcome is not None:
            draw_ending(sheet, outcome, scene.names, say, self.bar, scene.looks)
        return tiles.encode(sheet, self.palette)

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
        scene, _ = self._scene(view, names, events, say)
        sheet = self.part(scene, part, words)
        if asked is not None and part == self.part_asked(view, asked):
            draw_asked(sheet, self.places(view, asked, sheet), asked)
        return tiles.encode(sheet, self.palette)

    def _scene(
        self, view: Any, names: Sequence[str], events: Sequence[Event], say: Say
    ) -> tuple[Scene[V], Outcome | None]:
        if self.game is None:
            seats, active, order = len(view.seats), view.active, view.order
            outcome = view.outcome
        else:
            seats, order = len(view.known.players), self.order(view.known)
            outcome = self.game.outcome(view.known)
            asked = self.game.pending(view.known)
            active = sorted(each.seat for each in asked if not each.optional)
        looks = looks_of(self.sides(view, seats), seats)
        drawn = seat_names(names, say("Player"), looks)
        return Scene(
            view, active, order, drawn, looks, events, say, said(self.labels, say)
        ), outcome
