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
from functools import cache
from itertools import chain, product

from bot.game.choices import Bundle, OneOf
from bot.game.hidden import UNSEEN
from bot.game.kogge.common import here
from bot.game.kogge.data import (
    CITIES,
    CITY_NAMES,
    CONTENT,
    GOOD_KEYS,
    GOOD_LETTERS,
    GUEST,
    LETTER_OF,
    MARKER_LETTERS,
    OFFICE,
)
from bot.game.kogge.state import Push
from bot.text.contract import Unreadable
from bot.text.kogge.table import GOOD_EMOJI, NAMES, KoggeTable
from bot.text.matching import fold, misread, tokens
from bot.text.words import Message, all_words, msg

MAX_TYPED = 500
MAX_OF_A_KIND = 99
MARKER = msg("marker")
_ORDINALS = {"first": ("1", "1st", "a"), "second": ("2", "2nd", "b")}
_APART = re.compile(r"[,;+&/|\n]|(?<!\w)-(?!\w)")
_OWN_SIGN = re.compile(r"<:kogge_(?:marker_(?P<marker>\d)|(?P<piece>\w+?))_[0-9a-f]+:\d+>")
"""An emoji of the bot's own, as Discord writes it in a text."""
_TIMES = re.compile(r"(\d)\s*[x*]\s*(?=[\w])")
_NOTATION = re.compile(f"{'*'.join(GOOD_LETTERS)}*[{MARKER_LETTERS}]*")
"""Letters of goods, then digits of markers, without anything between: ``oof53``."""
_ITEM = re.compile(
    r"(?:(\d{1,2}) (?:x (?:m )?(\d)|(?:x )?([ofas]))\b"
    r"|m (\d+(?: \d+\b(?! x))*)\b(?! x)|m\b"
    r"|(\d+)\b(?! x| [ofas])|([ofas]+)\b"
    r"|#(\d)(?: \7\b)?)[ ,]*"
)
"""Some of one piece, named markers, markers, goods, and a marker by its city, with its number or
without; in the signs of `_symbols`."""
_STRANGE = re.compile(r"[^\w \t()\[\]#.'\"*]")
"""A character whose meaning cannot be guessed."""


class KoggeReading(KoggeTable):
    """What people type to one reader."""

    def clean(self, typed: str) -> str:
        """The typed text with signs of markers as numbers, those of goods as letters unless words
        say the same."""
        return _without_emoji(_without_own_signs(typed))

    def read_bundle(self, choices: Bundle, typed: str, topic: str) -> str:
        """The typed pieces as a word. Raises Unreadable, with a refusal that says why."""
        stock = choices.stock()
        try:
            return read_pieces(choices.alphabet, stock, typed)
        except ValueError:
            kinds = "".join(dict.fromkeys(stock))
            samples = (kinds[:1], kinds[:2], stock if len(stock) <= 3 else "")
            shown = tuple(dict.fromkeys(filter(None, samples))) or ("",)
            raise Unreadable(misread("unreadable", topic, choices.param, typed, shown)) from None

    def example(self, param: str, word: str) -> str:
        """A word of the notation as a person would write it."""
        match param:
            case "markers" | "fee" | "pieces" | "goods" | "give" | "take" | "group" if (
                word not in _ORDINALS
            ):
                return " ".join(word) if word.isdecimal() else self.listed(word)
            case "marker" if word.isdecimal():
                return self.city(int(word))
            case "pair" | "price" | "group" | "good" if word not in NAMES.goods:
                return word
        return self.fact(param, word)

    def aliases(self, choices: OneOf) -> Iterator[tuple[str, str]]:
        """What words may be called besides their labels, including words not on offer."""
        yield from super().aliases(choices)
        match choices.param:
            case "marker":
                for number in range(CITIES):
                    for called in ("", "m", *_called(MARKER), *cities_called(number)):
                        yield str(number), f"{called} {number}"
            case "good":
                yield from ((key, name) for name, key in _goods().items())
                yield from zip(GOOD_KEYS, GOOD_LETTERS, strict=True)
            case "group":
                yield from ((word, each) for word, called in _ORDINALS.items() for each in called)
            case "seat":
                yield from ((str(n), name.plain.lstrip("@")) for n, name in enumerate(self.names))
                for seat, name in enumerate(self.names):
                    # Where there is only one way to deal with somebody, their name alone means it.
                    ways = [w for w in (f"{OFFICE}{seat}", f"{GUEST}{seat}") if w in choices.values]
                    if str(seat) not in choices.values and len(ways) == 1:
                        yield ways[0], name.plain
            case "pair":
                yield from ((each, each) for each in map(str, range(1, CONTENT.display_pairs + 1)))
                for pair in filter(None, self.known.display if self.view else ()):
                    for text in (pair, pair[::-1], " ".join(pair), " ".join(pair[::-1])):
                        # Of equal pairs the first will do.
                        yield str(self.known.display.index(pair) + 1), text
            case "route" if self.view:
                frame = self.known.frames[-1]
                ship = frame.pushed if isinstance(frame, Push) else self.observer
                routes = here(self.known, ship).routes
                leads = [*(each.marker for each in routes), self.known.guild_city]
                for word, to in zip(NAMES.routes, leads, strict=True):
                    if word in choices.values and to != UNSEEN:
                        yield from ((word, city) for city in cities_called(to))


@cache
def cities_called(number: int) -> tuple[str, ...]:
    """What a city is called on the board and in each language."""
    other = NAMES.cities.get(CITY_NAMES[number])
    return (CITY_NAMES[number], *(words(other) for words in all_words() if other))


@cache
def _cities() -> dict[str, str]:
    """The numbers of cities by the first words of their names."""
    return {tokens(name)[0]: str(n) for n in range(CITIES) for name in cities_called(n)}


@cache
def _goods() -> dict[str, str]:
    """Keys of goods by their names in every language, one or several of them; folded."""
    goods = {key: key for key in GOOD_KEYS}
    for words, key in product(all_words(), GOOD_KEYS):
        counted = [words.phrase(NAMES.counted[key], n, count="") for n in (1, 2)]
        for name in (words(NAMES.goods[key]), *counted):
            goods.setdefault(fold(name).strip(), key)
    return goods


@cache
def _called(*messages: Message) -> frozenset[str]:
    """What these are in every language; folded."""
    return frozenset(fold(words(each)) for words in all_words() for each in messages)


@cache
def _joints() -> frozenset[str]:
    """What stands between two items in any language."""
    joined = (tokens(words.listing(["1", "2"])) for words in all_words())
    return frozenset(chain.from_iterable(joined)) - {"1", "2"}


def _good(token: str) -> str | None:
    """The letters of the goods that a token names: ``ore``, ``o``, ``oof``, ``am``."""
    goods, letters = _goods(), token if set(token) <= set(GOOD_LETTERS) else None
    key = goods.get(token) or goods.get(token.removesuffix("s"))
    begun = {key for name, key in goods.items() if name.startswith(token)}
    in_order = letters and list(token) == sorted(token, key=GOOD_LETTERS.index)
    if key is None and not in_order and len(begun) == 1:
        key = begun.pop()
    return letters if key is None else LETTER_OF[key]


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


def read_pieces(alphabet: str, stock: str, typed: str) -> str:
    """The typed pieces as a word in the order of `alphabet`. Raises ValueError where they cannot be
    read.

    `stock` is what "all" means.
    """
    text = fold(_without_own_signs(typed[: MAX_TYPED + 1])).strip()
    if text in {*_called(msg("nothing")), "none", "-", ""}:
        return ""
    if text in _called(msg("all")):
        return stock
    word = text
    if not (_NOTATION.fullmatch(text) and set(text) <= set(alphabet)):
        # "2x ore" and "2x5" say how many; a bare number before a good does as well.
        text = _TIMES.sub(r"\1 times ", text)
        parts = (_symbols(part, alphabet) for part in _APART.split(text))
        word = _pieces(", ".join(parts).strip(" ,"))
    is_known = set(word) <= set(alphabet) and len(typed) <= MAX_TYPED
    if not word or not is_known or any(word.count(each) > MAX_OF_A_KIND for each in word):
        raise ValueError(typed)
    return "".join(sorted(word, key=alphabet.index))


def _symbols(part: str, alphabet: str) -> str:
    """What stands between two separators in as few signs as `_ITEM` knows: numbers, letters of
    goods, a city as ``#4``, and ``m`` before a marker, ``x`` for times, ``,`` for "and"."""
    part = _without_emoji(part)
    if _STRANGE.search(part):
        raise ValueError(part)
    has_goods, has_markers = (set(kind) & set(alphabet) for kind in (GOOD_LETTERS, MARKER_LETTERS))
    signs = list[str]()
    for token in tokens(part):
        named = {number for name, number in _cities().items() if name.startswith(token)}
        good = _good(token) if has_goods else None
        is_counted = bool(signs) and signs[-1].isdecimal()
        if token.isdecimal():
            signs.append(token)
        elif token in _joints() | {"times"}:
            signs.append("x" if token == "times" else ",")
        elif (
            has_markers
            and token in _called(MARKER, msg("markers")) | {"m"}
            and not (is_counted and good)
        ):
            signs.append("m")
        elif has_markers and len(token) > 2 and len(named) == 1:
            signs.append(f"#{named.pop()}")
        elif good is not None:
            signs.append(good)
        else:
            raise ValueError(token)
    said = " ".join(signs)
    # "ore 2 fur 1": turn each pair round.
    turned = not has_markers and re.fullmatch(r"(?:[a-z]+ \d+ ?)+", said)
    return re.sub(r"([a-z]+) (\d+)", r"\2 \1", said) if turned else said


def _pieces(signs: str) -> str:
    """The pieces that signs stand for, in the order named."""
    word, at = "", 0
    while at < len(signs):
        item = _ITEM.match(signs, at)
        if item is None:
            raise ValueError(signs)
        count, marker, good, *others = item.groups("")
        word += (marker or good) * int(count or 1) + "".join(others).replace(" ", "")
        at = item.end()
    return word
