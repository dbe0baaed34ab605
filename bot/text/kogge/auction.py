"""Phase 1: a new round, the auction, and supply."""

from __future__ import annotations

from bot.text.contract import Label, Style
from bot.text.kogge.parts import Asked, KoggeChapter, KoggeMove, KoggePart, KoggeQuestion
from bot.text.telling import Frame, Line, template
from bot.text.wording import news
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
    events={
        "round_began": template("round", msg("Round {count}.")),
        "order_set": news(msg("Order of play: {seats}.")),
        "extra_marker": template("round", msg("{seat} draws {marker} as extra marker.")),
        "extra_marker_secretly": template("round", msg("{seat} draws an extra marker.")),
        "pairs_laid_out": template(
            "round",
            Line(msg("For sale: {pairs}."), "pairs"),
            msg("The bag is too short for any pair."),
        ),
        "bid": template("bids", msg("{seat} {pieces}")),
        "no_bid": template("bids", msg("{seat} none (cannot bid)")),
        "supplied": template(
            "supply",
            Line(msg("{city} {count} {good} (offices first: {seats})"), "seats"),
            msg("{city} {count} {good}"),
        ),
        "supply_short": template("supply", msg("{city} goes without {count} {good}")),
    },
)
