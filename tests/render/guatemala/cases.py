"""What the tests of all titles' pictures know of Guatemala Café."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bot.game.contract import Fact
from bot.game.guatemala.view import GuatemalaView, PortView
from bot.render.asked import WHOLE, AskedWords
from bot.render.guatemala.close_up import PLANTATIONS, PRODUCTION
from bot.render.guatemala.legend import SIGNS
from bot.render.legend import LEGEND
from tests.render.guatemala.samples import SAMPLES, blocked, middle_game
from tests.render.pictured import Large, Pictured, ask, whole, with_seat

FACTS: dict[str, Fact] = {
    "position": "t4",
    "piece": "worker",
    "colour": "white",
    "space": "47",
    "place": "m4",
    "spaces": ("11", "12"),
    "at": 70,
    "port": "port2",
    "answer": "block",
    "ending": "met",
}
MARKED = frozenset(
    {
        *("buyer_moved", "piece_bought", "roads_filled", "sack_taken", "blocked", "refilled"),
        *("refilled_blindly", "harvested", "ship_left"),
    }
)
BOTH = "buy 94 k2 + buy 34 b4 + end"
ASKED = {
    "positions": ask("beginning", PRODUCTION, "place position", "t1 t2 r9 b5 l1"),
    "steps": ask("middle_game", PRODUCTION, "move steps", "1 2 3 4", "1 / 2 / 3 / 4 · −2"),
    "pieces": ask("middle_game", PRODUCTION, "buy piece", "51 54 58 59"),
    "cells": ask("blocked", "left", "buy 44 place", "d3 c1 c3 b2 b1"),
    "huts": ask("middle_game", "path1", "buy 58 place", "a5 d8 a2"),
    "roads": ask("blocked", "right", "buy 24 place", "h1-i1 h1-h2 j5-j6"),
    "ports": ask(
        "middle_game", PLANTATIONS, "buy 56 place", "port1 port2 port4", "Port 1 / Port 2 / Port 4"
    ),
    "regions": ask(
        "middle_game",
        PLANTATIONS,
        "buy 54 place",
        "e1 f1 g1 e4 j9 k9 o7",
        "Path 2, coast / Path 2, coast / Path 2, coast / Path 2, middle / Path 3, mountains / "
        "Path 3, mountains / Path 4, mountains",
    ),
    "sacks": ask(
        "harvested", PRODUCTION, "refill colour", "black red white", "Black / Red / White"
    ),
    "menu": ask(
        "blocked",
        PLANTATIONS,
        WHOLE,
        "buy 94 k2 + buy 34 b4 + end, buy 14 c3, buy 14 b2, buy 54 port1, buy 24 h1-i1, end",
        "Buy brown hut k2, beige worker b4 / c3 / b2 / Port 1 / h1-i1 / End your turn",
        views={BOTH: [blocked()[0]] * 2},
    ),
}
LIES = (
    *((AskedWords((word,), "answer", ("yes", "no")), None) for word in ("take", "block", "end")),
    (AskedWords(("pass",), "answer", ("yes", "no")), None),
    (whole("move 1", "move 2", "pass"), PRODUCTION),
    (whole("place t1", "place l9"), PRODUCTION),
    (whole("refill red"), PRODUCTION),
    (whole("take", "end"), PRODUCTION),
    (whole("buy 51 d2", "take", "end"), "path1"),
    (whole("buy 51 d2", "buy 51 i2", "end"), PLANTATIONS),
    (whole("buy 51 d2 + buy 54 c2 + end", "end"), "path1"),
    (whole("block no", "block yes"), None),
    (whole("end"), None),
)


def _changed(view: GuatemalaView) -> Sequence[GuatemalaView]:
    first, *others = view.seats[0].plantations
    brown = msgspec.structs.replace(first, colour="brown")
    ports = (PortView("port1", ("white",), is_open=True), *view.ports[1:])
    return (
        with_seat(view, 2, money=9),
        with_seat(view, 2, score=18),
        with_seat(view, 3, plantations=view.seats[3].plantations[:1]),
        with_seat(view, 0, plantations=(brown, *others)),
        msgspec.structs.replace(view, roads=view.roads[:-1]),
        msgspec.structs.replace(view, track=(*view.track, "red")),
        msgspec.structs.replace(view, stock=7),
        msgspec.structs.replace(view, ports=ports),
    )


def _told() -> Sequence[tuple[str, str, GuatemalaView]]:
    view = middle_game()[0]
    # Sacks in a hand are shown to whom they belong.
    return (("middle_game", "", with_seat(view, 1, hand=(0, 2, 1, 1, 0))),)


GUATEMALA = Pictured(
    name="guatemala",
    samples=SAMPLES,
    kilobytes=220,
    large={"path3": Large("middle_game", "path3"), "right": Large("blocked", "right")},
    asked=ASKED,
    unlit={"cells": ("right",)},
    lies=[(middle_game(), asked, part) for asked, part in LIES],
    parts={
        "middle_game": (PLANTATIONS, "path1", "path2", "path3", "path4", PRODUCTION, LEGEND),
        "blocked": (PLANTATIONS, "left", "right", PRODUCTION, LEGEND),
    },
    signs=tuple(SIGNS),
    changed=_changed,
    told=_told,
    facts=FACTS,
    marked=MARKED,
    random=(
        (4, {"setup": "random", "track": "99"}),
        (2, {"setup": "printed", "track": "79"}),
    ),
)
