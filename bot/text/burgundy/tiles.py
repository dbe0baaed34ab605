"""The tiles in words: the name of each, its emoji, and what it does in one short sentence."""

from __future__ import annotations

from bot.game.burgundy.data import DEPOT_WORDS, TILES, kind_of
from bot.text.game_data import GameNames, names
from bot.text.speech import keycap
from bot.text.words import Forms, Message, Words

COLOUR_EMOJI = {
    "building": "🏠",
    "animal": "🐾",
    "ship": "⛵",
    "knowledge": "📜",
    "mine": "⛏️",
    "castle": "🏰",
}
"""The plain sign of each colour of tiles."""

ANIMAL_EMOJI = {"cow": "🐄", "pig": "🐖", "sheep": "🐑", "chicken": "🐓"}


class BurgundyNames(GameNames, frozen=True, forbid_unknown_fields=True):
    """What data/burgundy/names.toml says."""

    colours: dict[str, Message]
    """What the spaces of each colour are for."""
    regions: dict[str, Message]
    """What connected spaces of a colour are called."""
    tiles: dict[str, Message]
    """Those that are neither animals nor knowledge."""
    with_article: dict[str, Message]
    """The same in a sentence."""
    animals: dict[str, Forms]
    effects: dict[str, Message | Forms]
    legend: dict[str, Message]
    """What the signs on the pictures mean."""
    counted: dict[str, Forms]
    """Means and points, by the facts that count them."""


NAMES = names("burgundy", BurgundyNames)

BUILDINGS = tuple(kind.key for kind in TILES if kind.colour == "building")
KNOWLEDGE = tuple(kind.key for kind in TILES if kind.colour == "knowledge")
_LAST_POWER = 14
"""The knowledge tiles up to this number help during the game, the others score at its end."""


def sign(words: Words, key: str) -> str:
    """The sign of a tile; without one of its own that of its animal, or of its colour."""
    kind = kind_of(key)
    plain = ANIMAL_EMOJI.get(kind.kind) or COLOUR_EMOJI[kind.colour]
    return words.sign(f"burgundy_{key}", plain)


def colour_sign(words: Words, colour: str) -> str:
    """The sign of a colour of tiles."""
    return words.sign(f"burgundy_any_{colour}", COLOUR_EMOJI[colour])


def good_sign(words: Words, letter: str) -> str:
    """The sign of a type of goods."""
    return words.sign(f"burgundy_good_{letter}", keycap(letter))


def die_sign(words: Words, number: int | str, plain: str = "🎲") -> str:
    """The sign of a die; one for all where there is none of its own."""
    return words.sign(f"burgundy_die_{number}", plain, keycap(number))


def depot_sign(words: Words, depot: str) -> str:
    """The sign of a depot, that of its die; without one its number."""
    if depot == DEPOT_WORDS[-1]:
        return "⬛"
    return die_sign(words, depot, keycap(depot))


def name(words: Words, key: str) -> str:
    """What a tile is called: ``Market``, ``3 cows``, ``Knowledge 12``; plain."""
    kind = kind_of(key)
    if kind.kind:
        return words.phrase(NAMES.animals[kind.kind], kind.amount)
    if kind.colour == "knowledge":
        return words("Knowledge {number}", number=key[1:])
    return words(NAMES.tiles[key])


def effect(words: Words, key: str) -> str:
    """What a tile does, as a short clause; '' for animals, which score by their pasture."""
    kind = kind_of(key)
    if kind.counts:
        return words.phrase(NAMES.effects["counts"], kind.amount, building=name(words, kind.counts))
    does = NAMES.effects.get(key)
    return words.phrase(does, kind.amount, count=kind.amount, number=kind.amount) if does else ""


def described(words: Words, key: str) -> str:
    """A tile's name with what it does: ``Bank: 2 silverlings``; plain."""
    what = effect(words, key)
    called = name(words, key)
    return words("{tile}: {effect}", tile=called, effect=what) if what else called


def legend(words: Words) -> dict[str, str]:
    """Lists of tiles with what they do, as markdown, by their placeholder in the rules."""

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
