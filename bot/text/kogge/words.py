"""The words of Kogge: whole actions with what they bring, and what a plan changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from bot.game.choices import OneOf
from bot.game.contract import END, THEN, Action, Refusal
from bot.game.hidden import UNSEEN, View
from bot.game.kogge.auction import rank
from bot.game.kogge.common import development_points, goods_in_offices, here, points_so_far
from bot.game.kogge.data import (
    CITY_GOOD,
    CITY_NAMES,
    CONTENT,
    GOOD_KEYS,
    GOOD_LETTERS,
    PIECE_LETTERS,
)
from bot.game.kogge.game import GAME
from bot.game.kogge.routes import SLOT
from bot.game.kogge.state import NOWHERE, Conflict, KoggeState
from bot.text.contract import LONGEST_LABEL, Label
from bot.text.game_words import Change
from bot.text.kogge.asking import KoggeAsking
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


class KoggeWords(KoggeAsking, game=GAME, things=NAMES):
    """The words of Kogge for one reader."""

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
                good = GOOD_KEYS[CITY_GOOD[city]]
                goods = self.counted(good, count) if count else words("no goods")
                said = words("Guild master to {city} → {goods}", city=self.city(city), goods=goods)
                if laps >= CONTENT.laps_to_end:
                    said = words("{action}; ends the game", action=said)
                elif laps >= 0:
                    said = words("{action}; completes lap {lap}", action=said, lap=laps)
            case ("build", price):
                price, point = self.fact("price", price), self._next_point()
                said = words("Build an office for {price} ({point})", point=point, price=price)
            case ("sell_six", *_):
                said = words("{action} → {gain}", action=said, gain=self._next_point())
            case ("raid_city",):
                there = here(self.known, self.own_seat)
                others = [each.goods for each in there.offices if each.seat != self.observer]
                loot = self.goods([sum(each) for each in zip(there.goods, *others, strict=True)])
                said = words("{action} → {gain}", action=said, gain=loot)
            case ("swap_marker", marker):
                good = self.good_of(int(marker))
                said = words("Swap marker {marker} for {good}", marker=marker, good=good)
            case ("reroute", route, marker):
                old, back = self.routes_of(self.own_seat)[SLOT[route]].marker, words("back here")
                # With Memory a route may lead to its own city.
                name = back if old == self.own.city else CITY_NAMES[old]
                said = words(
                    "Change {side} route: your {marker} ({to}), hidden, replaces {old}",
                    side=self.fact("route", route),
                    marker=marker,
                    to=CITY_NAMES[int(marker)],
                    old=words("a hidden one") if old == UNSEEN else f"{old} ({name})",
                )
            case ("peek", _) if seen := self.routes_seen():
                note = words.plural("you know one already", "you know both already", seen)
                said = words("{action} ({note})", action=said, note=note)
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
        points = development_points(self.known, self.own_seat) + 1
        needed = CONTENT.development_points_to_win
        return self.words("point {count} of {needed}", count=points, needed=needed)

    def _answer(self, kind: str, number: str) -> str:
        """What the reader would give and get; '' where the offer is not known."""
        offer = self.offer(number)
        if offer is None:
            return ""
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
                city = self._step(step, start, self.city)
                if fee:
                    pieces = self.listed(fee)
                    city = self.words("{city} for {pieces}", city=city, pieces=pieces)
                return [first._replace(text=self.words("Sail to {city} and stop", city=city))]
        end = ""
        if moments[-1][0] == (END,):
            end, moments = self.words("{action}, then end turn", action=""), moments[:-1]
        names = CITY_NAMES.__getitem__
        ways = ((self.listed, names), (self._signs, names), (self._signs, str))
        rows = [self._row(moments, len(views), goods, city) for goods, city in ways]
        return [first._replace(text=row + end) for row in rows]

    def _row(
        self, moments: Sequence[tuple[Action, KoggeWords]], known: int, goods: Say, city: City
    ) -> str:
        said, here = list[str](), self.own.city
        for place, (action, at) in enumerate(moments):
            if action[0] == "sail":
                # Where the ship has come may be known without the view after the step.
                said.append(at._step(action, here, city))
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

    def _step(self, step: Action, start: int, city: City) -> str:
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
        facts = dict(zip(self.game.moves[kind].params, said, strict=True))
        for param, word in facts.items():
            facts[param] = goods(word) if param in ("give", "take") else self.fact(param, word)
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
        words, rows = self.words, list[Change]()
        for (what, old, less), (_, new, more) in zip(
            before._holdings(), self._holdings(), strict=True
        ):
            line = words("{what}: {old} → {new}", what=what, old=old, new=new)
            rows += [Change(line, more - less)] if old != new else []
        points = before._holdings()[0][2], self._holdings()[0][2]
        # What is paid was worth points as well, and that alone would make a good purchase look bad.
        if points[0] > points[1] and any(each.gain > 0 for each in rows[1:]):
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
        message = msg("Bid {markers}: beats all bids so far")
        if not others:
            message = msg("Bid {markers}: first bid of the round")
        if ahead:
            message = msg("Bid {markers}: behind {seats}")
        return self.words(message, markers=self.side_by_side(bid), seats=self.seats(ahead))

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
