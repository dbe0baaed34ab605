"""The rules of placing and scoring once more, slowly and from the fact sheet alone.

It reads what everybody can see, a view, and knows nothing of the engine: cells are columns and
rows, corners are points between them. The engine is held against it in random games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.game.guatemala.view import GuatemalaView, PieceView

Cell = tuple[int, int]
"""Column and row, from 0."""
Corner = tuple[int, int]
"""The upper left corner of the cell with the same numbers."""

ROWS = 9
WORKER_PRICE = {0: 3, 1: 2, 2: 1}
HUT_PRICE = {0: 6, 1: 4, 2: 2}
LETTERS = "abcdefghijklmnop"


class Rulebook:
    """A board for so many players, as sections 3.2 and 3.3 describe it."""

    def __init__(self, players: int) -> None:
        self.columns = 12 if players == 2 else 16
        self.cells = [(x, y) for y in range(ROWS) for x in range(self.columns)]
        if players == 2:
            huts = [(x, y) for y in (1, 4, 7) for x in (1, 4, 7, 10)]
            self.ports = {"port1": (6, 0)}
            self.docks = [1, 2, 3, 4, 5, 6]
        else:
            huts = [(4 * k + side, y) for y in (1, 4, 7) for k in range(4) for side in (0, 3)]
            self.ports = {f"port{k + 1}": (4 * k + 2, 0) for k in range(4)}
            self.docks = [2, 4, 6]
        self.workers = [cell for cell in self.cells if cell not in huts]
        if players == 3:
            huts = [(x, y) for x, y in huts if x > 3]
            del self.ports["port1"]
        self.huts = huts
        self.roads = list(self._roads(players))

    def _roads(self, players: int) -> Iterator[str]:
        for x, y in self.cells:
            for other in ((x + 1, y), (x, y + 1)):
                if other in self.cells and (players == 2 or self._printed(players, (x, y), other)):
                    yield f"{name(x, y)}-{name(*other)}"

    def _printed(self, players: int, cell: Cell, other: Cell) -> bool:
        """The main line of a path lies between its second and third columns, the branches below
        rows 0, 3 and 6 of both."""
        (x, y), path = cell, cell[0] // 4
        if players == 3 and path == 0:
            return False
        if other == (x + 1, y):
            return x % 4 == 1 and y < 7
        return x % 4 in (1, 2) and y in (0, 3, 6)

    # Section 5: placing

    def buys(self, view: GuatemalaView, line: list[str]) -> set[tuple[str, str]]:
        """All pieces of the line, by their spaces, with the places where the seat on turn may put
        them."""
        found: set[tuple[str, str]] = set()
        if len(view.emptied) == 3:
            return found
        for space in line:
            piece = view.production[9 * (int(space[0]) - 1) + int(space[1]) - 1]
            if piece is not None:
                found |= {(space, place) for place in self._places(view, piece)}
        return found

    def _places(self, view: GuatemalaView, piece: PieceView) -> Iterator[str]:
        seat = view.seats[view.turn]
        if piece.kind == "road":
            yield from (road for road in self.roads if road not in view.roads)
        elif piece.kind == "ship":
            for port in view.ports:
                free = self.docks[len(port.ships) :]
                if port.port in self.ports and free and free[0] <= seat.money:
                    yield port.port
        elif piece.kind in ("worker", "hut"):
            yield from self._cells(view, piece)

    def _cells(self, view: GuatemalaView, piece: PieceView) -> Iterator[str]:
        owned: dict[int, set[Cell]] = {}
        occupied = set()
        for owner, other in enumerate(view.seats):
            for plantation in other.plantations:
                cells = {read(cell) for cell in plantation.workers}
                if plantation.hut is not None:
                    if (owner, plantation.colour, piece.kind) == (view.turn, piece.colour, "hut"):
                        return
                    cells.add(read(plantation.hut))
                occupied |= cells
                if plantation.colour == piece.colour:
                    owned[owner] = cells
        prices = HUT_PRICE if piece.kind == "hut" else WORKER_PRICE
        for cell in self.huts if piece.kind == "hut" else self.workers:
            beside = around(cell)
            own = owned.get(view.turn, set())
            others = [cells for owner, cells in owned.items() if owner != view.turn]
            if (
                cell not in occupied
                and prices[cell[1] // 3] <= view.seats[view.turn].money
                and (not own or own & beside)
                and not any(cells & beside for cells in others)
            ):
                yield name(*cell)

    # Section 6: scoring

    def harvest(self, view: GuatemalaView, colour: str) -> tuple[dict[int, int], set[str]]:
        """The points that seats would score for a sack of the colour, and the ports that then
        lose a ship of it."""
        points: dict[int, int] = {}
        helping = set()
        ships = {port.port: port.ships.count(colour) for port in view.ports}
        for seat, each in enumerate(view.seats):
            for plantation in each.plantations:
                if plantation.colour == colour and plantation.hut and plantation.workers:
                    joined = [
                        port for port in self.ports if self.joins(view.roads, port, plantation.hut)
                    ]
                    there = sum(ships[port] for port in joined)
                    points[seat] = len(plantation.workers) * (there + 1)
                    helping |= {port for port in joined if ships[port]}
        return points, helping

    def joins(self, roads: Iterable[str], port: str, hut: str) -> bool:
        """Ruling 20: one walks from the port over roads to a corner of the hut's cell."""
        x, y = read(hut)
        corners = {(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)}
        edges = [edge(road) for road in roads]
        reached, grows = {self.ports[port]}, True
        while grows:
            beyond = {end for ends in edges if reached & set(ends) for end in ends}
            grows = not beyond <= reached
            reached |= beyond
        return bool(reached & corners)


def name(column: int, row: int) -> str:
    """A cell as a word."""
    return f"{LETTERS[column]}{row + 1}"


def read(cell: str) -> Cell:
    """A cell by its word."""
    return LETTERS.index(cell[0]), int(cell[1:]) - 1


def around(cell: Cell) -> set[Cell]:
    """The cells beside one, whether they are on the board or not."""
    x, y = cell
    return {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}


def edge(road: str) -> tuple[Corner, Corner]:
    """The two ends of a road."""
    (_, _), (x, y) = (read(cell) for cell in road.split("-"))
    is_upright = read(road.split("-")[0])[1] == y
    return ((x, y), (x, y + 1)) if is_upright else ((x, y), (x + 1, y))


def line_faced(view: GuatemalaView) -> list[str]:
    """The nine spaces before the buyer: of a column or of a row."""
    assert view.buyer is not None
    side, number = view.buyer[0], view.buyer[1]
    return [f"{n}{number}" if side in "tb" else f"{number}{n}" for n in range(1, 10)]
