"""Set-up: where the buyer begins, and the options of a table (sections 2 and 10)."""

from __future__ import annotations

from bot.game.guatemala.buyer import BuyerPlaced
from bot.game.guatemala.data import CONTENT
from bot.game.guatemala.view import GuatemalaView
from bot.text.chapter import Part
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.guatemala.speech import NAMES, Asked, GuatemalaChapter
from bot.text.words import Words, msg


def variants(words: Words, view: GuatemalaView) -> str:
    """How a table departs from the default rules, '' where it does not.

    The set-up is left out: it can be seen.
    """
    if view.last_space == CONTENT.tracks[0]:
        return ""
    value = NAMES.option_values[f"track {view.last_space}"]
    return f"{words(NAMES.options['track'])}: {words(value)}"


def edge(asked: Asked, word: str) -> Label:
    """A side of the production board."""
    return Label(asked.speech.words(NAMES.edges[word]), "🧭")


def _position(asked: Asked, word: str) -> Label:
    offers = asked.speech.in_short(asked.view, word)
    where = asked.speech.position(word)
    return Label(
        asked.speech.words("{name}: {where} · {offers}", name=word, where=where, offers=offers),
        "🧭",
    )


def whole(asked: Asked) -> Label:
    """Where the buyer begins."""
    word = asked.prefix[1]
    offers = asked.speech.in_short(asked.view, word)
    text = asked.speech.words("Start at {position}: {offers}", position=word, offers=offers)
    return Label(text, "🧭", called=word)


CHAPTER = GuatemalaChapter(
    chapter_words("guatemala", "setup"),
    parts={
        "place": {
            "position": Part(_position, lambda asked, word: asked.speech.position(word)),
        }
    },
    events=(EventWords(BuyerPlaced, "line", msg("places the buyer at {position}")),),
)
