"""The things of Burgundy in words: tiles, spaces, depots, dice, goods; plain or as markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.game.burgundy.data import CONTENT, DEPOT_WORDS, GOODS_LETTERS, SPACE_NAMES, TILE_OF_KEY
from bot.game.contract import Fact
from bot.text.burgundy import tiles
from bot.text.burgundy.tiles import NAMES
from bot.text.speech import Speech, keycap

FACES = "⚀⚁⚂⚃⚄⚅"
ANY = "any"
"""The die of an effect."""


def face(number: int) -> str:
    """A die showing a number."""
    return FACES[number - 1]


def word_of(counts: Sequence[int]) -> str:
    """Counts of goods by type as a word: ``1123``."""
    return "".join(letter * n for letter, n in zip(GOODS_LETTERS, counts, strict=True))


@dataclass(frozen=True)
class BurgundySpeech(Speech):
    """How things are said to one reader; `rich` is markdown, otherwise plain text."""

    def tile(self, key: str) -> str:
        """A tile: ``3 cows``; with its sign as markdown."""
        name = tiles.name(self.words, key)
        return f"{tiles.sign(self.words, key)} {name}" if self.rich else name

    def with_article(self, key: str) -> str:
        """A tile in a sentence: ``the Bank``, ``a Mine``, ``3 cows``; in markdown with its sign."""
        article = NAMES.with_article.get(key)
        return self.tile(key) if self.rich or article is None else self.words(article)

    def tiles(self, keys: Iterable[str]) -> str:
        """Several tiles, in their order; ``nothing`` for none."""
        return ", ".join(self.tile(key) for key in keys) or self.words("nothing")

    def region(self, colour: str) -> str:
        """What a region of a colour is called."""
        name = self.words(NAMES.regions[colour])
        return f"{tiles.colour_sign(self.words, colour)} {name}" if self.rich else name

    def colour(self, colour: str) -> str:
        """What spaces of a colour are for."""
        name = self.words(NAMES.colours[colour])
        return f"{tiles.colour_sign(self.words, colour)} {name}" if self.rich else name

    def space(self, name: str) -> str:
        """A space of an estate."""
        return f"**{name}**" if self.rich else name

    def depot(self, word: str) -> str:
        """A depot by its word."""
        if word == DEPOT_WORDS[-1]:
            return self.words("the black depot")
        return self.words("depot {number}", number=word)

    def die(self, word: str) -> str:
        """A die: ``⚃ 4``; that of an effect has no number."""
        if word == ANY:
            return self.words("any die")
        sign = face(int(word))
        return f"{tiles.die_sign(self.words, word, sign) if self.rich else sign} {word}"

    def dice(self, numbers: Iterable[int]) -> str:
        """Some dice by their faces and numbers, or in markdown by their own signs."""
        return " ".join(self._thrown(number) for number in numbers)

    def _thrown(self, number: int) -> str:
        plain = f"{face(number)}{number}"
        return tiles.die_sign(self.words, number, plain) if self.rich else plain

    def good(self, letter: str) -> str:
        """A type of goods by its number, or in markdown by its own sign."""
        return self._own_sign(letter) or self.words("type {number}", number=letter)

    def _own_sign(self, letter: str) -> str:
        """The own sign of a type of goods in markdown, '' where there is none."""
        if not self.rich:
            return ""
        return self.words.sign(f"burgundy_good_{letter}", "", keycap(letter))

    def goods(self, word: str) -> str:
        """Goods of a word such as ``1123``; ``nothing`` for an empty one."""
        items = [self._goods_of(letter, word.count(letter)) for letter in dict.fromkeys(word)]
        return ", ".join(items) or self.words("nothing")

    def goods_in_short(self, word: str) -> str:
        """The same where there is little room: more than two types share one word."""
        kinds = {letter: word.count(letter) for letter in word}
        if len(kinds) < 3:
            return self.goods(word)
        items = [f"{letter} (×{n})" if n > 1 else letter for letter, n in kinds.items()]
        return self.words("types {types}", types=", ".join(items))

    def _goods_of(self, letter: str, count: int) -> str:
        """Goods of one type: ``2× type 4``, or in markdown its own sign with their number."""
        sign = self._own_sign(letter)
        if not sign:
            return self.words("{count}× {good}", count=count, good=self.good(letter))
        return f"{sign}\N{NO-BREAK SPACE}×{count}" if count > 1 else sign

    def types(self, word: str) -> str:
        """The types of a word of goods, one letter each; ``nothing`` for an empty one."""
        return self.words.listing([self.good(c) for c in word]) or self.words("nothing")

    def counted(self, what: str, count: int) -> str:
        """A number of ``points``, ``workers`` or ``silverlings``."""
        return self.words.phrase(NAMES.counted[what], count, count=count, number=count)

    def facts(self, facts: Mapping[str, Fact]) -> dict[str, str]:
        """As for every game; a colour also names its region, and pieces are goods."""
        said = super().facts(facts)
        colour = facts.get("colour")
        if isinstance(colour, str):
            said["region"] = self.region(colour)
        bonus = facts.get("bonus")
        if bonus in CONTENT.phase_points:
            said["phase"] = CONTENT.phases[CONTENT.phase_points.index(bonus)]
        if "pieces" in facts:
            said["goods"] = self.fact("goods", facts["pieces"])
        return said

    def fact(self, name: str, value: Fact) -> str:
        """One fact in words."""
        match name, value:
            case (("points" | "workers" | "spent" | "silverlings" | "price"), int()):
                return self.counted(name, value)
            case "tile" | "discard", str() if value in TILE_OF_KEY:
                return self.tile(value)
            case "tiles", tuple():
                return self.tiles(str(key) for key in value)
            case "colour", str() if value in NAMES.colours:
                return self.colour(value)
            case "space", str() if value in SPACE_NAMES:
                return self.space(value)
            case "depot" | "other", str() if value in DEPOT_WORDS:
                return self.depot(value)
            case "die", str() if value == ANY or value in GOODS_LETTERS:
                return self.die(value)
            case "dice", tuple():
                return self.dice(int(number) for number in value)
            case "good", str():
                return self.good(value)
            case "goods", tuple():
                return ", ".join(self._own_sign(str(letter)) or str(letter) for letter in value)
            case "goods", str():
                return self.goods(value)
            case "item", str() if value in NAMES.score:
                return self.words(NAMES.score[value])
            case "ending", str() if value in NAMES.endings:
                return self.words(NAMES.endings[value])
        return super().fact(name, value)
