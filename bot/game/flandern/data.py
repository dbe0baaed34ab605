"""The pieces, cards and numbers of Flandern 1302, read and checked once from data/flandern."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.content import Count, Strict, read
from bot.game.flandern.plan import CITIES, CITY_OF_NAME, FOLDER, SHAPES, SPECIAL, SPECIAL_SHAPE, D


class Emblem(Strict, frozen=True):
    """A guild, the grey one or the church: its home city, its quarters of each shape, how many of
    these show a leader, and the leaders on its centre."""

    key: str
    city: str
    quarters: Count
    with_leader: Count
    centre_leaders: Count


class GoldenDecks(Strict, frozen=True):
    """The golden cards of both decks by kind; `cities` is how often each city is among them."""

    cities: Count
    a: Mapping[str, Count]
    b: Mapping[str, Count]


class FlandernContent(Strict, frozen=True):
    """The file game.toml."""

    site_pieces: Count
    cathedrals: Count
    leaders: Count
    covers: Count
    influence: Count
    bonus: Count
    turns_without_building: Count
    quarter_value: Count
    church_value: Count
    cathedral_value: Count
    lower_places: tuple[Count, ...]
    emblems: tuple[Emblem, ...]
    golden: tuple[GoldenDecks, ...]


CONTENT = read(FOLDER / "game.toml", FlandernContent)

EMBLEM_KEYS = tuple(emblem.key for emblem in CONTENT.emblems)
"""In the state an emblem is a number, its place in this list; wherever people read it, a key."""
EMBLEM_OF_KEY = {key: emblem for emblem, key in enumerate(EMBLEM_KEYS)}
EMBLEMS = len(EMBLEM_KEYS)
PLAYER_GUILDS = 4
"""The first emblems are those of players."""
GREY, CHURCH = EMBLEM_OF_KEY["grey"], EMBLEM_OF_KEY["church"]
GUILDS = EMBLEMS - 1
"""All emblems but the church are guilds, which score."""
HOME = tuple(CITY_OF_NAME[emblem.city] for emblem in CONTENT.emblems)
"""By emblem, the city of its centre."""
EMBLEM_OF_CITY = {city: emblem for emblem, city in enumerate(HOME)}

ACTION_CARDS = (*CITIES, "site", "take")
"""The silver cards that are played for an action."""
CARDS = (*ACTION_CARDS, "influence", "cathedral", "leader")
"""All kinds of card. A card is a number, its place in this list; the first are the cities."""
CARD_OF_KEY = {key: card for card, key in enumerate(CARDS)}
SITE, TAKE, INFLUENCE, CATHEDRAL, LEADER = range(len(CITIES), len(CARDS))
DECK_CARDS = SITE + 1
"""The kinds of card of a guild that are in the deck of two players: cities and the site."""

GOLDEN = {
    decks.cities: tuple(tuple(deck.get(key, 0) for key in CARDS) for deck in (decks.a, decks.b))
    for decks in CONTENT.golden
}
"""By how often each city is in them: deck A and deck B, as counts by card."""

_GOLDEN_INFLUENCE = max(sum(deck[INFLUENCE] for deck in decks) for decks in GOLDEN.values())
INFLUENCE_COUNTS = tuple(map(str, range(CONTENT.influence + _GOLDEN_INFLUENCE + 1)))
"""All numbers of influence cards that a hand may ever hold, as words."""

TILES = (*SHAPES, *(f"{shape}-leader" for shape in SHAPES), *SPECIAL)
"""The kinds of quarter: one of each shape, the same with a leader, and the church's special
ones. A kind is a number, its place in this list."""
WITH_LEADER = len(SHAPES)
"""What added to a shape makes the quarter with a leader of it."""
FIRST_SPECIAL = 2 * WITH_LEADER
D_TILE = FIRST_SPECIAL + D
SHAPE_OF_TILE = (*range(WITH_LEADER), *range(WITH_LEADER), *SPECIAL_SHAPE)
TILES_OF_SHAPE = [
    [tile for tile, of in enumerate(SHAPE_OF_TILE) if of == shape] for shape in range(len(SHAPES))
]


def stock_of(emblem: int) -> list[int]:
    """All quarters of an emblem, by kind."""
    about = CONTENT.emblems[emblem]
    plain = [about.quarters - about.with_leader] * WITH_LEADER
    special = [int(emblem == CHURCH)] * len(SPECIAL)
    return [*plain, *[about.with_leader] * WITH_LEADER, *special]


def _check() -> None:
    homes = {emblem.city for emblem in CONTENT.emblems}
    if homes != set(CITIES):
        raise ValueError(f"the centres of the emblems are {sorted(homes)}, not {sorted(CITIES)}")
    for decks in CONTENT.golden:
        for deck in (decks.a, decks.b):
            if unknown := set(deck) - set(CARDS):
                raise ValueError(f"there are no golden cards {sorted(unknown)}")
    sizes = {sum(map(sum, decks)) for decks in GOLDEN.values()}
    if len(sizes) != 1:
        raise ValueError(f"golden decks have {sorted(sizes)} cards")


_check()
