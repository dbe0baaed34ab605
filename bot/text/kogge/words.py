"""The words of Kogge: what is asked, offered and said back, and what an action brings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import sub
from typing import ClassVar

from bot.game.choices import Bundle, OneOf
from bot.game.contract import ACCEPT, END, THEN, Action, Decision, Fact, Refusal, Seat, offer_of
from bot.game.hidden import UNSEEN, View
from bot.game.kogge.actions import office_price
from bot.game.kogge.auction import rank
from bot.game.kogge.common import (
    development_points,
    goods_in_offices,
    here,
    points_so_far,
    ships_in,
)
from bot.game.kogge.data import (
    CITIES,
    CITY_GOOD,
    CITY_NAMES,
    CONTENT,
    GOOD_KEYS,
    GOOD_LETTERS,
    GOODS,
    GUEST,
    OFFICE,
    PIECE_LETTERS,
    goods_of,
    goods_word,
    split_partner,
)
from bot.game.kogge.game import GAME
from bot.game.kogge.guild_master import walk
from bot.game.kogge.movement import step_fee
from bot.game.kogge.raid import GROUPS
from bot.game.kogge.routes import ROUTES, SLOT, sightings_of
from bot.game.kogge.state import (
    NOWHERE,
    SECRET,
    Choosing,
    Conflict,
    Demand,
    Exchange,
    KoggePlayer,
    KoggeState,
    Movement,
    Offer,
    Push,
    Route,
)
from bot.text.contract import LONGEST_LABEL, Label, Style
from bot.text.game_words import Change
from bot.text.kogge.parsing import KoggeReading
from bot.text.kogge.table import GOOD_EMOJI, NAMES
from bot.text.markup import capital, uncapital
from bot.text.user_text import ELLIPSIS
from bot.text.words import Message, forms, msg

BID_AT_MOST = forms(
    "Bid one marker, as high as possible", "Bid up to {count} markers, as high as possible"
)
"""The standing order."""
_PLACES = (
    msg("{bid}; 1st for now"),
    msg("{bid}; 2nd for now"),
    msg("{bid}; 3rd for now"),
    msg("{bid}; 4th for now"),
)
_MOST_SIGHTS = 76
"""Characters; in a description something may stand before them."""
_ANYWHERE = ("load", "stop", END)
"""Kinds of action of which the same is said whatever the table."""


class KoggeWords(KoggeReading, game=GAME, things=NAMES):
    """The words of Kogge for one reader."""

    notation: ClassVar[Mapping[str, Iterable[str]]] = {"chit": NAMES.chits, "route": NAMES.routes}

    @property
    def _seat(self) -> Seat:
        """The reader's."""
        return max(self.observer, 0)

    @property
    def _own(self) -> KoggePlayer:
        return self.known.players[self._seat]

    def _routes_of(self, seat: Seat) -> list[Route]:
        """The routes out of the city of a ship."""
        return here(self.known, seat).routes

    def _have(self, count: int) -> str:
        return self.words("You have {count}", count=count)

    def _in_hand(self, number: int) -> int:
        """How many markers of a number the reader has."""
        return self._own.markers[number] if len(self._own.markers) == CITIES else 0

    # What is asked

    def question_facts(self, decision: Decision) -> Mapping[str, object]:
        """Where the guild master is, and the ship of the seat, and the sides of a conflict."""
        known, frame = self.known, self.known.frames[-1]
        sides = (frame.winner, frame.loser) if isinstance(frame, Demand) else ()
        sides = frame.sides if isinstance(frame, Conflict) else sides
        return {
            "guild": self.city(known.guild_city),
            "city": self.city(known.players[decision.seat].city),
            **dict(zip(("first", "second"), map(self.seat, sides), strict=False)),
        }

    def chosen(self) -> Mapping[str, str]:
        """The city of a first office, or pieces: a tax, a bid."""
        sealed = self.sealed()
        return {} if sealed is None else dict([sealed])

    def ask_tax(self, decision: Decision) -> str:
        """An empty ship pays as well, or it would be known to be empty."""
        city = self.city(self.known.players[decision.seat].city)
        if any(self._own.goods):
            return self.words(
                "The guild master collects taxes in {city}. Pay one good of your choice.", city=city
            )
        return self.words(
            "The guild master collects taxes in {city}. Your ship is empty, so you pay nothing. "
            "Confirm anyway: the others can't see your goods.",
            city=city,
        )

    def ask_move(self, decision: Decision) -> str:
        """Where the ship is, and whether there is something to load."""
        city, there = self.known.players[decision.seat].city, here(self.known, decision.seat)
        if any(goods_in_offices(there, decision.seat)):
            return self.words(
                "Your ship is in {city}. Sail, load goods from your office, or stop here and act.",
                city=self.city(city),
            )
        return self.words(
            "Your ship is in {city}. Sail, or stop here and act.", city=self.city(city)
        )

    def ask_choose(self, decision: Decision) -> str:
        """The halves of a cargo."""
        frame = self.known.frames[-1]
        if not isinstance(frame, Choosing) or SECRET in frame.groups:
            return self.words("The cargo is divided. Take one half.")
        groups = self.fact("groups", frame.groups)
        return self.words("The cargo is divided. Take one half: {groups}.", groups=groups)

    def _pushed(self) -> Push:
        frame = self.known.frames[-1]
        if not isinstance(frame, Push):
            raise ValueError("no ship is being sent away")
        return frame

    def ask_push(self, decision: Decision) -> str:
        """Whose ship is sent away."""
        frame = self._pushed()
        city = self.known.players[frame.pushed].city
        facts = {"pushed": self.seat(frame.pushed), "away": self.city(city)}
        if frame.optional:
            return self.words(
                "{pushed} lost the conflict in {away}. Send their ship away, or leave it there.",
                **facts,
            )
        return self.words(
            "{pushed} raided in {away}. Choose which way their ship must leave.", **facts
        )

    def ask_answer(self, decision: Decision) -> str:
        """The offer."""
        offer = self._find(offer_of(decision))
        if offer is None or SECRET in offer.give:
            return self.words("You have an offer to answer.")
        facts = self._terms(offer)
        if offer.city == NOWHERE:
            return self.words("{seat} offers you {give} for {take}.", **facts)
        if offer.office == decision.seat:
            return self.words(
                "{seat} offers you {give} for {take} at your office in {city}. Goods go to and "
                "from that office, markers to and from your hand.",
                **facts,
            )
        return self.words(
            "{seat} offers you {give} for {take} through their office in {city}. Goods go to "
            "and from that office.",
            **facts,
        )

    def _find(self, number: str) -> Offer | None:
        """The open offer with this number."""
        return next((each for each in self.known.offers if str(each.id) == number), None)

    def _terms(self, offer: Offer) -> dict[str, str]:
        """An offer as facts."""
        facts: dict[str, Fact] = {"seat": offer.seat, "other": offer.other, "city": offer.city}
        return self.facts({**facts, "give": offer.give, "take": offer.take})

    # Buttons

    def button_bid(self, button: Label) -> Label:
        """A bid in a conflict is not for turn order."""
        if isinstance(self.known.frames[-1], Conflict):
            return button._replace(description=self.button("challenge").description)
        return button

    def button_advance(self, button: Label) -> Label:
        """With the sign of the guild master."""
        return button._replace(emoji=self.words.sign("kogge_guild_master", "🚶"))

    def button_sail(self, button: Label) -> Label:
        """A button shows no description, so its label includes the cost."""
        if not isinstance(self.known.frames[-1], Movement):
            return button
        fee = step_fee(self.known, self.known.order[self.known.at], "left")
        text = self.words("Sail on (costs {count})", count=fee) if fee else button.text
        return button._replace(text=text, description=self._step_price(fee))

    def _step_price(self, fee: int) -> str:
        if not fee:
            return self.words("This step is free")
        return self.words.plural(
            "This step costs one good or marker", "This step costs {count} goods or markers", fee
        )

    def button_build(self, button: Label) -> Label:
        """What an office costs here."""
        if self._own.city == NOWHERE:
            return button
        note = self.words("Costs {price}; gives 1 point", price=self.said_price((), "both"))
        if self.known.rules.either_price:
            facts = {way: self.said_price((), way) for way in ("goods", "markers")}
            note = self.words("Costs {goods}, or {markers}; gives 1 point", **facts)
        return button._replace(description=note)

    def button_pass(self, button: Label) -> Label:
        """What is passed by."""
        match self.known.frames[-1]:
            case Push():
                text = self.words("Let the ship stay")
            case Exchange():
                text = self.words("Keep both routes")
            case _:
                return button
        return button._replace(text=text, description=None)

    def button_peek(self, button: Label) -> Label:
        """A button shows no description, so its label warns."""
        if self._own.city == NOWHERE or self._routes_seen() < len(ROUTES):
            return button
        text = self.words("{action} (you know both already)", action=button.text)
        return button._replace(text=text)

    def _routes_seen(self) -> int:
        """How many of the routes where the ship lies the reader knows already."""
        return sum(route.marker != UNSEEN for route in self._routes_of(self._seat))

    def button_end(self, button: Label) -> Label:
        """A conflict may follow."""
        return button._replace(description=None) if self.known.rules.conflicts else button

    # Pieces

    def _of_pieces(self, word: str, some: Message, none: Message | None = None) -> Label:
        """Goods and markers to choose, or nothing."""
        if none and not word:
            return Label(self.words(none))
        return Label(self.words(some, pieces=self.listed(word)), self.piece_sign(word))

    def label_fee(self, prefix: Action, word: str) -> Label:
        return self._of_pieces(word, msg("Pay {pieces}"), msg("Pay nothing"))

    def label_tax_pieces(self, prefix: Action, word: str) -> Label:
        return self.label_fee(prefix, word)

    def label_load_pieces(self, prefix: Action, word: str) -> Label:
        return self._of_pieces(word, msg("Load {pieces}"))

    def label_goods(self, prefix: Action, word: str) -> Label:
        return self._of_pieces(word, msg("Demand {pieces}"), msg("Demand nothing"))

    def label_give(self, prefix: Action, word: str) -> Label:
        return self._of_pieces(word, msg("Give {pieces}"), msg("Give nothing"))

    def label_take(self, prefix: Action, word: str) -> Label:
        return self._of_pieces(word, msg("Get {pieces}"), msg("Get nothing"))

    def label_markers(self, prefix: Action, word: str) -> Label:
        if not word:
            return Label(self.words("Bid nothing"))
        return Label(self.words("Bid {markers}", markers=" + ".join(word)), self.piece_sign(word))

    def said_markers(self, prefix: Action, word: str) -> str:
        return " + ".join(word) or self.listed(word)

    def label_good(self, prefix: Action, word: str) -> Label:
        """A kind of goods to pay with, or six of it to sell."""
        text = msg("Sell {goods}") if prefix[0] == "sell_six" else msg("Pay {goods}")
        goods, held = self.said_good(prefix, word), self._own.goods or [0] * GOODS
        note = self._have(held[GOOD_KEYS.index(word)])
        return Label(self.words(text, goods=goods), self.good_sign(word), note, called=goods)

    def said_good(self, prefix: Action, word: str) -> str:
        return self.counted(word, CONTENT.bonus_price if prefix[0] == "sell_six" else 1)

    def label_chit(self, prefix: Action, word: str) -> Label:
        return Label(self.chit(word), self._chit_sign(word), self.words(NAMES.powers[word]))

    def _chit_sign(self, key: str) -> str:
        return self.words.sign(f"kogge_chit_{key}", "🎖️")

    def label_pair(self, prefix: Action, word: str) -> Label:
        pair = self.said_pair(prefix, word)
        cities = [self.city(int(number)) for number in dict.fromkeys(self._pair(word))]
        text = self.words("Pair {number}: {markers}", number=word, markers=pair)
        return Label(text, "🔢", self.words.listing(cities))

    def said_pair(self, prefix: Action, word: str) -> str:
        return " + ".join(self._pair(word))

    def _pair(self, word: str) -> str:
        return self.known.display[int(word) - 1]

    def label_price(self, prefix: Action, word: str) -> Label:
        text = self.words("Pay {pieces}", pieces=self.said_price(prefix, word))
        return Label(text, "🏠", None, Style.SUCCESS)

    def said_price(self, prefix: Action, word: str) -> str:
        """What an office costs where the reader's ship is."""
        goods, markers = office_price(self.known, self._own.city)
        return self.listed({"both": goods + markers, "goods": goods}.get(word, markers))

    def said_marker(self, prefix: Action, word: str) -> str:
        is_city = prefix[0] in ("found", "reroute")
        return self.city(int(word)) if is_city else self.marker(word)

    def label_found_marker(self, prefix: Action, word: str) -> Label:
        """A city for the first office."""
        number = int(word)
        places = CONTENT.offices_per_city - len(self.known.cities[number].offices)
        note = self.words.plural(
            "Produces {good}; room for {count} office",
            "Produces {good}; room for {count} offices",
            places,
            good=self.good(GOOD_KEYS[CITY_GOOD[number]]),
        )
        return Label(CITY_NAMES[number], self.marker_sign(number), note)

    def label_reroute_marker(self, prefix: Action, word: str) -> Label:
        """A new route."""
        to, note = self.city(int(word)), self._have(self._in_hand(int(word)))
        text = self.words("New route to {to}", to=to)
        return Label(text, self.marker_sign(word), note, called=to)

    def label_buy_raid_marker(self, prefix: Action, word: str) -> Label:
        """Three alike."""
        have, price = self._in_hand(int(word)), CONTENT.raid_price
        note = self.words("You have {count} and pay {price}", count=have, price=price)
        text = self.words("Pay with {markers}", markers=self.listed(word * price))
        return Label(text, self.marker_sign(word), note, called=word)

    def label_swap_good_marker(self, prefix: Action, word: str) -> Label:
        """A marker of the bag."""
        city = CITY_NAMES[int(word)]
        text = self.words("Marker {number}: {city}", number=int(word), city=city)
        return Label(text, self.marker_sign(word))

    def label_swap_marker_marker(self, prefix: Action, word: str) -> Label:
        """A marker for a good of its colour."""
        number = int(word)
        text = self.words("Marker {number} for {goods}", number=number, goods=self._good_of(number))
        return Label(text, self.marker_sign(word), self._have(self._in_hand(number)), called=word)

    def _good_of(self, number: int) -> str:
        """One good of a marker's colour."""
        return self.counted(GOOD_KEYS[CITY_GOOD[number]], 1)

    # The guild master

    def _advance(self, steps: int) -> tuple[int, int, int]:
        """Where the guild master comes, the laps that it has then done, or -1 where it does no
        more, and how many goods it brings."""
        city, passed = walk(self.known, steps)
        count = min(CONTENT.guild_goods, self.known.reserve[CITY_GOOD[city]])
        return city, self.known.laps + passed if passed else -1, count

    def label_steps(self, prefix: Action, word: str) -> Label:
        """Where the guild master comes, and what it brings."""
        city, laps, count = self._advance(int(word))
        good = GOOD_KEYS[CITY_GOOD[city]]
        if count:
            note = self.words("Brings {goods}", goods=self.counted(good, count))
        else:
            note = self.words("Brings nothing: the reserve has no {good}", good=self.good(good))
        if laps >= CONTENT.laps_to_end:
            note = self.words("Ends the game!")
        elif laps >= 0:
            note = self.words("Completes a lap. {note}", note=note)
        to = self.city(city)
        text = self.words.plural(
            "{count} city forward, to {to}", "{count} cities forward, to {to}", int(word), to=to
        )
        return Label(text, self.marker_sign(city), note, called=to)

    def said_steps(self, prefix: Action, word: str) -> str:
        return uncapital(self.label_steps(prefix, word).text)

    # Routes

    def said_route(self, prefix: Action, word: str) -> str:
        return self.label(prefix, OneOf("route", (word,)), word).text

    def label_sail_route(self, prefix: Action, word: str) -> Label:
        """Where a route leads, and what is there; of the secret one what it costs."""
        words, known, seat = self.words, self.known, self._seat
        if word == "secret":
            to, note = self.city(known.guild_city), None
            if isinstance(known.frames[-1], Movement):
                note = self._step_price(step_fee(known, known.order[known.at], word))
            return Label(words("Take the secret route to {to}", to=to), "🗝️", note, called=to)
        label = self._route(word, seat, msg("Take the hidden {side} route"), msg("Sail to {to}"))
        route = self._routes_of(seat)[SLOT[word]]
        if route.marker == UNSEEN:
            return label
        note = label.description
        if route.hidden:
            # Still face down, but laid by the reader or, with Memory, seen.
            seen = [
                each.round
                for each in sightings_of(known, seat)
                if (each.city, each.slot) == (self._own.city, SLOT[word])
            ]
            if not seen:
                note = words("Your own hidden route. {sights}", sights=note)
            elif seen[0]:
                note = words("Seen in round {round}. {sights}", round=seen[0], sights=note)
            else:
                note = words("Seen at the start. {sights}", sights=note)
        return label._replace(description=note, style=Style.PRIMARY)

    def label_push_route(self, prefix: Action, word: str) -> Label:
        """A way for another player's ship."""
        pushed = self._pushed().pushed
        unknown = msg("Send {seat} along the hidden {side} route")
        return self._route(word, pushed, unknown, msg("Send {seat} to {to}"), self.seat(pushed))

    def label_reroute_route(self, prefix: Action, word: str) -> Label:
        """An old route. Exchanging a marker is not sailing it: whoever takes it up sees it."""
        unknown = msg("Replace the hidden {side} route")
        label = self._route(word, self._seat, unknown, msg("Replace the {side} route to {to}"))
        is_known = self._routes_of(self._seat)[SLOT[word]].marker != UNSEEN
        return label if is_known else label._replace(description=None)

    def _route(
        self, word: str, ship: Seat, unknown: Message, known: Message, seat: str = ""
    ) -> Label:
        """A route out of the city of a ship: where it leads and what is there; its side where that
        is not known."""
        words, routes, side = self.words, self._routes_of(ship), self.fact("route", word)
        target = routes[SLOT[word]].marker
        if target == UNSEEN:
            note = words("You only learn where it leads by sailing it")
            return Label(words(unknown, side=side, seat=seat), "❔", note, called=side)
        to = self.city(target)
        text = words(known, to=to, side=side, seat=seat)
        if routes[0].marker == routes[1].marker:
            # Only the side tells such routes apart.
            to += f" ({side})"
            text += "" if "{side}" in known else f" ({side})"
        note = self._sights(target)
        if target == self.known.players[ship].city:
            note = words("Leads back to this city, so no ship can use it")
        return Label(text, self.marker_sign(target), note, called=to)

    def _sights(self, number: int) -> str:
        """What is in a city, in brief."""
        words, known, city = self.words, self.known, self.known.cities[number]
        notes = [words("There: {goods}", goods=self.goods(city.goods))]
        notes += [words("the guild master")] if number == known.guild_city else []
        if city.offices:
            notes.append(
                words.plural(
                    "{seats}'s office",
                    "{seats}'s offices",
                    len(city.offices),
                    seats=self.seats(office.seat for office in city.offices),
                )
            )
        if ships := [seat for seat in ships_in(known, number) if seat != self.observer]:
            seats = self.seats(ships)
            notes.append(words.plural("{seats}'s ship", "{seats}'s ships", len(ships), seats=seats))
        while len(text := "; ".join(notes)) > _MOST_SIGHTS:
            notes.pop()
        return text

    def prompt_sail_fee(self, prefix: Action, choices: Bundle) -> str:
        if not choices.least:
            return self.words("This step is free.")
        return self.words.plural(
            "This step costs {count} good or marker. What will you pay?",
            "This step costs {count} goods or markers. What will you pay?",
            choices.least,
        )

    def prompt_trade_take(self, prefix: Action, choices: Bundle) -> str:
        give, least, most = self.listed(prefix[1]), choices.least, choices.most
        if least < most:
            return self.words(
                "For {give} you get {least} to {most} goods of other kinds. Which ones?",
                give=give,
                least=least,
                most=most,
            )
        return self.words.plural(
            "For {give} you get {count} good of another kind. Which one?",
            "For {give} you get {count} goods of other kinds. Which ones?",
            most,
            give=give,
        )

    # Other players

    def label_seat(self, prefix: Action, word: str) -> Label:
        """A ship to raid or to challenge."""
        name = self.seat(int(word))
        text = msg("Challenge {seat}") if prefix[0] == "challenge" else msg("Raid {seat}'s ship")
        note = self._cargo(int(word))
        return Label(self.words(text, seat=name), "⚔️", note, Style.DANGER, called=name)

    def _cargo(self, seat: Seat) -> str:
        """What another player's ship carries."""
        goods = self.known.players[seat].goods
        hidden = self.words("Cargo hidden")
        return self.words("Cargo: {goods}", goods=self.goods(goods)) if goods else hidden

    def label_split_group(self, prefix: Action, word: str) -> Label:
        """One half of the own cargo."""
        rest = map(sub, self._own.goods or [0] * GOODS, goods_of(word))
        note = self.words("Other half: {goods}", goods=self.listed(goods_word(rest)))
        return Label(self.listed(word), None, note)

    def label_choose_group(self, prefix: Action, word: str) -> Label:
        """One half of the other's cargo."""
        which = self.words("First half") if word == "first" else self.words("Second half")
        frame = self.known.frames[-1]
        if not isinstance(frame, Choosing) or SECRET in frame.groups:
            return Label(which)
        goods = self.listed(frame.groups[GROUPS.index(word)])
        return Label(self.words("{which}: {goods}", which=which, goods=goods))

    def said_choose_group(self, prefix: Action, word: str) -> str:
        return self.label_choose_group(prefix, word).text

    def label_offer_seat(self, prefix: Action, word: str) -> Label:
        """Somebody to deal with: a ship here, an office here, a ship at an own office."""
        way, seat = split_partner(word)
        assert seat is not None, "what may be said names a seat"
        name, owner, city = self.seat(seat), seat, self._own.city
        if way == OFFICE:
            text = capital(self.partner(word))
        elif way == GUEST:
            owner, city = self._seat, self.known.players[seat].city
            facts = {"seat": name, "city": self.city(city)}
            text = self.words("{seat}, through your office in {city}", **facts)
        else:
            return Label(name, "🤝", self._cargo(seat))
        goods = self.goods(goods_in_offices(self.known.cities[city], owner))
        return Label(text, "🏠", self.words("There: {goods}", goods=goods))

    def label_offer(self, prefix: Action, word: str) -> Label:
        """An open offer; its number where another one is the same."""
        text, offer = self._bargain(word), self._find(word)
        mine = [str(each.id) for each in self.known.offers if each.seat == self.observer]
        others = [str(each.id) for each in self.known.offers if each.other == self.observer]
        same = mine if word in mine else others
        if [self._bargain(each) for each in same].count(text) > 1:
            text = self.words("{offer} (offer {number})", offer=text, number=word)
        if offer is None or offer.city == NOWHERE:
            return Label(text, "🤝")
        note = self.words("Through the office in {city}", city=self.city(offer.city))
        return Label(text, "🤝", note)

    def _bargain(self, number: str) -> str:
        """With whom the reader would deal, what they would give and get."""
        offer = self._find(number)
        if offer is None:
            return self.words("Offer {number}", number=number)
        is_mine = offer.seat == self.observer
        who = self.seat(offer.other if is_mine else offer.seat)
        if SECRET in offer.give:
            return self.words("With {seat}", seat=who)
        terms = self._terms(offer)
        give, take = (terms["give"], terms["take"]) if is_mine else (terms["take"], terms["give"])
        return self.words("With {seat}: {give} → {take}", seat=who, give=give, take=take)

    def said_offer(self, prefix: Action, word: str) -> str:
        offer = self._find(word)
        if offer is None or SECRET in offer.give:
            return self.words("number {number}", number=word)
        if offer.city == NOWHERE:
            return self.words("{give} from {seat} for {take} from {other}", **self._terms(offer))
        return self.words(
            "{give} from {seat} for {take} from {other}, through the office in {city}",
            **self._terms(offer),
        )

    # Whole actions

    def action(self, action: Action) -> str:
        """An action in words; a free step mentions no fee."""
        free = action[:1] == ("sail",) and action[2:] == ("",)
        return super().action(action[:2] if free else action)

    def wholes(self, action: Action, views: Sequence[View[KoggeState]]) -> Sequence[Label]:
        """A whole action with what it brings at once; or several, which say goods by their signs
        and cities by their numbers where they would be too long. Names are short."""
        board = self.on_board
        return board._joined(action, views) if THEN in action else [board._single(action)]

    def _single(self, action: Action) -> Label:
        kind, *said = action
        label = self.button(kind)._replace(
            text=capital(self._whole(action)), description=None, called=self._place(action)
        )
        if sign := self._sign(action):
            label = label._replace(emoji=sign)
        if said and not label.called:
            param = self.game.moves[kind].params[0]
            first = self.label((kind,), OneOf(param, tuple(said[:1])), said[0])
            label = label._replace(description=first.description, called=first.name)
        return label.fitting()

    def _whole(self, action: Action) -> str:
        """What is done, and what it brings."""
        words, said = self.words, self.action(action)
        match action:
            case ("bid", markers) if not isinstance(self.known.frames[-1], Conflict):
                return self._bid(said, markers)
            case ("advance", steps):
                city, laps, count = self._advance(int(steps))
                good = GOOD_KEYS[CITY_GOOD[city]]
                goods = self.counted(good, count) if count else words("no goods")
                said = words("Guild master to {city} → {goods}", city=self.city(city), goods=goods)
                if laps >= CONTENT.laps_to_end:
                    return words("{action}; ends the game", action=said)
                if laps >= 0:
                    return words("{action}; completes lap {lap}", action=said, lap=laps)
            case ("build", price):
                paid, point = self.said_price((), price), self._next_point()
                return words("Build an office for {price} ({point})", point=point, price=paid)
            case ("sell_six", *_):
                return words("{action} → {gain}", action=said, gain=self._next_point())
            case ("raid_city",):
                there = here(self.known, self._seat)
                others = [each.goods for each in there.offices if each.seat != self.observer]
                loot = self.goods([sum(each) for each in zip(there.goods, *others, strict=True)])
                return words("{action} → {gain}", action=said, gain=loot)
            case ("swap_marker", marker):
                good = self._good_of(int(marker))
                return words("Swap marker {marker} for {good}", marker=marker, good=good)
            case ("reroute", route, marker):
                return words(
                    "Change {side} route: your {marker} ({to}), hidden, replaces {old}",
                    side=self.fact("route", route),
                    marker=marker,
                    to=CITY_NAMES[int(marker)],
                    old=self._old_route(route),
                )
            case ("peek", _) if seen := self._routes_seen():
                note = words.plural("you know one already", "you know both already", seen)
                return words("{action} ({note})", action=said, note=note)
            case ("accept" | "decline" as kind, number):
                return self._answer(kind, number) or said
        return said

    def _bid(self, said: str, markers: str) -> str:
        """What the markers bring to their cities, and the place so far in the order of play."""
        words, supply = self.words, list[str]()
        numbers = dict.fromkeys(map(int, markers))
        for number in numbers:
            good = CITY_GOOD[number]
            due = CONTENT.supply_per_marker * markers.count(str(number))
            if count := min(due, self.known.reserve[good]):
                goods, city = self.counted(GOOD_KEYS[good], count), self.city(number)
                one = words("{goods} to {city}", goods=goods, city=city)
                # Of several, the markers say where.
                supply.append(one if len(numbers) == 1 else goods)
        gain = words.listing(supply) or words("no goods")
        bid = words("{action} → {gain}", action=said, gain=gain)
        bids = [each for each in self.known.bids if each]
        place = sum(rank(other) > rank(markers) for other in bids)
        return words(_PLACES[place], bid=bid) if bids else bid

    def _next_point(self) -> str:
        points = development_points(self.known, self._seat) + 1
        needed = CONTENT.development_points_to_win
        return self.words("point {count} of {needed}", count=points, needed=needed)

    def _old_route(self, route: str) -> str:
        to = self._routes_of(self._seat)[SLOT[route]].marker
        if to == UNSEEN:
            return self.words("a hidden one")
        # With Memory a route may lead to its own city.
        back = self.words("back here")
        return f"{to} ({back if to == self._own.city else CITY_NAMES[to]})"

    def _answer(self, kind: str, number: str) -> str:
        """What the reader would give and get; '' where the offer is not known."""
        offer = self._find(number)
        if offer is None or SECRET in offer.give:
            return ""
        seat, give, get = self.seat(offer.seat), self.listed(offer.take), self.listed(offer.give)
        if kind == ACCEPT:
            text = msg("Accept: give {give}, get {get} ({seat})")
            short = msg("Accept {seat}'s offer")
            if not offer.take:
                text = msg("Accept: {get} as a gift ({seat})")
            elif not offer.give:
                text = msg("Accept: give {give} for nothing ({seat})")
        else:
            text = msg("Decline: keep {give} ({seat})")
            short = msg("Decline {seat}'s offer")
            if not offer.take:
                text = msg("Decline the gift: {get} ({seat})")
        said = self.words(text, seat=seat, give=give, get=get)
        # The question above says it all.
        return said if len(said) <= LONGEST_LABEL else self.words(short, seat=seat)

    def _place(self, action: Action) -> str:
        """What the picture writes on the place of an action; '' where the entry begins with it."""
        match action:
            case ("sell_six", _, chit):
                return self.chit(chit)
            case ("buy", pair, _):
                return self.said_pair((), pair)
            case ("bid", markers):
                return " + ".join(markers)
        return self.words(NAMES.places[action[0]]) if action[0] in NAMES.places else ""

    def _sign(self, action: Action) -> str | None:
        """The sign of the piece that an action is about; None where its kind has the best one."""
        match action:
            case ("sail", "left" | "right" as route, _):
                to = self._routes_of(self._seat)[SLOT[route]].marker
                return None if to == UNSEEN else self.marker_sign(to)
            case ("bid", markers) if len(set(markers)) == 1:
                return self.marker_sign(markers[0])
            case (("found" | "buy_raid"), marker) | (("reroute" | "swap_good"), _, marker):
                return self.marker_sign(marker)
            case ("swap_marker", marker):
                return self.good_sign(GOOD_KEYS[CITY_GOOD[int(marker)]])
            case ("sell_six", _, chit):
                return self._chit_sign(chit)
        return None

    def _joined(self, action: Action, views: Sequence[View[KoggeState]]) -> Sequence[Label]:
        """Several actions in few words, in their order, then what the steps cost and whether the
        turn ends."""
        moments = list(self.moments(action, views))
        first = self._single(moments[0][0])
        first = first._replace(called=first.name)
        match [each for each, _ in moments]:
            case (("sail", _, fee) as step, ("stop",)):
                to, city = self._step(step, self._own.city, self.city)
                if to != self._own.city:
                    if fee:
                        pieces = self.listed(fee)
                        city = self.words("{city} for {pieces}", city=city, pieces=pieces)
                    text = self.words("Sail to {city} and stop", city=city)
                    return [first._replace(text=text)]
        end = ""
        if moments[-1][0] == (END,):
            end, moments = self.words("{action}, then end turn", action=""), moments[:-1]
        names = CITY_NAMES.__getitem__
        ways = ((self.listed, names), (self._signs, names), (self._signs, str))
        rows = [self._row(moments, len(views), goods, city) for goods, city in ways]
        return [first._replace(text=row + end) for row in rows]

    def _row(
        self,
        moments: Sequence[tuple[Action, KoggeWords]],
        known: int,
        goods: Callable[[str], str],
        city: Callable[[int], str],
    ) -> str:
        said, here = list[str](), self._own.city
        for place, (action, at) in enumerate(moments):
            if action[0] == "sail":
                # Where the ship has come may be known without the view after the step.
                here, text = at._step(action, here, city)
                said.append(text)
            elif place < known or action[0] in _ANYWHERE:
                said.append(at._briefly(action, goods, city) or uncapital(at.action(action)))
            elif said[-1] != ELLIPSIS:
                said.append(ELLIPSIS)
        row = capital(" → ".join(said))
        if fees := "".join(action[2] for action, _ in moments if action[0] == "sail"):
            paid = goods("".join(sorted(fees, key=PIECE_LETTERS.index)))
            row = self.words("{action}; pay {pieces}", action=row, pieces=paid)
        return row

    def _signs(self, word: str) -> str:
        """Pieces as short as can be: goods by their signs."""
        goods = zip(GOOD_LETTERS, GOOD_EMOJI.values(), strict=True)
        said = [f"{count}{sign}" for good, sign in goods if (count := word.count(good))]
        markers = word.strip(GOOD_LETTERS)
        return " ".join([*said, self.listed(markers)] if markers else said)

    def _step(self, action: Action, start: int, called: Callable[[int], str]) -> tuple[int, str]:
        """Where a step from a city leads, and the step in words."""
        _, route, _ = action
        routes, side = self.known.cities[start].routes, self.fact("route", route)
        to = routes[SLOT[route]].marker if route in SLOT else self.known.guild_city
        if to == UNSEEN:
            return start, self.words("hidden {side} route", side=side)
        is_alike = route not in SLOT or routes[0].marker == routes[1].marker
        return to, f"{called(to)} ({side})" if is_alike else called(to)

    def _briefly(
        self, action: Action, goods: Callable[[str], str], city: Callable[[int], str]
    ) -> str:
        """An action in few words; '' where there are none."""
        kind, *said = action
        if kind not in NAMES.brief:
            return ""
        facts = dict(zip(self.game.moves[kind].params, said, strict=True))
        if marker := facts.get("marker"):
            facts["to"] = city(int(marker))
            facts["good"] = goods(GOOD_LETTERS[CITY_GOOD[int(marker)]])
        for name, say in (
            ("give", goods),
            ("take", goods),
            ("pair", lambda pair: "+".join(self._pair(pair))),
            ("chit", self.chit),
            ("route", lambda route: self.fact("route", route)),
        ):
            if name in facts:
                facts[name] = say(facts[name])
        return self.words(NAMES.brief[kind], **facts)

    # What a plan changes

    def changes(self, before: KoggeWords) -> Iterator[Change]:
        """Points, pieces, the ship and the bid of the observer. Pieces are gained where there are
        more of them."""
        words, needed = self.words, CONTENT.development_points_to_win
        titles = (
            words("Victory points"),
            words("Development points (of {needed})", needed=needed),
            words("Markers"),
            words("Goods"),
            words("In offices"),
            words("Ship"),
        )
        points, *others = (
            Change(words("{what}: {old} → {new}", what=title, old=old, new=new), more - less)
            if old != new
            else None
            for title, (old, less), (new, more) in zip(
                titles, before._holdings(), self._holdings(), strict=True
            )
        )
        # What is paid was worth points as well, and that alone would make a good purchase look bad.
        is_paid = points is None or points.gain <= 0
        if not (is_paid and any(each.gain > 0 for each in others if each)):
            others.insert(0, points)
        yield from filter(None, others)
        bid = self.known.bids[self.observer]
        if bid and bid != before.known.bids[self.observer]:
            # Told last.
            yield Change(self._rivalled(bid), -1)

    def _holdings(self) -> list[tuple[object, int]]:
        """What the observer has, each with how much it is."""
        known, own, me = self.known, self._own, self.observer
        points, won = points_so_far(known, me), development_points(known, me)
        offices = [goods_in_offices(city, me) for city in known.cities]
        held = [sum(each) for each in zip(*offices, strict=True)]
        return [
            (points, points),
            (won, won),
            (self.markers_of(own) or self.words("no markers"), sum(own.markers)),
            (self.goods(own.goods), sum(own.goods)),
            (self.goods(held), sum(held)),
            (self.city(own.city) if own.city != NOWHERE else "–", 0),
        ]

    def _rivalled(self, bid: str) -> str:
        """The observer's bid against those that lie open."""
        words, markers = self.words, " ".join(self.markers(bid))
        others = {n: each for n, each in enumerate(self.known.bids) if each and n != self.observer}
        ahead = [seat for seat, other in others.items() if rank(other) > rank(bid)]
        if not others:
            return words("Bid {markers}: first bid of the round", markers=markers)
        if not ahead:
            return words("Bid {markers}: beats all bids so far", markers=markers)
        return words("Bid {markers}: behind {seats}", markers=markers, seats=self.seats(ahead))

    def order(self, name: str, value: str) -> str | None:
        """A standing order of Kogge and a value of it; plain. None for one it does not have."""
        if name == "bid":
            return self.words.phrase(BID_AT_MOST, int(value))
        return self.words("No conflicts") if name == "pass" else None

    def refusal(self, refusal: Refusal) -> str:
        """What is wrong, the rule in a clause, and what can be done instead."""
        if refusal.code == "wrong_fee" and refusal.facts.get("count") == 0:
            refusal = Refusal("step_free", refusal.topic)
        return super().refusal(refusal)
