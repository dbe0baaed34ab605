"""Guatemala Café in the tests of all titles' pictures."""

from __future__ import annotations

from bot.render.asked import WHOLE, AskedWords
from bot.render.guatemala import PLANTATIONS, PRODUCTION, signs
from bot.render.legend import LEGEND
from tests.render.pictured import Moment, Pictured, Question, whole

FOUR = "4-random-99"
MOMENTS = {
    # The player has bought two pieces and may buy a third.
    "middle_game": Moment(FOUR, 150, 1, news=3),
    # White has scored, a ship has left, and a sack must be replaced.
    "harvested": Moment("3-random-99", 219, 0),
    # A player has blocked, and the other one buys instead of scoring.
    "blocked": Moment("2-printed-79", 173, 1, news=3),
    "beginning": Moment(FOUR, 0, 0),
    # Roads have filled adjacent spaces, so their marks overlap.
    "filled": Moment(FOUR, 119, 0),
    "two_player_end": Moment("2-printed-79", 204, 0),
}
QUESTION_PARTS = (
    *((AskedWords((word,), "answer", ("yes", "no")), None) for word in ("take", "block", "end")),
    (whole("move 1", "move 2", "pass"), PRODUCTION),
    (whole("place t1", "place l9"), PRODUCTION),
    (whole("refill red"), PRODUCTION),
    (whole("take", "end"), PRODUCTION),
    (whole("buy 51 d2", "take", "end"), "path1"),
    (whole("buy 51 d2", "buy 51 i2", "end"), PLANTATIONS),
    (whole("buy 51 d2 + buy 54 c2 + end", "end"), "path1"),
    (whole("end"), None),
)


GUATEMALA = Pictured(
    name="guatemala",
    moments=MOMENTS,
    kilobytes=220,
    large={"path": ("middle_game", "path4"), "half": ("blocked", "right")},
    asked={
        "positions": Question(MOMENTS["beginning"], "place", PRODUCTION),
        "steps": Question(Moment(FOUR, 152, 2), "move", PRODUCTION),
        "pieces": Question(Moment(FOUR, 150, 1), "buy", PRODUCTION),
        "cells": Question(MOMENTS["blocked"], "buy 78", "left"),
        "workers": Question(Moment(FOUR, 148, 1), "buy 94", "path4"),
        "roads": Question(Moment(FOUR, 12, 3), "buy 41", PLANTATIONS),
        "ports": Question(Moment(FOUR, 2, 1), "buy 42", PLANTATIONS),
        "regions": Question(Moment(FOUR, 2, 1), "buy 41", PLANTATIONS, grouped=True),
        "sacks": Question(MOMENTS["harvested"], "refill", PRODUCTION),
        "menu": Question(MOMENTS["blocked"], WHOLE, PLANTATIONS),
    },
    unlit={"cells": ("right",)},
    question_parts=QUESTION_PARTS,
    parts={
        "middle_game": (PLANTATIONS, "path1", "path2", "path3", "path4", PRODUCTION, LEGEND),
        "blocked": (PLANTATIONS, "left", "right", PRODUCTION, LEGEND),
    },
    signs=tuple(signs("BNREW")),
    marked=frozenset(
        {
            *("buyer_moved", "piece_bought", "roads_filled", "sack_taken", "blocked", "refilled"),
            *("buyer_placed", "refilled_blindly", "harvested", "ship_left"),
        }
    ),
)
