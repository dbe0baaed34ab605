"""The table as text: the whole board in plain lines, one's own hand, the alt text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec

from bot.game.kogge.data import CITY_NAMES, CONTENT
from bot.game.kogge.view import KoggeSeatView, KoggeView, NoteView, OfficeView, RouteView
from bot.text.contract import CloseUpText
from bot.text.kogge.setup import edition
from bot.text.kogge.speech import NAMES, KoggeSpeech
from bot.text.legend import LEGEND, legend_words
from bot.text.speech import sentence, short_names
from bot.text.words import Forms, Words, forms

CITY = "city"
"""The prefix of the word for a part of the board, before its number."""
_SHIPS = forms("{seats}'s ship", "{seats}'s ships")
_RAIDS = forms("{seats}'s Raid", "{seats}'s Raids")


def board_lines(speech: KoggeSpeech, view: KoggeView) -> list[str]:
    """The whole table: first the players, then the cities."""
    words = speech.words
    lines = [_round_line(speech, view)]
    lines += [_seat_line(speech, view, seat) for seat in view.order or range(len(view.seats))]
    lines += [_city_line(speech, view, number) for number in range(len(view.cities))]
    if any(view.display):
        pairs = ", ".join("+".join(pair) for pair in view.display if pair)
        lines.append(words("For sale: {pairs}", pairs=pairs))
    lines.append(words("Reserve: {goods}", goods=speech.goods(view.reserve)))
    return [*lines, edition(words, view)]


def hand_lines(speech: KoggeSpeech, view: KoggeView) -> list[str]:
    """All that is the observer's own."""
    words = speech.words
    me = view.seats[view.observer]
    goods, markers = me.goods or (), speech.markers(_markers(me))
    lines = [
        words("**Goods:** {goods}", goods=speech.goods(goods))
        if any(goods)
        else words("**Goods:** none"),
        words("**Markers:** {markers}", markers=markers) if markers else words("**Markers:** none"),
    ]
    if me.city >= 0:
        lines.append(words("**Ship:** in {city}", city=speech.city(me.city)))
    if view.chosen is not None:
        lines.append(words("**Your secret choice:** {city}", city=speech.city(view.chosen)))
    if view.sealed is not None:
        lines.append(words("**Your secret choice:** {pieces}", pieces=speech.pieces(view.sealed)))
    offices = [
        (number, office.goods)
        for number, city in enumerate(view.cities)
        for office in city.offices
        if office.seat == view.observer
    ]
    for number, goods in offices:
        lines.append(
            words(
                "**Office** in {city}: {goods}", city=speech.city(number), goods=speech.goods(goods)
            )
        )
    if me.chits:
        chits = words.listing([speech.chit(key) for key in me.chits])
        lines.append(words("**Bonus chits:** {chits}", chits=chits))
    lines.append(words("**Raids left:** {count}", count=me.raids))
    lines.append(
        words(
            "**Development points:** {points} of {needed}",
            points=me.development_points,
            needed=CONTENT.development_points_to_win,
        )
    )
    return lines + _own_routes(speech, view) + _open_offers(speech, view)


def alt_lines(speech: KoggeSpeech, view: KoggeView) -> list[str]:
    """What the picture shows."""
    words = speech.words
    state = [
        words("Round {round}.", round=view.round)
        if view.round
        else words("Choosing first offices.")
    ]
    state.append(
        words(
            "Guild master in {city}, {laps} of {all} laps done.",
            city=speech.city(view.guild_city),
            laps=view.laps,
            all=CONTENT.laps_to_end,
        )
    )
    if view.observer >= 0:
        own = speech.markers(_markers(view.seats[view.observer])) or words("no markers")
        state.append(words("Your markers: {markers}.", markers=own))
    for seat in view.order or range(len(view.seats)):
        state.append(_seat_sentence(speech, view, seat))
    for city, name in zip(view.cities, CITY_NAMES, strict=True):
        things = sentence([speech.goods(city.goods), _routes(words, city.routes)])
        state.append(f"{name}: {things}.")
    if any(view.display):
        pairs = words.listing(["+".join(pair) for pair in view.display if pair])
        state.append(words("Pairs for sale: {pairs}.", pairs=pairs))
    return [*state, edition(words, view) + "."]


def _seat_sentence(speech: KoggeSpeech, view: KoggeView, seat: int) -> str:
    words, player = speech.words, view.seats[seat]
    if player.city < 0:
        return words("{seat}: no office yet.", seat=speech.seat(seat))
    points = words.plural("{count} point", "{count} points", player.development_points)
    text = words(
        "{seat}: {points}, ship in {city}",
        seat=speech.seat(seat),
        points=points,
        city=speech.city(player.city),
    )
    if player.goods is not None:
        text += words(" with {goods}", goods=speech.goods(player.goods))
    if player.bid:
        text += words(", bid {markers}", markers=speech.markers(player.bid))
    return text + "."


def _round_line(speech: KoggeSpeech, view: KoggeView) -> str:
    words = speech.words
    if not view.round:
        return words("First offices")
    return words(
        "Round {round} · lap {lap} of {all}",
        round=view.round,
        lap=min(view.laps + 1, CONTENT.laps_to_end),
        all=CONTENT.laps_to_end,
    )


def close_up_words(
    plain: KoggeSpeech, rich: KoggeSpeech, view: KoggeView, part: str
) -> CloseUpText | None:
    """A seat, a city or the legend, by the word of its part."""
    if part == LEGEND:
        return _legend(plain.words)
    safe = KoggeSpeech(plain.words, short_names(plain.names))
    seats = {str(seat): seat for seat in range(len(view.seats))}
    if part in seats:
        text, alt = ("\n".join(_seat_lines(each, view, seats[part])) for each in (safe, plain))
        return CloseUpText(plain.seat(seats[part]), text, alt.replace("**", ""), {})
    cities = {f"{CITY}{number}": number for number in range(len(view.cities))}
    if part not in cities:
        return None
    text, alt = (_city_line(speech, view, cities[part]) for speech in (safe, plain))
    return CloseUpText(CITY_NAMES[cities[part]], text, alt.replace("**", ""), {})


def _legend(words: Words) -> CloseUpText:
    """What the signs on the pictures mean."""
    points = msgspec.structs.asdict(CONTENT.victory_points)
    points |= {good.key: good.points for good in CONTENT.goods}
    return legend_words(words, NAMES.legend, **points)


def _seat_lines(speech: KoggeSpeech, view: KoggeView, seat: int) -> list[str]:
    """A player, the city of their ship, and those that its routes are known to lead to."""
    here = view.seats[seat].city
    lines = [_seat_line(speech, view, seat)]
    if here >= 0:
        leads = [route.marker for route in view.cities[here].routes if route.marker is not None]
        lines += [_city_line(speech, view, number) for number in dict.fromkeys((here, *leads))]
    return lines


def _city_line(speech: KoggeSpeech, view: KoggeView, number: int) -> str:
    """A city with its goods, the ends of its routes, and who and what is there."""
    words, city = speech.words, view.cities[number]
    ships = [seat for seat, each in enumerate(view.seats) if each.city == number]
    things = [
        speech.goods(city.goods),
        _routes(words, city.routes),
        *(_office(speech, office) for office in city.offices),
        _of_seats(speech, _SHIPS, ships),
        _of_seats(speech, _RAIDS, city.raids),
        words("the guild master") if view.guild_city == number else "",
        words("the end marker") if view.end_city == number else "",
    ]
    return f"**{number} {CITY_NAMES[number]}**: {sentence(things)}"


def _office(speech: KoggeSpeech, office: OfficeView) -> str:
    text = speech.words("office of {seat}", seat=speech.seat(office.seat))
    if not any(office.goods):
        return text
    return text + speech.words(" with {goods}", goods=speech.goods(office.goods))


def _of_seats(speech: KoggeSpeech, things: Forms, seats: Sequence[int]) -> str:
    """Something of each of these seats; '' for none."""
    if not seats:
        return ""
    return speech.words.phrase(things, len(seats), seats=speech.seats(seats))


def _routes(words: Words, routes: Sequence[RouteView]) -> str:
    """Where a city's routes lead, as far as the observer knows."""
    known = [_route(words, route) for route in routes if route.marker is not None]
    hidden = len(routes) - len(known)
    if known and hidden:
        known.append(words("a hidden one"))
    if not known:
        return words.plural("{count} hidden route", "{count} hidden routes", hidden)
    return words("routes: {routes}", routes=words.listing(known))


def _route(words: Words, route: RouteView) -> str:
    city = CITY_NAMES[route.marker or 0]
    # A hidden marker is known to its owner alone.
    return words("{city} (hidden)", city=city) if route.hidden else city


def _seat_line(speech: KoggeSpeech, view: KoggeView, seat: int) -> str:
    """A player's points, goods, markers, bid and chits."""
    words, player = speech.words, view.seats[seat]
    parts = [words.plural("{count} point", "{count} points", player.development_points)]
    parts.append(words("hidden hand") if player.goods is None else speech.goods(player.goods))
    if player.markers is not None and any(player.markers):
        parts.append(speech.pieces(_markers(player)))
    elif player.marker_count:
        parts.append(speech.unnamed_markers(player.marker_count))
    elif player.goods is not None:
        parts.append(words("no markers"))
    if player.bid:
        parts.append(words("bid {markers}", markers=speech.markers(player.bid)))
    if player.raids:
        parts.append(words.plural("{count} Raid", "{count} Raids", player.raids))
    parts += [speech.chit(key) for key in player.chits]
    return f"**{speech.seat(seat)}**: {sentence(parts)}"


def _own_routes(speech: KoggeSpeech, view: KoggeView) -> list[str]:
    if view.notes:
        return _seen(speech, view.notes)
    return [
        speech.words(
            "**Your hidden route** in {city} leads to {to}",
            city=speech.city(number),
            to=speech.city(route.marker),
        )
        for number, city in enumerate(view.cities)
        for route in city.routes
        if route.hidden and route.marker is not None
    ]


def _seen(speech: KoggeSpeech, notes: Sequence[NoteView]) -> list[str]:
    """With Memory, a line for each city: what was seen there, and in which round."""
    lines = []
    for number, group in groupby(notes, key=lambda note: note.city):
        seen = " · ".join(_note(speech, note) for note in group)
        lines.append(
            speech.words("**Seen** in {city}: {seen}", city=speech.city(number), seen=seen)
        )
    return lines


def _note(speech: KoggeSpeech, note: NoteView) -> str:
    words = speech.words
    when = words("round {round}", round=note.round) if note.round else words("at the start")
    facts = {"route": speech.route(note.route), "to": speech.city(note.marker), "when": when}
    if note.current:
        return words("{route}: {to} ({when})", **facts)
    return words("{route}: {to} ({when}; replaced since)", **facts)


def _open_offers(speech: KoggeSpeech, view: KoggeView) -> list[str]:
    words, lines = speech.words, []
    for offer in view.offers:
        if offer.give is None or offer.take is None:
            continue
        facts = {"give": speech.pieces(offer.give), "take": speech.pieces(offer.take)}
        if offer.other == view.observer:
            line = words(
                "🤝 {seat} offers you {give} for {take}", seat=speech.seat(offer.seat), **facts
            )
        elif offer.seat == view.observer:
            line = words(
                "🤝 You offer {seat} {give} for {take}", seat=speech.seat(offer.other), **facts
            )
        else:
            continue
        if offer.city is not None:
            city = speech.city(offer.city)
            line = words("{offer} (through the office in {city})", offer=line, city=city)
        lines.append(line)
    return lines


def _markers(seat: KoggeSeatView) -> str:
    counts = list(enumerate(seat.markers or ()))
    return "".join(str(number) * count for number, count in reversed(counts))
