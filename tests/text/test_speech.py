"""Tables of points call the seats by the letters that their colours bear."""

from __future__ import annotations

from bot.game.contract import Outcome
from bot.game.sides import own_looks
from bot.text.speech import Speech
from bot.text.user_text import Written
from bot.text.words import Words

SPEAKER = Speech(Words(), (Written("Anna"), Written("Bert")))
OUTCOME = Outcome("points", (0,), (12, 9), (("offices", (12, 9)),))


def test_a_seat_of_one_side_is_a_letter() -> None:
    key, _, heads, *_ = SPEAKER.breakdown(OUTCOME, {}, own_looks(2)).split("\n")
    assert key == "A Anna · B Bert"
    assert heads.split() == ["A", "B"]


def test_a_seat_of_two_sides_is_both_their_letters() -> None:
    key, _, heads, *_ = SPEAKER.breakdown(OUTCOME, {}, ((0, 2), (1, 3))).split("\n")
    assert key == "A+C Anna · B+D Bert"
    assert heads.split() == ["A+C", "B+D"]
