"""What the tests of all titles' pictures know of Burgundy."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bot.game.burgundy.view import BurgundyView
from bot.game.contract import Fact
from bot.render.asked import WHOLE
from bot.render.burgundy.close_up import DEPOTS, TURN
from bot.render.burgundy.legend import SIGNS
from bot.render.legend import LEGEND
from tests.render.burgundy.samples import SAMPLES, castles, middle_game
from tests.render.pictured import Large, Pictured, ask, whole, with_seat

WORDS = {
    "k3": "A sale pays two silverlings.",
    "k12": "Taking a tile from a numbered depot: one free step of the die.",
    "k15": "At the end three points for each kind of goods that you have sold.",
    "k23": "At the end four points for each city hall in your estate, however many they are.",
}
FACTS: dict[str, Fact] = {
    "seats": (2, 0, 1),
    "board": 4,
    "space": "d4",
    "phase": "B",
    "goods": "123",
    "depot": "4",
    "tiles": ("cow2", "mine"),
    "dice": (1, 6),
    "good": "4",
    "tile": "cow2",
    "die": "any",
    "action": "take 5 4 cow3",
    "colour": "animal",
    "item": "workers",
    "ending": "points",
}
MARKED = frozenset(
    {
        *("castle_placed", "goods_placed", "mines_paid", "taken", "bought", "placed", "sold"),
        *("workers_taken", "workers_given", "silverlings_given", "moved_ahead", "loaded"),
        *("region_completed", "colour_completed", "animals_scored", "watchtower_scored", "scored"),
    }
)
ASKED = {
    "boards": ask("choosing", "", "board board", "1 4 9", "Board 1 / Board 4 / Board 9"),
    "dice": ask("middle_game", TURN, "take die", "6", "⚅ 6"),
    "spaces": ask("middle_game", "1", "place 4 sheep3 space", "a1 b1 b2 c1 c2 d5"),
    "stored": ask("middle_game", "1", "place 4 tile", "sheep3 k23", "3 sheep / Knowledge 23"),
    "goods": ask("middle_game", "1", "sell 4 good", "1 4", "type 1 / type 4"),
    "depots": ask("middle_game", TURN, "take 4 depot", "1 2 6", "Depot 1 / Depot 2 / Depot 6"),
    "loads": ask("middle_game", TURN, "load 4 goods", "2 4", "type 2 / type 4", tagged=False),
    "whole": ask(
        "middle_game",
        TURN,
        WHOLE,
        "place 6 sheep3 b1, place 6 sheep3 c2, take 6 6 castle -, take 6 1 cow2 -, sell 6 6, "
        "workers 6, buy black k25 -, end",
        "b1 / c2 / Castle / 2 cows / type 6 / Take 2 workers / Knowledge 25 / End",
    ),
    "tiles": ask(
        "middle_game",
        TURN,
        "take 4 2 tile",
        "k20 church castle city_hall",
        "Knowledge 20 / Church / Castle / City Hall",
    ),
}
LIES = (
    (("place 6 sheep3 b1", "workers 6"), "1"),
    (("load 3 5", "decline"), TURN),
    (("take any 3 ship -", "sell any 6"), TURN),
    (("board 4",), ""),
    (("end",), None),
)


def _with_tile(view: BurgundyView, seat: int, space: int, tile: str | None) -> BurgundyView:
    estate = list(view.seats[seat].estate)
    estate[space] = tile
    found: BurgundyView = with_seat(view, seat, estate=tuple(estate))
    return found


def _changed(view: BurgundyView) -> Sequence[BurgundyView]:
    return (
        _with_tile(view, 2, 36, "warehouse"),
        _with_tile(view, 0, 3, "ship"),
        with_seat(view, 2, workers=9),
        msgspec.structs.replace(view, coming=view.coming[1:]),
    )


def _told() -> Sequence[tuple[str, str, BurgundyView]]:
    # A sealed choice is shown to whom it belongs.
    return (("castles", "", msgspec.structs.replace(castles()[0], chosen=None)),)


BURGUNDY = Pictured(
    name="burgundy",
    samples=SAMPLES,
    kilobytes=250,
    large={
        "estate": Large("middle_game", "1"),
        "depots": Large("middle_game", DEPOTS),
    },
    asked=ASKED,
    unlit={"spaces": ("2",)},
    lies=[(middle_game(), whole(*words), part) for words, part in LIES],
    parts={
        "middle_game": (*"0123", DEPOTS, TURN, LEGEND),
        # There are no tiles in the depots yet.
        "choosing": (*"0123", LEGEND),
        # A spectator has no turn.
        "two_player_end": ("0", "1", DEPOTS, LEGEND),
    },
    signs=tuple(SIGNS),
    changed=_changed,
    told=_told,
    words=WORDS,
    facts=FACTS,
    marked=MARKED,
    happened={"phase_began": ("middle_game", {"goods": ("1", "2")})},
    random=(
        (3, {"boards": "choose", "sold_goods": "hidden"}),
        (2, {"boards": "beginner", "sold_goods": "hidden"}),
        (4, {"boards": "random", "sold_goods": "hidden"}),
    ),
)
