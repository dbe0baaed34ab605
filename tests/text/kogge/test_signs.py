"""The pieces' own signs in texts and on buttons, and in what people type."""

from __future__ import annotations

from itertools import islice

import pytest
from msgspec.structs import replace

from bot.game.choices import Bundle, OneOf
from bot.game.kogge import GAME
from bot.game.kogge.auction import Bid
from bot.game.kogge.data import GOOD_KEYS, PIECE_LETTERS
from bot.game.kogge.guild_deals import ChitBought, GoodExchanged
from bot.game.kogge.view import OfferView
from bot.render.kogge.emoji import SIGNS
from bot.text.words import words_for
from bot.titles import TITLES
from tests.text.kogge.tables import moments
from tests.text.moments import NAMES

TEXT = TITLES.texts["kogge"]
ADDED = "_0123abcd:1234567890123456789>"
SIGNED = words_for("en").signed({name: f"<:{name}{ADDED}" for name in SIGNS})


def short(text: str) -> str:
    """A text with only the names of its signs."""
    return text.replace(ADDED, ">").replace("<:kogge_", "<")


def long(text: str) -> str:
    """The same text as Discord writes its signs."""
    return text.replace(">", ADDED).replace("<", "<:kogge_")


def test_pieces_are_told_by_their_own_signs_in_chat_and_by_words_alone_elsewhere() -> None:
    swapped = GoodExchanged(seat=1, good="salt", marker=8)
    sold = ChitBought(seat=1, pieces="oooooo", chit="three", points=2)
    told = "\n".join(TEXT.story(SIGNED, [Bid(seat=0, pieces="553"), swapped, sold], NAMES))
    assert "<marker_5> <marker_5> <marker_3>" in short(told)
    assert "swaps <salt> salt for marker <marker_8>" in short(told)
    assert "sells 6 <ore> ore for the bonus chit <chit_three> **3:1 trade**" in short(told)
    view = next(iter(moments(3, 1))).view
    assert "<" not in TEXT.alt(SIGNED, view, [swapped, sold], NAMES)


@pytest.mark.parametrize(
    ("action", "sign"),
    [
        ("found 4", "<marker_4>"),
        ("bid 55", "<marker_5>"),
        ("advance 1", "<guild_master>"),
        ("swap_good salt 8", "<marker_8>"),
        ("swap_marker 8", "<salt>"),
        ("sell_six ore three", "<chit_three>"),
        ("buy_raid 2", "<marker_2>"),
    ],
)
def test_an_entry_shows_the_piece_it_is_about(action: str, sign: str) -> None:
    view = next(iter(moments(3, 1))).view
    label = TEXT.whole(SIGNED, tuple(action.split()), [view], NAMES)
    assert short(label.emoji or "") == sign
    assert "<" not in label.text


@pytest.mark.parametrize(
    ("word", "sign"), [("oo", "<ore>"), ("5", "<marker_5>"), ("5o", None), ("", None)]
)
def test_pieces_of_one_kind_are_chosen_by_their_sign(word: str, sign: str | None) -> None:
    view = next(iter(moments(3, 1))).view
    pieces = Bundle("give", PIECE_LETTERS, (9,) * len(PIECE_LETTERS), least=0, most=9)
    label = TEXT.label(SIGNED, ("offer", "1"), pieces, word, view, NAMES)
    assert (label.emoji and short(label.emoji)) == sign


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("2 <ore> ore and 1 <fur> fur", "oof"),
        ("<salt>", "s"),
        ("2 <salt>, <marker_5> <marker_3>", "ss53"),
        ("4×<marker_0> <amber>", "a0000"),
    ],
)
def test_pasted_signs_are_understood(typed: str, word: str) -> None:
    pieces = Bundle("give", PIECE_LETTERS, (9,) * len(PIECE_LETTERS), least=0, most=9)
    assert TEXT.read(pieces, long(typed), ("offer",)) == pieces.sort(word)


def test_a_pasted_sign_names_a_good_or_a_marker() -> None:
    assert TEXT.read(OneOf("good", GOOD_KEYS), long("<salt>"), ("offer",)) == "salt"
    markers = OneOf("marker", ("3", "5"))
    assert TEXT.read(markers, long("<marker_5>"), ("offer",)) == "5"


def test_with_signs_everything_still_fits_a_message() -> None:
    for moment in islice(moments(4, 2, {"goods": "open"}), 40, None, 19):
        view = GAME.view(moment.state, moment.decision.seat)
        close = TEXT.close_up(SIGNED, view, str(moment.decision.seat), NAMES)
        assert close is not None
        for text in (TEXT.hand(SIGNED, view, NAMES), close.text):
            assert not text.endswith("…")
        for decision in GAME.pending(moment.state):
            seen = GAME.view(moment.state, decision.seat)
            assert len(TEXT.question(SIGNED, decision, seen, NAMES)) <= 1900


def test_a_hand_that_is_too_long_with_its_own_signs_is_told_with_plain_ones() -> None:
    view = next(iter(moments(2, 1, {"goods": "open"}))).view
    offers = tuple(OfferView(n, 0, 1, "oofas", "8877665544332211") for n in range(2))
    mine = replace(view.seats[view.observer], goods=(9,) * 4, markers=(3,) * 9)
    seats = tuple(mine if n == view.observer else each for n, each in enumerate(view.seats))
    told = TEXT.hand(SIGNED, replace(view, seats=seats, offers=offers), NAMES)
    assert "8️⃣ 8️⃣ 8️⃣" in told
    assert "…" not in told
