"""The things of Flandern 1302 in words: guilds, cities, plots, quarters, cards; plain or as
markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.game.contract import Fact
from bot.game.flandern.city import FlandernCity, Standing, standings, value
from bot.game.flandern.data import EMBLEM_KEYS, EMBLEM_OF_KEY, PLAYER_GUILDS
from bot.game.flandern.plan import CITY_OF_NAME, PLACE_OF_NAME, city_of
from bot.game.flandern.view import FlandernView
from bot.text.chapter import Chapter
from bot.text.game_data import GameNames, names
from bot.text.labels import Asking
from bot.text.markup import bold
from bot.text.speech import Speech
from bot.text.words import Forms, Message

EMOJI = {"red": "🔴", "green": "🟢", "blue": "🔵", "yellow": "🟡", "grey": "⚪", "church": "⛪"}
CARD_EMOJI = {"site": "🏗️", "take": "↩️", "influence": "📜", "cathedral": "⛪", "leader": "👤"}
CITY_EMOJI = "🏘️"
TAKE = "take"


class FlandernNames(GameNames, frozen=True, forbid_unknown_fields=True):
    """What data/flandern/names.toml says."""

    emblems: dict[str, Message]
    cities: dict[str, Message]
    cards: dict[str, Message]
    effects: dict[str, Message]
    quarters: dict[str, Message]
    """By emblem, as `sites` are."""
    sites: dict[str, Message]
    tiles: dict[str, Message]
    """By the word of the notation, D's without its bar; as `kinds` are."""
    kinds: dict[str, Message]
    shapes: dict[str, Message]
    ranks: dict[str, Message]
    counted: dict[str, Forms]
    orders: dict[str, Message]
    legend: dict[str, Message]


NAMES = names("flandern", FlandernNames)


def split_tile(tile: str) -> tuple[str, str]:
    """The word of a tile without a bar, and the plot of D's bar: ``church-d`` and ``r1``."""
    emblem, _, kind = tile.partition("-")
    kind, _, bar = kind.partition("-")
    return (f"{emblem}-{kind}" if kind else emblem), bar


@dataclass(frozen=True)
class FlandernSpeech(Speech):
    """How things are said to one reader; `rich` is markdown, otherwise plain text."""

    def emblem(self, key: str) -> str:
        """A guild or the church by its name; with its sign as markdown."""
        name = self.words(NAMES.emblems[key])
        return f"{self.sign(key)} {name}" if self.rich else name

    def sign(self, key: str) -> str:
        """The sign of a guild, which is that of its side, or of the church."""
        number = EMBLEM_OF_KEY[key]
        known = f"side_{number}" if number < PLAYER_GUILDS else f"flandern_{key}"
        return self.words.sign(known, EMOJI[key])

    def emblems(self, keys: Iterable[str]) -> str:
        """Some of these, in short: ``Red/Grey``; ``nobody`` for none."""
        return "/".join(map(self.emblem, keys)) or self.words("nobody")

    def city(self, key: str) -> str:
        """A city."""
        return self.words(NAMES.cities[key])

    def card(self, key: str) -> str:
        """A card: ``Gent``, ``Site``."""
        return self.city(key) if key in NAMES.cities else self.words(NAMES.cards[key])

    def cards(self, keys: Iterable[str]) -> str:
        """Some cards: ``Gent and Site``; ``none yet`` without any."""
        return self.words.listing([*map(self.card, keys)]) or self.words("none yet")

    def plot(self, name: str) -> str:
        """A plot, or that of a place, without its city: ``T1``."""
        plot = name.rpartition("-")[2]
        return self.words("centre") if plot == "c" else plot.upper()

    def plots(self, names: Iterable[str]) -> str:
        """Some plots: ``T1 P2``."""
        return " ".join(map(self.plot, names))

    def place(self, name: str) -> str:
        """A plot with its city: ``Gent T1``."""
        said = f"{self.city(city_of(name))} {self.plot(name)}"
        return bold(said) if self.rich else said

    def tile(self, tile: str) -> str:
        """What is built, without its article: ``red quarter with a leader``."""
        known, bar = split_tile(tile)
        return self.words(NAMES.tiles[known], bar=self.plot(bar))

    def kind(self, tile: str) -> str:
        """The same in short: ``Red with leader``, ``Church D with R1``."""
        known, bar = split_tile(tile)
        return self.words(NAMES.kinds[known], bar=self.plot(bar))

    def counted(self, what: str, count: int) -> str:
        """A number of ``points``, ``plots``, ``influence`` cards and the like."""
        return self.words.phrase(NAMES.counted[what], count, count=count)

    def influence(self, count: int) -> str:
        """What is laid out beside a card: ``with 2 influence cards``."""
        return self.counted("with", count) if count else self.words("without influence cards")

    def worth(self, city: FlandernCity) -> str:
        """What a city is worth, and which guilds would score: ``9 (Red 9, Blue 5)``."""
        return self._worth(city, [each for each in standings(city) if each.points])

    def brief(self, view: FlandernView, city: FlandernCity) -> str:
        """The same for a button: of the guilds only the first and the best of the observer's."""
        own = view.seats[view.observer].guilds if view.observer >= 0 else []
        scoring = [each for each in standings(city) if each.points]
        mine = [each for each in scoring[1:] if EMBLEM_KEYS[each.emblem] in own]
        return self._worth(city, [*scoring[:1], *mine[:1]])

    def unsaid(self, view: FlandernView, city: FlandernCity) -> str | None:
        """All that `worth` says, where `brief` leaves guilds out; None where it does not."""
        full = self.worth(city)
        return full if full != self.brief(view, city) else None

    def _worth(self, city: FlandernCity, said: Iterable[Standing]) -> str:
        guilds = [f"{self.emblem(EMBLEM_KEYS[each.emblem])} {each.points}" for each in said]
        worth = str(value(city))
        if not guilds:
            return worth
        return self.words("{value} ({guilds})", value=worth, guilds=", ".join(guilds))

    def guilds_of(self, view: FlandernView, seat: int) -> str:
        """Whom a seat plays for: ``Red``, of two players ``Red, Blue``; '' before that is known."""
        return ", ".join(map(self.emblem, view.seats[seat].guilds))

    def facts(self, facts: Mapping[str, Fact]) -> dict[str, str]:
        """As for every game; an emblem also names its quarter and its site, a tile is also said in
        short, and points also as a number alone."""
        said = super().facts(facts)
        if "points" in facts:
            said["scored"] = str(facts["points"])
        emblem = facts.get("emblem")
        if isinstance(emblem, str) and emblem in NAMES.quarters:
            said["quarter"] = self.words(NAMES.quarters[emblem])
            said["site"] = self.words(NAMES.sites[emblem])
        tile = facts.get("tile")
        if isinstance(tile, str) and split_tile(tile)[0] in NAMES.kinds:
            sign = self.sign(tile.partition("-")[0])
            said["item"] = f"{sign} {self.kind(tile)}" if self.rich else self.kind(tile)
        return said

    def fact(self, name: str, value: Fact) -> str:
        """One fact in words."""
        match name, value:
            case "influence", int():
                return self.influence(value)
            case _, int() if name in NAMES.counted:
                return self.counted(name, value)
            case "first", int():
                return self.seat(value)
            case "city", str() if value in CITY_OF_NAME:
                return self.city(value)
            case "card", str() if value in NAMES.cards or value in CITY_OF_NAME:
                return self.card(value)
            case "cards", tuple():
                # That Take comes back itself goes without saying.
                return self.words.listing([self.card(str(each)) for each in value if each != TAKE])
            case "guild" | "emblem", str() if value in NAMES.emblems:
                return self.emblem(value)
            case "place", str() if value in PLACE_OF_NAME:
                return self.place(value)
            case "places", tuple():
                return self.words.listing([self.place(str(place)) for place in value])
            case "tile", str() if split_tile(value)[0] in NAMES.tiles:
                return self.tile(value)
            case "deck", str():
                return value.upper()
            case "ending", str() if value in NAMES.endings:
                return self.words(NAMES.endings[value])
        return super().fact(name, value)


Asked = Asking[FlandernSpeech, FlandernView]
FlandernChapter = Chapter[FlandernSpeech, FlandernView]
