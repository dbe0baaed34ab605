"""Marked fields of a state are hidden from the right observers."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest

from bot.game.contract import SPECTATOR
from bot.game.hidden import (
    UNSEEN,
    Field,
    Hide,
    Hiding,
    Public,
    PublicStruct,
    face_down,
    no_one,
    total,
)


class Hand(msgspec.Struct):
    counts: Annotated[list[int], Hide(total)]


class Player(msgspec.Struct):
    money: Public[int]
    card: Annotated[int, Hide(face_down)]
    hand: Public[Hand]


class Answers(msgspec.Struct, tag="answers"):
    chosen: Annotated[list[int], Hide(face_down, by_seat=True)]


class Board(PublicStruct, tag="board"):
    pieces: list[int]


def is_over(field: Field) -> bool:
    return bool(field.state.over)


class State(msgspec.Struct):
    players: Public[list[Player]]
    parts: Public[list[Answers | Board]]
    deck: Annotated[list[int], Hide(total, no_one)]
    ending: Annotated[str, Hide(lambda _: "?", is_over)]
    over: Public[bool] = False


def make_state() -> State:
    players = [Player(5, 3, Hand([1, 2])), Player(6, -1, Hand([4, 0]))]
    return State(players, [Answers([7, 4, -1]), Board([1])], [2, 2], "fire")


def seen_by(observer: int, state: State) -> State:
    Hiding(State).blank(state, observer)
    return state


def test_a_player_sees_their_own_pieces_and_only_counts_of_others() -> None:
    seen = seen_by(0, make_state())
    assert seen.players == [Player(5, 3, Hand([1, 2])), Player(6, -1, Hand([4]))]
    assert seen.parts == [Answers([7, UNSEEN, -1]), Board([1])]
    assert seen.deck == [4]


def test_a_spectator_sees_only_public_fields() -> None:
    seen = seen_by(SPECTATOR, make_state())
    assert seen.players == [Player(5, UNSEEN, Hand([3])), Player(6, -1, Hand([4]))]
    assert seen.parts == [Answers([UNSEEN, UNSEEN, -1]), Board([1])]


def test_a_function_decides_whether_a_field_is_hidden() -> None:
    assert seen_by(1, make_state()).ending == "?"
    over = make_state()
    over.over = True
    assert seen_by(1, over).ending == "fire"


def test_a_field_without_a_mark_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Board\.pieces must be marked"):
        Hiding(msgspec.defstruct("Board", [("pieces", list[int])]))


def test_a_field_of_an_unsupported_type_is_refused() -> None:
    kind = msgspec.defstruct("Odd", [("pieces", Public[dict[str, int]])])
    with pytest.raises(TypeError, match="may not hold"):
        Hiding(kind)
