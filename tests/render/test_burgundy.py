"""The pictures of Burgundy: places of whole actions, and tiles and boards."""

from __future__ import annotations

from functools import partial

import pytest

from bot.game.burgundy import GAME
from bot.game.burgundy.data import BOARDS, TILES
from bot.game.contract import canonical
from bot.policy.burgundy.judgement import JUDGEMENT
from bot.render import picture
from bot.render.asked import Places
from bot.render.burgundy import pieces
from bot.render.burgundy.close_up import TURN
from bot.render.burgundy.estate import estate
from bot.tables.core.record import fold
from bot.text.user_text import plain
from tests.recorded.results import read_record
from tests.render.pictured import NAMES, whole
from tests.render.pictured_burgundy import BURGUNDY


def test_every_offered_action_has_a_place_in_its_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lit: list[Places] = []
    monkeypatch.setattr(picture, "draw_asked", lambda _sheet, places, _asked: lit.append(places))
    shown = set()
    for number, (_, state) in enumerate(fold(GAME, read_record(GAME, "2-board-1"))):
        for decision in GAME.pending(state) if number % 19 == 0 else ():
            view = GAME.view(state, decision.seat)
            lines = [
                canonical(each)
                for each in JUDGEMENT.menu(
                    view, decision, partial(GAME.legal, state, decision.seat)
                )
                # These have no place or piece.
                if not {"end", "decline"} & {each[0]} and each[:2] != ("workers", "any")
            ]
            asked = whole(*lines)
            if part := BURGUNDY.title.pictures.part_asked(view, asked):
                BURGUNDY.draw((view, plain(NAMES[:2]), ()), part, asked)
                places = lit.pop()
                assert [line for line in lines if not places[line]] == []
                shown.add(part)
    assert TURN in shown
    assert shown & {"0", "1"}


def test_all_tiles_and_boards_look_different() -> None:
    tiles = {pieces.tile(tile, 40).image.tobytes() for tile in range(len(TILES))}
    assert len(tiles) == len(TILES)
    estates = {estate(number, 40, False).image.tobytes() for number in (0, *BOARDS)}
    assert len(estates) == len(BOARDS) + 1
