"""The course of a turn, and what is said of every action."""

from __future__ import annotations

from bot.game.events import TurnEnded
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.kogge.parts import Asked, KoggeChapter, KoggeMove, KoggeQuestion
from bot.text.words import forms, msg

PARAMS = {
    "marker": msg("a marker"),
    "markers": msg("markers"),
    "steps": msg("the number of cities"),
    "route": msg("a route"),
    "fee": msg("the fee"),
    "pieces": msg("goods"),
    "goods": msg("goods"),
    "price": msg("the price"),
    "good": msg("a good"),
    "chit": msg("a bonus chit"),
    "pair": msg("a pair"),
    "give": msg("what you give"),
    "take": msg("what you get"),
    "seat": msg("a player"),
    "group": msg("a half of the cargo"),
    "offer": msg("an offer"),
    "kind": msg("an action"),
}
"""Each part of a move, after "choose"."""


def _end_now(asked: Asked, label: Label) -> Label:
    # A conflict may follow.
    return label._replace(description=None) if "conflicts" in asked.view.variants else label


CHAPTER = KoggeChapter(
    moves={
        "end": KoggeMove(
            msg("End your turn"),
            "🏁",
            msg("end your turn"),
            note=msg("Nothing more this turn"),
            now=_end_now,
        )
    },
    questions={
        "act": KoggeQuestion(
            msg("{seat} to act"),
            msg("You are in {city}. Take any actions, each once, then end your turn."),
        )
    },
    refusals={
        "unknown_kind": msg(
            "Kogge has no action “{kind}”. **Take your turn** shows what there is."
        ),
        "not_now": msg(
            "You cannot {kind} in this part of the turn: first all movement, then the actions. "
            "**Take your turn** shows what is possible now."
        ),
        "already_done": msg(
            "You may {kind} only once a turn, and have done so. Take another action or end your "
            "turn."
        ),
        "too_few": forms(
            "That is too few: at least {count} is needed.",
            "That is too few: at least {count} are needed.",
        ),
        "too_many": forms(
            "That is too many: at most {count} is possible.",
            "That is too many: at most {count} are possible.",
        ),
        "not_in_stock": msg("You ask for {pieces}: that is more than there is. Choose fewer."),
        "unreadable": msg(
            "I cannot read “{word}” as {param}. You can write, for example: {examples}."
        ),
    },
    events=(EventWords(TurnEnded, "turn", msg("ends the turn")).quiet(),),
)
