"""The things of Kogge in words: cities, goods, markers, chits and players, plain or as markdown.

Plain words are for buttons, selects and alt texts; markdown adds bold names, an emoji to each good
and keycaps for markers. So one template serves chat, log and alt text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.game.contract import Fact
from bot.game.kogge.data import (
    CITY_NAMES,
    GOOD_KEYS,
    GOOD_LETTERS,
    MARKER_BACK,
    OFFICE,
    SHIP,
    goods_of,
    goods_word,
    split,
    split_partner,
)
from bot.text.game_data import GameNames, names
from bot.text.speech import Speech, keycap
from bot.text.words import Forms, Message, Words


class KoggeNames(GameNames, frozen=True, forbid_unknown_fields=True):
    """What data/kogge/names.toml says."""

    goods: dict[str, Message]
    counted: dict[str, Forms]
    """So many of a good."""
    chits: dict[str, Message]
    powers: dict[str, Message]
    """What each bonus chit gives its owner."""
    cities: dict[str, Message]
    """What else a city is called, by its name."""
    routes: dict[str, Message]
    legend: dict[str, Message]
    """What the signs on the pictures mean, from the top."""


NAMES = names("kogge", KoggeNames)
ROUTES = tuple(NAMES.routes)

# Grey rock, orange fox, purple orb, white salt: the colours of the printed pieces.
GOOD_EMOJI = {"ore": "🪨", "fur": "🦊", "amber": "🔮", "salt": "🧂"}
CHIT_EMOJI = "🎖️"
GUILD_MASTER_EMOJI = "🚶"

MANY_ALIKE = 4
"""From this many on, equal markers are counted rather than listed."""


def good_sign(words: Words, key: str) -> str:
    """The sign of a good."""
    return words.sign(f"kogge_{key}", GOOD_EMOJI[key])


def marker_sign(words: Words, number: int | str) -> str:
    """The sign of a route marker."""
    return words.sign(f"kogge_marker_{number}", keycap(number))


def piece_sign(words: Words, word: str) -> str | None:
    """The sign of the pieces in a bundle word; None where they are not all of one kind."""
    if len(set(word)) != 1 or word[0] == MARKER_BACK:
        return None
    if word[0] in GOOD_LETTERS:
        return good_sign(words, GOOD_KEYS[GOOD_LETTERS.index(word[0])])
    return marker_sign(words, word[0])


def chit_sign(words: Words, key: str) -> str:
    """The sign of a bonus chit."""
    return words.sign(f"kogge_chit_{key}", CHIT_EMOJI)


def guild_master_sign(words: Words) -> str:
    """The sign of the guild master."""
    return words.sign("kogge_guild_master", GUILD_MASTER_EMOJI)


@dataclass(frozen=True)
class KoggeSpeech(Speech):
    """How things are said to one reader; `rich` is markdown, otherwise plain text."""

    def partner(self, word: str) -> str:
        """The partner of a deal: a player, their office, or their ship at the reader's office."""
        way, seat = split_partner(word)
        name = word if seat is None else self.seat(seat)
        if way == SHIP:
            return name
        if way == OFFICE:
            return self.words("{seat}'s office", seat=name)
        return self.words("{seat}'s ship at your office", seat=name)

    def city(self, number: int) -> str:
        """A city with its number: ``Riga (4)``."""
        text = f"{CITY_NAMES[number]} ({number})"
        return f"**{text}**" if self.rich else text

    def good(self, key: str) -> str:
        """The name of a good."""
        name = self.words(NAMES.goods[key])
        return f"{good_sign(self.words, key)} {name}" if self.rich else name

    def counted(self, key: str, count: int) -> str:
        """So many of a good."""
        shown = f"{count} {good_sign(self.words, key)}" if self.rich else str(count)
        return self.words.phrase(NAMES.counted[key], count, count=shown)

    def marker(self, number: int | str) -> str:
        """A route marker by its number."""
        return marker_sign(self.words, number) if self.rich else str(number)

    def markers(self, numbers: str) -> str:
        """Markers by their numbers, side by side; many equal ones as ``5×8``."""
        return " ".join(self._markers(numbers))

    def unnamed_markers(self, count: int) -> str:
        """A count of markers whose numbers are hidden."""
        return self.words.plural("{count} marker", "{count} markers", count)

    def pieces(self, word: str) -> str:
        """Goods and markers of a bundle word; ``nothing`` for an empty one."""
        goods, markers = split(word)
        named, unnamed = markers.rstrip(MARKER_BACK), markers.count(MARKER_BACK)
        counts = zip(GOOD_KEYS, goods_of(goods), strict=True)
        items = [self.counted(key, count) for key, count in counts if count]
        if named:
            items.append(self.markers(named) if self.rich else self._plain_markers(named))
        if unnamed:
            items.append(self.unnamed_markers(unnamed))
        return self.words.listing(items) if items else self.words("nothing")

    def goods(self, counts: Sequence[int]) -> str:
        """Counts of goods in the order of the data; ``no goods`` where there are none."""
        return self.pieces(goods_word(counts)) if any(counts) else self.words("no goods")

    def chit(self, key: str) -> str:
        """The name of a bonus chit; in markdown with its own sign, where there is one."""
        name = self.words(NAMES.chits[key])
        if not self.rich:
            return name
        return f"{self.words.sign(f'kogge_chit_{key}', '')} **{name}**".lstrip()

    def route(self, key: str) -> str:
        """Which of a city's routes."""
        return self.words(NAMES.routes[key])

    def groups(self, groups: Sequence[str]) -> str:
        """The two halves of a raided cargo."""
        return self.words(
            "{first} | {second}", first=self.pieces(groups[0]), second=self.pieces(groups[1])
        )

    def pairs(self, pairs: Sequence[str]) -> str:
        """Pairs of markers; sold ones are left out."""
        return " · ".join(self.markers(pair) for pair in pairs if pair)

    def facts(self, facts: Mapping[str, Fact]) -> dict[str, str]:
        """Facts in words; also the ``goods`` of a kind and its count, the ``place`` of a marker."""
        said = super().facts(facts)
        good, count, marker = (facts.get(name) for name in ("good", "count", "marker"))
        if good in NAMES.goods:
            said["goods"] = self.counted(str(good), count if isinstance(count, int) else 1)
        if isinstance(marker, int):
            said["place"] = self.city(marker)
        return said

    def fact(self, name: str, value: Fact) -> str:
        """One fact in words."""
        match name, value:
            case "city" | "to" | "left" | "right", int():
                return self.city(value)
            case "marker", int():
                return self.marker(value)
            case "pairs" | "groups", tuple():
                words = [word for word in value if isinstance(word, str)]
                return self.pairs(words) if name == "pairs" else self.groups(words)
            case "good", str():
                return self.good(value) if value in NAMES.goods else self.pieces(value)
            case "chit", str() if value in NAMES.chits:
                return self.chit(value)
            case "route", str() if value in ROUTES:
                return self.route(value)
            case "ending", str() if value in NAMES.endings:
                return self.words(NAMES.endings[value])
            case "pieces" | "give" | "take" | "fee", str():
                return self.pieces(value)
        return super().fact(name, value)

    def _plain_markers(self, markers: str) -> str:
        return self.words.plural(
            "marker {markers}",
            "markers {markers}",
            len(markers),
            markers=", ".join(self._markers(markers)),
        )

    def _markers(self, numbers: str) -> list[str]:
        said: list[str] = []
        for number in dict.fromkeys(numbers):
            count = numbers.count(number)
            if count < MANY_ALIKE:
                said += [self.marker(number)] * count
            else:
                said.append(f"{count}×{self.marker(number)}")
        return said
