"""What a view becomes by purchases, for whoever plans several of them."""

from __future__ import annotations

from msgspec.structs import replace

from bot.game.contract import Seat
from bot.game.guatemala.data import COLOUR_KEYS, HUT, KINDS, SHIP
from bot.game.guatemala.placing import next_dock, price_of
from bot.game.guatemala.production import SPACE_OF_NAME
from bot.game.guatemala.view import (
    GuatemalaSeatView,
    GuatemalaView,
    PieceView,
    PlantationView,
    PortView,
)


def bought(view: GuatemalaView, seat: Seat, space: str, place: str) -> GuatemalaView:
    """The view once a seat has bought the piece of a space for a place. What plantations would
    score is as before."""
    production, at = list(view.production), SPACE_OF_NAME[space]
    piece, production[at] = production[at], None
    assert piece is not None
    after = replace(view, production=tuple(production), emptied=(*view.emptied, space))
    if not piece.colour:
        # A road costs nothing.
        return replace(after, roads=(*view.roads, place))
    owner, board = view.seats[seat], view.board
    if piece.kind == KINDS[SHIP]:
        price = next_dock(board, [port.ships for port in view.ports], board.port_of_name[place])
        after = replace(after, ports=tuple(_with_ship(port, piece, place) for port in view.ports))
    else:
        price = price_of(board, KINDS.index(piece.kind), board.cell_of_name[place])
        owner = replace(owner, plantations=_with_piece(owner, piece, place))
    owner = replace(owner, money=owner.money - (price or 0))
    return replace(after, seats=(*view.seats[:seat], owner, *view.seats[seat + 1 :]))


def _with_ship(port: PortView, ship: PieceView, place: str) -> PortView:
    return replace(port, ships=(*port.ships, ship.colour)) if port.port == place else port


def _with_piece(
    owner: GuatemalaSeatView, piece: PieceView, place: str
) -> tuple[PlantationView, ...]:
    now = owner.plantation(piece.colour)
    if piece.kind == KINDS[HUT]:
        now = replace(now, hut=place)
    else:
        now = replace(now, workers=(*now.workers, place))
    others = [each for each in owner.plantations if each.colour != piece.colour]
    return tuple(sorted([*others, now], key=lambda each: COLOUR_KEYS.index(each.colour)))
