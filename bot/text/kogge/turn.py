"""The course of a turn, and what is said of every action."""

from __future__ import annotations

from bot.game.events import TurnEnded
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.kogge.parts import Asked, KoggeChapter
from bot.text.words import msg


def _end_now(asked: Asked, label: Label) -> Label:
    # A conflict may follow.
    return label._replace(description=None) if "conflicts" in asked.view.variants else label


CHAPTER = KoggeChapter(
    chapter_words("kogge", "turn"),
    buttons={"end": _end_now},
    events=(EventWords(TurnEnded, "turn", msg("ends the turn")).quiet(),),
)
