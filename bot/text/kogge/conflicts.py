"""Advanced rule C: conflicts of ships that lie together after a turn."""

from __future__ import annotations

from bot.game.kogge.conflicts import (
    Challenged,
    ConflictBid,
    ConflictBids,
    ConflictDeclined,
    ConflictTied,
    ConflictWon,
    Demanded,
    DemandedSecretly,
    PushDeclined,
)
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.kogge.parts import Asked, KoggeChapter, pieces, rival
from bot.text.words import msg

NO_CONFLICTS = msg("No conflicts")
"""The standing order."""


_KEPT = {"push": msg("Let the ship stay"), "exchange": msg("Keep both routes")}
"""What is passed by, by the phase."""


def _pass_now(asked: Asked, label: Label) -> Label:
    if kept := _KEPT.get(asked.view.phase):
        return label._replace(text=asked.speech.words(kept), description=None)
    return label


CHAPTER = KoggeChapter(
    chapter_words("kogge", "conflicts"),
    buttons={"pass": _pass_now},
    parts={
        "challenge": {"seat": rival(msg("Challenge {seat}"))},
        "demand": {"goods": pieces(msg("Demand {pieces}"), none=msg("Demand nothing"))},
    },
    events=(
        EventWords(Challenged, "turn", msg("⚔️ challenges {other} in {city}")),
        EventWords(ConflictDeclined, "turn", msg("starts no conflict")),
        EventWords(
            ConflictBid,
            "news",
            msg("You have no markers to bid. Only you know this so far."),
        ).when(
            lambda e: e.pieces,
            msg("You bid {pieces} in the conflict. Only you know this so far."),
        ),
        EventWords(
            ConflictBids,
            "news",
            msg("Conflict bids: {seat} {give}, {other} {take}."),
        )
        .when(lambda e: not e.give and not e.take, msg("Neither side bids in the conflict."))
        .when(lambda e: not e.give, msg("Conflict bids: {other} {take}, {seat} none."))
        .when(lambda e: not e.take, msg("Conflict bids: {seat} {give}, {other} none.")),
        EventWords(ConflictWon, "turn", msg("⚔️ beats {other} in the conflict")).remembered(7),
        EventWords(
            ConflictTied,
            "news",
            msg("⚔️ {seat} and {other} make equal bids: the conflict is a draw."),
        ).remembered(5),
        EventWords(Demanded, "turn", msg("demands {pieces} from {other} and gets {take}"))
        .when(lambda e: not e.pieces, msg("demands no goods from {other}"))
        .when(lambda e: not e.take, msg("demands {pieces} from {other} but gets nothing"))
        .remembered(4),
        EventWords(DemandedSecretly, "turn", msg("demands goods from {other}")),
        EventWords(PushDeclined, "turn", msg("lets {other}'s ship stay")),
    ),
)
