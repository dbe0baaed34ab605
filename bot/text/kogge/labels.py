"""One choice of an action's next word as a button, a select option or an autocomplete choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import sub

from bot.game.kogge.data import (
    CITY_GOOD,
    CITY_NAMES,
    CONTENT,
    GOOD_KEYS,
    GOOD_LETTERS,
    GUEST,
    OFFICE,
)
from bot.game.kogge.notation import goods_of, goods_word, split_partner
from bot.game.kogge.view import CityView, OfferView, RouteView, View
from bot.text.asking import Asking, fitting
from bot.text.contract import Label, Style
from bot.text.kogge.speech import CHIT_POWERS, GOOD_EMOJI, Speech
from bot.text.speaking import keycap
from bot.text.words import Message, msg

SLOT = {"left": 0, "right": 1}

_KINDS: Mapping[str, tuple[Message, str, Style]] = {
    "found": (msg("Choose your first city"), "🏠", Style.PRIMARY),
    "bid": (msg("Bid"), "🔢", Style.PRIMARY),
    "advance": (msg("Move the guild master"), "🚶", Style.PRIMARY),
    "sail": (msg("Sail"), "⛵", Style.PRIMARY),
    "tax": (msg("Pay a tax"), "🪙", Style.PRIMARY),
    "load": (msg("Load goods from your office"), "📦", Style.NORMAL),
    "peek": (msg("Look at the routes here"), "👁️", Style.NORMAL),
    "stop": (msg("Stop here and act"), "⚓", Style.NORMAL),
    "build": (msg("Build an office"), "🏠", Style.SUCCESS),
    "buy_raid": (msg("Buy a second Raid"), "⚔️", Style.NORMAL),
    "sell_six": (msg("Sell six alike for a bonus chit"), "🎖️", Style.SUCCESS),
    "swap_good": (msg("Swap a good for a marker"), "🔁", Style.NORMAL),
    "swap_marker": (msg("Swap a marker for a good"), "🔁", Style.NORMAL),
    "buy": (msg("Buy a pair of markers"), "🔢", Style.NORMAL),
    "trade": (msg("Trade with the city"), "⚖️", Style.NORMAL),
    "reroute": (msg("Change a route"), "🧭", Style.NORMAL),
    "raid_ship": (msg("Raid a ship"), "⚔️", Style.DANGER),
    "raid_city": (msg("Raid the city"), "⚔️", Style.DANGER),
    "end": (msg("End your turn"), "🏁", Style.NORMAL),
    "split": (msg("Divide your cargo"), "✂️", Style.PRIMARY),
    "choose": (msg("Choose your loot"), "💰", Style.PRIMARY),
    "push": (msg("Send the ship away"), "💨", Style.PRIMARY),
    "challenge": (msg("Challenge a ship"), "⚔️", Style.DANGER),
    "demand": (msg("Demand goods"), "💰", Style.PRIMARY),
    "pass": (msg("Leave it at that"), "🕊️", Style.NORMAL),
    "offer": (msg("Offer a deal"), "🤝", Style.NORMAL),
    "counter": (msg("Make a counter-offer"), "🤝", Style.NORMAL),
    "accept": (msg("Accept"), "✅", Style.SUCCESS),
    "decline": (msg("Decline"), "❌", Style.NORMAL),
    "withdraw": (msg("Take the offer back"), "↩️", Style.NORMAL),
}

_KIND_NOTES: Mapping[str, Message] = {
    "found": msg("The others learn it when all have chosen"),
    "bid": msg("For the order of play; each marker brings goods to its city"),
    "advance": msg("One or two cities on; he brings two goods"),
    "tax": msg("One good of your choice goes to the reserve"),
    "load": msg("Take goods from your office aboard, as much as you like"),
    "peek": msg("Costs one good or marker; only you see them"),
    "stop": msg("Your movement ends; then come your actions"),
    "trade": msg("Two goods for each you give, of another kind"),
    "buy": msg("Costs one good of your choice"),
    "reroute": msg("Lay one of your markers face down and take up the old one"),
    "sell_six": msg("Costs six goods of a kind; brings one point and a power"),
    "swap_good": msg("One good for one marker of its colour"),
    "swap_marker": msg("One marker for one good of its colour"),
    "buy_raid": msg("Costs three equal markers; only once in the game"),
    "raid_ship": msg("Half its cargo; ends your turn, and you never come back here"),
    "raid_city": msg("All goods here, offices too; ends your turn, and you never come back"),
    "end": msg("Nothing more this turn"),
    "challenge": msg("Sealed bids of markers; the winner demands up to three goods"),
    "demand": msg("Up to three; you get those of them that the loser has"),
    "pass": msg("Nothing happens"),
}


Asked = Asking[Speech, View]


def label(asked: Asked, word: str) -> Label:
    """The choice `word`, within the lengths that Discord allows."""
    if not asked.prefix:
        made = _kind(asked, word)
    else:
        made = _PARAMS.get(asked.param, _pieces)(asked, word)
    return fitting(made)


def ship_city(asked: Asked) -> int:
    """The city whose routes are meant: the robber's when he is sent away, else the reader's."""
    return asked.view.seats[pushed_seat(asked.view) if asked.kind == "push" else _me(asked)].city


def pushed_seat(view: View) -> int:
    """Whose ship is being sent away. Raises ValueError where none is."""
    if view.pushed is None:
        raise ValueError("no ship is being sent away")
    return view.pushed


def office_price(view: View, seat: int) -> tuple[str, str]:
    """What an office costs where the seat's ship is: goods, and markers, as bundle words."""
    return view.cities[view.seats[seat].city].price or ("", "")


def offer_of(view: View, number: str) -> OfferView | None:
    """The open offer with this number."""
    return next((offer for offer in view.offers if str(offer.id) == number), None)


def _me(asked: Asked) -> int:
    return max(asked.view.observer, 0)


def _kind(asked: Asked, word: str) -> Label:
    words, view = asked.speech.words, asked.view
    text, emoji, style = _KINDS[word]
    # A bid in a conflict is not for the order of play.
    noted = "challenge" if word == "bid" and view.phase == "conflict" else word
    note = words(_KIND_NOTES[noted]) if noted in _KIND_NOTES else None
    if word == "end" and "conflicts" in view.variants:
        # A conflict may follow.
        note = None
    if word == "build" and view.seats[_me(asked)].city >= 0:
        goods, markers = office_price(view, _me(asked))
        note = words("Costs {price}; brings one point", price=_price(asked, "both"))
        if "either_price" in view.variants:
            note = words(
                "Costs {goods}, or {markers}; brings one point",
                goods=asked.speech.pieces(goods),
                markers=asked.speech.pieces(markers),
            )
    said = words(text)
    if word == "sail" and view.fees is not None:
        note = _step_price(asked, view.fees[0])
        if view.fees[0]:
            # A button shows no description: what it costs is part of what it says.
            said = words("Sail on (costs {count})", count=view.fees[0])
    return Label(said, emoji, note, style)


def _step_price(asked: Asked, fee: int) -> str:
    words = asked.speech.words
    if not fee:
        return words("This step is free")
    return words.plural(
        "This step costs one good or marker", "This step costs {count} goods or markers", fee
    )


def _price(asked: Asked, word: str) -> str:
    goods, markers = office_price(asked.view, _me(asked))
    return asked.speech.pieces({"both": goods + markers, "goods": goods}.get(word, markers))


def _route(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    if word == "secret":
        target = asked.view.guild_city
        return Label(
            words("Sail the secret route to {to}", to=speech.city(target)),
            "🗝️",
            _step_price(asked, asked.view.fees[1]) if asked.view.fees else None,
        )
    city = asked.view.cities[ship_city(asked)]
    route = city.routes[SLOT[word]]
    if route.marker is None:
        side = speech.route(word)
        if asked.kind == "push":
            seat = speech.seat(pushed_seat(asked.view))
            text = words("Send {seat} the hidden route ({side})", side=side, seat=seat)
        elif asked.kind == "reroute":
            text = words("Replace the hidden route ({side})", side=side)
        else:
            text = words("Sail the hidden route ({side})", side=side)
        # A marker that is exchanged is not sailed: whoever takes it up sees it.
        sailed = asked.kind != "reroute"
        return Label(text, "❔", words("Where it leads shows only under way") if sailed else None)
    return _known_route(asked, word, route, route.marker)


def _known_route(asked: Asked, word: str, route: RouteView, target: int) -> Label:
    speech, words = asked.speech, asked.speech.words
    to = speech.city(target)
    routes = asked.view.cities[ship_city(asked)].routes
    if routes[0].marker == routes[1].marker:
        # Only the side tells such routes apart.
        to += f" ({speech.route(word)})"
    note = _sights(asked, target)
    if asked.kind == "reroute":
        return Label(words("Replace the route to {to}", to=to), keycap(target), note)
    if asked.kind == "push":
        seat = speech.seat(pushed_seat(asked.view))
        return Label(words("Send {seat} to {to}", seat=seat, to=to), keycap(target), note)
    if route.hidden:
        # Still face down, but laid by the reader or, with Memory, seen.
        seen = _seen_in(asked, word)
        if seen is None:
            note = words("Your own hidden route. {sights}", sights=note)
        else:
            note = words("Seen in round {round}. {sights}", round=seen, sights=note)
    return Label(words("Sail to {to}", to=to), keycap(target), note, Style.PRIMARY)


def _seen_in(asked: Asked, route: str) -> int | None:
    """The round in which the reader saw a route; None where he keeps no notes."""
    notes = asked.view.notes
    city = ship_city(asked)
    return next((n.round for n in notes if (n.city, n.route) == (city, route)), None)


def _sights(asked: Asked, number: int) -> str:
    """What awaits a ship in a city, shortly."""
    speech, words, view = asked.speech, asked.speech.words, asked.view
    city: CityView = view.cities[number]
    notes = [words("There: {goods}", goods=speech.goods(city.goods))]
    if number == view.guild_city:
        notes.append(words("the guild master"))
    if city.offices:
        owners = speech.seats([office.seat for office in city.offices])
        notes.append(
            words.plural("office of {seats}", "offices of {seats}", len(city.offices), seats=owners)
        )
    ships = [n for n, seat in enumerate(view.seats) if seat.city == number and n != view.observer]
    if ships:
        notes.append(
            words.plural(
                "ship of {seats}", "ships of {seats}", len(ships), seats=speech.seats(ships)
            )
        )
    return "; ".join(notes)


def _marker(asked: Asked, word: str) -> Label:
    speech, words, view = asked.speech, asked.speech.words, asked.view
    number = int(word)
    good = GOOD_KEYS[CITY_GOOD[number]]
    mine = view.seats[_me(asked)].markers
    have = mine[number] if mine else 0
    city = speech.city(number)
    if asked.kind == "found":
        places = CONTENT.offices_per_city - len(view.cities[number].offices)
        note = words.plural(
            "Produces {good}; room for {count} office",
            "Produces {good}; room for {count} offices",
            places,
            good=speech.good(good),
        )
        return Label(CITY_NAMES[number], keycap(number), note)
    if asked.kind == "reroute":
        note = words("You have {count} of number {number}", count=have, number=number)
        return Label(words("New route to {to}", to=city), keycap(number), note)
    if asked.kind == "buy_raid":
        note = words("You have {count} and pay {price}", count=have, price=CONTENT.raid_price)
        return Label(
            words("Pay with {markers}", markers=speech.pieces(word * CONTENT.raid_price)),
            keycap(number),
            note,
        )
    if asked.kind == "swap_marker":
        note = words("You have {count} of number {number}", count=have, number=number)
        return Label(
            words("Marker {number} for 1 {good}", number=number, good=speech.good(good)),
            keycap(number),
            note,
        )
    return Label(
        words("Marker {number}, {city}", number=number, city=speech.city(number)), keycap(number)
    )


def _good(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    goods = asked.view.seats[_me(asked)].goods
    have = goods[GOOD_KEYS.index(word)] if goods else 0
    note = words("You have {count}", count=have)
    if asked.kind == "sell_six":
        text = words("Sell {goods}", goods=speech.counted(word, CONTENT.bonus_price))
    elif asked.kind in ("buy", "swap_good"):
        text = words("Pay {goods}", goods=speech.counted(word, 1))
    else:
        text = speech.good(word)
    return Label(text, GOOD_EMOJI[word], note)


def _chit(asked: Asked, word: str) -> Label:
    return Label(asked.speech.chit(word), "🎖️", asked.speech.words(CHIT_POWERS[word]))


def _steps(asked: Asked, word: str) -> Label:
    speech, words, view = asked.speech, asked.speech.words, asked.view
    target, passes = view.guild_reach[int(word) - 1]
    good = GOOD_KEYS[CITY_GOOD[target]]
    count = min(CONTENT.guild_goods, view.reserve[CITY_GOOD[target]])
    note = (
        words("He brings {goods}", goods=speech.counted(good, count))
        if count
        else words("He brings nothing: no {good} is left", good=speech.good(good))
    )
    if passes:
        last = view.laps + 1 >= CONTENT.laps_to_end
        note = words("This ends the game!") if last else words("Completes a lap. {note}", note=note)
    text = words.plural(
        "{count} city on, to {to}", "{count} cities on, to {to}", int(word), to=speech.city(target)
    )
    return Label(text, keycap(word), note)


def _office(asked: Asked, word: str) -> Label:
    text = asked.speech.words("Pay {pieces}", pieces=_price(asked, word))
    return Label(text, "🏠", None, Style.SUCCESS)


def _pair(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    pair = asked.view.display[int(word) - 1]
    cities = words.listing([speech.city(int(number)) for number in dict.fromkeys(pair)])
    return Label(
        words("Pair {number}: {markers}", number=word, markers=" + ".join(pair)), "🔢", cities
    )


def _seat(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    way, seat = split_partner(word)
    assert seat is not None, "what may be said names a seat"
    if way == OFFICE:
        text = words("The office of {seat}", seat=speech.seat(seat))
        return Label(text, "🏠", _in_office(asked, seat, asked.view.seats[_me(asked)].city))
    if way == GUEST:
        city = asked.view.seats[seat].city
        text = words(
            "{seat}, by your office in {city}", seat=speech.seat(seat), city=speech.city(city)
        )
        return Label(text, "🏠", _in_office(asked, _me(asked), city))
    goods = asked.view.seats[seat].goods
    note = (
        words("Cargo: {goods}", goods=speech.goods(goods))
        if goods is not None
        else words("Cargo unknown")
    )
    if asked.kind == "raid_ship":
        text = words("Raid the ship of {seat}", seat=speech.seat(seat))
        return Label(text, "⚔️", note, Style.DANGER)
    if asked.kind == "challenge":
        text = words("Challenge {seat}", seat=speech.seat(seat))
        return Label(text, "⚔️", note, Style.DANGER)
    return Label(speech.seat(seat), "🤝", note)


def _in_office(asked: Asked, owner: int, city: int) -> str:
    """What lies in a player's offices in a city."""
    offices = asked.view.cities[city].offices
    goods = [office.goods for office in offices if office.seat == owner]
    here = asked.speech.goods([sum(counts) for counts in zip(*goods, strict=True)])
    return asked.speech.words("There: {goods}", goods=here)


def _group(asked: Asked, word: str) -> Label:
    speech, words, view = asked.speech, asked.speech.words, asked.view
    if asked.kind == "choose":
        which = words("First half") if word == "first" else words("Second half")
        if view.groups is None:
            return Label(which)
        goods = speech.pieces(view.groups[word != "first"])
        return Label(words("{which}: {goods}", which=which, goods=goods))
    cargo = view.seats[_me(asked)].goods or (0,) * len(GOOD_LETTERS)
    rest = goods_word(map(sub, cargo, goods_of(word)))
    return Label(speech.pieces(word), None, words("Beside it: {goods}", goods=speech.pieces(rest)))


def _offer(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    offer = offer_of(asked.view, word)
    if offer is None:
        return Label(words("Offer {number}", number=word), "🤝")
    mine = offer.seat == asked.view.observer
    who = speech.seat(offer.other if mine else offer.seat)
    text = words("To {seat}", seat=who) if mine else words("From {seat}", seat=who)
    if offer.give is None or offer.take is None:
        return Label(text, "🤝")
    give, take = (offer.give, offer.take) if mine else (offer.take, offer.give)
    note = words(
        "You give {give} and get {take}", give=speech.pieces(give), take=speech.pieces(take)
    )
    if offer.city is not None:
        note = words("Office in {city}: {offer}", offer=note, city=speech.city(offer.city))
    return Label(text, "🤝", note)


def _pieces(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    pieces = speech.pieces(word)
    texts: dict[str, Callable[[], str]] = {
        "fee": lambda: words("Pay {pieces}", pieces=pieces),
        "pieces": lambda: words("Load {pieces}", pieces=pieces),
        "markers": lambda: words("Bid {markers}", markers=" + ".join(word) or pieces),
        "give": lambda: words("Give {pieces}", pieces=pieces),
        "take": lambda: words("Get {pieces}", pieces=pieces),
        "goods": lambda: words("Demand {pieces}", pieces=pieces),
    }
    made = texts.get("fee" if asked.kind == "tax" else asked.param)
    return Label(made() if made else pieces)


_PARAMS: Mapping[str, Callable[[Asked, str], Label]] = {
    "route": _route,
    "marker": _marker,
    "good": _good,
    "chit": _chit,
    "steps": _steps,
    "price": _office,
    "pair": _pair,
    "seat": _seat,
    "group": _group,
    "offer": _offer,
}
