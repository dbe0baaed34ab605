"""The tiles in words: what each is called, its sign, and what it does in one short sentence."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.burgundy.data import TILE_OF_KEY, TILES, TileKind
from bot.text.words import Forms, Message, Words, forms, msg

COLOUR_EMOJI = {
    "building": "🏠",
    "animal": "🐾",
    "ship": "⛵",
    "knowledge": "📜",
    "mine": "⛏️",
    "castle": "🏰",
}
"""The sign of each colour of tiles."""

ANIMAL_EMOJI = {"cow": "🐄", "pig": "🐖", "sheep": "🐑", "chicken": "🐓"}

COLOURS = {
    "building": msg("buildings"),
    "animal": msg("animals"),
    "ship": msg("ships"),
    "knowledge": msg("knowledge"),
    "mine": msg("mines"),
    "castle": msg("castles"),
}
"""What the spaces of each colour are for."""

REGIONS = {
    "building": msg("city"),
    "animal": msg("pasture"),
    "ship": msg("river"),
    "knowledge": msg("knowledge region"),
    "mine": msg("mine region"),
    "castle": msg("castle region"),
}
"""What connected spaces of a colour are called."""

_NAMES = {
    "warehouse": msg("Warehouse"),
    "watchtower": msg("Watchtower"),
    "carpenter": msg("Carpenter"),
    "church": msg("Church"),
    "market": msg("Market"),
    "boarding_house": msg("Boarding house"),
    "bank": msg("Bank"),
    "city_hall": msg("City hall"),
    "ship": msg("Ship"),
    "mine": msg("Mine"),
    "castle": msg("Castle"),
}
"""Those that are neither animals nor knowledge."""

_ANIMALS = {
    "cow": forms("{count} cow", "{count} cows"),
    "pig": forms("{count} pig", "{count} pigs"),
    "sheep": forms("{count} sheep", "{count} sheep"),
    "chicken": forms("{count} chicken", "{count} chickens"),
}

_EFFECTS: Mapping[str, Message | Forms] = {
    "warehouse": msg("sell all your goods of one type"),
    "watchtower": forms("{count} point", "{count} points"),
    "carpenter": msg("take a building from a depot"),
    "church": msg("take a mine, knowledge or castle tile from a depot"),
    "market": msg("take a ship or animals from a depot"),
    "boarding_house": forms("{count} worker", "{count} workers"),
    "bank": forms("{count} silverling", "{count} silverlings"),
    "city_hall": msg("place one more tile, with any die"),
    "ship": msg("goods of a depot, and a step ahead in the order of play"),
    "mine": forms("{count} silverling after each phase", "{count} silverlings after each phase"),
    "castle": msg("one more action, with any die"),
    "k1": msg("a building may stand more than once in a city"),
    "k2": forms("each mine also brings {count} worker", "each mine also brings {count} workers"),
    "k3": forms("each sale brings {count} silverling", "each sale brings {count} silverlings"),
    "k4": forms("each sale also brings {count} worker", "each sale also brings {count} workers"),
    "k5": msg("a ship loads from two neighbouring depots"),
    "k6": msg("buy from any depot, not only from the black one"),
    "k7": forms(
        "{count} point more for each animal tile that scores",
        "{count} points more for each animal tile that scores",
    ),
    "k8": forms("a worker changes a die by {count}", "a worker changes a die by up to {count}"),
    "k9": msg("±{count} on the die for free when placing buildings"),
    "k10": msg("±{count} on the die for free when placing ships, animals"),
    "k11": msg("±{count} on the die for free when placing castles, mines, knowledge"),
    "k12": msg("±{count} on the die for free when taking a tile"),
    "k13": forms(
        "a die for workers also brings {count} silverling",
        "a die for workers also brings {count} silverlings",
    ),
    "k14": msg("a die for workers brings {count} of them"),
    "k15": forms(
        "at the end {count} point for each type of goods sold",
        "at the end {count} points for each type of goods sold",
    ),
    "k24": forms(
        "at the end {count} point for each kind of animal",
        "at the end {count} points for each kind of animal",
    ),
    "k25": forms(
        "at the end {count} point for each goods tile sold",
        "at the end {count} points for each goods tile sold",
    ),
    "k26": forms(
        "at the end {count} point for each bonus tile",
        "at the end {count} points for each bonus tile",
    ),
}
_COUNTS = forms(
    "at the end {count} point for each {building}",
    "at the end {count} points for each {building}",
)

BUILDINGS = tuple(kind.key for kind in TILES if kind.colour == "building")
KNOWLEDGE = tuple(kind.key for kind in TILES if kind.colour == "knowledge")
_LAST_POWER = 14
"""The knowledge tiles up to this number help during the game, the others count at its end."""


def kind_of(key: str) -> TileKind:
    """A tile by its key. Raises KeyError where there is none."""
    return TILES[TILE_OF_KEY[key]]


def emoji(key: str) -> str:
    """The sign of a tile: that of its animal, or of its colour."""
    kind = kind_of(key)
    return ANIMAL_EMOJI.get(kind.kind) or COLOUR_EMOJI[kind.colour]


def name(words: Words, key: str) -> str:
    """What a tile is called: ``Market``, ``3 cows``, ``Knowledge 12``; plain."""
    kind = kind_of(key)
    if kind.kind:
        return words.phrase(_ANIMALS[kind.kind], kind.amount)
    if kind.colour == "knowledge":
        return words("Knowledge {number}", number=key[1:])
    return words(_NAMES[key])


def effect(words: Words, key: str) -> str:
    """What a tile does, as a short clause; '' for animals, which score by what lies around."""
    kind = kind_of(key)
    if kind.counts:
        return words.phrase(_COUNTS, kind.amount, building=name(words, kind.counts))
    return words.phrase(_EFFECTS[key], kind.amount, count=kind.amount) if key in _EFFECTS else ""


def told(words: Words, key: str) -> str:
    """A tile's name with what it does: ``Bank: 2 silverlings``; plain."""
    what = effect(words, key)
    called = name(words, key)
    return words("{tile}: {effect}", tile=called, effect=what) if what else called


def legend(words: Words) -> dict[str, str]:
    """Lists of tiles with what they do, as markdown, by the name the rules ask for them by."""

    def lines(keys: tuple[str, ...]) -> str:
        return "\n".join(
            words("- **{tile}:** {effect}", tile=name(words, key), effect=effect(words, key))
            for key in keys
        )

    return {
        "buildings": lines(BUILDINGS),
        "powers": lines(KNOWLEDGE[:_LAST_POWER]),
        "counting": lines(KNOWLEDGE[_LAST_POWER:]),
    }
