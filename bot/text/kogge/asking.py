"""What Kogge asks, and what it offers: questions, buttons, and the labels of all choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import sub
from typing import ClassVar

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Action, Decision, Fact, Seat, offer_of
from bot.game.hidden import UNSEEN
from bot.game.kogge.common import goods_in_offices, here, ships_in
from bot.game.kogge.data import (
    CITIES,
    CITY_GOOD,
    CITY_NAMES,
    CONTENT,
    GOOD_KEYS,
    GOODS,
    OFFICE,
    SHIP,
    goods_of,
    goods_word,
    split_partner,
)
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
    Movement,
    Offer,
    Push,
    Route,
)
from bot.text.contract import Label, Style
from bot.text.kogge.parsing import KoggeReading
from bot.text.kogge.table import NAMES, SHIPS
from bot.text.markup import capital, uncapital
from bot.text.words import Message, forms, msg

_OFFICES = forms("{seats}'s office", "{seats}'s offices")
_KEPT: Mapping[type, Message] = {Push: msg("Let the ship stay"), Exchange: msg("Keep both routes")}
"""What is passed by, by what is asked."""
_MOST_SIGHTS = 76
"""Characters; in a description something may stand before them."""


class KoggeAsking(KoggeReading):
    """What one reader is asked and offered."""

    notation: ClassVar[Mapping[str, Iterable[str]]] = {"chit": NAMES.chits, "route": NAMES.routes}

    def routes_of(self, seat: Seat) -> list[Route]:
        """The routes out of the city of a ship."""
        return here(self.known, seat).routes

    def routes_seen(self) -> int:
        """How many of the routes where the ship lies the reader knows already."""
        return sum(route.marker != UNSEEN for route in self.routes_of(self.own_seat))

    # Questions

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
        return dict(self.sealed())

    def ask_tax(self, decision: Decision) -> str:
        """An empty ship pays as well, or it would be known to be empty."""
        owed = msg("The guild master collects taxes in {city}. Pay one good of your choice.")
        nothing = msg(
            "The guild master collects taxes in {city}. Your ship is empty, so you pay nothing. "
            "Confirm anyway: the others can't see your goods."
        )
        city = self.city(self.known.players[decision.seat].city)
        return self.words(owed if any(self.own.goods) else nothing, city=city)

    def ask_move(self, decision: Decision) -> str:
        """Where the ship is, and whether there is something to load."""
        load = msg(
            "Your ship is in {city}. Sail, load goods from your office, or stop here and act."
        )
        sail = msg("Your ship is in {city}. Sail, or stop here and act.")
        waiting = goods_in_offices(here(self.known, decision.seat), decision.seat)
        city = self.city(self.known.players[decision.seat].city)
        return self.words(load if any(waiting) else sail, city=city)

    def ask_choose(self, decision: Decision) -> str:
        """The halves of a cargo."""
        frame = self.known.frames[-1]
        if not isinstance(frame, Choosing) or SECRET in frame.groups:
            return self.words("The cargo is divided. Take one half.")
        groups = self.fact("groups", frame.groups)
        return self.words("The cargo is divided. Take one half: {groups}.", groups=groups)

    def ask_push(self, decision: Decision) -> str:
        """Whose ship is sent away."""
        frame = self._push()
        city = self.city(self.known.players[frame.pushed].city)
        lost = msg("{pushed} lost the conflict in {away}. Send their ship away, or leave it there.")
        raided = msg("{pushed} raided in {away}. Choose which way their ship must leave.")
        message = lost if frame.optional else raided
        return self.words(message, pushed=self.seat(frame.pushed), away=city)

    def _push(self) -> Push:
        frame = self.known.frames[-1]
        if not isinstance(frame, Push):
            raise ValueError("no ship is being sent away")
        return frame

    def ask_answer(self, decision: Decision) -> str:
        """The offer."""
        offer = self.offer(offer_of(decision))
        if offer is None:
            return self.words("You have an offer to answer.")
        message = msg("{seat} offers you {give} for {take}.")
        if offer.city != NOWHERE:
            message = msg(
                "{seat} offers you {give} for {take} through their office in {city}. Goods go to "
                "and from that office."
            )
        if offer.office == decision.seat:
            message = msg(
                "{seat} offers you {give} for {take} at your office in {city}. Goods go to and "
                "from that office, markers to and from your hand."
            )
        return self.words(message, **self.terms(offer))

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
        fee = self._step_fee("left")
        if fee is None:
            return button
        text = self.words("Sail on (costs {count})", count=fee) if fee else button.text
        return button._replace(text=text, description=self._step_price(fee))

    def _step_fee(self, route: str) -> int | None:
        if not isinstance(self.known.frames[-1], Movement):
            return None
        return step_fee(self.known, self.known.order[self.known.at], route)

    def _step_price(self, fee: int) -> str:
        if not fee:
            return self.words("This step is free")
        return self.words.plural(
            "This step costs one good or marker", "This step costs {count} goods or markers", fee
        )

    def button_build(self, button: Label) -> Label:
        """What an office costs here."""
        if self.own.city == NOWHERE:
            return button
        prices = {way: self.fact("price", way) for way in ("goods", "markers")}
        message = msg("Costs {price}; gives 1 point")
        if self.known.rules.either_price:
            message = msg("Costs {goods}, or {markers}; gives 1 point")
        note = self.words(message, price=self.fact("price", "both"), **prices)
        return button._replace(description=note)

    def button_pass(self, button: Label) -> Label:
        """What is passed by."""
        kept = _KEPT.get(type(self.known.frames[-1]))
        return button._replace(text=self.words(kept), description=None) if kept else button

    def button_peek(self, button: Label) -> Label:
        """A button shows no description, so its label warns."""
        if self.own.city == NOWHERE or self.routes_seen() < len(ROUTES):
            return button
        text = self.words("{action} (you know both already)", action=button.text)
        return button._replace(text=text)

    def button_end(self, button: Label) -> Label:
        """A conflict may follow."""
        return button._replace(description=None) if self.known.rules.conflicts else button

    # Pieces

    def label_pieces(self, prefix: Action, word: str) -> Label:
        """Goods and markers to choose, or nothing."""
        param = self.game.moves[prefix[0]].params[len(prefix) - 1]
        key, said = prefix[0] if prefix[0] in NAMES.pieces else param, self.fact(param, word)
        none = None if word else NAMES.no_pieces.get(key)
        text = self.words(none or NAMES.pieces[key], pieces=said)
        return Label(text, self.piece_sign(word))

    label_fee = label_goods = label_give = label_take = label_markers = label_pieces

    def label_good(self, prefix: Action, word: str) -> Label:
        """A kind of goods to pay with, or six of it to sell."""
        text = msg("Sell {goods}") if prefix[0] == "sell_six" else msg("Pay {goods}")
        goods, held = self.said_good(prefix, word), self.own.goods or [0] * GOODS
        note = self.words("You have {count}", count=held[GOOD_KEYS.index(word)])
        return Label(self.words(text, goods=goods), self.good_sign(word), note, called=goods)

    def said_good(self, prefix: Action, word: str) -> str:
        """How many of a good are paid."""
        return self.counted(word, CONTENT.bonus_price if prefix[0] == "sell_six" else 1)

    def label_chit(self, prefix: Action, word: str) -> Label:
        """A bonus chit with its power."""
        return Label(self.chit(word), self.chit_sign(word), self.words(NAMES.powers[word]))

    def label_pair(self, prefix: Action, word: str) -> Label:
        """A pair of markers, with their cities."""
        pair = self.known.display[int(word) - 1]
        cities = [self.city(int(number)) for number in dict.fromkeys(pair)]
        text = self.words("Pair {number}: {markers}", number=word, markers=self.fact("pair", word))
        return Label(text, "🔢", self.words.listing(cities))

    def label_price(self, prefix: Action, word: str) -> Label:
        """A way to pay for an office."""
        text = self.words("Pay {pieces}", pieces=self.fact("price", word))
        return Label(text, "🏠", None, Style.SUCCESS)

    def label_marker(self, prefix: Action, word: str) -> Label:
        """A marker to pay or to take, or where a new route leads."""
        kind, number = prefix[0], int(word)
        markers = self.own.markers if len(self.own.markers) == CITIES else [0] * CITIES
        facts = {
            "number": number,
            "city": CITY_NAMES[number],
            "to": self.city(number),
            "goods": self.good_of(number),
            "markers": self.listed(word * CONTENT.raid_price),
            "count": markers[number],
            "price": CONTENT.raid_price,
        }
        note: str | None = self.words("You have {count}", **facts)
        if kind == "buy_raid":
            note = self.words("You have {count} and pay {price}", **facts)
        called = {"reroute": self.city(number), "swap_good": ""}.get(kind, word)
        text, sign = self.words(NAMES.markers[kind], **facts), self.marker_sign(word)
        return Label(text, sign, None if kind == "swap_good" else note, called=called)

    def good_of(self, number: int) -> str:
        """One good of a marker's colour."""
        return self.counted(GOOD_KEYS[CITY_GOOD[number]], 1)

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

    def said_marker(self, prefix: Action, word: str) -> str:
        """The city to which it leads, or its number."""
        return self.city(int(word)) if prefix[0] in ("found", "reroute") else self.marker(word)

    def prompt_trade_take(self, prefix: Action, choices: Bundle) -> str:
        """How many goods there are for those that are given."""
        facts = {"give": self.listed(prefix[1]), "least": choices.least, "most": choices.most}
        if choices.least < choices.most:
            return self.words(
                "For {give} you get {least} to {most} goods of other kinds. Which ones?", **facts
            )
        return self.words.plural(
            "For {give} you get {count} good of another kind. Which one?",
            "For {give} you get {count} goods of other kinds. Which ones?",
            choices.most,
            **facts,
        )

    # The guild master

    def advance(self, steps: int) -> tuple[int, int, int]:
        """Where steps lead the guild master, how many laps it has then done, or -1 if it completes
        none, and how many goods it brings."""
        city, passed = walk(self.known, steps)
        count = min(CONTENT.guild_goods, self.known.reserve[CITY_GOOD[city]])
        return city, self.known.laps + passed if passed else -1, count

    def label_steps(self, prefix: Action, word: str) -> Label:
        """Where the guild master comes, and what it brings."""
        words, (city, laps, count) = self.words, self.advance(int(word))
        good, to = GOOD_KEYS[CITY_GOOD[city]], self.city(city)
        note = words("Brings {goods}", goods=self.counted(good, count))
        if not count:
            note = words("Brings nothing: the reserve has no {good}", good=self.good(good))
        if laps >= CONTENT.laps_to_end:
            note = words("Ends the game!")
        elif laps >= 0:
            note = words("Completes a lap. {note}", note=note)
        text = words.plural(
            "{count} city forward, to {to}", "{count} cities forward, to {to}", int(word), to=to
        )
        return Label(text, self.marker_sign(city), note, called=to)

    def said_steps(self, prefix: Action, word: str) -> str:
        """How far, and to which city."""
        return uncapital(self.label_steps(prefix, word).text)

    # Routes

    def said_route(self, prefix: Action, word: str) -> str:
        """As it is offered."""
        return self.label(prefix, OneOf("route", (word,)), word).text

    def label_sail_route(self, prefix: Action, word: str) -> Label:
        """Where a route leads, and what is there; of the secret one what it costs."""
        words, known, seat = self.words, self.known, self.own_seat
        if word not in SLOT:
            to, fee = self.city(known.guild_city), self._step_fee(word)
            note = None if fee is None else self._step_price(fee)
            return Label(words("Take the secret route to {to}", to=to), "🗝️", note, called=to)
        unknown = msg("Take the hidden {side} route")
        label, route = self._route(word, seat, unknown, msg("Sail to {to}")), SLOT[word]
        square = self.routes_of(seat)[route]
        if square.marker == UNSEEN:
            return label
        note = label.description
        if square.hidden:
            # Still face down, but laid by the reader or, with Memory, seen.
            places = {(s.city, s.slot): s.round for s in sightings_of(known, seat)}
            seen = places.get((self.own.city, route))
            message = msg("Seen in round {round}. {sights}")
            if not seen:
                message = msg("Seen at the start. {sights}")
            if seen is None:
                message = msg("Your own hidden route. {sights}")
            note = words(message, sights=note, round=seen)
        return label._replace(description=note, style=Style.PRIMARY)

    def label_push_route(self, prefix: Action, word: str) -> Label:
        """A way for another player's ship."""
        pushed, unknown = self._push().pushed, msg("Send {seat} along the hidden {side} route")
        return self._route(word, pushed, unknown, msg("Send {seat} to {to}"))

    def label_reroute_route(self, prefix: Action, word: str) -> Label:
        """An old route. Exchanging a marker is not sailing it: whoever takes it up sees it."""
        unknown = msg("Replace the hidden {side} route")
        label = self._route(word, self.own_seat, unknown, msg("Replace the {side} route to {to}"))
        is_known = self.routes_of(self.own_seat)[SLOT[word]].marker != UNSEEN
        return label if is_known else label._replace(description=None)

    def _route(self, word: str, ship: Seat, unknown: Message, known: Message) -> Label:
        """A route out of the city of a ship: where it leads and what is there; its side where that
        is not known."""
        words, routes, side = self.words, self.routes_of(ship), self.fact("route", word)
        target, facts = routes[SLOT[word]].marker, {"side": side, "seat": self.seat(ship)}
        if target == UNSEEN:
            note = words("You only learn where it leads by sailing it")
            return Label(words(unknown, **facts), "❔", note, called=side)
        to, note = self.city(target), self._sights(target)
        text = words(known, to=to, **facts)
        if routes[0].marker == routes[1].marker:
            # Only the side tells such routes apart.
            to += f" ({side})"
            text += "" if "{side}" in known else f" ({side})"
        if target == self.known.players[ship].city:
            note = words("Leads back to this city, so no ship can use it")
        return Label(text, self.marker_sign(target), note, called=to)

    def _sights(self, number: int) -> str:
        """What is in a city, in brief."""
        known, city = self.known, self.known.cities[number]
        ships = [seat for seat in ships_in(known, number) if seat != self.observer]
        notes = [
            self.words("There: {goods}", goods=self.goods(city.goods)),
            *([self.words("the guild master")] if number == known.guild_city else []),
            *self.of_seats(_OFFICES, [office.seat for office in city.offices]),
            *self.of_seats(SHIPS, ships),
        ]
        while len(text := "; ".join(notes)) > _MOST_SIGHTS:
            notes.pop()
        return text

    def prompt_sail_fee(self, prefix: Action, choices: Bundle) -> str:
        """What the step costs."""
        if not choices.least:
            return self.words("This step is free.")
        return self.words.plural(
            "This step costs {count} good or marker. What will you pay?",
            "This step costs {count} goods or markers. What will you pay?",
            choices.least,
        )

    # Other players

    def label_seat(self, prefix: Action, word: str) -> Label:
        """A ship to raid or to challenge."""
        name, note = self.seat(int(word)), self._cargo(int(word))
        text = msg("Challenge {seat}") if prefix[0] == "challenge" else msg("Raid {seat}'s ship")
        return Label(self.words(text, seat=name), "⚔️", note, Style.DANGER, called=name)

    def _cargo(self, seat: Seat) -> str:
        """What another player's ship carries."""
        goods = self.known.players[seat].goods
        message = msg("Cargo: {goods}") if goods else msg("Cargo hidden")
        return self.words(message, goods=self.goods(goods))

    def label_split_group(self, prefix: Action, word: str) -> Label:
        """One half of the own cargo."""
        rest = goods_word(map(sub, self.own.goods or [0] * GOODS, goods_of(word)))
        note = self.words("Other half: {goods}", goods=self.listed(rest))
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
        """As it is offered."""
        return self.label_choose_group(prefix, word).text

    def label_offer_seat(self, prefix: Action, word: str) -> Label:
        """Somebody to deal with: a ship here, an office here, a ship at an own office."""
        way, seat = split_partner(word)
        assert seat is not None, "what may be said names a seat"
        if way == SHIP:
            return Label(self.seat(seat), "🤝", self._cargo(seat))
        owner, ship = (seat, self.own_seat) if way == OFFICE else (self.own_seat, seat)
        city = self.known.players[ship].city
        text = capital(self.partner(word))
        if way != OFFICE:
            facts = {"seat": self.seat(seat), "city": self.city(city)}
            text = self.words("{seat}, through your office in {city}", **facts)
        goods = self.goods(goods_in_offices(self.known.cities[city], owner))
        return Label(text, "🏠", self.words("There: {goods}", goods=goods))

    def offer(self, number: str) -> Offer | None:
        """The open offer with this number, if the reader knows what is offered."""
        known = (each for each in self.known.offers if each.give != SECRET)
        return next((each for each in known if str(each.id) == number), None)

    def terms(self, offer: Offer) -> dict[str, str]:
        """An offer as facts."""
        facts: dict[str, Fact] = {"seat": offer.seat, "other": offer.other, "city": offer.city}
        return self.facts({**facts, "give": offer.give, "take": offer.take})

    def label_offer(self, prefix: Action, word: str) -> Label:
        """With whom the reader would deal, what they would give and get; its number where another
        offer is the same."""
        offer = self.offer(word)
        assert offer is not None, "what may be answered is known"
        who, give, take = (self.terms(offer)[name] for name in ("seat", "take", "give"))
        if offer.seat == self.observer:
            who, give, take = self.terms(offer)["other"], take, give
        text = self.words("With {seat}: {give} → {take}", seat=who, give=give, take=take)
        same = [(o.seat, o.other, o.give, o.take) for o in self.known.offers]
        if same.count((offer.seat, offer.other, offer.give, offer.take)) > 1:
            text = self.words("{offer} (offer {number})", offer=text, number=word)
        note = self.words("Through the office in {city}", city=self.terms(offer)["city"])
        return Label(text, "🤝", None if offer.city == NOWHERE else note)

    def said_offer(self, prefix: Action, word: str) -> str:
        """Who gives what."""
        offer = self.offer(word)
        if offer is None:
            return self.words("number {number}", number=word)
        message = msg("{give} from {seat} for {take} from {other}")
        if offer.city != NOWHERE:
            message = msg(
                "{give} from {seat} for {take} from {other}, through the office in {city}"
            )
        return self.words(message, **self.terms(offer))
