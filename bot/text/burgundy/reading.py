"""What people type, as words of the game's notation.

Only the notation is settled here: whether a word is allowed just now is for the rules to say,
with their better reasons. Case and diacritics do not matter, and every installed language is
understood.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.burgundy.boards import BOARDS, SPACE_NAMES
from bot.game.burgundy.data import DEPOT_WORDS, GOODS_LETTERS, TILE_KEYS
from bot.game.burgundy.game import GAME
from bot.game.burgundy.view import View
from bot.game.choices import Bundle, Choices, Done, OneOf
from bot.game.contract import Action, Refusal
from bot.text.burgundy import tiles
from bot.text.burgundy.labels import Asked, label
from bot.text.burgundy.speech import FACES, Speech
from bot.text.contract import Unreadable
from bot.text.folding import fold, tokens
from bot.text.matching import Alias, misread, one_of
from bot.text.words import all_words, msg
from bot.text.written import Name

MOST_TYPED = 100
NOTHING = msg("nothing")
ALL = msg("all")


def read(
    choices: Choices,
    typed: str,
    prefix: Action,
    view: View | None = None,
    names: Sequence[Name] = (),
) -> str:
    """The word that was meant. Raises Unreadable, with a refusal that says why."""
    move = GAME.moves.get(prefix[0]) if prefix else None
    topic = move.topic if move else "overview"
    if isinstance(choices, Done):
        kind = prefix[0] if prefix else ""
        raise Unreadable(Refusal("too_many_words", topic, {"kind": kind}))
    if isinstance(choices, OneOf):
        aliases = _aliases(choices, prefix, view, names)
        return one_of(choices, _dice_as_numbers(typed), aliases, topic)
    return _types(choices, typed, topic)


def _dice_as_numbers(typed: str) -> str:
    """The text with drawn dice as numbers, unless the number stands beside them."""
    for number, drawn in enumerate(FACES, 1):
        beside = str(number) in typed
        typed = typed.replace(drawn, " " if beside else f" {number} ")
    return typed


def _types(choices: Bundle, typed: str, topic: str) -> str:
    """Types of goods by their numbers, whatever words stand between them."""
    text = fold(typed[:MOST_TYPED]).strip()
    languages = all_words()
    if text in {"", "-", *(fold(words(NOTHING)) for words in languages)}:
        return ""
    if text in {fold(words(ALL)) for words in languages}:
        return choices.stock()
    found = "".join(token for token in tokens(text) if token.isdecimal())
    if not found or any(c not in choices.alphabet for c in found):
        raise Unreadable(misread("unreadable", topic, choices.param, typed, (choices.stock(),)))
    return choices.sort(found)


def _aliases(
    choices: OneOf, prefix: Action, view: View | None, names: Sequence[Name]
) -> list[tuple[str, Alias]]:
    """What each word of the domain may be called, and each word that the rules know better."""
    pairs = [(word, tokens(word)) for word in choices.values]
    pairs += [(word, tokens(name)) for word, name in _known(choices.param)]
    if view is not None:
        for words in all_words():
            asked = Asked(Speech(words, names), prefix, choices, view)
            pairs += [(word, tokens(label(asked, word).text)) for word in choices.values]
    return pairs


def _known(param: str) -> list[tuple[str, str]]:
    speeches = [Speech(words) for words in all_words()]
    match param:
        case "tile" | "discard":
            return [
                (key, name)
                for key in TILE_KEYS
                for name in (key, *(tiles.name(speech.words, key) for speech in speeches))
            ]
        case "depot":
            return [
                (word, name)
                for word in DEPOT_WORDS
                for name in (word, *(speech.depot(word) for speech in speeches))
            ]
        case "good":
            return [
                (letter, name)
                for letter in GOODS_LETTERS
                for name in (letter, *(speech.good(letter) for speech in speeches))
            ]
        case "die":
            return [(letter, letter) for letter in GOODS_LETTERS]
        case "space":
            return [(name, name) for name in SPACE_NAMES]
        case "board":
            return [(str(number), str(number)) for number in BOARDS]
    return []
