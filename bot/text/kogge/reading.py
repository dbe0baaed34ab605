"""What people type, as words of the game's notation.

Only the notation is settled here: whether a word is allowed just now is for the rules to say,
with their better reasons. In a bundle that may hold goods and markers, a number directly before
a good counts it ("2 ore" is two ore); a comma, a plus or a leading "m" or "marker" keeps them
apart ("2, ore", "m2 ore": marker 2 and one ore). Digits written together are single markers
("53"). Case and diacritics do not matter, and every installed language is understood.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.choices import Bundle, Choices, Done, OneOf
from bot.game.contract import Action, Fact, Refusal
from bot.game.kogge.data import (
    CHIT_KEYS,
    CITIES,
    CITY_NAMES,
    CONTENT,
    GOOD_KEYS,
    GOOD_LETTERS,
    GUEST,
    OFFICE,
)
from bot.game.kogge.view import View
from bot.text.contract import Unreadable
from bot.text.folding import tokens
from bot.text.kogge.labels import Asked, label
from bot.text.kogge.pieces import Vocabulary, read_pieces
from bot.text.kogge.speech import CHITS, ROUTES, Speech
from bot.text.matching import Alias, misread, one_of
from bot.text.words import all_words
from bot.text.written import Name

TOPICS = {
    "found": "setup",
    "bid": "auction",
    "advance": "guild_master",
    "tax": "taxes",
    "sail": "movement",
    "load": "loading",
    "peek": "memory",
    "build": "office",
    "buy": "buying",
    "trade": "trade",
    "reroute": "reroute",
    "raid_ship": "raid",
    "split": "raid",
    "choose": "raid",
    "push": "raid",
    "challenge": "conflicts",
    "demand": "conflicts",
    "pass": "conflicts",
    "offer": "deals",
    "counter": "deals",
    "accept": "deals",
    "decline": "deals",
    "withdraw": "deals",
}
"""The rules topic named where a kind of action cannot be read; else the guild master's deals."""

_ORDINALS = {"first": ("1", "1st", "a"), "second": ("2", "2nd", "b")}


def read(
    choices: Choices,
    typed: str,
    prefix: Action,
    view: View | None = None,
    names: Sequence[Name] = (),
) -> str:
    """The word that was meant. Raises Unreadable, with a refusal that says why."""
    topic = TOPICS.get(prefix[0], "guild_deals") if prefix else "overview"
    if isinstance(choices, Done):
        facts: dict[str, Fact] = {"kind": prefix[0] if prefix else ""}
        raise Unreadable(Refusal("too_many_words", topic, facts))
    if isinstance(choices, OneOf):
        return one_of(choices, typed, _aliases(choices, prefix, view, names), topic)
    return _bundle(choices, typed, topic)


def _bundle(choices: Bundle, typed: str, topic: str) -> str:
    word = read_pieces(choices.alphabet, choices.stock(), typed, Vocabulary.installed())
    if word is None:
        raise Unreadable(misread("unreadable", topic, choices.param, typed, _samples(choices)))
    return word


def _samples(choices: Bundle) -> tuple[str, ...]:
    stock = choices.stock()
    kinds = "".join(dict.fromkeys(stock))
    samples = (kinds[:1], kinds[:2], stock if len(stock) <= 3 else "")
    return tuple(dict.fromkeys(word for word in samples if word)) or ("",)


def _aliases(
    choices: OneOf, prefix: Action, view: View | None, names: Sequence[Name]
) -> list[tuple[str, Alias]]:
    """What each word of the domain may be called, and each word that the rules know better."""
    pairs = [(word, tokens(word)) for word in choices.values]
    pairs += [(word, tokens(name)) for word, name in _known(choices.param, names)]
    if choices.param == "seat":
        # Where one deals with somebody in one way only, their name alone means it.
        for seat, name in enumerate(names):
            ways = [w for w in (f"{OFFICE}{seat}", f"{GUEST}{seat}") if w in choices.values]
            if str(seat) not in choices.values and len(ways) == 1:
                pairs.append((ways[0], tokens(name.plain)))
    if view is not None:
        if choices.param == "pair":
            pairs += [
                # Of equal pairs the first will do.
                (str(view.display.index(pair) + 1), tokens(text))
                for pair in view.display
                if pair
                for text in (pair, pair[::-1], " ".join(pair), " ".join(pair[::-1]))
            ]
        for words in all_words():
            asked = Asked(Speech(words, names), prefix, choices, view)
            pairs += [(word, tokens(label(asked, word).text)) for word in choices.values]
    return pairs


def _known(param: str, names: Sequence[Name]) -> list[tuple[str, str]]:
    languages = all_words()
    if param == "marker":
        return [
            (str(number), name)
            for number in range(CITIES)
            for name in (
                str(number),
                f"m{number}",
                CITY_NAMES[number],
                f"{CITY_NAMES[number]} {number}",
                *(f"{words('marker')} {number}" for words in languages),
            )
        ]
    if param == "good":
        pairs = [(key, name) for name, key in Vocabulary.installed().goods.items()]
        return pairs + list(zip(GOOD_KEYS, GOOD_LETTERS, strict=True))
    tables = {"chit": (CHIT_KEYS, CHITS), "route": (tuple(ROUTES), ROUTES)}
    if param in tables:
        keys, table = tables[param]
        return [(key, name) for key in keys for name in (key, *(w(table[key]) for w in languages))]
    if param == "pair":
        return [(str(number), str(number)) for number in range(1, CONTENT.display_pairs + 1)]
    if param == "seat":
        return [(str(seat), name.plain.lstrip("@")) for seat, name in enumerate(names)]
    if param == "group":
        return [(word, name) for word, called in _ORDINALS.items() for name in called]
    return []
