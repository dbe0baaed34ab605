"""Burgundy in the tests of all titles' pictures."""

from __future__ import annotations

from bot.game.contract import SPECTATOR
from bot.render.asked import WHOLE
from bot.render.burgundy.close_up import DEPOTS, SIGNS, TURN
from bot.render.legend import LEGEND
from tests.render.pictured import Moment, Pictured, Question, whole

FOUR = "4-choose-fullest-hidden"
MOMENTS = {
    # A phase has begun, and one player has ended their turn.
    "middle_game": Moment(FOUR, 234, 1, news=5),
    # Three players have chosen their first castles in secret, one of them the observer.
    "castles": Moment(FOUR, 7, 1, news=3),
    "two_player_end": Moment("2-choose-fullest-hidden", 209, SPECTATOR),
    # Two players have chosen their boards.
    "choosing": Moment(FOUR, 2, 1),
}
QUESTION_PARTS = (
    ("place 6 sheep3 b1, workers 6", "1"),
    ("load 3 5, decline", TURN),
    ("take any 3 ship -, sell any 6", TURN),
    ("board 4", ""),
    ("end", None),
)


BURGUNDY = Pictured(
    name="burgundy",
    moments=MOMENTS,
    kilobytes=250,
    large={"estate": ("middle_game", "1"), "depots": ("middle_game", DEPOTS)},
    asked={
        "boards": Question(MOMENTS["choosing"], "board", ""),
        "castles": Question(MOMENTS["castles"], "castle", "1"),
        "dice": Question(MOMENTS["middle_game"], "take", TURN),
        "spaces": Question(MOMENTS["middle_game"], "place 5 k24", "1"),
        "stored": Question(MOMENTS["middle_game"], "place 5", "1"),
        "goods": Question(MOMENTS["middle_game"], "sell 5", "1"),
        "depots": Question(MOMENTS["middle_game"], "take 5", TURN),
        "loads": Question(Moment(FOUR, 126, 0), "load", TURN),
        "loaded": Question(Moment(FOUR, 126, 0), "load 2", TURN),
        "discard": Question(Moment(FOUR, 42, 3), "take 6 6 ship", "3"),
        "whole": Question(MOMENTS["middle_game"], WHOLE, TURN),
        "tiles": Question(MOMENTS["middle_game"], "take 5 3", TURN),
    },
    unlit={"spaces": ("2",)},
    question_parts=[(whole(*words.split(", ")), part) for words, part in QUESTION_PARTS],
    parts={
        "middle_game": (*"0123", DEPOTS, TURN, LEGEND),
        # The depots have no tiles yet.
        "choosing": (*"0123", LEGEND),
        # A spectator has no turn.
        "two_player_end": ("0", "1", DEPOTS, LEGEND),
    },
    signs=tuple(SIGNS),
    marked=frozenset(
        {
            *("castle_placed", "goods_placed", "mines_paid", "taken", "bought", "placed", "sold"),
            *("workers_taken", "workers_given", "silverlings_given", "moved_ahead", "loaded"),
            *("region_completed", "colour_completed", "animals_scored", "watchtower_scored"),
            "scored",
        }
    ),
)
