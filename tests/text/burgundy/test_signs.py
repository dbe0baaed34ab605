"""The pieces' own signs in texts and on buttons."""

from __future__ import annotations

from itertools import islice

from bot.game.burgundy import GAME
from bot.game.burgundy.goods import Sold
from bot.game.burgundy.rounds import Rolled
from bot.game.burgundy.storing import Taken
from bot.render.burgundy.emoji import SIGNS
from bot.text.words import words_for
from bot.titles import TITLES
from tests.game.burgundy.positions import table
from tests.text.burgundy.tables import moments
from tests.text.moments import NAMES

TEXT = TITLES.texts["burgundy"]
SIGNED = words_for("en").signed(
    {name: f"<:{name}_0123456789:1234567890123456789>" for name in SIGNS}
)


def short(text: str) -> str:
    """A text with only the names of its signs."""
    return text.replace("_0123456789:1234567890123456789>", ">").replace("<:burgundy_", "<")


def test_pieces_are_told_by_their_own_signs_in_chat_and_by_words_alone_elsewhere() -> None:
    taken = Taken(seat=1, tile="cow3", depot="4", die="5", spent=1)
    sold = Sold(seat=1, good="2", count=3, points=6, silverlings=1, workers=0, die="any", spent=0)
    told = "\n".join(TEXT.story(SIGNED, [taken, sold], NAMES))
    assert "takes <cow3> 3 cows from depot 4 (<die_5> 5, 1 worker)" in short(told)
    assert "sells 3 of <good_2> for 6 points" in short(told)
    told = "\n".join(TEXT.story(SIGNED, [Rolled(seat=0, dice=(6, 6))], NAMES))
    assert "<die_6> <die_6>" in short(told)
    view = GAME.view(table(depots={"4": "mine"}, goods_of=("2224",)), 0)
    (decision,) = GAME.pending(table())
    asked = TEXT.question(SIGNED, decision, view, NAMES)
    assert short(asked).endswith("goods: <good_2>\N{NO-BREAK SPACE}×3 and <good_4>.")
    assert "<" not in TEXT.alt(SIGNED, view, [taken], NAMES)
    label = TEXT.whole(SIGNED, ("take", "4", "4", "mine", ""), [view], NAMES)
    assert short(label.emoji or "") == "<mine>"
    assert "<" not in label.text


def test_with_signs_everything_still_fits_a_message() -> None:
    for moment in islice(moments(4, 2, {"boards": "random"}), 40, None, 9):
        view = GAME.view(moment.state, moment.decision.seat)
        close = TEXT.close_up(SIGNED, view, str(moment.decision.seat), NAMES)
        assert close is not None
        for text in (TEXT.hand(SIGNED, view, NAMES), close.text):
            assert not text.endswith("…")
        for decision in GAME.pending(moment.state):
            seen = GAME.view(moment.state, decision.seat)
            assert len(TEXT.question(SIGNED, decision, seen, NAMES)) <= 1900
