"""Phase 3B c and d: buying a pair of markers, and trading with the city."""

from __future__ import annotations

from bot.game.choices import Bundle
from bot.game.kogge.actions import PairBought, Traded
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.kogge.parts import Asked, KoggeChapter, KoggePart, good, pieces
from bot.text.words import msg


def _pair(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    numbers = dict.fromkeys(asked.view.display[int(word) - 1])
    cities = words.listing([speech.city(int(number)) for number in numbers])
    text = words("Pair {number}: {markers}", number=word, markers=_markers(asked, word))
    return Label(text, "🔢", cities)


def _markers(asked: Asked, word: str) -> str:
    return " + ".join(asked.view.display[int(word) - 1])


def _what_to_take(asked: Asked) -> str:
    assert isinstance(asked.choices, Bundle)
    words, least, most = asked.speech.words, asked.choices.least, asked.choices.most
    give = asked.speech.pieces(asked.prefix[1])
    if least < most:
        return words(
            "For {give} you get {least} to {most} goods of other kinds. Which ones?",
            give=give,
            least=least,
            most=most,
        )
    return words.plural(
        "For {give} you get {count} good of another kind. Which one?",
        "For {give} you get {count} goods of other kinds. Which ones?",
        most,
        give=give,
    )


CHAPTER = KoggeChapter(
    chapter_words("kogge", "trade"),
    parts={
        "buy": {"pair": KoggePart(_pair, _markers), "good": good(msg("Pay {goods}"))},
        "trade": {
            "give": pieces(msg("Give {pieces}")),
            "take": pieces(msg("Get {pieces}"), _what_to_take),
        },
    },
    events=(
        EventWords(PairBought, "turn", msg("buys the pair {pieces} for {goods}")),
        EventWords(Traded, "turn", msg("trades {give} for {take}")),
    ),
)
