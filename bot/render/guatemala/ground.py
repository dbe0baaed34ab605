"""Where things lie on a plantation board: cells, corners, roads, docks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bot.game.guatemala.plantation import PlantationBoard, Road
from bot.render.asked import Place, rectangle
from bot.render.guatemala.layout import PlantationPlan
from bot.render.layout import Area, Spot
from bot.render.sprites import Point

_PIER = 0.72
"""Share of the sea's height that a dock takes; the quay lies below it."""


@dataclass(frozen=True)
class Ground:
    """A plantation board on a picture, or as many of its columns as the plan has, from `first`."""

    board: PlantationBoard
    plan: PlantationPlan
    first: int = 0

    @cached_property
    def columns(self) -> range:
        """The columns that can be seen."""
        return range(self.first, self.first + self.plan.columns)

    @cached_property
    def cells(self) -> list[int]:
        """The cells that can be seen, in reading order."""
        return [cell for cell in range(self.board.cells) if self.sees(cell)]

    def sees(self, cell: int) -> bool:
        """Whether a cell can be seen."""
        return cell % self.board.columns in self.columns

    def corner(self, column: int, row: int) -> Spot:
        """The upper left corner of the cell in this column and row of the whole board."""
        (left, top), (wide, high) = self.plan.land, self.plan.cell
        return left + (column - self.first) * wide, top + row * high

    def cell(self, cell: int) -> Area:
        """A cell."""
        return self._areas[cell]

    @cached_property
    def _areas(self) -> list[Area]:
        """Every cell of the whole board."""
        columns = self.board.columns
        return [
            (*self.corner(column, row), *self.corner(column + 1, row + 1))
            for row in range(self.board.cells // columns)
            for column in range(columns)
        ]

    @property
    def land(self) -> Area:
        """All cells."""
        columns = self.columns
        rows = self.board.cells // self.board.columns
        return (*self.corner(columns.start, 0), *self.corner(columns.stop, rows))

    def region(self, strip: int, zone: int) -> Area:
        """A zone of a strip, as far as it can be seen."""
        cells = [
            cell
            for cell in self.cells
            if self.board.strip_of(cell) == strip and self.board.zone_of(cell) == zone
        ]
        return (*self.cell(cells[0])[:2], *self.cell(cells[-1])[2:])

    def shows(self, road: Road) -> bool:
        """Whether a road lies on the picture, its ends included."""
        (x, _), (end, _) = road.ends
        return self.first <= x and end <= self.columns.stop

    def road(self, road: Road) -> tuple[Spot, Spot]:
        """The ends of a road."""
        return self.corner(*road.ends[0]), self.corner(*road.ends[1])

    @cached_property
    def ports(self) -> list[int]:
        """The ports whose corner can be seen."""
        columns = self.columns
        return [
            number
            for number, port in enumerate(self.board.ports)
            if columns.start < port.corner[0] < columns.stop
        ]

    def dock(self, port: int, dock: int) -> Point:
        """The middle of the water in a dock."""
        kind = self.board.ports[port]
        x, y = self.corner(*kind.corner)
        shift = dock - (len(kind.prices) - 1) / 2
        return x + shift * self.plan.dock, y - self.plan.sea * (1 - _PIER / 2) + 2

    @property
    def berth(self) -> int:
        """The size of a ship in a dock."""
        return round(min(self.plan.dock * 0.86, self.plan.sea * _PIER))

    def port(self, port: int) -> Area:
        """A port, all of its docks."""
        left, _ = self.dock(port, 0)
        right, _ = self.dock(port, len(self.board.ports[port].prices) - 1)
        _, coast = self.corner(*self.board.ports[port].corner)
        half = self.plan.dock / 2
        return round(left - half), coast - self.plan.sea + 4, round(right + half), coast - 4


def middled(area: Area) -> Place:
    """A place with nothing on it that its tag could hide."""
    left, top, right, bottom = area
    return rectangle(area)._replace(tag=((left + right) / 2, (top + bottom) / 2))
