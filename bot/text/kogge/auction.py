"""Phase 1: a new round, the auction, and supply."""

from __future__ import annotations

from bot.game.kogge.auction import (
    Bid,
    ExtraMarker,
    ExtraMarkerSecretly,
    NoBid,
    OrderSet,
    PairsLaidOut,
    RoundStarted,
    Supplied,
    SupplyShort,
)
from bot.text.contract import Label
from bot.text.events import EventWords, Frame
from bot.text.game_data import chapter_words
from bot.text.kogge.parts import Asked, KoggeChapter, KoggePart
from bot.text.kogge.speech import piece_sign
from bot.text.words import forms, msg

BID_AT_MOST = forms(
    "Bid one marker, as high as possible", "Bid up to {count} markers, as high as possible"
)
"""The standing order."""

_IN_CONFLICT = msg("Both bid markers in secret; the winner demands up to three goods")


def _bid_now(asked: Asked, label: Label) -> Label:
    # A bid in a conflict is not for turn order.
    if asked.view.phase == "conflict":
        return label._replace(description=asked.speech.words(_IN_CONFLICT))
    return label


def _markers(asked: Asked, word: str) -> Label:
    words = asked.speech.words
    if not word:
        return Label(words("Bid nothing"))
    return Label(words("Bid {markers}", markers=" + ".join(word)), piece_sign(words, word))


def _side_by_side(asked: Asked, word: str) -> str:
    return " + ".join(word) or asked.speech.pieces(word)


CHAPTER = KoggeChapter(
    chapter_words("kogge", "auction"),
    parts={"bid": {"markers": KoggePart(_markers, _side_by_side)}},
    buttons={"bid": _bid_now},
    frames={
        "bids": Frame(msg("{what}.")),
        "supply": Frame(msg("New goods: {what}.")),
        "round": Frame(msg("{what}"), joint=" "),
    },
    events=(
        EventWords(RoundStarted, "round", msg("Round {count}.")),
        EventWords(OrderSet, "news", msg("Turn order: {seats}.")),
        EventWords(ExtraMarker, "round", msg("{seat} draws an extra marker: {marker}.")),
        EventWords(ExtraMarkerSecretly, "round", msg("{seat} draws an extra marker.")),
        EventWords(PairsLaidOut, "round", msg("No pairs for sale: the bag is almost empty.")).when(
            lambda e: e.pairs, msg("For sale: {pairs}.")
        ),
        EventWords(Bid, "bids", msg("{seat} bids {pieces}")),
        EventWords(NoBid, "bids", msg("{seat} can't bid")),
        EventWords(Supplied, "supply", msg("{goods} to {city}"))
        .when(lambda e: e.seats, msg("{goods} to {city} (offices first: {seats})"))
        .quiet(lambda e: not e.count),
        EventWords(SupplyShort, "supply", msg("no {good} left for {city}")),
    ),
)
