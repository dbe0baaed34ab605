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
from bot.text.contract import Label, Style
from bot.text.events import EventWords, Frame
from bot.text.kogge.parts import Asked, KoggeChapter, KoggeMove, KoggePart, KoggeQuestion
from bot.text.words import forms, msg

FRAMES = {
    "bids": Frame(msg("Bids: {what}.")),
    "supply": Frame(msg("New goods: {what}.")),
    "round": Frame(msg("{what}"), joint=" "),
}

BID_AT_MOST = forms("Bid one marker, the best I can", "Bid up to {count} markers, the best I can")
"""The standing order."""

_IN_CONFLICT = msg("Sealed bids of markers; the winner demands up to three goods")


def _bid_now(asked: Asked, label: Label) -> Label:
    # A bid in a conflict is not for the order of play.
    if asked.view.phase == "conflict":
        return label._replace(description=asked.speech.words(_IN_CONFLICT))
    return label


def _markers(asked: Asked, word: str) -> Label:
    return Label(asked.speech.words("Bid {markers}", markers=_side_by_side(asked, word)))


def _side_by_side(asked: Asked, word: str) -> str:
    return " + ".join(word) or asked.speech.pieces(word)


CHAPTER = KoggeChapter(
    moves={
        "bid": KoggeMove(
            msg("Bid"),
            "🔢",
            msg("bid"),
            Style.PRIMARY,
            msg("For the order of play; each marker brings goods to its city"),
            {"markers": KoggePart(msg("Which markers do you bid?"), _markers, _side_by_side)},
            (msg("Bid {markers}"),),
            _bid_now,
        )
    },
    questions={
        "bid": KoggeQuestion(
            msg("{seat} to bid"),
            msg(
                "Bid for the order of play with one or more markers. "
                "Each also brings two goods to its city."
            ),
        )
    },
    refusals={
        "bid_taken": msg(
            "{seat} has already bid exactly {pieces}, and no bid may be made twice. "
            "Add a marker or choose others."
        ),
    },
    events=(
        EventWords(RoundStarted, "round", msg("Round {count}.")),
        EventWords(OrderSet, "news", msg("Order of play: {seats}.")),
        EventWords(ExtraMarker, "round", msg("{seat} draws {marker} as extra marker.")),
        EventWords(ExtraMarkerSecretly, "round", msg("{seat} draws an extra marker.")),
        EventWords(PairsLaidOut, "round", msg("The bag is too short for any pair.")).when(
            lambda e: e.pairs, msg("For sale: {pairs}.")
        ),
        EventWords(Bid, "bids", msg("{seat} {pieces}")),
        EventWords(NoBid, "bids", msg("{seat} none (cannot bid)")),
        EventWords(Supplied, "supply", msg("{city} {count} {good}"))
        .when(lambda e: e.seats, msg("{city} {count} {good} (offices first: {seats})"))
        .quiet(lambda e: not e.count),
        EventWords(SupplyShort, "supply", msg("{city} goes without {count} {good}")),
    ),
)
