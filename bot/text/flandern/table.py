"""Names of the components of Flandern 1302, and the table as text: cities, players, supply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from bot.game.contract import Seat
from bot.game.flandern.building import tile_word
from bot.game.flandern.city import (
    NONE,
    FlandernCity,
    Quarter,
    quarters,
    standings,
    value,
)
from bot.game.flandern.data import (
    CARDS,
    CHURCH,
    CITIES,
    CITY_OF_NAME,
    EMBLEM_KEYS,
    EMBLEM_OF_KEY,
    FIRST_SPECIAL,
    GOLDEN,
    GREY,
    PLAYER_GUILDS,
    PLOT_NAMES,
    SHAPES,
    SPECIAL,
    TAKE,
    WITH_LEADER,
    city_of,
)
from bot.game.flandern.scoring import covers_left, score_of
from bot.game.flandern.state import (
    CardChoice,
    FlandernOver,
    FlandernState,
    cities_in_play,
    must_draw_golden,
    turn_order,
    two_players,
)
from bot.text.game_data import GameNames, names
from bot.text.game_words import GameWords, PartText, sentence
from bot.text.markup import bold
from bot.text.words import Message, msg

EMOJI = {"red": "🔴", "green": "🟢", "blue": "🔵", "yellow": "🟡", "grey": "⚪", "church": "⛪"}
ALL_CITIES = "cities"
"""The part that shows all cities."""
GOLDEN_CARDS = "golden"
"""The part that shows the golden cards, for three or four players."""


class FlandernNames(GameNames, frozen=True, forbid_unknown_fields=True):
    """The file data/flandern/names.toml."""

    emblems: dict[str, Message]
    cities: dict[str, Message]
    cards: dict[str, Message]
    effects: dict[str, Message]
    quarters: dict[str, Message]
    """By emblem, like `sites`."""
    sites: dict[str, Message]
    tiles: dict[str, Message]
    """By the word of the notation, D's without its bar; like `kinds`."""
    kinds: dict[str, Message]
    shapes: dict[str, Message]
    ranks: dict[str, Message]


NAMES = names("flandern", FlandernNames)


class FlandernTable(GameWords[FlandernState]):
    """Names and table texts, the base of `FlandernWords`."""

    # Components, by their words in the notation

    def emblem(self, key: str) -> str:
        """Return the name of a guild or the church, with its sign in markdown."""
        name = self.words(NAMES.emblems[key])
        return f"{self.sign(key)} {name}" if self.rich else name

    def sign(self, key: str) -> str:
        """Return the sign of a guild's side, or of the church."""
        number = EMBLEM_OF_KEY[key]
        name = f"side_{number}" if number < PLAYER_GUILDS else f"flandern_{key}"
        return self.words.sign(name, EMOJI[key])

    def city(self, key: str) -> str:
        """Return the name of a city."""
        return self.words(NAMES.cities[key])

    def card(self, key: str) -> str:
        """Return the name of a card: ``Gent``, ``Site``."""
        return self.city(key) if key in NAMES.cities else self.words(NAMES.cards[key])

    def returned_cards(self, keys: Iterable[str] | int) -> str:
        """Return the names of returning cards without Take, which always returns, or a number of
        cards."""
        if isinstance(keys, int):
            return self.counted("cards", keys)
        return self.words.listing([self.card(key) for key in keys if key != CARDS[TAKE]])

    def plot(self, name: str) -> str:
        """Return the name of a plot without its city: ``T1``."""
        plot = name.rpartition("-")[2]
        return self.words("centre") if plot == PLOT_NAMES[0] else plot.upper()

    def place(self, name: str) -> str:
        """Return the name of a plot with its city: ``Gent T1``."""
        text = f"{self.city(city_of(name))} {self.plot(name)}"
        return bold(text) if self.rich else text

    def places(self, names: Iterable[str]) -> str:
        """Return the names of several plots with their cities."""
        return self.words.listing(list(map(self.place, names)))

    def tile(self, tile: str, names: Mapping[str, Message] = NAMES.tiles) -> str:
        """Return the name of a tile without an article: ``red quarter with a leader``."""
        key, bar = split_tile(tile)
        return self.words(names[key], bar=self.plot(bar))

    def kind(self, tile: str) -> str:
        """Return the short name of a tile: ``Red with leader``, ``Church D with R1``."""
        return self.tile(tile, NAMES.kinds)

    def item(self, tile: str) -> str:
        """Return the short name of a tile, with its sign in markdown."""
        kind = self.kind(tile)
        return f"{self.sign(tile.partition('-')[0])} {kind}" if self.rich else kind

    def influence(self, count: int | str) -> str:
        """Return the influence cards played with a card: ``with 2 influence cards``."""
        none = self.words("without influence cards")
        return self.counted("with", int(count)) if int(count) else none

    def site(self, emblem: str) -> str:
        """Return the name of an emblem's quarter under construction: ``red site``."""
        return self.words(NAMES.sites[emblem])

    says: ClassVar = {
        "emblem": emblem,
        "guild": emblem,
        "city": city,
        "card": card,
        "cards": returned_cards,
        "place": place,
        "places": places,
        "tile": tile,
        "item": item,
        "influence": influence,
        "quarter": lambda self, emblem: self.words(NAMES.quarters[emblem]),
        "site": site,
        "deck": lambda self, key: key.upper(),
        "first": GameWords.seat,
        "scored": lambda self, points: str(points),
    }
    derived: ClassVar[Mapping[str, str]] = {
        "item": "tile",
        "quarter": "emblem",
        "site": "emblem",
        "scored": "points",
    }

    # Components, by their numbers in the state

    def emblems(self, numbers: Iterable[int]) -> str:
        """Return the short names of emblems: ``Red/Grey``; a word if there are none."""
        return "/".join(self.emblem(EMBLEM_KEYS[number]) for number in numbers) or self.words(
            "nobody"
        )

    def guilds_of(self, seat: Seat) -> str:
        """Return the guilds of a seat: ``Red``, or ``Red, Blue`` in a two-player game; "" before
        they are known."""
        guilds = self.known.players[seat].guilds
        return ", ".join(self.emblem(EMBLEM_KEYS[guild]) for guild in guilds)

    def cards(self, numbers: Iterable[int]) -> str:
        """Return the names of cards: ``Gent and Site``, or ``none yet``."""
        cards = [self.card(CARDS[number]) for number in numbers]
        return self.words.listing(cards) or self.words("none yet")

    def plots(self, city: FlandernCity, plots: int) -> str:
        """Return the names of a city's plots: ``T1 P2``."""
        return " ".join(map(self.plot, city.places(plots)))

    def value_text(self, city: FlandernCity, *, short: bool = False) -> str:
        """Return the value of a city and the guilds that would score: ``9 (Red 9, Blue 5)``;
        `short` names only the first guild and the observer's best."""
        scoring = [each for each in standings(city) if each.points]
        if short:
            own = self.known.players[self.observer].guilds if self.observer >= 0 else []
            scoring = [*scoring[:1], *[each for each in scoring[1:] if each.emblem in own][:1]]
        guilds = ", ".join(
            f"{self.emblem(EMBLEM_KEYS[each.emblem])} {each.points}" for each in scoring
        )
        text = str(value(city))
        return self.words("{value} ({guilds})", value=text, guilds=guilds) if guilds else text

    # The table

    def variants(self) -> str:
        """Return how the options differ from the default rules, or "".

        The setup is left out, because the table shows it.
        """
        rules = self.known.rules
        differs = {
            "golden_cities 2": rules.golden_cities == 2 and not two_players(self.known),
            "bonus any": rules.any_bonus,
        }
        return " · ".join(
            f"{self.option(key.split()[0])}: {self.option_value(*key.split())}"
            for key, is_different in differs.items()
            if is_different
        )

    def board_lines(self) -> list[str]:
        """Return the round, the players, the cities with their free plots, and the supply."""
        players = map(self._seat_line, turn_order(self.known))
        if not self.known.round:
            return [self.words("Set-up"), *players, self.variants()]
        header = self._round_line(), self._deck_line()
        return [*header, *players, *self._city_lines(), *self._supply(), self.variants()]

    def _round_line(self) -> str:
        words, known = self.words, self.known
        if isinstance(known.frames[-1], FlandernOver):
            return words("The game ended in round {round}", round=known.round)
        if two_players(known):
            turn = self.seat(known.turn)
            return words("Round {round} · {seat}'s turn", round=known.round, seat=turn)
        order = ", ".join(map(self.seat, turn_order(known)))
        return words("Round {round} · turn order: {order}", round=known.round, order=order)

    def _deck_line(self) -> str:
        """Return the golden decks and the card of the round, or the two-player deck."""
        words, known = self.words, self.known
        if two_players(known):
            deck = self.counted("cards", sum(map(sum, known.deck)))
            parts = [words("**Deck**: {cards}", cards=deck)]
            guild, card = known.drawn
            if guild != NONE:
                facts = {"card": self.card(CARDS[card]), "guild": self.emblem(EMBLEM_KEYS[guild])}
                parts.append(words("last card drawn: {card} for {guild}", **facts))
            return sentence(parts)
        above, below = map(sum, known.golden)
        parts = [
            words(
                "**Golden cards**: {above} in deck A, {below} in deck B", above=above, below=below
            )
        ]
        if known.golden_card >= 0:
            parts.append(words("this round: {card}", card=self.card(CARDS[known.golden_card])))
        elif known.golden_deck != NONE:
            parts.append(words("this round's card is face down"))
        elif must_draw_golden(known):
            parts.append(words("this round's card hasn't been drawn yet"))
        return sentence(parts)

    @property
    def is_choosing(self) -> bool:
        """Whether players are choosing cards."""
        return isinstance(self.known.frames[-1], CardChoice)

    def _seat_line(self, seat: Seat) -> str:
        """Return a player's guild, points and cards, as far as the view shows them."""
        words, owner = self.words, self.known.players[seat]
        card = "" if self.is_choosing else self._chosen_card(seat)
        parts = [
            self.guilds_of(seat),
            self.counted("points", score_of(self.known, seat)),
            words("{cards} in hand", cards=self.counted("cards", owner.cards)),
            words("played: {cards}", cards=self.cards(owner.open)) if owner.open else "",
            words("has chosen") if self.is_choosing and owner.card != NONE else "",
            words("this round: {card}", card=card) if card else "",
        ]
        return f"**{self.seat(seat)}**: {sentence(parts)}"

    def _chosen_card(self, seat: Seat) -> str:
        """Return the card a seat has chosen this round, as far as the view shows it, or ""."""
        owner = self.known.players[seat]
        if owner.card < 0:
            return ""
        card, influence = self.card(CARDS[owner.card]), self.influence(owner.laid)
        return self.words("{card} {influence}", card=card, influence=influence)

    def _city_lines(self) -> Iterator[str]:
        """Yield each city's value and free plots."""
        for city in cities_in_play(self.known):
            text = sentence([self._state_of(city), *self._plots(city)])
            yield f"{bold(self.city(CITIES[city.number]))}: {text}"

    def _state_of(self, city: FlandernCity) -> str:
        """Return a city's value and who would score."""
        message = msg("scored, worth {worth}") if city.scored else msg("worth {worth}")
        if not (city.scored or city.free):
            message = msg("full and about to be scored, worth {worth}")
        return self.words(message, worth=self.value_text(city))

    def _plots(self, city: FlandernCity) -> list[str]:
        """Return a city's free plots, its sites and its covered plots."""
        words = self.words
        sites = [
            f"{self.emblem(EMBLEM_KEYS[each.emblem])} {self.plot(PLOT_NAMES[each.plot])}"
            for each in quarters(city)
            if each.site
        ]
        free, covered = self.plots(city, city.free), self.plots(city, city.covered)
        parts = (
            words("free plots {plots}", plots=free) if free else "",
            words("sites {sites}", sites=", ".join(sites)) if sites and not city.scored else "",
            words("covered plots {plots}", plots=covered) if covered else "",
        )
        return list(filter(None, parts))

    def _supply(self) -> Iterator[str]:
        """Yield the supply and the points of the grey guild."""
        words, known = self.words, self.known
        counts = {"pieces": known.site_pieces}
        if not two_players(known):
            counts |= {"cathedrals": known.cathedral_pieces, "leaders": known.leader_pieces}
        counts["covers"] = covers_left(known)
        pieces = ", ".join(self.counted(what, count) for what, count in counts.items())
        stocks = map(self._stock, (GREY, CHURCH))
        yield words("Supply: {pieces}", pieces=sentence([pieces, *stocks]))
        points = self.counted("points", sum(known.points[GREY]))
        yield words("{guild} has {points}", guild=self.emblem(EMBLEM_KEYS[GREY]), points=points)

    def _stock(self, emblem: int) -> str:
        """Return an emblem's quarters in stock by shape: ``Red 4 triangles (1 with leader), 5
        bars``."""
        counts, kinds = self.known.stock[emblem], list[str]()
        for shape, plain, leader in zip(SHAPES, counts, counts[WITH_LEADER:], strict=False):
            text = self.counted(shape, plain + leader)
            if leader:
                facts = {"quarters": text, "leader": leader}
                text = self.words("{quarters} ({leader} with a leader)", **facts)
            kinds.append(text)
        special = zip(SPECIAL, counts[FIRST_SPECIAL:], strict=True)
        kinds += [key.upper() for key, count in special if count]
        return f"{self.emblem(EMBLEM_KEYS[emblem])} {', '.join(kinds)}"

    def hand_lines(self) -> list[str]:
        words, known, seat = self.words, self.known, self.observer
        if not known.round:
            return [words("No cards yet: everyone is still choosing a guild.")]
        owner, golden = known.players[seat], not two_players(known)
        hidden = known.golden_card >= 0 and not known.revealed
        return self.titled(
            [
                (words("Face down"), self._chosen_card(seat) if self.is_choosing else ""),
                (words("Your golden card"), self.card(CARDS[known.golden_card]) if hidden else ""),
                (words("Hand"), self.cards(owner.hand)),
                (words("Influence cards"), str(owner.influence) if golden else ""),
                *self._public_rows(seat),
            ]
        )

    def _public_rows(self, seat: Seat) -> list[tuple[str, str]]:
        """Return what is public about a player, as rows of a title and a text."""
        words, owner = self.words, self.known.players[seat]
        scored = [
            f"{self.city(key)} {points}"
            for number, key in enumerate(CITIES)
            if (points := sum(self.known.points[guild][number] for guild in owner.guilds))
        ]
        score = sentence([str(score_of(self.known, seat)), ", ".join(scored)])
        return [
            (words("Guild"), self.guilds_of(seat)),
            (words("Cards in hand"), str(owner.cards)),
            (words("Played cards"), self.cards(owner.open)),
            (words("Points"), score),
            (words("Quarters left"), "; ".join(map(self._stock, owner.guilds))),
        ]

    def alt_lines(self) -> Iterator[str]:
        """Yield what the picture shows."""
        words, known = self.words, self.known
        if not known.round:
            yield words("Set-up.")
            return
        yield words("Round {round}.", round=known.round)
        for seat in turn_order(known):
            yield words(
                "{seat}, {guild}: {points}, {cards}.",
                seat=self.seat(seat),
                guild=self.guilds_of(seat),
                points=self.counted("points", score_of(known, seat)),
                cards=self.counted("cards", known.players[seat].cards),
            )
        for city in cities_in_play(known):
            plots = self.counted("plots", city.free.bit_count())
            free = words("{plots} free", plots=plots) if city.free else ""
            name, text = self.city(CITIES[city.number]), sentence([self._state_of(city), free])
            yield words("{city}: {said}.", city=name, said=text)

    # Parts of the table

    def part(self, part: str) -> PartText | None:
        """Return a part as text: a city by its key, plot by plot; public information about a
        player, by the seat; or the golden cards."""
        if part in CITY_OF_NAME:
            city = self.known.cities[CITY_OF_NAME[part]]
            missing = [self.words("This city is out of play.")]
            return PartText(self.city(part), missing if city is None else self._city_details(city))
        if part == ALL_CITIES:
            return PartText(self.words("Cities"), self._city_lines())
        if part == GOLDEN_CARDS and not two_players(self.known):
            lines = dict(self._golden_cards())
            return PartText(self.words("Golden cards"), lines.values(), lines)
        if not part.isdecimal() or int(part) >= len(self.known.players):
            return None
        seat = int(part)
        effects = {card: self._effect(card) for card in CARDS}
        return PartText(self.seat(seat), self.titled(self._public_rows(seat)), effects)

    def _effect(self, card: str) -> str:
        """Return the effect of a card."""
        return self.words(NAMES.effects.get(card, NAMES.effects["city"]))

    def _golden_cards(self) -> Iterator[tuple[str, str]]:
        """Yield the effect of each golden card, and how many have come out."""
        decks = GOLDEN[self.known.rules.golden_cities]
        for number, card in enumerate(CARDS):
            count = sum(deck[number] for deck in decks)
            if count and not (number < len(CITIES) and self.known.cities[number] is None):
                facts: dict[str, object] = {"card": self.card(card), "effect": self._effect(card)}
                facts |= {"out": self.known.golden_out[number], "count": count}
                yield card, self.words("{card} ({out} of {count} drawn): {effect}", **facts)

    def _city_details(self, city: FlandernCity) -> Iterator[str]:
        """Yield the ranking of a city, its quarters, and its free and covered plots."""
        words = self.words
        yield f"{self.city(CITIES[city.number])}: {self._state_of(city)}"
        for each in standings(city):
            has = [self.counted("quarters", each.quarters)]
            has += [self.counted("leaders", each.leaders)] if each.leaders else []
            yield words(
                "- {rank} {guild}, {quarters}: {points}",
                rank=words(NAMES.ranks[str(each.place)]),
                guild=self.emblem(EMBLEM_KEYS[each.emblem]),
                quarters=", ".join(has),
                points=self.counted("points", each.points),
            )
        yield "; ".join(self._quarter(city, each) for each in quarters(city))
        yield from self._plots(city)

    def _quarter(self, city: FlandernCity, quarter: Quarter) -> str:
        """Return a quarter and the pieces on it: ``T1 red quarter with a leader, site``."""
        words, leaders = self.words, quarter.placed_leaders
        tile = self.tile(tile_word(quarter.emblem, quarter.kind, quarter.bar))
        parts = (
            f"{self.plot(PLOT_NAMES[quarter.plot])} {tile}",
            words("site") if quarter.site else "",
            words("cathedral") if quarter.cathedral else "",
            self.counted("leaders", leaders) if leaders else "",
        )
        return ", ".join(filter(None, parts))


def split_tile(tile: str) -> tuple[str, str]:
    """Return a tile's word without its bar, and the plot of D's bar: ``church-d`` and ``r1``."""
    emblem, _, kind = tile.partition("-")
    kind, _, bar = kind.partition("-")
    return f"{emblem}-{kind}".strip("-"), bar
