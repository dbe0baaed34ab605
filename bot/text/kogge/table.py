"""Kogge's pieces in words, and the table as text: cities, players, the observer's hand.

In Markdown, goods have emoji and markers are keycaps, so one template serves chat, log and alt
text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import ClassVar

import msgspec

from bot.game.contract import Fact, Seat
from bot.game.hidden import UNSEEN
from bot.game.kogge.actions import office_price
from bot.game.kogge.common import development_points, points_so_far, ships_in
from bot.game.kogge.data import (
    CHIT_KEYS,
    CITY_NAMES,
    CONTENT,
    GOOD_KEYS,
    GOOD_LETTERS,
    MARKER_BACK,
    OFFICE,
    SHIP,
    goods_of,
    goods_word,
    markers_word,
    split,
    split_partner,
)
from bot.game.kogge.routes import ROUTES, is_still_there, sightings_of
from bot.game.kogge.state import (
    NOWHERE,
    City,
    Conflict,
    Founding,
    KoggePlayer,
    KoggeState,
    Offer,
    Sighting,
    Taxing,
)
from bot.text.game_data import GameNames, names
from bot.text.game_words import GameWords, PartText, sentence
from bot.text.words import Forms, Message, forms, msg

# Grey rock, orange fox, purple orb, white salt: the colours of the printed pieces.
GOOD_EMOJI = {"ore": "🪨", "fur": "🦊", "amber": "🔮", "salt": "🧂"}
MANY_ALIKE = 4
"""Equal markers from which on they are counted, not listed."""
ADVANCED = ("taxes", "offices", "conflicts", "memory")
"""Options for the advanced rules; the summary lists those that are on."""
VARIANTS = {
    "either_price": ("office_price", "either"),
    "failed_route_keeps_step": ("failed_route", "keeps_step"),
    "open": ("goods", "open"),
    "hidden": ("goods", "hidden"),
    "three_fur": ("memory_fur", "three"),
    **{name: (name, "on") for name in ADVANCED},
}
"""By variant, the option and value that turn it on."""
_CITY = "city"
"""The prefix of a city's close-up, before its number."""
SHIPS = forms("{seats}'s ship", "{seats}'s ships")
_RAIDS = forms("{seats}'s Raid", "{seats}'s Raids")


class KoggeNames(GameNames, frozen=True, forbid_unknown_fields=True):
    """The names in data/kogge/names.toml."""

    goods: dict[str, Message]
    chits: dict[str, Message]
    powers: dict[str, Message]
    """The effect of each bonus chit."""
    cities: dict[str, Message]
    """Other names of a city, by its name on the board."""
    routes: dict[str, Message]
    pieces: dict[str, Message]
    """A choice of pieces, by kind of move or by parameter."""
    no_pieces: dict[str, Message]
    """A choice of no pieces, by the same keys."""
    markers: dict[str, Message]
    """A choice of one marker, by kind of move."""
    brief: dict[str, Message]
    """Short actions in a sequence, by kind of move."""
    places: dict[str, Message]
    """The text at the place of an action in the picture, by kind of move."""


NAMES = names("kogge", KoggeNames)


class KoggeTable(GameWords[KoggeState]):
    """Kogge's pieces and its table in words, for one observer."""

    @property
    def own_seat(self) -> Seat:
        """The observer's seat; the first one for a spectator."""
        return max(self.observer, 0)

    @property
    def own(self) -> KoggePlayer:
        """The player at the observer's seat."""
        return self.known.players[self.own_seat]

    # Pieces

    def good_sign(self, key: str) -> str:
        """Return the emoji of a good."""
        return self.words.sign(f"kogge_{key}", GOOD_EMOJI[key])

    def marker_sign(self, number: int | str) -> str:
        """Return the emoji of a route marker."""
        return self.words.sign(f"kogge_marker_{number}", f"{number}\ufe0f\u20e3")

    def piece_sign(self, word: str) -> str | None:
        """Return the emoji of the pieces in a word; None if they are of several kinds."""
        if len(set(word)) != 1 or word[0] == MARKER_BACK:
            return None
        good = GOOD_LETTERS.find(word[0])
        return self.marker_sign(word[0]) if good < 0 else self.good_sign(GOOD_KEYS[good])

    def city(self, number: int) -> str:
        """Return a city with its number: ``Riga (4)``."""
        text = f"{CITY_NAMES[number]} ({number})"
        return f"**{text}**" if self.rich else text

    def good(self, key: str) -> str:
        name = self.words(NAMES.goods[key])
        return f"{self.good_sign(key)} {name}" if self.rich else name

    def counted(self, key: str, count: int) -> str:
        """Return goods with their count."""
        shown = f"{count} {self.good_sign(key)}" if self.rich else str(count)
        return self.words.phrase(NAMES.counted[key], count, count=shown)

    def marker(self, number: int | str) -> str:
        return self.marker_sign(number) if self.rich else str(number)

    def markers(self, numbers: str) -> list[str]:
        """Return markers one by one; many equal ones as ``5×8``."""
        texts: list[str] = []
        for number in dict.fromkeys(numbers):
            count, marker = numbers.count(number), self.marker(number)
            texts += [marker] * count if count < MANY_ALIKE else [f"{count}×{marker}"]
        return texts

    def side_by_side(self, numbers: str) -> str:
        """Return markers as one text; '' for none."""
        return " ".join(self.markers(numbers))

    def markers_of(self, player: KoggePlayer) -> str:
        """Return a player's markers as one text, the highest first."""
        return self.side_by_side(markers_word(player.markers))

    def listed(self, word: str) -> str:
        """Return a word of pieces as a list; ``nothing`` if it is empty."""
        words, (goods, markers) = self.words, split(word)
        counts = zip(GOOD_KEYS, goods_of(goods), strict=True)
        items = [self.counted(key, count) for key, count in counts if count]
        if named := markers.rstrip(MARKER_BACK):
            text = ", ".join(self.markers(named))
            plain = words.plural("marker {markers}", "markers {markers}", len(named), markers=text)
            items.append(self.side_by_side(named) if self.rich else plain)
        if unnamed := markers.count(MARKER_BACK):
            items.append(words.plural("{count} marker", "{count} markers", unnamed))
        return words.listing(items) or words("nothing")

    def pieces(self, word: str) -> str:
        """Return a word of pieces as a list, without Markdown."""
        return self.plain.listed(word)

    def goods(self, counts: Sequence[int]) -> str:
        """Return counts of goods as a list; ``no goods`` if all are 0."""
        return self.listed(goods_word(counts)) if any(counts) else self.words("no goods")

    def chit(self, key: str) -> str:
        """Return the name of a bonus chit; in Markdown with its emoji, if there is one."""
        if key not in NAMES.chits:
            return self.typed(key)
        name, sign = self.words(NAMES.chits[key]), self.words.sign(f"kogge_chit_{key}", "")
        return f"{sign} **{name}**".lstrip() if self.rich else name

    def chit_sign(self, key: str) -> str:
        """Return the emoji of a bonus chit."""
        return self.words.sign(f"kogge_chit_{key}", "🎖️")

    def of_seats(self, things: Forms, seats: Sequence[Seat]) -> str:
        """Return something that these seats have; '' for no seats."""
        text = self.words.phrase(things, len(seats), seats=self.seats(seats))
        return text if seats else ""

    def partner(self, partner: Seat | str) -> str:
        """Return a player, or the partner of a deal: also an office, or a ship at the observer's
        office."""
        way, seat = (SHIP, partner) if isinstance(partner, int) else split_partner(partner)
        message = msg("{seat}'s office") if way == OFFICE else msg("{seat}'s ship at your office")
        name = self.typed(str(partner)) if seat is None else self.seat(seat)
        return name if way == SHIP else self.words(message, seat=name)

    def price(self, way: str) -> str:
        """Return the price of an office in the observer's city."""
        goods, markers = office_price(self.known, self.own.city)
        return self.listed({"both": goods + markers, "goods": goods}.get(way, markers))

    says: ClassVar = {
        **dict.fromkeys(("city", "to", "left", "right", "place"), city),
        **dict.fromkeys(("pieces", "give", "take", "fee", "goods", "group"), listed),
        "marker": marker,
        "markers": lambda self, word: " + ".join(word) or self.listed(word),
        "good": good,
        "chit": chit,
        "seat": partner,
        "price": price,
        "groups": lambda self, groups: " | ".join(map(self.listed, groups)),
        "route": lambda self, route: self.words(NAMES.routes[route]),
        "pair": lambda self, number: " + ".join(self.known.display[int(number) - 1]),
        "pairs": lambda self, pairs: " · ".join(map(self.side_by_side, filter(None, pairs))),
    }
    derived: ClassVar[Mapping[str, str]] = {"goods": "good", "place": "marker"}

    def facts(self, facts: Mapping[str, Fact]) -> dict[str, str]:
        """Return facts in words; ``goods`` combines the facts ``good`` and ``count``."""
        texts, count = super().facts(facts), facts.get("count")
        if (good := facts.get("good")) in NAMES.goods:
            texts["goods"] = self.counted(str(good), count if isinstance(count, int) else 1)
        return texts

    def options_summary(self, options: Mapping[str, str]) -> str:
        """Return the edition and all variants that differ from it, in one line."""
        added = [name for name in ADVANCED if options.get(name) == "on"]
        # Conflicts require hidden goods.
        goods = "hidden" if "conflicts" in added else options.get("goods", "markers")
        memory_options = ["memory_fur"] if "memory" in added else []
        differs = {
            name: options.get(name, "edition")
            for name in ("office_price", "failed_route", *memory_options)
        }
        parts = [
            self.option_value("edition", options.get("edition", "english")),
            self.option_value("goods", goods),
            self.option_values({n: value for n, value in differs.items() if value != "edition"}),
            *map(self.option, added),
        ]
        return self.words("Options: {options}", options=" · ".join(filter(None, parts)))

    def _edition(self) -> str:
        """Return the table's variants as the lobby shows them."""
        name, *differences = self.known.rules.edition
        return self.options_summary({"edition": name, **dict(VARIANTS[e] for e in differences)})

    def ending(self, ending: str) -> str:
        return self.words("The game ended with {ending}.", ending=super().ending(ending))

    def scores(self) -> tuple[int, ...]:
        """Return the victory points of each seat, without goods hidden from the observer."""
        return tuple(points_so_far(self.known, seat) for seat in range(len(self.known.players)))

    # The whole table

    def board_lines(self) -> Sequence[str]:
        words, known, laps = self.words, self.known, CONTENT.laps_to_end
        facts = {"round": known.round, "lap": min(known.laps + 1, laps), "all": laps}
        pairs = ", ".join("+".join(pair) for pair in known.display if pair)
        return [
            words("Round {round} · lap {lap} of {all}", **facts)
            if known.round
            else words("First offices"),
            *map(self._seat_line, known.order or range(len(known.players))),
            *map(self._city_line, range(len(known.cities))),
            words("For sale: {pairs}", pairs=pairs) if pairs else "",
            words("Reserve: {goods}", goods=self.goods(known.reserve)),
            self._edition(),
        ]

    def _seat_line(self, seat: Seat) -> str:
        words, player, bid = self.words, self.known.players[seat], self.known.bids[seat]
        # A hand with secret numbers is a list of one count.
        is_covered, held = len(player.markers) == 1, player.markers
        markers = MARKER_BACK * held[0] if is_covered else markers_word(held)
        none = words("no markers") if player.goods else ""
        parts = [
            self._points(seat),
            self.goods(player.goods) if player.goods else words("hidden hand"),
            self.listed(markers) if markers else none,
            words("bid {markers}", markers=self.side_by_side(bid)) if bid else "",
            words.plural("{count} Raid", "{count} Raids", player.raids) if player.raids else "",
            *self._chits(player),
        ]
        return f"**{self.seat(seat)}**: {sentence(parts)}"

    def _points(self, seat: Seat) -> str:
        points = development_points(self.known, seat)
        return self.words.plural("{count} point", "{count} points", points)

    def _chits(self, player: KoggePlayer) -> list[str]:
        counts = zip(CHIT_KEYS, player.chits, strict=True)
        return [self.chit(key) for key, count in counts for _ in range(count)]

    def _city_line(self, number: int) -> str:
        words, known, city = self.words, self.known, self.known.cities[number]
        parts = [
            self.goods(city.goods),
            self._routes(city),
            *(
                words("office of {seat}", seat=self.seat(office.seat))
                + (
                    words(" with {goods}", goods=self.goods(office.goods))
                    if any(office.goods)
                    else ""
                )
                for office in city.offices
            ),
            self.of_seats(SHIPS, ships_in(known, number)),
            self.of_seats(_RAIDS, city.raids),
            words("the guild master") if known.guild_city == number else "",
            words("the end marker") if known.end_city == number else "",
        ]
        return f"**{number} {CITY_NAMES[number]}**: {sentence(parts)}"

    def _routes(self, city: City) -> str:
        words, known = self.words, [route for route in city.routes if route.marker != UNSEEN]
        if not known:
            return words.plural("{count} hidden route", "{count} hidden routes", len(city.routes))
        # A hidden marker is here only if the observer knows it.
        named = [
            words("{city} (hidden)", city=CITY_NAMES[route.marker])
            if route.hidden
            else CITY_NAMES[route.marker]
            for route in known
        ]
        named += [words("a hidden one")] * (len(city.routes) - len(known))
        return words("routes: {routes}", routes=words.listing(named))

    def alt_lines(self) -> Iterable[str]:
        words, known = self.words, self.known
        pairs = words.listing(["+".join(pair) for pair in known.display if pair])
        own = self.markers_of(self.own) or words("no markers")
        lines = [
            words("Round {round}.", round=known.round)
            if known.round
            else words("Choosing first offices."),
            words(
                "Guild master in {city}, {laps} of {all} laps done.",
                city=self.city(known.guild_city),
                laps=known.laps,
                all=CONTENT.laps_to_end,
            ),
            words("Your markers: {markers}.", markers=own) if self.observer >= 0 else "",
            *map(self._seat_sentence, known.order or range(len(known.players))),
            *(
                f"{name}: {sentence([self.goods(city.goods), self._routes(city)])}."
                for city, name in zip(known.cities, CITY_NAMES, strict=True)
            ),
            words("Pairs for sale: {pairs}.", pairs=pairs) if pairs else "",
            self._edition() + ".",
        ]
        return filter(None, lines)

    def _seat_sentence(self, seat: Seat) -> str:
        words, player = self.words, self.known.players[seat]
        if player.city == NOWHERE:
            return words("{seat}: no office yet.", seat=self.seat(seat))
        facts = {"seat": self.seat(seat), "city": self.city(player.city)}
        text = words("{seat}: {points}, ship in {city}", points=self._points(seat), **facts)
        if player.goods:
            text += words(" with {goods}", goods=self.goods(player.goods))
        bid = self.side_by_side(self.known.bids[seat])
        return text + (words(", bid {markers}", markers=bid) if bid else "") + "."

    # Close-ups

    def part(self, part: str) -> PartText | None:
        """Return the close-up of a city, or of a seat with the cities its ship can reach."""
        known, board = self.known, self.on_board if self.rich else self
        cities = [f"{_CITY}{number}" for number in range(len(known.cities))]
        if part in cities:
            number = cities.index(part)
            title, lines = CITY_NAMES[number], [board._city_line(number)]
        elif part in map(str, range(len(known.players))):
            title, lines = self.seat(int(part)), [board._seat_line(int(part))]
            if (city := known.players[int(part)].city) != NOWHERE:
                around = dict.fromkeys((city, *(each.marker for each in known.cities[city].routes)))
                lines += [board._city_line(number) for number in around if number != UNSEEN]
        else:
            return None
        return PartText(title, lines if self.rich else [line.replace("**", "") for line in lines])

    def rules_facts(self) -> dict[str, int]:
        """Return the victory points of each kind of piece."""
        points: dict[str, int] = msgspec.structs.asdict(CONTENT.victory_points)
        return points | {good.key: good.points for good in CONTENT.goods}

    # The observer's own pieces

    def chosen(self) -> dict[str, str]:
        """Return the observer's secret choice: a city, or the pieces of a tax or a bid."""
        frame, me, word = self.known.frames[-1], self.observer, None
        if isinstance(frame, Founding) and me >= 0 and frame.chosen[me] != NOWHERE:
            return {"city": self.city(frame.chosen[me])}
        if isinstance(frame, Taxing) and me in frame.asked:
            word = frame.chosen[me]
        if isinstance(frame, Conflict) and me in frame.sides:
            word = frame.bids[frame.sides.index(me)]
        return {} if word is None else {"pieces": self.listed(word)}

    def hand_lines(self) -> Iterable[str]:
        words, known, seat = self.words, self.known, self.observer
        me = self.own
        goods, markers, chits = self.goods(me.goods), self.markers_of(me), self._chits(me)
        offices = [
            (city, office.goods)
            for city, place in enumerate(known.cities)
            for office in place.offices
            if office.seat == seat
        ]
        lines = [
            words("**Goods:** {goods}", goods=goods) if any(me.goods) else words("**Goods:** none"),
            words("**Markers:** {markers}", markers=markers)
            if markers
            else words("**Markers:** none"),
            words("**Ship:** in {city}", city=self.city(me.city)) if me.city != NOWHERE else "",
            *(words("**Your secret choice:** {pieces}", pieces=p) for p in self.chosen().values()),
            *(
                words("**Office** in {city}: {goods}", city=self.city(city), goods=self.goods(held))
                for city, held in offices
            ),
            words("**Bonus chits:** {chits}", chits=words.listing(chits)) if chits else "",
            words("**Raids left:** {count}", count=me.raids),
            words(
                "**Development points:** {points} of {needed}",
                points=development_points(known, seat),
                needed=CONTENT.development_points_to_win,
            ),
        ]
        return [*filter(None, lines), *self._own_routes(), *self._open_offers()]

    def _own_routes(self) -> Iterator[str]:
        """Yield the routes that the observer knows though they are hidden.

        With Memory, a line for each city: the routes seen there, and in which round.
        """
        words, known, me = self.words, self.known, self.observer
        for number, group in groupby(sightings_of(known, me), key=lambda seen: seen.city):
            seen = " · ".join(map(self._sighting, group))
            yield words("**Seen** in {city}: {seen}", city=self.city(number), seen=seen)
        for number, city in enumerate(known.cities if not known.sightings else ()):
            for route in city.routes:
                if route.hidden and route.marker != UNSEEN:
                    facts = {"city": self.city(number), "to": self.city(route.marker)}
                    yield words("**Your hidden route** in {city} leads to {to}", **facts)

    def _sighting(self, seen: Sighting) -> str:
        words, is_current = self.words, is_still_there(self.known, seen, self.observer)
        return words(
            msg("{route}: {to} ({when})")
            if is_current
            else msg("{route}: {to} ({when}; replaced since)"),
            route=words(NAMES.routes[ROUTES[seen.slot]]),
            to=self.city(seen.marker),
            when=words("round {round}", round=seen.round) if seen.round else words("at the start"),
        )

    def _open_offers(self) -> Iterator[str]:
        words, me = self.words, self.observer
        for offer in self.known.offers:
            if me in (offer.seat, offer.other):
                message = msg("🤝 {seat} offers you {give} for {take}")
                if offer.seat == me:
                    message = msg("🤝 You offer {other} {give} for {take}")
                facts = self.terms(offer)
                line = words(message, **facts)
                if offer.city != NOWHERE:
                    line = words("{offer} (through the office in {city})", offer=line, **facts)
                yield line

    def terms(self, offer: Offer) -> dict[str, str]:
        """Return the facts of an offer, in words."""
        facts: dict[str, Fact] = {"seat": offer.seat, "other": offer.other, "city": offer.city}
        return self.facts({**facts, "give": offer.give, "take": offer.take})
