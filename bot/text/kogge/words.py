"""The words of Kogge that depend on the situation: questions, buttons, choices, whole actions with
their effect, and the changes of a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import sub
from typing import ClassVar

from bot.game.choices import Bundle, OneOf
from bot.game.contract import ANSWER, END, THEN, Action, Decision, Refusal, Seat, offer_of
from bot.game.frames import frame_of
from bot.game.hidden import UNSEEN, View
from bot.game.kogge.common import (
    current_city,
    development_points,
    goods_in_offices,
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
    OFFICE,
    PIECE_LETTERS,
    SHIP,
    goods_of,
    goods_word,
    split_partner,
)
from bot.game.kogge.game import GAME
from bot.game.kogge.raid import GROUPS
from bot.game.kogge.rounds import rank, walk
from bot.game.kogge.routes import ROUTES, SLOT, sightings_of, step_fee
from bot.game.kogge.state import (
    NO_SEAT,
    NOWHERE,
    SECRET,
    Choosing,
    Conflict,
    Demand,
    Exchange,
    KoggeState,
    Movement,
    Offer,
    Push,
    Route,
)
from bot.text.contract import LONGEST_LABEL, Label, Style
from bot.text.game_words import Change
from bot.text.kogge.reading import KoggeReading
from bot.text.kogge.table import GOOD_EMOJI, NAMES, SHIPS
from bot.text.markup import capital, uncapital
from bot.text.user_text import ELLIPSIS
from bot.text.words import Message, forms, msg

_OFFICES = forms("{seats}'s office", "{seats}'s offices")
_PASS_LABELS: Mapping[type, Message] = {
    Push: msg("Let the ship stay"),
    Exchange: msg("Keep both routes"),
}
"""The label of "pass", by frame."""
_ROUTE_TEXTS: Mapping[str, tuple[Message, Message]] = {
    "sail": (msg("Sail to {to}"), msg("Take the hidden {side} route")),
    "push": (msg("Send {seat} to {to}"), msg("Send {seat} along the hidden {side} route")),
    "reroute": (msg("Replace the {side} route to {to}"), msg("Replace the hidden {side} route")),
}
"""The label of a route, by kind of action: with a known destination, and without."""
_SIGHTING_NOTES: Mapping[int | None, Message] = {
    None: msg("Your own hidden route. {sights}"),
    0: msg("Seen at the start. {sights}"),
}
"""The note on a hidden route, by the round in which the observer saw it; see `label_route` for
other rounds."""
_MAX_CITY_NOTE = 76
"""Characters, so that a description has room for more text before it."""
_PLACES = (
    msg("{bid}; 1st for now"),
    msg("{bid}; 2nd for now"),
    msg("{bid}; 3rd for now"),
    msg("{bid}; 4th for now"),
)
_ANSWERS: Mapping[str, tuple[Message, Message, Message, Message]] = {
    "accept": (
        msg("Accept: give {give}, get {get} ({seat})"),
        msg("Accept: {get} as a gift ({seat})"),
        msg("Accept: give {give} for nothing ({seat})"),
        msg("Accept {seat}'s offer"),
    ),
    "decline": (
        msg("Decline: keep {give} ({seat})"),
        msg("Decline the gift: {get} ({seat})"),
        msg("Decline: keep {give} ({seat})"),
        msg("Decline {seat}'s offer"),
    ),
}
"""By answer: for an exchange, for a gift to the observer, for a gift by the observer, and a short
form."""
_ALWAYS_KNOWN = ("load", "stop", END)
"""Kinds of action whose text does not depend on the state."""
Say = Callable[[str], str]
City = Callable[[int], str]


class KoggeWords(KoggeReading, game=GAME, things=NAMES):
    """The words of Kogge, for one observer."""

    notation: ClassVar[Mapping[str, Iterable[str]]] = {"chit": NAMES.chits, "route": NAMES.routes}

    def routes_of(self, seat: Seat) -> list[Route]:
        """Return the routes of the city of a ship."""
        return current_city(self.known, seat).routes

    def routes_seen(self) -> int:
        """Return how many of the routes of their city the observer knows."""
        return sum(route.marker != UNSEEN for route in self.routes_of(self.own_seat))

    # Questions

    def question_facts(self, decision: Decision) -> Mapping[str, object]:
        known, seat = self.known, decision.seat
        facts: dict[str, object] = {
            "guild": self.city(known.guild_city),
            "city": self.city(known.players[seat].city),
            "cargo": any(self.own.goods),
            "waiting": any(goods_in_offices(current_city(known, seat), seat)),
        }
        match known.frames[-1]:
            case Conflict(sides=(first, second)) | Demand(winner=first, loser=second):
                facts |= {"first": self.seat(first), "second": self.seat(second)}
            case Choosing(groups=groups) if SECRET not in groups:
                facts["groups"] = self.fact("groups", groups)
            case Push(pushed=pushed, optional=optional):
                facts |= {"pushed": self.seat(pushed), "optional": optional}
                facts["away"] = self.city(known.players[pushed].city)
        offer = self.offer(offer_of(decision)) if decision.kind == ANSWER else None
        if offer is not None:
            through = {NO_SEAT: "ships", seat: "own office"}.get(offer.office, "their office")
            facts |= {**self.terms(offer), "through": through}
        return facts

    # Buttons

    def button_bid(self, button: Label) -> Label:
        """Describe a bid in a conflict like the challenge."""
        challenge = self.button("challenge")
        in_conflict = isinstance(self.known.frames[-1], Conflict)
        return button._replace(description=challenge.description) if in_conflict else button

    def button_advance(self, button: Label) -> Label:
        """Use the emoji of the guild master."""
        return button._replace(emoji=self.words.sign("kogge_guild_master", "🚶"))

    def button_sail(self, button: Label) -> Label:
        """Put the fee into the label, because buttons have no description."""
        fee, note = self._step("left")
        text = self.words("Sail on (costs {count})", count=fee) if fee else button.text
        return button._replace(text=text, description=note or button.description)

    def _step(self, route: str) -> tuple[int, str | None]:
        """Return the fee of the next step, and a sentence about it."""
        known = self.known
        if not isinstance(known.frames[-1], Movement):
            return 0, None
        fee = step_fee(known, known.order[known.at], route)
        costs = self.words.plural(
            "This step costs one good or marker", "This step costs {count} goods or markers", fee
        )
        return fee, costs if fee else self.words("This step is free")

    def button_build(self, button: Label) -> Label:
        """Describe the price of an office."""
        if self.own.city == NOWHERE:
            return button
        message = (
            msg("Costs {goods}, or {markers}; gives 1 point")
            if self.known.rules.either_price
            else msg("Costs {both}; gives 1 point")
        )
        facts = {way: self.price(way) for way in ("both", "goods", "markers")}
        return button._replace(description=self.words(message, **facts))

    def button_pass(self, button: Label) -> Label:
        """Say which choice is passed."""
        message = _PASS_LABELS.get(type(self.known.frames[-1]))
        return button._replace(text=self.words(message), description=None) if message else button

    def button_peek(self, button: Label) -> Label:
        """Warn in the label, because buttons have no description."""
        if self.own.city == NOWHERE or self.routes_seen() < len(ROUTES):
            return button
        text = self.words("{action} (you know both already)", action=button.text)
        return button._replace(text=text)

    def button_end(self, button: Label) -> Label:
        """Drop the description if a conflict may follow."""
        return button._replace(description=None) if self.known.rules.conflicts else button

    # Pieces

    def label_pieces(self, prefix: Action, word: str) -> Label:
        """Label a choice of goods and markers, or of none."""
        param = self.game.moves[prefix[0]].params[len(prefix) - 1]
        key = prefix[0] if prefix[0] in NAMES.pieces else param
        none = None if word else NAMES.no_pieces.get(key)
        text = self.words(none or NAMES.pieces[key], pieces=self.fact(param, word))
        return Label(text, self.piece_sign(word))

    label_fee = label_goods = label_give = label_take = label_markers = label_pieces

    def label_good(self, prefix: Action, word: str) -> Label:
        """Label a good to pay, or six of it to sell."""
        text = msg("Sell {goods}") if prefix[0] == "sell_six" else msg("Pay {goods}")
        goods, held = self.wording_good(prefix, word), self.own.goods or [0] * GOODS
        note = self.words("You have {count}", count=held[GOOD_KEYS.index(word)])
        return Label(self.words(text, goods=goods), self.good_sign(word), note, called=goods)

    def wording_good(self, prefix: Action, word: str) -> str:
        """Return the goods to pay, with their count."""
        return self.counted(word, CONTENT.bonus_price if prefix[0] == "sell_six" else 1)

    def label_chit(self, prefix: Action, word: str) -> Label:
        """Label a bonus chit with its effect."""
        return Label(self.chit(word), self.chit_sign(word), self.words(NAMES.powers[word]))

    def label_pair(self, prefix: Action, word: str) -> Label:
        """Label a pair of markers with their cities."""
        pair = self.known.display[int(word) - 1]
        cities = [self.city(int(number)) for number in dict.fromkeys(pair)]
        text = self.words("Pair {number}: {markers}", number=word, markers=self.fact("pair", word))
        return Label(text, "🔢", self.words.listing(cities))

    def label_price(self, prefix: Action, word: str) -> Label:
        """Label a way to pay for an office."""
        text = self.words("Pay {pieces}", pieces=self.price(word))
        return Label(text, "🏠", None, Style.SUCCESS)

    def label_marker(self, prefix: Action, word: str) -> Label:
        """Label a marker to pay or to take, or for a new route."""
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
        message = (
            msg("You have {count} and pay {price}")
            if kind == "buy_raid"
            else msg("You have {count}")
        )
        note = None if kind == "swap_good" else self.words(message, **facts)
        called = {"reroute": self.city(number), "swap_good": ""}.get(kind, word)
        text, sign = self.words(NAMES.markers[kind], **facts), self.marker_sign(word)
        return Label(text, sign, note, called=called)

    def good_of(self, number: int, count: int = 1) -> str:
        """Return goods of a marker's colour, with their count."""
        return self.counted(GOOD_KEYS[CITY_GOOD[number]], count)

    def label_found_marker(self, prefix: Action, word: str) -> Label:
        """Label a city for the first office."""
        number = int(word)
        places = CONTENT.offices_per_city - len(self.known.cities[number].offices)
        note = self.words.plural(
            "Produces {good}; room for {count} office",
            "Produces {good}; room for {count} offices",
            places,
            good=self.good(GOOD_KEYS[CITY_GOOD[number]]),
        )
        return Label(CITY_NAMES[number], self.marker_sign(number), note)

    def wording_marker(self, prefix: Action, word: str) -> str:
        """Return the city of a marker, or its number."""
        return self.city(int(word)) if prefix[0] in ("found", "reroute") else self.marker(word)

    def prompt_trade_take(self, prefix: Action, choices: Bundle) -> str:
        """Ask for the goods, with how many the observer gets."""
        facts = {"give": self.listed(prefix[1]), "least": choices.minimum, "most": choices.maximum}
        if choices.minimum < choices.maximum:
            return self.words(
                "For {give} you get {least} to {most} goods of other kinds. Which ones?", **facts
            )
        return self.words.plural(
            "For {give} you get {count} good of another kind. Which one?",
            "For {give} you get {count} goods of other kinds. Which ones?",
            choices.maximum,
            **facts,
        )

    # The guild master

    def advance(self, steps: int) -> tuple[int, int, int]:
        """Return the guild master's new city, the laps done or -1 if it completes none, and the
        count of goods it brings."""
        city, passed = walk(self.known, steps)
        count = min(CONTENT.guild_goods, self.known.reserve[CITY_GOOD[city]])
        return city, self.known.laps + passed if passed else -1, count

    def label_steps(self, prefix: Action, word: str) -> Label:
        """Label steps with the guild master's new city and the goods it brings."""
        words, (city, laps, count) = self.words, self.advance(int(word))
        to, facts = self.city(city), {"good": self.good(GOOD_KEYS[CITY_GOOD[city]])}
        note = (
            words("Brings {goods}", goods=self.good_of(city, count))
            if count
            else words("Brings nothing: the reserve has no {good}", **facts)
        )
        if laps >= CONTENT.laps_to_end:
            note = words("Ends the game!")
        elif laps >= 0:
            note = words("Completes a lap. {note}", note=note)
        text = words.plural(
            "{count} city forward, to {to}", "{count} cities forward, to {to}", int(word), to=to
        )
        return Label(text, self.marker_sign(city), note, called=to)

    def wording_steps(self, prefix: Action, word: str) -> str:
        """Return the steps with the new city."""
        return uncapital(self.label_steps(prefix, word).text)

    # Routes

    def wording_route(self, prefix: Action, word: str) -> str:
        """Return the text of the label."""
        return self.label(prefix, OneOf("route", (word,)), word).text

    def label_route(self, prefix: Action, word: str) -> Label:
        """Label a route with its city and the contents of the city, or with its side if unknown.

        The secret route has its price instead.
        """
        words, known, kind = self.words, self.known, prefix[0]
        if word not in SLOT:
            to, (_, note) = self.city(known.guild_city), self._step(word)
            return Label(words("Take the secret route to {to}", to=to), "🗝️", note, called=to)
        ship = frame_of(known, Push).pushed if kind == "push" else self.own_seat
        routes, slot, side = self.routes_of(ship), SLOT[word], self.fact("route", word)
        (leads, unknown), facts = _ROUTE_TEXTS[kind], {"side": side, "seat": self.seat(ship)}
        target = routes[slot].marker
        if target == UNSEEN:
            # A player who replaces a hidden route sees its marker.
            sailing = words("You only learn where it leads by sailing it")
            note = None if kind == "reroute" else sailing
            return Label(words(unknown, **facts), "❔", note, called=side)
        to, note = self.city(target), self._city_note(target)
        text = words(leads, to=to, **facts)
        if routes[0].marker == routes[1].marker:
            # Only the side distinguishes these routes.
            to += f" ({side})"
            text += "" if "{side}" in leads else f" ({side})"
        if target == known.players[ship].city:
            note = words("Leads back to this city, so no ship can use it")
        if kind == "sail" and routes[slot].hidden:
            # It is hidden, but the observer has laid it or, with Memory, seen it.
            places = {(s.city, s.slot): s.round for s in sightings_of(known, ship)}
            seen = places.get((self.own.city, slot))
            message = _SIGHTING_NOTES.get(seen, msg("Seen in round {round}. {sights}"))
            note = words(message, sights=note, round=seen)
        style = Style.PRIMARY if kind == "sail" else Style.NORMAL
        return Label(text, self.marker_sign(target), note, style, called=to)

    def _city_note(self, number: int) -> str:
        """Return the contents of a city, in short."""
        known, city = self.known, self.known.cities[number]
        ships = [seat for seat in ships_in(known, number) if seat != self.observer]
        parts = (
            self.words("There: {goods}", goods=self.goods(city.goods)),
            self.words("the guild master") if number == known.guild_city else "",
            self.of_seats(_OFFICES, [office.seat for office in city.offices]),
            self.of_seats(SHIPS, ships),
        )
        notes = [*filter(None, parts)]
        while len(text := "; ".join(notes)) > _MAX_CITY_NOTE:
            notes.pop()
        return text

    def prompt_sail_fee(self, prefix: Action, choices: Bundle) -> str:
        """Ask for the fee of the step."""
        if not choices.minimum:
            return self.words("This step is free.")
        return self.words.plural(
            "This step costs {count} good or marker. What will you pay?",
            "This step costs {count} goods or markers. What will you pay?",
            choices.minimum,
        )

    # Other players

    def label_seat(self, prefix: Action, word: str) -> Label:
        """Label a ship to raid or to challenge."""
        name, note = self.seat(int(word)), self._cargo(int(word))
        return Label(self.action((*prefix, word)), "⚔️", note, Style.DANGER, called=name)

    def _cargo(self, seat: Seat) -> str:
        """Return the cargo of another player's ship."""
        goods = self.known.players[seat].goods
        message = msg("Cargo: {goods}") if goods else msg("Cargo hidden")
        return self.words(message, goods=self.goods(goods))

    def label_split_group(self, prefix: Action, word: str) -> Label:
        """Label one half of the observer's cargo."""
        rest = goods_word(map(sub, self.own.goods or [0] * GOODS, goods_of(word)))
        note = self.words("Other half: {goods}", goods=self.listed(rest))
        return Label(self.listed(word), None, note)

    def label_choose_group(self, prefix: Action, word: str) -> Label:
        """Label one half of the victim's cargo."""
        which = self.words("First half") if word == "first" else self.words("Second half")
        frame = self.known.frames[-1]
        if not isinstance(frame, Choosing) or SECRET in frame.groups:
            return Label(which)
        return Label(f"{which}: {self.listed(frame.groups[GROUPS.index(word)])}")

    def wording_choose_group(self, prefix: Action, word: str) -> str:
        """Return the text of the label."""
        return self.label_choose_group(prefix, word).text

    def label_offer_seat(self, prefix: Action, word: str) -> Label:
        """Label a partner: a ship or an office in the city, or a ship at an own office."""
        way, seat = split_partner(word)
        assert seat is not None, "legal words have a seat"
        if way == SHIP:
            return Label(self.seat(seat), "🤝", self._cargo(seat))
        owner, ship, text = seat, self.own_seat, capital(self.partner(word))
        if way != OFFICE:
            owner, ship = ship, owner
            facts = {"seat": self.seat(seat), "city": self.city(self.known.players[seat].city)}
            text = self.words("{seat}, through your office in {city}", **facts)
        goods = self.goods(goods_in_offices(current_city(self.known, ship), owner))
        return Label(text, "🏠", self.words("There: {goods}", goods=goods))

    def offer(self, number: str) -> Offer | None:
        """Return the open offer with this number, if the observer may see its terms."""
        known = (each for each in self.known.offers if each.give != SECRET)
        return next((each for each in known if str(each.id) == number), None)

    def label_offer(self, prefix: Action, word: str) -> Label:
        """Label an offer with partner and terms, and its number if another looks the same."""
        offer = self.offer(word)
        assert offer is not None, "a seat sees the offers it may answer"
        partner, give, take = offer.seat, offer.take, offer.give
        if offer.seat == self.observer:
            partner, give, take = offer.other, take, give
        facts = self.facts({"seat": partner, "give": give, "take": take, "city": offer.city})
        text = self.words("With {seat}: {give} → {take}", **facts)
        all_terms = [(o.seat, o.other, o.give, o.take) for o in self.known.offers]
        if all_terms.count((offer.seat, offer.other, offer.give, offer.take)) > 1:
            text = self.words("{offer} (offer {number})", offer=text, number=word)
        note = self.words("Through the office in {city}", **facts)
        return Label(text, "🤝", None if offer.city == NOWHERE else note)

    def wording_offer(self, prefix: Action, word: str) -> str:
        """Return the seats and the terms of an offer."""
        offer = self.offer(word)
        if offer is None:
            return self.words("number {number}", number=word)
        message = (
            msg("{give} from {seat} for {take} from {other}")
            if offer.city == NOWHERE
            else msg("{give} from {seat} for {take} from {other}, through the office in {city}")
        )
        return self.words(message, **self.terms(offer))

    # Whole actions

    def action(self, action: Action) -> str:
        """Return an action in words; a free step has no fee."""
        free = action[:1] == ("sail",) and action[2:] == ("",)
        return super().action(action[:2] if free else action)

    def action_labels(self, action: Action, views: Sequence[View[KoggeState]]) -> Sequence[Label]:
        """Return labels for a whole action with its effect, or for a sequence of actions.

        The later, shorter labels of a sequence have emoji for goods and numbers for cities.
        """
        board = self.on_board
        return board._sequence(action, views) if THEN in action else [board._single(action)]

    def _single(self, action: Action) -> Label:
        button, (kind, *args) = self.button(action[0]), action
        label = Label(
            capital(self._describe(action)),
            self._sign(action) or button.emoji,
            style=button.style,
            called=self._place(action),
        )
        if args and not label.called:
            param = self.game.moves[kind].params[0]
            first = self.label((kind,), OneOf(param, tuple(args[:1])), args[0])
            label = label._replace(description=first.description, called=first.name)
        return label.fitting()

    def _describe(self, action: Action) -> str:
        """Return an action with its effect."""
        words, text = self.words, self.action(action)
        match action:
            case ("bid", markers) if not isinstance(self.known.frames[-1], Conflict):
                return self._bid(text, markers)
            case ("advance", steps):
                city, laps, count = self.advance(int(steps))
                goods = self.good_of(city, count) if count else words("no goods")
                text = words("Guild master to {city} → {goods}", city=self.city(city), goods=goods)
                if laps >= CONTENT.laps_to_end:
                    text = words("{action}; ends the game", action=text)
                elif laps >= 0:
                    text = words("{action}; completes lap {lap}", action=text, lap=laps)
            case ("build", price):
                facts = {"price": self.price(price), "point": self._next_point()}
                text = words("Build an office for {price} ({point})", **facts)
            case ("sell_six", *_):
                text = words("{action} → {gain}", action=text, gain=self._next_point())
            case ("raid_city",):
                place = current_city(self.known, self.own_seat)
                others = [each.goods for each in place.offices if each.seat != self.observer]
                loot = self.goods([sum(each) for each in zip(place.goods, *others, strict=True)])
                text = words("{action} → {gain}", action=text, gain=loot)
            case ("swap_marker", marker):
                facts = {"marker": marker, "good": self.good_of(int(marker))}
                text = words("Swap marker {marker} for {good}", **facts)
            case ("reroute", route, marker):
                old = self.routes_of(self.own_seat)[SLOT[route]].marker
                replaced = words("a hidden one")
                if old != UNSEEN:
                    # With Memory, a route may lead to its own city.
                    name = words("back here") if old == self.own.city else CITY_NAMES[old]
                    replaced = f"{old} ({name})"
                text = words(
                    "Change {side} route: your {marker} ({to}), hidden, replaces {old}",
                    side=self.fact("route", route),
                    marker=marker,
                    to=CITY_NAMES[int(marker)],
                    old=replaced,
                )
            case ("peek", _) if seen := self.routes_seen():
                note = words.plural("you know one already", "you know both already", seen)
                text = words("{action} ({note})", action=text, note=note)
            case ("accept" | "decline" as kind, number) if offer := self.offer(number):
                return self._answer(kind, offer)
        return text

    def _bid(self, action: str, markers: str) -> str:
        """Return a bid with the goods it brings to cities, and its rank for now."""
        words, supply = self.words, list[str]()
        numbers = dict.fromkeys(map(int, markers))
        for number in numbers:
            due = CONTENT.supply_per_marker * markers.count(str(number))
            if count := min(due, self.known.reserve[CITY_GOOD[number]]):
                goods = self.good_of(number, count)
                one = words("{goods} to {city}", goods=goods, city=self.city(number))
                # With several numbers, the markers show the cities.
                supply.append(one if len(numbers) == 1 else goods)
        gain = words.listing(supply) or words("no goods")
        bid = words("{action} → {gain}", action=action, gain=gain)
        bids = [each for each in self.known.bids if each]
        place = sum(rank(other) > rank(markers) for other in bids)
        return words(_PLACES[place], bid=bid) if bids else bid

    def _next_point(self) -> str:
        points = development_points(self.known, self.own_seat) + 1
        facts = {"count": points, "needed": CONTENT.development_points_to_win}
        return self.words("point {count} of {needed}", **facts)

    def _answer(self, kind: str, offer: Offer) -> str:
        """Return the terms of an offer, as the observer would give and get them."""
        both, gift, nothing, short = _ANSWERS[kind]
        seat, give, get = self.seat(offer.seat), self.listed(offer.take), self.listed(offer.give)
        message = both if offer.take and offer.give else nothing if offer.take else gift
        text = self.words(message, seat=seat, give=give, get=get)
        # The question above the buttons has the terms too.
        return text if len(text) <= LONGEST_LABEL else self.words(short, seat=seat)

    def _place(self, action: Action) -> str:
        """Return the text at the action's place in the picture; '' for that of its first word."""
        match action:
            case ("sell_six", _, chit):
                return self.chit(chit)
            case ("buy", pair, _):
                return self.fact("pair", pair)
            case ("bid", markers):
                return " + ".join(markers)
        return self.words(NAMES.places[action[0]]) if action[0] in NAMES.places else ""

    def _sign(self, action: Action) -> str | None:
        """Return the emoji of the main piece of an action; None for the button's emoji."""
        match action:
            case ("sail", "left" | "right" as route, _):
                to = self.routes_of(self.own_seat)[SLOT[route]].marker
                return None if to == UNSEEN else self.marker_sign(to)
            case ("bid", markers) if len(set(markers)) == 1:
                return self.marker_sign(markers[0])
            case (("found" | "buy_raid"), marker) | (("reroute" | "swap_good"), _, marker):
                return self.marker_sign(marker)
            case ("swap_marker", marker):
                return self.good_sign(GOOD_KEYS[CITY_GOOD[int(marker)]])
            case ("sell_six", _, chit):
                return self.chit_sign(chit)
        return None

    # Sequences of actions

    def _sequence(self, action: Action, views: Sequence[View[KoggeState]]) -> Sequence[Label]:
        """Label a sequence: the actions in short, the fees of all steps, the end of the turn."""
        moments, start = list(self.steps(action, views)), self.own.city
        first = self._single(moments[0][0])
        first = first._replace(called=first.name)
        match [each for each, _ in moments]:
            case (("sail", _, fee) as step, ("stop",)) if self._target(step, start) not in (
                UNSEEN,
                start,
            ):
                city = self._leg(step, start, self.city)
                if fee:
                    city = self.words("{city} for {pieces}", city=city, pieces=self.listed(fee))
                return [first._replace(text=self.words("Sail to {city} and stop", city=city))]
        end = ""
        if moments[-1][0] == (END,):
            end, moments = self.words("{action}, then end turn", action=""), moments[:-1]
        names = CITY_NAMES.__getitem__
        ways = ((self.listed, names), (self._signs, names), (self._signs, str))
        return [
            first._replace(text=self._row(moments, len(views), goods, city) + end)
            for goods, city in ways
        ]

    def _row(
        self, moments: Sequence[tuple[Action, KoggeWords]], known: int, goods: Say, city: City
    ) -> str:
        parts, position = list[str](), self.own.city
        for index, (action, at) in enumerate(moments):
            if action[0] == "sail":
                # The ship's city may be known even without a view after the step.
                parts.append(at._leg(action, position, city))
                to = at._target(action, position)
                position = position if to == UNSEEN else to
            elif index < known or action[0] in _ALWAYS_KNOWN:
                parts.append(at._short_action(action, goods, city) or uncapital(at.action(action)))
            elif parts[-1] != ELLIPSIS:
                parts.append(ELLIPSIS)
        row = capital(" → ".join(parts))
        if fees := "".join(action[2] for action, _ in moments if action[0] == "sail"):
            paid = goods("".join(sorted(fees, key=PIECE_LETTERS.index)))
            row = self.words("{action}; pay {pieces}", action=row, pieces=paid)
        return row

    def _signs(self, word: str) -> str:
        """Return pieces in short, with emoji for goods."""
        goods = zip(GOOD_LETTERS, GOOD_EMOJI.values(), strict=True)
        parts = [f"{count}{sign}" for good, sign in goods if (count := word.count(good))]
        markers = word.strip(GOOD_LETTERS)
        return " ".join([*parts, self.listed(markers)] if markers else parts)

    def _target(self, step: Action, start: int) -> int:
        """Return the destination of a step from a city, or `UNSEEN`."""
        routes, route = self.known.cities[start].routes, step[1]
        return routes[SLOT[route]].marker if route in SLOT else self.known.guild_city

    def _leg(self, step: Action, start: int, city: City) -> str:
        """Return a step from a city in words."""
        to, side = self._target(step, start), self.fact("route", step[1])
        if to == UNSEEN:
            return self.words("hidden {side} route", side=side)
        left, right = self.known.cities[start].routes
        is_alike = step[1] not in SLOT or left.marker == right.marker
        return f"{city(to)} ({side})" if is_alike else city(to)

    def _short_action(self, action: Action, goods: Say, city: City) -> str:
        """Return an action in short; '' if its kind has no short form."""
        kind, *args = action
        if kind not in NAMES.brief:
            return ""
        facts = {
            param: goods(word) if param in ("give", "take") else self.fact(param, word)
            for param, word in zip(self.game.moves[kind].params, args, strict=True)
        }
        if kind == "buy":
            facts["pair"] = facts["pair"].replace(" ", "")
        elif "marker" in facts:
            number = int(facts["marker"])
            facts |= {"to": city(number), "good": goods(GOOD_LETTERS[CITY_GOOD[number]])}
        return self.words(NAMES.brief[kind], **facts)

    # The changes of a plan

    def changes(self, before: KoggeWords) -> Iterator[Change]:
        """Yield the changes to the observer's points, pieces, ship and bid."""
        words, held = self.words, [*zip(before._holdings(), self._holdings(), strict=True)]
        rows = [
            Change(words("{what}: {old} → {new}", what=what, old=old, new=new), more - less)
            for (what, old, less), (_, new, more) in held
            if old != new
        ]
        (_, _, less), (_, _, more) = held[0]
        # Paying costs victory points too. That alone would make a good purchase look bad.
        if less > more and any(each.gain > 0 for each in rows[1:]):
            del rows[0]
        yield from rows
        bid = self.known.bids[self.observer]
        if bid and bid != before.known.bids[self.observer]:
            yield Change(self._bid_comparison(bid), -1)

    def _holdings(self) -> list[tuple[str, object, int]]:
        """Return (name, value, amount) for each of the observer's possessions."""
        words, known, own, me = self.words, self.known, self.own, self.observer
        points, won = points_so_far(known, me), development_points(known, me)
        offices = [goods_in_offices(city, me) for city in known.cities]
        held = [sum(each) for each in zip(*offices, strict=True)]
        needed = words("Development points (of {needed})", needed=CONTENT.development_points_to_win)
        return [
            (words("Victory points"), points, points),
            (needed, won, won),
            (words("Markers"), self.markers_of(own) or words("no markers"), sum(own.markers)),
            (words("Goods"), self.goods(own.goods), sum(own.goods)),
            (words("In offices"), self.goods(held), sum(held)),
            (words("Ship"), self.city(own.city) if own.city != NOWHERE else "–", 0),
        ]

    def _bid_comparison(self, bid: str) -> str:
        """Compare the observer's bid with the others made so far."""
        others = {n: each for n, each in enumerate(self.known.bids) if each and n != self.observer}
        ahead = [seat for seat, other in others.items() if rank(other) > rank(bid)]
        best = msg("Bid {markers}: beats all bids so far")
        first = msg("Bid {markers}: first bid of the round")
        message = msg("Bid {markers}: behind {seats}") if ahead else best if others else first
        return self.words(message, markers=self.side_by_side(bid), seats=self.seats(ahead))

    def refusal(self, refusal: Refusal) -> str:
        if refusal.code == "wrong_fee" and refusal.facts.get("count") == 0:
            refusal = Refusal("step_free", refusal.topic)
        return super().refusal(refusal)
