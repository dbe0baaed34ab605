"""Parsing of typed text into words of the notation, and formatting of such words as users type
them.

This module only parses. The rules decide whether a word is legal, because they have better reasons.
With goods and markers in one bundle, a number directly before a good is its count ("2 ore" is two
ore). A comma, a plus, or a leading "m" or "marker" separates them ("2, ore" and "m2 ore" are marker
2 and one ore). Digits without spaces are single markers ("53"). Case and diacritics are ignored,
and names in all installed languages are understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, product

from bot.game.choices import Bundle, OneOf
from bot.game.hidden import UNSEEN
from bot.game.kogge.common import current_city
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
_SEPARATOR = re.compile(r"[,;+&/|\n]|(?<!\w)-(?!\w)")
_OWN_SIGN = re.compile(r"<:kogge_(?:marker_(?P<marker>\d)|(?P<piece>\w+?))_[0-9a-f]+:\d+>")
"""A custom emoji of the bot, as Discord writes it."""
_MULTIPLIER = re.compile(r"(\d)\s*[x*]\s*(?=[\w])")
_NOTATION = re.compile(f"{'*'.join(GOOD_LETTERS)}*[{MARKER_LETTERS}]*")
"""Letters of goods, then digits of markers, without separators: ``oof53``."""
_ITEM = re.compile(
    r"(?:(\d{1,2}) (?:x (?:m )?(\d)|(?:x )?([ofas]))\b"
    r"|m (\d+(?: \d+\b(?! x))*)\b(?! x)|m\b"
    r"|(\d+)\b(?! x| [ofas])|([ofas]+)\b"
    r"|#(\d)(?: \7\b)?)[ ,]*"
)
"""An item in the symbols of `_symbols`: pieces with a count, markers after "m", other markers,
goods, or a marker by its city, with or without its number."""
_UNKNOWN_CHARACTER = re.compile(r"[^\w \t()\[\]#.'\"*]")


class KoggeReading(KoggeTable):
    """Parsing of typed text, in the context of one observer's view."""

    def clean(self, typed: str) -> str:
        """Replace emoji of markers by numbers, and those of goods by letters.

        Emoji of goods next to words are removed instead.
        """
        return _without_emoji(_without_own_signs(typed))

    def read_bundle(self, choices: Bundle, typed: str, topic: str) -> str:
        """Return the typed pieces as a word. Raise Unreadable, with a refusal that says why."""
        stock = choices.stock()
        try:
            return read_pieces(choices.alphabet, stock, typed)
        except ValueError:
            kinds = "".join(dict.fromkeys(stock))
            samples = (kinds[:1], kinds[:2], stock if len(stock) <= 3 else "")
            shown = tuple(dict.fromkeys(filter(None, samples))) or ("",)
            raise Unreadable(misread("unreadable", topic, choices.param, typed, shown)) from None

    def example(self, param: str, word: str) -> str:
        """Return a word of the notation as a user would type it."""
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
        """Yield (word, alias) pairs besides the labels, also for words not on offer."""
        yield from super().aliases(choices)
        match choices.param:
            case "marker":
                for number in range(CITIES):
                    for alias in ("", "m", *_names_of(MARKER), *cities_called(number)):
                        yield str(number), f"{alias} {number}"
            case "good":
                yield from ((key, name) for name, key in _goods().items())
                yield from zip(GOOD_KEYS, GOOD_LETTERS, strict=True)
            case "group":
                yield from ((word, each) for word, alias in _ORDINALS.items() for each in alias)
            case "seat":
                yield from ((str(n), name.plain.lstrip("@")) for n, name in enumerate(self.names))
                for seat, name in enumerate(self.names):
                    # With only one way to deal with a player, their name is enough.
                    ways = [w for w in (f"{OFFICE}{seat}", f"{GUEST}{seat}") if w in choices.values]
                    if str(seat) not in choices.values and len(ways) == 1:
                        yield ways[0], name.plain
            case "pair":
                yield from ((each, each) for each in map(str, range(1, CONTENT.display_pairs + 1)))
                for pair in filter(None, self.known.display if self.view else ()):
                    for text in (pair, pair[::-1], " ".join(pair), " ".join(pair[::-1])):
                        # Of equal pairs, take the first.
                        yield str(self.known.display.index(pair) + 1), text
            case "route" if self.view:
                frame = self.known.frames[-1]
                ship = frame.pushed if isinstance(frame, Push) else self.observer
                routes = current_city(self.known, ship).routes
                leads = [*(each.marker for each in routes), self.known.guild_city]
                for word, to in zip(NAMES.routes, leads, strict=True):
                    if word in choices.values and to != UNSEEN:
                        yield from ((word, city) for city in cities_called(to))


@cache
def cities_called(number: int) -> tuple[str, ...]:
    """Return the names of a city: on the board, and in each language."""
    other = NAMES.cities.get(CITY_NAMES[number])
    return (CITY_NAMES[number], *(words(other) for words in all_words() if other))


@cache
def _cities() -> dict[str, str]:
    """Return the numbers of cities, by the first word of each of their names."""
    return {tokens(name)[0]: str(n) for n in range(CITIES) for name in cities_called(n)}


@cache
def _goods() -> dict[str, str]:
    """Return the keys of goods by their names, singular and plural, in all languages; folded."""
    goods = {key: key for key in GOOD_KEYS}
    for words, key in product(all_words(), GOOD_KEYS):
        counted = [words.phrase(NAMES.counted[key], n, count="") for n in (1, 2)]
        for name in (words(NAMES.goods[key]), *counted):
            goods.setdefault(fold(name).strip(), key)
    return goods


@cache
def _names_of(*messages: Message) -> frozenset[str]:
    """Return the translations of messages into all languages; folded."""
    return frozenset(fold(words(each)) for words in all_words() for each in messages)


@cache
def _listing_words() -> frozenset[str]:
    """Return the words and signs between two items of a list, in all languages."""
    listings = (tokens(words.listing(["1", "2"])) for words in all_words())
    return frozenset(chain.from_iterable(listings)) - {"1", "2"}


def _good(token: str) -> str | None:
    """Return the letters of the goods in a token: ``ore``, ``o``, ``oof``, ``am``."""
    goods, letters = _goods(), token if set(token) <= set(GOOD_LETTERS) else None
    key = goods.get(token) or goods.get(token.removesuffix("s"))
    matching = {key for name, key in goods.items() if name.startswith(token)}
    in_order = letters and list(token) == sorted(token, key=GOOD_LETTERS.index)
    if key is None and not in_order and len(matching) == 1:
        key = matching.pop()
    return letters if key is None else LETTER_OF[key]


def _without_own_signs(typed: str) -> str:
    """Replace the bot's emoji of markers by numbers and of goods by plain emoji; drop others."""

    def plain(sign: re.Match[str]) -> str:
        # Without the comma, the marker would be read as the count of the next piece.
        return f"{sign['marker']}, " if sign["marker"] else GOOD_EMOJI.get(sign["piece"], " ")

    return _OWN_SIGN.sub(plain, typed)


def _without_emoji(part: str) -> str:
    """Replace emoji of goods by letters; next to words, remove them."""
    named = any(c.isalpha() for c in part)
    for letter, emoji in zip(GOOD_LETTERS, GOOD_EMOJI.values(), strict=True):
        part = part.replace(emoji, "" if named else f" {letter} ")
    return part


def read_pieces(alphabet: str, stock: str, typed: str) -> str:
    """Return the typed pieces as a word in the order of `alphabet`; "all" means `stock`.

    Raise ValueError if the text cannot be parsed.
    """
    text = fold(_without_own_signs(typed[: MAX_TYPED + 1])).strip()
    if text in {*_names_of(msg("nothing")), "none", "-", ""}:
        return ""
    if text in _names_of(msg("all")):
        return stock
    word = text
    if not (_NOTATION.fullmatch(text) and set(text) <= set(alphabet)):
        # "2x ore" and "2x5" are counts, and so is a number directly before a good.
        text = _MULTIPLIER.sub(r"\1 times ", text)
        parts = (_symbols(part, alphabet) for part in _SEPARATOR.split(text))
        word = _pieces(", ".join(parts).strip(" ,"))
    is_known = set(word) <= set(alphabet) and len(typed) <= MAX_TYPED
    if not word or not is_known or any(word.count(each) > MAX_OF_A_KIND for each in word):
        raise ValueError(typed)
    return "".join(sorted(word, key=alphabet.index))


def _symbols(part: str, alphabet: str) -> str:
    """Translate the text between two separators into the symbols that `_ITEM` parses.

    They are numbers, letters of goods, ``#4`` for a city, ``m`` before a marker, ``x`` for times,
    and ``,`` for "and". Raise ValueError for an unknown word or character.
    """
    part = _without_emoji(part)
    if _UNKNOWN_CHARACTER.search(part):
        raise ValueError(part)
    has_goods, has_markers = (set(kind) & set(alphabet) for kind in (GOOD_LETTERS, MARKER_LETTERS))
    signs = list[str]()
    for token in tokens(part):
        named = {number for name, number in _cities().items() if name.startswith(token)}
        good = _good(token) if has_goods else None
        is_counted = bool(signs) and signs[-1].isdecimal()
        if token.isdecimal():
            signs.append(token)
        elif token in _listing_words() | {"times"}:
            signs.append("x" if token == "times" else ",")
        elif (
            has_markers
            and token in _names_of(MARKER, msg("markers")) | {"m"}
            and not (is_counted and good)
        ):
            signs.append("m")
        elif has_markers and len(token) > 2 and len(named) == 1:
            signs.append(f"#{named.pop()}")
        elif good is not None:
            signs.append(good)
        else:
            raise ValueError(token)
    text = " ".join(signs)
    # "ore 2 fur 1": swap each pair.
    is_reversed = not has_markers and re.fullmatch(r"(?:[a-z]+ \d+ ?)+", text)
    return re.sub(r"([a-z]+) (\d+)", r"\2 \1", text) if is_reversed else text


def _pieces(symbols: str) -> str:
    """Return the pieces in a row of symbols, in the same order."""
    word, position = "", 0
    while position < len(symbols):
        item = _ITEM.match(symbols, position)
        if item is None:
            raise ValueError(symbols)
        count, marker, good, *others = item.groups("")
        word += (marker or good) * int(count or 1) + "".join(others).replace(" ", "")
        position = item.end()
    return word
