"""Questions, labels and descriptions of moves in Flandern 1302.

A label shows a city's value and the guilds that would score, computed by the rules on a copy of
the city.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from bot.game.choices import OneOf
from bot.game.contract import Action, Decision, Event, Seat
from bot.game.flandern.building import TILE_WORDS, QuarterBuilt, SitePut, after
from bot.game.flandern.city import (
    NONE,
    FlandernCity,
    city_plots,
    emblem_at,
    emblems_for,
    plots_for,
    sites_of,
    standings,
    value,
)
from bot.game.flandern.data import (
    ACTION_CARDS,
    CARDS,
    CITIES,
    CITY_OF_NAME,
    EMBLEM_KEYS,
    EMBLEM_OF_KEY,
    GUILDS,
    HOME,
    INFLUENCE_COUNTS,
    NEIGHBOURS,
    PLACE_NAMES,
    PLACE_OF_NAME,
    PLAYER_GUILDS,
    PLOTS,
    SITE,
    TAKE,
    members,
)
from bot.game.flandern.game import GAME
from bot.game.flandern.scoring import CityScored, GuildScored, score_of
from bot.game.flandern.state import (
    CityAction,
    FlandernPlayer,
    FlandernState,
    SiteAction,
    card_in_play,
    cities_in_play,
    city_at,
    city_in_play,
    is_drawn,
    two_player_turn,
)
from bot.game.hidden import View
from bot.text.contract import LONGEST_LABEL, Label
from bot.text.flandern.table import NAMES, FlandernTable, split_tile
from bot.text.game_words import Change
from bot.text.markup import capital
from bot.text.words import Message, msg

CARD_EMOJI = {"site": "🏗️", "take": "↩️", "influence": "📜", "cathedral": "⛪", "leader": "👤"}
CITY_EMOJI = "🏘️"
OTHER_NAMES = (
    *(("brugge", "Bruges"), ("gent", "Gand"), ("gent", "Ghent"), ("ieper", "Ypres")),
    *(("leuven", "Lovanio"), ("leuven", "Louvain"), ("luik", "Liegi"), ("luik", "Liège")),
)
"""Other names for the cities."""
BUILD_KINDS = ("build", "site", "complete")
"""The kinds of action that may end a two-player turn."""

MAX_NAMED = 3
"""Played cards that a label names; the rest are counted."""
VALUE_PER_WEIGHT, POINTS_PER_WEIGHT, MAX_WEIGHT = 4, 3, 9
CHURCH_WEIGHT = 2


class FlandernWords(FlandernTable, game=GAME, things=NAMES):
    """The texts of Flandern 1302 for one reader."""

    notation: ClassVar[Mapping[str, Iterable[str]]] = {
        "guild": EMBLEM_KEYS[:PLAYER_GUILDS],
        "card": ACTION_CARDS,
        "influence": INFLUENCE_COUNTS,
        "place": tuple(PLACE_OF_NAME),
        "tile": TILE_WORDS,
    }

    @property
    def _player(self) -> FlandernPlayer:
        """The observer's player, or the first player's for a spectator."""
        return self.known.players[max(self.observer, 0)]

    @property
    def _card(self) -> CityAction | SiteAction:
        """The card with which the observer builds."""
        card = card_in_play(self.known)
        assert card is not None
        return card

    # Questions

    def chosen(self) -> Mapping[str, str]:
        """Return the observer's face-down choice."""
        if not self.is_choosing or self.observer < 0 or self._player.card == NONE:
            return {}
        card, influence = self.card(CARDS[self._player.card]), self.influence(self._player.laid)
        return {"card": card, "influence": influence}

    def ask_choose(self, decision: Decision) -> str:
        """Return the question with the golden card and the player's guild."""
        words, known, lines = self.words, self.known, list[str]()
        if known.golden_card >= 0:
            card = self.card(CARDS[known.golden_card])
            lines.append(words("Your secret golden card, played last: **{card}**.", card=card))
        free = sum(city.free.bit_count() for city in cities_in_play(known))
        lines.append(
            words(
                "You are {guild}, with {influence}. {plots} are still free.",
                guild=self.guilds_of(decision.seat),
                influence=self.counted("influence", known.players[decision.seat].influence),
                plots=self.counted("plots", free),
            )
        )
        return "\n".join(lines)

    def question_facts(self, decision: Decision) -> Mapping[str, object]:
        """Return the first player of a round, the progress of a two-player turn, and the current
        card with its guild."""
        known, card = self.known, card_in_play(self.known)
        if card is None:
            turn, is_first = two_player_turn(known), decision.seat == known.first
            facts = {"round": known.round, "first": self.seat(known.first), "begins": is_first}
            return {**facts, "played": turn.played, "drawn": turn.drawn}
        city = city_in_play(known)
        emblems = [self.emblem(EMBLEM_KEYS[emblem]) for emblem in emblems_for(card.guild)]
        return {
            "golden": card.golden,
            "drawn": is_drawn(known, card),
            "card": self.card(CARDS[SITE if city == NONE else city]),
            "emblems": self.words.either(emblems),
        }

    def ask_turn(self, decision: Decision) -> str:
        """Return the question with the player's guilds, and how long no one has built anything."""
        words, owner = self.words, self.known.players[decision.seat]
        lines = [
            words(
                "Your cards build for {guild}. You also score for {second}.",
                guild=self.emblem(EMBLEM_KEYS[owner.guild]),
                second=self.emblem(EMBLEM_KEYS[owner.controlled]),
            )
        ]
        if self.known.idle > 0:
            lines.append(
                words.plural(
                    "Nothing was built or completed last turn.",
                    "Nothing was built or completed in the last {count} turns.",
                    self.known.idle,
                )
            )
        return "\n".join(lines)

    def ask_site(self, decision: Decision) -> str:
        """Return the question with the player's pieces; the picture shows the cities."""
        pieces = self.counted("pieces", self.known.site_pieces)
        return self.words(
            "A site is worth nothing until it's completed. Supply: {pieces}.", pieces=pieces
        )

    # Guilds and cards

    def label_guild(self, prefix: Action, guild: str) -> Label:
        """Return a guild with its home city."""
        home = self.city(CITIES[HOME[EMBLEM_OF_KEY[guild]]])
        text = self.words("{guild} · home city {city}", guild=self.emblem(guild), city=home)
        return Label(text, self.sign(guild))

    def label_card(self, prefix: Action, card: str) -> Label:
        """Return a card in hand with its possible uses now and the value of its city."""
        words, known, own = self.words, self.known, self._player
        if card in CITY_OF_NAME:
            return self._city_card(card)
        facts = {"card": self.card(card)}
        if card == CARDS[TAKE]:
            few = len(own.open) <= MAX_NAMED
            facts["cards"] = self.cards(own.open) if few else self.counted("cards", len(own.open))
            message = msg("{card}: brings back {cards}")
            if not own.open:
                message = msg("{card}: no cards to bring back")
        else:
            cities = (city_plots(known.stock, c, own.guild) for c in cities_in_play(known))
            counts = [plots.bit_count() for plots in cities if plots]
            facts["plots"] = self.counted("plots", sum(counts))
            facts["cities"] = self.counted("cities", len(counts))
            facts["pieces"] = self.counted("pieces", known.site_pieces)
            message = msg("{card}: {plots} in {cities} · {pieces} left")
            if not known.site_pieces:
                message = msg("{card}: no site pieces left now")
        return Label(words(message, **facts), CARD_EMOJI[card])

    def _city_card(self, card: str) -> Label:
        words, city = self.words, city_at(self.known, CITY_OF_NAME[card])
        plots = city_plots(self.known.stock, city, self._player.guild).bit_count()
        sites = sites_of(city, self._player.guild).bit_count()
        nothing = msg("nothing to do there now")
        if not city.free:
            nothing = msg("full, nothing to do there now")
        free = self.counted("free", city.free.bit_count())
        on_plots = words("on {now} of {plots}", now=plots, plots=free) if plots else ""
        on_sites = self.counted("sites", sites) if sites else ""
        ways = ", ".join(filter(None, (on_plots, on_sites))) or words(nothing)
        message, sign = msg("{city}: {ways} · worth {worth}"), self.sign(EMBLEM_KEYS[city.home])
        return self._value_label(city, sign, message, city=self.city(card), ways=ways)

    def button_choose(self, button: Label) -> Label:
        """Name the only card left in hand and what can still be chosen."""
        hand = self._player.hand if self.observer >= 0 else ()
        if len(hand) != 1:
            return button
        text = self.words("Play {card} with influence cards", card=self.card(CARDS[hand[0]]))
        return button._replace(text=text)

    def label_influence(self, prefix: Action, count: str) -> Label:
        """Return how many influence cards are added, and how many are left."""
        left = self._player.influence - int(count)
        remaining = self.words.plural("{count} left", "{count} left", left)
        influence = capital(self.influence(count))
        text = self.words("{influence} · {left}", influence=influence, left=remaining)
        return Label(text, CARD_EMOJI["influence"])

    # The two-player turn

    def button_play(self, button: Label) -> Label:
        """Name the only card left in hand, which the button plays."""
        hand = self.known.players[self.known.turn].hand
        cards = [CARDS[card] for card in hand if card != TAKE]
        if len(cards) != 1 or self.observer != self.known.turn:
            return button
        return button._replace(
            text=self.words("Play {card}", card=self.label_card((), cards[0]).text)
        )

    def button_take(self, button: Label) -> Label:
        """Name the cards that come back."""
        cards = self.known.players[self.known.turn].open
        text = self.words("Take back {cards}", cards=self.cards(cards))
        return self._ending(button._replace(text=text) if cards else button)

    def button_draw(self, button: Label) -> Label:
        """Add whose cards are in the deck and how many. The discards become the deck when it is
        empty."""
        known = self.known
        one, other = (self.emblem(EMBLEM_KEYS[each.controlled]) for each in known.players)
        text = self.words(
            "Draw a {one} or {other} card ({count} in the deck)",
            one=one,
            other=other,
            count=sum(map(sum, known.deck)) or sum(map(sum, known.discards)),
        )
        return button._replace(text=text)

    def _ending(self, label: Label) -> Label:
        """Add that an action ends the two-player turn, if it does and there is room."""
        card, turn = card_in_play(self.known), two_player_turn(self.known)
        text = self.words("{what}, then end turn", what=label.text)
        is_deck = card is not None and is_drawn(self.known, card)
        ends = turn.played if is_deck else turn.drawn
        return label._replace(text=text) if ends and len(text) <= LONGEST_LABEL else label

    # Building

    def _city_at(self, place: str) -> tuple[FlandernCity, int]:
        """Return the city and the plot of a place."""
        number, plot = PLACE_OF_NAME[place]
        return city_at(self.known, number), plot

    def _value_label(
        self, city: FlandernCity, sign: str, message: Message, /, **facts: object
    ) -> Label:
        """Return a label with a city's value. If the label leaves out guilds, its note has all of
        them."""
        full, short = self.value_text(city), self.value_text(city, short=True)
        note = full if full != short else None
        return Label(self.words(message, worth=short, **facts), sign, note)

    def _short_place(self, place: str) -> str:
        """Return a place, without its city if the card names it."""
        return self.place(place) if city_in_play(self.known) == NONE else self.plot(place)

    def group_city(self, prefix: Action, city: str) -> Label:
        """Return a city and its present value."""
        state = city_at(self.known, CITY_OF_NAME[city])
        label = self._value_label(state, CITY_EMOJI, msg("worth {worth}"))
        return label._replace(text=f"{self.city(city)} · {label.text}")

    def button_build(self, button: Label) -> Label:
        """Add how many plots can be built on, or name the only one."""
        return self._with_places(button, "plots", msg("Build on {plot}"), self.label_place)

    def button_complete(self, button: Label) -> Label:
        """Add how many sites can be completed, or name the only one."""
        return self._with_places(button, "sites", msg("Complete {plot}"), self.label_complete_place)

    def _with_places(
        self, button: Label, noun: str, message: Message, label: Callable[[Action, str], Label]
    ) -> Label:
        number = city_in_play(self.known)
        if number == NONE:
            return button
        city, guild = city_at(self.known, number), self._card.guild
        plots = {"plots": city_plots(self.known.stock, city, guild), "sites": sites_of(city, guild)}
        places = city.places(plots[noun])
        if len(places) == 1:
            return button._replace(text=self.words(message, plot=label((), places[0]).text))
        choices = self.counted(noun, len(places))
        return button._replace(
            text=self.words("{what}: {choices}", what=button.text, choices=choices)
        )

    def label_place(self, prefix: Action, place: str) -> Label:
        """Return a plot with its shape, the emblems that can build there, and its neighbours."""
        (city, plot), card = self._city_at(place), self._card
        neighbours = dict.fromkeys(emblem_at(city, other) for other in members(NEIGHBOURS[plot]))
        fitting = [
            emblem
            for emblem in emblems_for(card.guild)
            if plots_for(city, emblem, self.known.stock[emblem], 1 << plot)
        ]
        text = self.words(
            "{plot} · {shape} · for {emblems} · next to {others}",
            plot=self._short_place(place),
            shape=self.words(NAMES.shapes[PLOTS[plot].shape]),
            emblems=self.emblems(fitting),
            others=self.emblems(emblem for emblem in neighbours if emblem != NONE),
        )
        return Label(text, "📐")

    def label_complete_place(self, prefix: Action, place: str) -> Label:
        """Return a site and the city's value without it."""
        emblem = EMBLEM_KEYS[emblem_at(*self._city_at(place))]
        city = after(self._city_at(place)[0], ("complete", place))
        facts = {"plot": self._short_place(place), "site": self.site(emblem)}
        message = msg("{plot} · {site} · worth {worth}")
        return self._value_label(city, self.sign(emblem), message, **facts)

    def label_tile(self, prefix: Action, tile: str) -> Label:
        """Return a quarter for the chosen plot."""
        return self._quarter_label((*prefix, tile), self.kind(tile))

    def _quarter_label(self, action: Action, text: str) -> Label:
        """Add how many free plots a quarter adds, if any (D names the one it takes), and the city's
        value afterwards; for a site, once it is completed."""
        kind, place, tile = action
        before, _ = self._city_at(place)
        city = after(before, ("build", place, tile))
        added = city.free.bit_count() - before.free.bit_count() + 1
        if added > 0:
            text = f"{text} · +{self.counted('plots', added)}"
        message = msg("then worth {worth}") if kind == "site" else msg("worth {worth}")
        label = self._value_label(city, self.sign(tile.partition("-")[0]), message)
        return label._replace(text=f"{text} · {label.text}")

    def label_cathedral_place(self, prefix: Action, place: str) -> Label:
        """Return a quarter and the city's value with a cathedral or a leader on it; for a site,
        once it is completed."""
        city, plot = self._city_at(place)
        emblem = EMBLEM_KEYS[emblem_at(city, plot)]
        future = after(after(city, ("complete", place)), (prefix[0], place))
        facts = {"place": self.place(place), "site": self.site(emblem)}
        message = msg("{place} · worth {worth}")
        if city.sites >> plot & 1:
            message = msg("{place} · {site} · then worth {worth}")
        return self._value_label(future, self.sign(emblem), message, **facts)

    label_leader_place = label_cathedral_place

    # Whole actions and their changes

    def action_labels(
        self, action: Action, views: Sequence[View[FlandernState]]
    ) -> Sequence[Label]:
        """Return a whole action, or a card and its action."""
        (first, _), *rest = self.steps(action, views)
        if not rest:
            return self._step_labels(action)
        then, later = rest[0]
        if first[0] == "play" and then[0] in BUILD_KINDS and len(rest) == 1 and len(views) > 1:
            return later._card_labels(then, first[1])
        return super().action_labels(action, views)

    def _step_labels(self, action: Action) -> list[Label]:
        match action:
            case (kind,):
                return [self.button(kind)]
            case ("choose", card, count):
                label, name = self.label_card((), card), self.card(card)
                added = (f" +{self.counted('influence', int(count))}", f" +{count}")
                texts = [label.text.replace(name, name + each, 1) for each in added]
                texts = texts if int(count) else [label.text]
                return [label._replace(text=text, called=name) for text in texts]
            case ("play", card):
                label = self.label_card((), card)
                text = self.words("Play {card}", card=label.text)
                return [label._replace(text=text, called=self.card(card))]
            case (kind, *_) if kind in BUILD_KINDS:
                return [self._ending(self._building_label(action))]
        (kind, word), (param,) = action, self.game.moves[action[0]].params
        return [self.label((kind,), OneOf(param, (word,)), word)]

    def _building_label(self, action: Action) -> Label:
        """Return a quarter with its place, a site with its place, or the site that is completed."""
        kind, place, *tile = action
        called = self._short_place(place)
        if kind == "complete":
            label = self.label_complete_place((kind,), place)
            text = self.words("Complete {plot}", plot=label.text)
            return label._replace(text=text, called=called)
        text = self.words("{quarter} → {plot}", quarter=self.kind(tile[0]), plot=called)
        return self._quarter_label(action, text)._replace(called=called)

    def _card_labels(self, action: Action, card: str) -> list[Label]:
        """Return the labels of a played card with its action."""
        label, called = self._building_label(action), self.card(card)
        messages = msg("Play {card}: {what}"), msg("{card}: {what}")
        texts = [self.words(message, card=called, what=label.text) for message in messages]
        return [self._ending(label._replace(text=text, called=called)) for text in texts]

    def changes(self, before: FlandernWords) -> Iterator[Change]:
        """Yield changes of the observer's points and cards, and of each city."""
        words, old, new, seat = self.words, before.known, self.known, self.observer
        if_scored = words("Points if all cities were scored now")
        yield from self.counts(
            (words("Points"), score_of(old, seat), score_of(new, seat)),
            (if_scored, _if_scored(old, seat), _if_scored(new, seat)),
            (words("Influence cards"), before._player.influence, self._player.influence),
        )
        for key, old_city, new_city in zip(CITIES, old.cities, new.cities, strict=True):
            if text := "; ".join(self._city_changes(old_city, new_city)):
                yield Change(words("{city}: {said}", city=self.city(key), said=text))

    def _city_changes(
        self, old_city: FlandernCity | None, new_city: FlandernCity | None
    ) -> Iterator[str]:
        """Yield changes of a city's value, of each guild's points there, and of its leader; nothing
        for a city out of play."""
        words = self.words
        old, new = (value(city) if city else 0 for city in (old_city, new_city))
        if old != new:
            yield words("worth {old} → {new}", old=old, new=new)
        rankings = [standings(city) if city else [] for city in (old_city, new_city)]
        points = [{each.emblem: each.points for each in ranking} for ranking in rankings]
        for guild in range(GUILDS):
            old, new = (by_guild.get(guild, 0) for by_guild in points)
            if old != new:
                name = self.emblem(EMBLEM_KEYS[guild])
                yield words("{guild} {old} → {new}", guild=name, old=old, new=new)
        old_leaders, leaders = (
            [each.emblem for each in ranking if each.place == ranking[0].place]
            for ranking in rankings
        )
        if leaders and leaders != old_leaders:
            guilds = words.listing([self.emblem(EMBLEM_KEYS[guild]) for guild in leaders])
            yield words.plural(
                "{guilds} leads", "{guilds} share the lead", len(leaders), guilds=guilds
            )

    # Events, and typed names

    def weight(self, event: Event) -> int:
        """Return the weight of an event: cities and first places by their points, and quarters of
        the church."""
        match event:
            case CityScored():
                return min(MAX_WEIGHT, event.value // VALUE_PER_WEIGHT)
            case GuildScored(rank=1):
                return min(MAX_WEIGHT, event.points // POINTS_PER_WEIGHT)
            case QuarterBuilt() | SitePut() if split_tile(event.tile)[0].startswith("church-"):
                return CHURCH_WEIGHT
        return super().weight(event)

    def scores(self) -> tuple[int, ...]:
        """Return the present points of each seat."""
        return tuple(score_of(self.known, seat) for seat in range(len(self.known.players)))

    def aliases(self, choices: OneOf) -> Iterator[tuple[str, str]]:
        """Yield other names: cities in other languages, plots without their city (all plots, for a
        card's city), and short names of quarters."""
        yield from super().aliases(choices)
        city, each_language = NONE, self.in_each_language()
        if self.view is not None:
            city = city_in_play(self.known)
        match choices.param:
            case "card":
                yield from OTHER_NAMES
            case "place":
                places = choices.values if city == NONE else PLACE_NAMES[city]
                yield from ((word, each.plot(word)) for each in each_language for word in places)
                yield from (
                    (place, place.replace(name, other))
                    for name, other in OTHER_NAMES
                    for place in choices.values
                    if place.startswith(name)
                )
            case "tile":
                tiles = choices.values
                yield from ((word, each.kind(word)) for each in each_language for word in tiles)
                yield from ((word, word.partition("-")[2]) for word in tiles)


def _if_scored(state: FlandernState, seat: Seat) -> int:
    """Return a seat's points plus what it would score now in each open city."""
    own = state.players[seat].guilds
    rankings = (standings(city) for city in cities_in_play(state) if not city.scored)
    return score_of(state, seat) + sum(
        each.points for ranking in rankings for each in ranking if each.emblem in own
    )
