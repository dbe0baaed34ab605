"""Reads what people type as words of the notation, and writes words as people would type them.

Only the notation is settled here: whether a word is allowed just now is for the rules to say,
with their better reasons. In a bundle that may hold goods and markers, a number directly before
a good counts it ("2 ore" is two ore); a comma, a plus or a leading "m" or "marker" keeps them
apart ("2, ore", "m2 ore": marker 2 and one ore). Digits written together are single markers
("53"). Case and diacritics do not matter, and every installed language is understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from bot.game.choices import Bundle, OneOf
from bot.game.kogge.data import (
    CITIES,
    CITY_NAMES,
    CONTENT,
    GOOD_KEYS,
    GOOD_LETTERS,
    GUEST,
    MARKER_LETTERS,
    OFFICE,
    split,
    split_partner,
)
from bot.game.kogge.view import KoggeView
from bot.text.contract import Names, Unreadable
from bot.text.folding import fold, tokens
from bot.text.kogge.speech import GOOD_EMOJI, NAMES, KoggeSpeech
from bot.text.matching import misread
from bot.text.words import Message, Words, all_words, msg

_ORDINALS = {"first": ("1", "1st", "a"), "second": ("2", "2nd", "b")}


def read_bundle(choices: Bundle, typed: str, topic: str) -> str:
    """The typed pieces as a word. Raises Unreadable, with a refusal that says why."""
    word = read_pieces(choices.alphabet, choices.stock(), typed, Vocabulary.installed())
    if word is None:
        raise Unreadable(misread("unreadable", topic, choices.param, typed, _samples(choices)))
    return word


def _samples(choices: Bundle) -> tuple[str, ...]:
    stock = choices.stock()
    kinds = "".join(dict.fromkeys(stock))
    samples = (kinds[:1], kinds[:2], stock if len(stock) <= 3 else "")
    return tuple(dict.fromkeys(word for word in samples if word)) or ("",)


def aliases(choices: OneOf, view: KoggeView | None, names: Names) -> Iterator[tuple[str, str]]:
    """What words may be called besides their labels, including words not on offer."""
    yield from _known(choices.param, names)
    if choices.param == "seat":
        # Where there is only one way to deal with somebody, their name alone means it.
        for seat, name in enumerate(names):
            ways = [w for w in (f"{OFFICE}{seat}", f"{GUEST}{seat}") if w in choices.values]
            if str(seat) not in choices.values and len(ways) == 1:
                yield ways[0], name.plain
    if view is not None and choices.param == "route":
        sailing = view.observer if view.pushed is None else view.pushed
        routes = view.cities[view.seats[sailing].city].routes
        leads = dict(zip(NAMES.routes, (*(r.marker for r in routes), view.guild_city), strict=True))
        for word in choices.values:
            if (to := leads[word]) is not None:
                yield from ((word, city) for city in cities_called(to))
    if view is not None and choices.param == "pair":
        for pair in filter(None, view.display):
            for text in (pair, pair[::-1], " ".join(pair), " ".join(pair[::-1])):
                # Of equal pairs the first will do.
                yield str(view.display.index(pair) + 1), text


@cache
def cities_called(number: int) -> tuple[str, ...]:
    """What a city is called on the board and in each language."""
    name = CITY_NAMES[number]
    other = NAMES.cities.get(name)
    return (name, *(words(other) for words in all_words() if other))


def _known(param: str, names: Names) -> list[tuple[str, str]]:
    languages = all_words()
    if param == "marker":
        return [
            (str(number), name)
            for number in range(CITIES)
            for name in (
                str(number),
                f"m{number}",
                *(f"{city} {number}" for city in cities_called(number)),
                *(f"{words('marker')} {number}" for words in languages),
            )
        ]
    if param == "good":
        pairs = [(key, name) for name, key in Vocabulary.installed().goods.items()]
        return pairs + list(zip(GOOD_KEYS, GOOD_LETTERS, strict=True))
    if param == "pair":
        return [(str(number), str(number)) for number in range(1, CONTENT.display_pairs + 1)]
    if param == "seat":
        return [(str(seat), name.plain.lstrip("@")) for seat, name in enumerate(names)]
    if param == "group":
        return [(word, name) for word, called in _ORDINALS.items() for name in called]
    return []


def example(speech: KoggeSpeech, param: str, word: str) -> str:
    """A word of the notation as a person would write it; `speech` is plain."""
    if param in ("markers", "fee", "pieces", "goods", "give", "take") or (
        param == "group" and word not in ("first", "second")
    ):
        return " ".join(word) if word.isdecimal() else speech.pieces(word)
    if param == "marker" and word.isdecimal():
        return speech.city(int(word))
    if param == "good" and word in NAMES.goods:
        return speech.good(word)
    if param == "seat" and split_partner(word)[1] is not None:
        return speech.partner(word)
    if param in ("route", "chit"):
        return speech.facts({param: word})[param]
    return word


MOST_TYPED = 500
MOST_OF_A_KIND = 99

MARKER = msg("marker")
MARKERS = msg("markers")
NOTHING = msg("nothing")
ALL = msg("all")

_APART = re.compile(r"[,;+&/|\n]|(?<!\w)-(?!\w)")
_OWN_SIGN = re.compile(r"<:kogge_(?:marker_(?P<marker>\d)|(?P<piece>\w+?))_[0-9a-f]+:\d+>")
"""An emoji of the bot's own, as Discord writes it in a text."""
_TIMES = re.compile(r"(\d)\s*[x*]\s*(?=[\w])")


@dataclass(frozen=True)
class Vocabulary:
    """What pieces are called in some languages, folded."""

    goods: dict[str, str]
    """Key of a good by its name."""
    markers: frozenset[str]
    nothing: frozenset[str]
    all: frozenset[str]
    joints: frozenset[str]
    """Words that stand between two items."""

    @classmethod
    def of(cls, languages: tuple[Words, ...]) -> Vocabulary:
        """The vocabulary of these languages together; the first one has precedence."""
        goods: dict[str, str] = {}
        for words in languages:
            for key in GOOD_KEYS:
                counted = (words.phrase(NAMES.counted[key], n, count="") for n in (1, 2))
                for name in (words(NAMES.goods[key]), *counted):
                    goods.setdefault(fold(name).strip(), key)
        for key in GOOD_KEYS:
            goods.setdefault(key, key)

        def each(*messages: Message) -> frozenset[str]:
            return frozenset(fold(words(message)) for words in languages for message in messages)

        joints = frozenset(
            token for words in languages for token in tokens(words.listing(["1", "2"]))
        )
        return cls(
            goods,
            each(MARKER, MARKERS) | {"m"},
            each(NOTHING) | {"none", "-", ""},
            each(ALL),
            joints - {"1", "2"},
        )

    @staticmethod
    @cache
    def installed() -> Vocabulary:
        """The vocabulary of every installed language."""
        return Vocabulary.of(all_words())

    def good(self, token: str) -> str | None:
        """The letters of the goods that a token names: ``ore``, ``o``, ``oof``, ``am``."""
        singular = token.removesuffix("s")
        key = self.goods.get(token) or self.goods.get(singular)
        if key is not None:
            return GOOD_LETTERS[GOOD_KEYS.index(key)]
        letters = all(c in GOOD_LETTERS for c in token)
        if letters and list(token) == sorted(token, key=GOOD_LETTERS.index):
            return token
        begun = {key for name, key in self.goods.items() if name.startswith(token)}
        if len(begun) == 1:
            return GOOD_LETTERS[GOOD_KEYS.index(begun.pop())]
        return token if letters else None


def clean(typed: str) -> str:
    """The typed text with signs of markers as numbers, those of goods as letters unless words say
    the same."""
    return _without_emoji(_without_own_signs(typed))


def _without_own_signs(typed: str) -> str:
    """The typed text with markers as numbers, goods as plain emoji, and no sign of the bot."""

    def plain(sign: re.Match[str]) -> str:
        # A comma keeps a marker from counting what follows.
        return f"{sign['marker']}, " if sign["marker"] else GOOD_EMOJI.get(sign["piece"], " ")

    return _OWN_SIGN.sub(plain, typed)


def _without_emoji(part: str) -> str:
    """The part with emoji of goods as letters, unless words say the same."""
    named = any(c.isalpha() for c in part)
    for letter, emoji in zip(GOOD_LETTERS, GOOD_EMOJI.values(), strict=True):
        part = part.replace(emoji, "" if named else f" {letter} ")
    return part


def read_pieces(alphabet: str, stock: str, typed: str, vocabulary: Vocabulary) -> str | None:
    """The typed pieces as a word in the order of `alphabet`; None where they cannot be read.

    `stock` is what "all" means.
    """
    typed = _without_own_signs(typed)
    if len(typed) > MOST_TYPED:
        return None
    text = fold(typed).strip()
    if text in vocabulary.nothing:
        return ""
    if text in vocabulary.all:
        return stock
    word = text if _is_notation(text, alphabet) else _Reader(alphabet, vocabulary).read(text)
    if word is None or any(word.count(c) > MOST_OF_A_KIND or c not in alphabet for c in word):
        return None
    return "".join(sorted(word, key=alphabet.index))


def _is_notation(text: str, alphabet: str) -> bool:
    """Letters of goods, then digits of markers, without anything between: ``oof53``."""
    letters, _ = split(text)
    return (
        all(c in alphabet for c in text)
        and all(c in GOOD_LETTERS for c in letters)
        and list(letters) == sorted(letters, key=GOOD_LETTERS.index)
    )


class _Reader:
    """Reads item by item; a reader is used once."""

    def __init__(self, alphabet: str, vocabulary: Vocabulary) -> None:
        self._markers = any(c in MARKER_LETTERS for c in alphabet)
        self._goods = any(c in GOOD_LETTERS for c in alphabet)
        self._vocabulary = vocabulary
        self._cities = {tokens(name)[0]: str(n) for n in range(CITIES) for name in cities_called(n)}

    def read(self, text: str) -> str | None:
        """All pieces in the order named; None where a part makes no sense."""
        # "2x ore" and "2x5" say how many; a bare number before a good does as well.
        text = _TIMES.sub(lambda match: f"{match[1]} times ", text)
        word = ""
        for part in _APART.split(text):
            pieces = self._part(_without_emoji(part))
            if pieces is None:
                return None
            word += pieces
        return word or None

    def _part(self, part: str) -> str | None:
        if _strange(part):
            return None
        word, left = "", list(tokens(part))
        if not self._markers and _counts_follow(left):
            # "ore 2 fur 1": turn each pair round.
            left = [left[n ^ 1] for n in range(len(left))]
        as_markers = False
        while left:
            token = left.pop(0)
            if token in self._vocabulary.joints:
                as_markers = False
            elif self._markers and token in self._vocabulary.markers:
                as_markers = True
            elif token.isdecimal():
                pieces = self._number(token, left, as_markers)
                if pieces is None:
                    return None
                word += pieces
            else:
                pieces = self._name(token, left)
                if pieces is None:
                    return None
                word += pieces
        return word

    def _number(self, token: str, left: list[str], as_markers: bool) -> str | None:
        """A count of what follows, or markers."""
        counts = bool(left) and left[0] == "times"
        if counts:
            left.pop(0)
            if left and self._markers and left[0] in self._vocabulary.markers:
                left.pop(0)
            if left and left[0] in MARKER_LETTERS and self._markers:
                return left.pop(0) * int(token) if len(token) <= 2 else None
        good = None
        if left and not as_markers and self._goods:
            good = self._vocabulary.good(left[0])
        if good is not None and left[0] not in self._vocabulary.joints:
            left.pop(0)
            return good * int(token) if len(good) == 1 and len(token) <= 2 else None
        return token if self._markers and not counts else None

    def _name(self, token: str, left: list[str]) -> str | None:
        city = self._city(token)
        if city is not None and self._markers:
            # "Riga (4)" is one marker, named and numbered.
            if left and left[0] == city:
                left.pop(0)
            return city
        return self._vocabulary.good(token) if self._goods else None

    def _city(self, token: str) -> str | None:
        if len(token) < 3:
            return None
        begun = {number for name, number in self._cities.items() if name.startswith(token)}
        return begun.pop() if len(begun) == 1 else None


def _counts_follow(tokens_: list[str]) -> bool:
    numbers = [token.isdecimal() for token in tokens_]
    return bool(numbers) and numbers == [False, True] * (len(numbers) // 2)


def _strange(part: str) -> bool:
    """Whether the part holds characters whose meaning cannot be guessed."""
    return any(not (c.isalnum() or c in " \t()[]#.'\"*_") for c in part)
