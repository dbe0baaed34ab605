"""The words of Kogge: what is asked, offered and said back, whole actions with what they bring, and
what a plan changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import sub
from typing import ClassVar

from bot.game.choices import Bundle, OneOf
from bot.game.contract import ANSWER, END, THEN, Action, Decision, Refusal, Seat, offer_of
from bot.game.frames import frame_of
from bot.game.hidden import UNSEEN, View
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
_KEPT: Mapping[type, Message] = {Push: msg("Let the ship stay"), Exchange: msg("Keep both routes")}
"""What is passed by, by what is asked."""
_WAYS: Mapping[str, tuple[Message, Message]] = {
    "sail": (msg("Sail to {to}"), msg("Take the hidden {side} route")),
    "push": (msg("Send {seat} to {to}"), msg("Send {seat} along the hidden {side} route")),
    "reroute": (msg("Replace the {side} route to {to}"), msg("Replace the hidden {side} route")),
}
"""A route by the kind of action: where it is known to lead somewhere, and where not."""
_SEEN: Mapping[int | None, Message] = {
    None: msg("Your own hidden route. {sights}"),
    0: msg("Seen at the start. {sights}"),
}
"""Of a route face down, by the round in which it was seen; of any other one see there."""
_MAX_SIGHTS = 76
"""Characters; in a description something may stand before them."""
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
"""What is given and got, what is got for nothing, what is given for nothing; without all that."""
_ANYWHERE = ("load", "stop", END)
"""Kinds of action of which the same is said whatever the table."""
Say = Callable[[str], str]
City = Callable[[int], str]


class KoggeWords(KoggeReading, game=GAME, things=NAMES):
    """The words of Kogge for one reader."""

    notation: ClassVar[Mapping[str, Iterable[str]]] = {"chit": NAMES.chits, "route": NAMES.routes}

    def routes_of(self, seat: Seat) -> list[Route]:
        """The routes out of the city of a ship."""
        return here(self.known, seat).routes

    def routes_seen(self) -> int:
        """How many of the routes where the ship lies the reader knows already."""
        return sum(route.marker != UNSEEN for route in self.routes_of(self.own_seat))

    # Questions

    def question_facts(self, decision: Decision) -> Mapping[str, object]:
        """Where the guild master is and the ship of the seat, and what is on it or waits for it;
        the sides of a conflict, a divided cargo, a ship that must leave, an offer."""
        known, seat = self.known, decision.seat
        facts: dict[str, object] = {
            "guild": self.city(known.guild_city),
            "city": self.city(known.players[seat].city),
            "cargo": any(self.own.goods),
            "waiting": any(goods_in_offices(here(known, seat), seat)),
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
        """A bid in a conflict is not for turn order."""
        challenge = self.button("challenge")
        in_conflict = isinstance(self.known.frames[-1], Conflict)
        return button._replace(description=challenge.description) if in_conflict else button

    def button_advance(self, button: Label) -> Label:
        """With the sign of the guild master."""
        return button._replace(emoji=self.words.sign("kogge_guild_master", "🚶"))

    def button_sail(self, button: Label) -> Label:
        """A button shows no description, so its label includes the cost."""
        fee, note = self._step("left")
        text = self.words("Sail on (costs {count})", count=fee) if fee else button.text
        return button._replace(text=text, description=note or button.description)

    def _step(self, route: str) -> tuple[int, str | None]:
        """What the next step of the ship on turn costs, and that in words."""
        known = self.known
        if not isinstance(known.frames[-1], Movement):
            return 0, None
        fee = step_fee(known, known.order[known.at], route)
        costs = self.words.plural(
            "This step costs one good or marker", "This step costs {count} goods or markers", fee
        )
        return fee, costs if fee else self.words("This step is free")

    def button_build(self, button: Label) -> Label:
        """What an office costs here."""
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
        key = prefix[0] if prefix[0] in NAMES.pieces else param
        none = None if word else NAMES.no_pieces.get(key)
        text = self.words(none or NAMES.pieces[key], pieces=self.fact(param, word))
        return Label(text, self.piece_sign(word))

    label_fee = label_goods = label_give = label_take = label_markers = label_pieces

    def label_good(self, prefix: Action, word: str) -> Label:
        """A kind of goods to pay with, or six of it to sell."""
        text = msg("Sell {goods}") if prefix[0] == "sell_six" else msg("Pay {goods}")
        goods, held = self.wording_good(prefix, word), self.own.goods or [0] * GOODS
        note = self.words("You have {count}", count=held[GOOD_KEYS.index(word)])
        return Label(self.words(text, goods=goods), self.good_sign(word), note, called=goods)

    def wording_good(self, prefix: Action, word: str) -> str:
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
        text = self.words("Pay {pieces}", pieces=self.price(word))
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
        """Some goods of a marker's colour."""
        return self.counted(GOOD_KEYS[CITY_GOOD[number]], count)

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

    def wording_marker(self, prefix: Action, word: str) -> str:
        """The city to which it leads, or its number."""
        return self.city(int(word)) if prefix[0] in ("found", "reroute") else self.marker(word)

    def prompt_trade_take(self, prefix: Action, choices: Bundle) -> str:
        """How many goods there are for those that are given."""
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
        """Where steps lead the guild master, how many laps it has then done, or -1 if it completes
        none, and how many goods it brings."""
        city, passed = walk(self.known, steps)
        count = min(CONTENT.guild_goods, self.known.reserve[CITY_GOOD[city]])
        return city, self.known.laps + passed if passed else -1, count

    def label_steps(self, prefix: Action, word: str) -> Label:
        """Where the guild master comes, and what it brings."""
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
        """How far, and to which city."""
        return uncapital(self.label_steps(prefix, word).text)

    # Routes

    def wording_route(self, prefix: Action, word: str) -> str:
        """As it is offered."""
        return self.label(prefix, OneOf("route", (word,)), word).text

    def label_route(self, prefix: Action, word: str) -> Label:
        """Where a route leads and what is there, its side where that is not known; of the secret
        one what it costs."""
        words, known, kind = self.words, self.known, prefix[0]
        if word not in SLOT:
            to, (_, note) = self.city(known.guild_city), self._step(word)
            return Label(words("Take the secret route to {to}", to=to), "🗝️", note, called=to)
        ship = frame_of(known, Push).pushed if kind == "push" else self.own_seat
        routes, slot, side = self.routes_of(ship), SLOT[word], self.fact("route", word)
        (leads, unknown), facts = _WAYS[kind], {"side": side, "seat": self.seat(ship)}
        target = routes[slot].marker
        if target == UNSEEN:
            # Exchanging a marker is not sailing it: whoever takes it up sees it.
            sailing = words("You only learn where it leads by sailing it")
            note = None if kind == "reroute" else sailing
            return Label(words(unknown, **facts), "❔", note, called=side)
        to, note = self.city(target), self._sights(target)
        text = words(leads, to=to, **facts)
        if routes[0].marker == routes[1].marker:
            # Only the side tells such routes apart.
            to += f" ({side})"
            text += "" if "{side}" in leads else f" ({side})"
        if target == known.players[ship].city:
            note = words("Leads back to this city, so no ship can use it")
        if kind == "sail" and routes[slot].hidden:
            # Still face down, but laid by the reader or, with Memory, seen.
            places = {(s.city, s.slot): s.round for s in sightings_of(known, ship)}
            seen = places.get((self.own.city, slot))
            message = _SEEN.get(seen, msg("Seen in round {round}. {sights}"))
            note = words(message, sights=note, round=seen)
        style = Style.PRIMARY if kind == "sail" else Style.NORMAL
        return Label(text, self.marker_sign(target), note, style, called=to)

    def _sights(self, number: int) -> str:
        """What is in a city, in brief."""
        known, city = self.known, self.known.cities[number]
        ships = [seat for seat in ships_in(known, number) if seat != self.observer]
        told = (
            self.words("There: {goods}", goods=self.goods(city.goods)),
            self.words("the guild master") if number == known.guild_city else "",
            self.of_seats(_OFFICES, [office.seat for office in city.offices]),
            self.of_seats(SHIPS, ships),
        )
        notes = [*filter(None, told)]
        while len(text := "; ".join(notes)) > _MAX_SIGHTS:
            notes.pop()
        return text

    def prompt_sail_fee(self, prefix: Action, choices: Bundle) -> str:
        """What the step costs."""
        if not choices.minimum:
            return self.words("This step is free.")
        return self.words.plural(
            "This step costs {count} good or marker. What will you pay?",
            "This step costs {count} goods or markers. What will you pay?",
            choices.minimum,
        )

    # Other players

    def label_seat(self, prefix: Action, word: str) -> Label:
        """A ship to raid or to challenge."""
        name, note = self.seat(int(word)), self._cargo(int(word))
        return Label(self.action((*prefix, word)), "⚔️", note, Style.DANGER, called=name)

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
        return Label(f"{which}: {self.listed(frame.groups[GROUPS.index(word)])}")

    def wording_choose_group(self, prefix: Action, word: str) -> str:
        """As it is offered."""
        return self.label_choose_group(prefix, word).text

    def label_offer_seat(self, prefix: Action, word: str) -> Label:
        """Somebody to deal with: a ship here, an office here, a ship at an own office."""
        way, seat = split_partner(word)
        assert seat is not None, "what may be said names a seat"
        if way == SHIP:
            return Label(self.seat(seat), "🤝", self._cargo(seat))
        owner, ship, text = seat, self.own_seat, capital(self.partner(word))
        if way != OFFICE:
            owner, ship = ship, owner
            facts = {"seat": self.seat(seat), "city": self.city(self.known.players[seat].city)}
            text = self.words("{seat}, through your office in {city}", **facts)
        goods = self.goods(goods_in_offices(here(self.known, ship), owner))
        return Label(text, "🏠", self.words("There: {goods}", goods=goods))

    def offer(self, number: str) -> Offer | None:
        """The open offer with this number, if the reader knows what is offered."""
        known = (each for each in self.known.offers if each.give != SECRET)
        return next((each for each in known if str(each.id) == number), None)

    def label_offer(self, prefix: Action, word: str) -> Label:
        """With whom the reader would deal, what they would give and get; its number where another
        offer is the same."""
        offer = self.offer(word)
        assert offer is not None, "what may be answered is known"
        who, give, take = offer.seat, offer.take, offer.give
        if offer.seat == self.observer:
            who, give, take = offer.other, take, give
        facts = self.facts({"seat": who, "give": give, "take": take, "city": offer.city})
        text = self.words("With {seat}: {give} → {take}", **facts)
        same = [(o.seat, o.other, o.give, o.take) for o in self.known.offers]
        if same.count((offer.seat, offer.other, offer.give, offer.take)) > 1:
            text = self.words("{offer} (offer {number})", offer=text, number=word)
        note = self.words("Through the office in {city}", **facts)
        return Label(text, "🤝", None if offer.city == NOWHERE else note)

    def wording_offer(self, prefix: Action, word: str) -> str:
        """Who gives what."""
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
        """An action in words; a free step mentions no fee."""
        free = action[:1] == ("sail",) and action[2:] == ("",)
        return super().action(action[:2] if free else action)

    def wholes(self, action: Action, views: Sequence[View[KoggeState]]) -> Sequence[Label]:
        """A whole action with what it brings at once; or several, which say goods by their signs
        and cities by their numbers where they would be too long. Names are short."""
        board = self.on_board
        return board._joined(action, views) if THEN in action else [board._single(action)]

    def _single(self, action: Action) -> Label:
        button, (kind, *said) = self.button(action[0]), action
        label = Label(
            capital(self._whole(action)),
            self._sign(action) or button.emoji,
            style=button.style,
            called=self._place(action),
        )
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
                city, laps, count = self.advance(int(steps))
                goods = self.good_of(city, count) if count else words("no goods")
                said = words("Guild master to {city} → {goods}", city=self.city(city), goods=goods)
                if laps >= CONTENT.laps_to_end:
                    said = words("{action}; ends the game", action=said)
                elif laps >= 0:
                    said = words("{action}; completes lap {lap}", action=said, lap=laps)
            case ("build", price):
                facts = {"price": self.price(price), "point": self._next_point()}
                said = words("Build an office for {price} ({point})", **facts)
            case ("sell_six", *_):
                said = words("{action} → {gain}", action=said, gain=self._next_point())
            case ("raid_city",):
                there = here(self.known, self.own_seat)
                others = [each.goods for each in there.offices if each.seat != self.observer]
                loot = self.goods([sum(each) for each in zip(there.goods, *others, strict=True)])
                said = words("{action} → {gain}", action=said, gain=loot)
            case ("swap_marker", marker):
                facts = {"marker": marker, "good": self.good_of(int(marker))}
                said = words("Swap marker {marker} for {good}", **facts)
            case ("reroute", route, marker):
                old = self.routes_of(self.own_seat)[SLOT[route]].marker
                replaced = words("a hidden one")
                if old != UNSEEN:
                    # With Memory a route may lead to its own city.
                    name = words("back here") if old == self.own.city else CITY_NAMES[old]
                    replaced = f"{old} ({name})"
                said = words(
                    "Change {side} route: your {marker} ({to}), hidden, replaces {old}",
                    side=self.fact("route", route),
                    marker=marker,
                    to=CITY_NAMES[int(marker)],
                    old=replaced,
                )
            case ("peek", _) if seen := self.routes_seen():
                note = words.plural("you know one already", "you know both already", seen)
                said = words("{action} ({note})", action=said, note=note)
            case ("accept" | "decline" as kind, number) if offer := self.offer(number):
                return self._answer(kind, offer)
        return said

    def _bid(self, said: str, markers: str) -> str:
        """What the markers bring to their cities, and the place so far in the order of play."""
        words, supply = self.words, list[str]()
        numbers = dict.fromkeys(map(int, markers))
        for number in numbers:
            due = CONTENT.supply_per_marker * markers.count(str(number))
            if count := min(due, self.known.reserve[CITY_GOOD[number]]):
                goods = self.good_of(number, count)
                one = words("{goods} to {city}", goods=goods, city=self.city(number))
                # Of several, the markers say where.
                supply.append(one if len(numbers) == 1 else goods)
        gain = words.listing(supply) or words("no goods")
        bid = words("{action} → {gain}", action=said, gain=gain)
        bids = [each for each in self.known.bids if each]
        place = sum(rank(other) > rank(markers) for other in bids)
        return words(_PLACES[place], bid=bid) if bids else bid

    def _next_point(self) -> str:
        points = development_points(self.known, self.own_seat) + 1
        facts = {"count": points, "needed": CONTENT.development_points_to_win}
        return self.words("point {count} of {needed}", **facts)

    def _answer(self, kind: str, offer: Offer) -> str:
        """What the reader would give and get."""
        both, gift, nothing, short = _ANSWERS[kind]
        seat, give, get = self.seat(offer.seat), self.listed(offer.take), self.listed(offer.give)
        message = both if offer.take and offer.give else nothing if offer.take else gift
        said = self.words(message, seat=seat, give=give, get=get)
        # The question above says it all.
        return said if len(said) <= LONGEST_LABEL else self.words(short, seat=seat)

    def _place(self, action: Action) -> str:
        """What the picture writes on the place of an action; '' where the entry begins with it."""
        match action:
            case ("sell_six", _, chit):
                return self.chit(chit)
            case ("buy", pair, _):
                return self.fact("pair", pair)
            case ("bid", markers):
                return " + ".join(markers)
        return self.words(NAMES.places[action[0]]) if action[0] in NAMES.places else ""

    def _sign(self, action: Action) -> str | None:
        """The sign of the piece that an action is about; None where its kind has the best one."""
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

    # Several actions

    def _joined(self, action: Action, views: Sequence[View[KoggeState]]) -> Sequence[Label]:
        """In few words, in their order, then what the steps cost and whether the turn ends."""
        moments, start = list(self.moments(action, views)), self.own.city
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
        said, here = list[str](), self.own.city
        for place, (action, at) in enumerate(moments):
            if action[0] == "sail":
                # Where the ship has come may be known without the view after the step.
                said.append(at._leg(action, here, city))
                to = at._target(action, here)
                here = here if to == UNSEEN else to
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

    def _target(self, step: Action, start: int) -> int:
        """Where a step from a city leads, or `UNSEEN`."""
        routes, route = self.known.cities[start].routes, step[1]
        return routes[SLOT[route]].marker if route in SLOT else self.known.guild_city

    def _leg(self, step: Action, start: int, city: City) -> str:
        """A step from a city."""
        to, side = self._target(step, start), self.fact("route", step[1])
        if to == UNSEEN:
            return self.words("hidden {side} route", side=side)
        left, right = self.known.cities[start].routes
        is_alike = step[1] not in SLOT or left.marker == right.marker
        return f"{city(to)} ({side})" if is_alike else city(to)

    def _briefly(self, action: Action, goods: Say, city: City) -> str:
        """An action in few words; '' where there are none."""
        kind, *said = action
        if kind not in NAMES.brief:
            return ""
        facts = {
            param: goods(word) if param in ("give", "take") else self.fact(param, word)
            for param, word in zip(self.game.moves[kind].params, said, strict=True)
        }
        if kind == "buy":
            facts["pair"] = facts["pair"].replace(" ", "")
        elif "marker" in facts:
            number = int(facts["marker"])
            facts |= {"to": city(number), "good": goods(GOOD_LETTERS[CITY_GOOD[number]])}
        return self.words(NAMES.brief[kind], **facts)

    # What a plan changes

    def changes(self, before: KoggeWords) -> Iterator[Change]:
        """Points, pieces, the ship and the bid of the observer. Pieces are gained where there are
        more of them."""
        words, held = self.words, [*zip(before._holdings(), self._holdings(), strict=True)]
        rows = [
            Change(words("{what}: {old} → {new}", what=what, old=old, new=new), more - less)
            for (what, old, less), (_, new, more) in held
            if old != new
        ]
        (_, _, less), (_, _, more) = held[0]
        # What is paid was worth points as well, and that alone would make a good purchase look bad.
        if less > more and any(each.gain > 0 for each in rows[1:]):
            del rows[0]
        yield from rows
        bid = self.known.bids[self.observer]
        if bid and bid != before.known.bids[self.observer]:
            # Told last.
            yield Change(self._rivalled(bid), -1)

    def _holdings(self) -> list[tuple[str, object, int]]:
        """What the observer has: its name, how it is said, and how much it is."""
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

    def _rivalled(self, bid: str) -> str:
        """The observer's bid against those that lie open."""
        others = {n: each for n, each in enumerate(self.known.bids) if each and n != self.observer}
        ahead = [seat for seat, other in others.items() if rank(other) > rank(bid)]
        best = msg("Bid {markers}: beats all bids so far")
        first = msg("Bid {markers}: first bid of the round")
        message = msg("Bid {markers}: behind {seats}") if ahead else best if others else first
        return self.words(message, markers=self.side_by_side(bid), seats=self.seats(ahead))

    def refusal(self, refusal: Refusal) -> str:
        """What is wrong, the rule in a clause, and what can be done instead."""
        if refusal.code == "wrong_fee" and refusal.facts.get("count") == 0:
            refusal = Refusal("step_free", refusal.topic)
        return super().refusal(refusal)
