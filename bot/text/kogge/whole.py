"""Whole actions as the entries of a menu: what is done, where, and what it brings at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.game.contract import ACCEPT, Action
from bot.game.kogge.auction import rank
from bot.game.kogge.data import (
    CITY_GOOD,
    CITY_NAMES,
    CONTENT,
    GOOD_KEYS,
    GOOD_LETTERS,
    PIECE_LETTERS,
)
from bot.game.kogge.view import KoggeView
from bot.text.contract import LONGEST_LABEL
from bot.text.kogge import building, deals
from bot.text.kogge.speech import GOOD_EMOJI, ROUTES, KoggeSpeech, chit_sign, good_sign, marker_sign
from bot.text.markup import capital, clip, uncapital
from bot.text.user_text import ELLIPSIS
from bot.text.words import Words, msg

_PLACES = (
    msg("{bid}; 1st for now"),
    msg("{bid}; 2nd for now"),
    msg("{bid}; 3rd for now"),
    msg("{bid}; 4th for now"),
)
_ANYWHERE = ("load", "stop", "end")
"""Kinds of action of which the same is said whatever the view."""


def whole_words(speech: KoggeSpeech, action: Action, view: KoggeView, said: str) -> str:
    """The entry of an action, which in words is `said`; that itself where that says it all."""
    words = speech.words
    match action:
        case ("bid", markers) if view.phase == "bid":
            return _bid(speech, view, said, markers)
        case ("advance", steps):
            return _advance(speech, view, int(steps))
        case ("build", price):
            paid = speech.pieces(building.paid(view, price))
            return words(
                "Build an office for {price} ({point})", point=_next_point(words, view), price=paid
            )
        case ("sell_six", *_):
            return _with(words, said, _next_point(words, view))
        case ("raid_city",):
            return _with(words, said, speech.goods(_loot(view)))
        case ("swap_marker", marker):
            good = speech.counted(GOOD_KEYS[CITY_GOOD[int(marker)]], 1)
            return words("Swap marker {marker} for {good}", marker=marker, good=good)
        case ("reroute", route, marker):
            return words(
                "Change {side} route: your {marker} ({to}), hidden, replaces {old}",
                side=speech.route(route),
                marker=marker,
                to=CITY_NAMES[int(marker)],
                old=_old_route(speech, view, route),
            )
        case ("peek", _) if known := _routes_known(view):
            note = words.plural("you know one already", "you know both already", known)
            return words("{action} ({note})", action=said, note=note)
        case ("accept" | "decline" as kind, number):
            return _answer(speech, view, kind, number) or said
    return said


def row_words(
    speech: KoggeSpeech,
    actions: Sequence[tuple[Action, KoggeView]],
    known: int,
    say: Callable[[Action, KoggeView], str],
) -> str:
    """Several actions, each with the view before it, which is `known` for so many, as one entry:
    each in few words, or as `say` has it, in their order, then what the steps cost and whether the
    turn ends. Where they are too long, goods are said by their signs."""
    words, view = speech.words, actions[0][1]
    here = view.seats[view.observer].city
    match [action for action, _ in actions]:
        case (("sail", *_) as step, ("stop",)):
            to, city = _step(speech, step, view, here, speech.city)
            if to != here:
                if step[2]:
                    city = words("{city} for {pieces}", city=city, pieces=speech.pieces(step[2]))
                return words("Sail to {city} and stop", city=city)
    end = ""
    if actions[-1][0] == ("end",):
        end, actions = words("{action}, then end turn", action=""), actions[:-1]
    text = _row(speech, actions, known, say, speech.pieces) + end
    if len(text) > LONGEST_LABEL:
        text = _row(speech, actions, known, say, lambda word: _signs(speech, word)) + end
    return text if len(text) <= LONGEST_LABEL else clip(text, LONGEST_LABEL - len(end)) + end


def _row(
    speech: KoggeSpeech,
    actions: Sequence[tuple[Action, KoggeView]],
    known: int,
    say: Callable[[Action, KoggeView], str],
    goods: Callable[[str], str],
) -> str:
    said, here = list[str](), actions[0][1].seats[actions[0][1].observer].city
    for place, (action, view) in enumerate(actions):
        if action[0] == "sail":
            # Where the ship has come may be known without the view after the step.
            here, text = _step(speech, action, view, here, CITY_NAMES.__getitem__)
            said.append(text)
        elif place < known or action[0] in _ANYWHERE:
            said.append(_briefly(speech, action, view, goods) or uncapital(say(action, view)))
        elif said[-1] != ELLIPSIS:
            said.append(ELLIPSIS)
    row = capital(" → ".join(said))
    if fees := "".join(action[2] for action, _ in actions if action[0] == "sail"):
        paid = goods("".join(sorted(fees, key=PIECE_LETTERS.index)))
        row = speech.words("{action}; pay {pieces}", action=row, pieces=paid)
    return row


def _signs(speech: KoggeSpeech, word: str) -> str:
    """Pieces as short as can be: goods by their signs."""
    goods = zip(GOOD_LETTERS, GOOD_EMOJI.values(), strict=True)
    said = [f"{count}{sign}" for good, sign in goods if (count := word.count(good))]
    markers = word.strip(GOOD_LETTERS)
    return " ".join([*said, speech.pieces(markers)] if markers else said)


def _step(
    speech: KoggeSpeech, action: Action, view: KoggeView, here: int, called: Callable[[int], str]
) -> tuple[int, str]:
    """Where a step from a city leads, and the step in words."""
    _, route, _ = action
    routes = view.cities[here].routes
    to = view.guild_city if route == "secret" else routes[ROUTES.index(route)].marker
    if to is None:
        return here, speech.words("hidden {side} route", side=speech.route(route))
    city = called(to)
    if route == "secret" or routes[0].marker == routes[1].marker:
        city = f"{city} ({speech.route(route)})"
    return to, city


def _briefly(
    speech: KoggeSpeech, action: Action, view: KoggeView, goods: Callable[[str], str]
) -> str:
    """An action in few words; '' where there are none."""
    words = speech.words
    match action:
        case ("load", _):
            return words("load all")
        case ("stop",):
            return words("stop")
        case ("trade", give, take):
            return words("trade {give} for {take}", give=goods(give), take=goods(take))
        case ("buy", pair, _):
            return words("buy {pair}", pair="+".join(view.display[int(pair) - 1]))
        case ("build", _):
            return words("build")
        case ("sell_six", _, chit):
            return words("sell 6 goods for “{chit}”", chit=speech.chit(chit))
        case ("swap_marker", marker):
            good = goods(GOOD_LETTERS[CITY_GOOD[int(marker)]])
            return words("swap marker {marker} for {good}", marker=marker, good=good)
        case ("buy_raid", marker):
            return words("buy a Raid (3× {marker})", marker=marker)
        case ("reroute", route, marker):
            to = CITY_NAMES[int(marker)]
            return words("change {side} route to {to}", side=speech.route(route), to=to)
    return ""


def short_name(speech: KoggeSpeech, action: Action, view: KoggeView) -> str:
    """What the picture writes on the place of an action; '' where the entry begins with it."""
    words = speech.words
    match action:
        case ("stop",):
            return words("Stop")
        case ("trade", *_):
            return words("Trade")
        case ("swap_good" | "swap_marker", *_):
            return words("Swap")
        case ("build", *_):
            return words("Build")
        case ("raid_city",):
            return words("Raid")
        case ("sell_six", _, chit):
            return speech.chit(chit)
        case ("buy", pair, _):
            return " + ".join(view.display[int(pair) - 1])
        case ("reroute", *_):
            return words("Change")
        case ("bid", markers):
            return " + ".join(markers)
    return ""


def sign_of(words: Words, action: Action, view: KoggeView) -> str | None:
    """The sign of the piece that an action is about; None where its kind has the best one."""
    match action:
        case ("sail", route, _) if route != "secret":
            here = view.cities[view.seats[view.observer].city]
            target = here.routes[ROUTES.index(route)].marker
            return None if target is None else marker_sign(words, target)
        case ("bid", markers) if len(set(markers)) == 1:
            return marker_sign(words, markers[0])
        case (("found" | "buy_raid"), marker) | (("reroute" | "swap_good"), _, marker):
            return marker_sign(words, marker)
        case ("swap_marker", marker):
            return good_sign(words, GOOD_KEYS[CITY_GOOD[int(marker)]])
        case ("sell_six", _, chit):
            return chit_sign(words, chit)
    return None


def _with(words: Words, said: str, gain: str) -> str:
    return words("{action} → {gain}", action=said, gain=gain)


def _bid(speech: KoggeSpeech, view: KoggeView, said: str, markers: str) -> str:
    """What the markers bring to their cities, and the place so far in the order of play."""
    words = speech.words
    supply, numbers = [], dict.fromkeys(markers)
    for number in numbers:
        good = CITY_GOOD[int(number)]
        due = CONTENT.supply_per_marker * markers.count(number)
        count = min(due, view.reserve[good])
        if count:
            goods, city = speech.counted(GOOD_KEYS[good], count), speech.city(int(number))
            one = words("{goods} to {city}", goods=goods, city=city)
            # Of several, the markers say where.
            supply.append(one if len(numbers) == 1 else goods)
    bid = _with(words, said, words.listing(supply) or words("no goods"))
    bids = [each.bid for each in view.seats if each.bid]
    place = 1 + sum(rank(other) > rank(markers) for other in bids)
    if not bids:
        return bid
    return words(_PLACES[place - 1], bid=bid)


def _advance(speech: KoggeSpeech, view: KoggeView, steps: int) -> str:
    words, (city, laps) = speech.words, view.guild_reach[steps - 1]
    good = CITY_GOOD[city]
    count = min(CONTENT.guild_goods, view.reserve[good])
    goods = speech.counted(GOOD_KEYS[good], count) if count else words("no goods")
    said = words("Guild master to {city} → {goods}", city=speech.city(city), goods=goods)
    if not laps:
        return said
    if view.laps + laps >= CONTENT.laps_to_end:
        return words("{action}; ends the game", action=said)
    return words("{action}; completes lap {lap}", action=said, lap=view.laps + laps)


def _next_point(words: Words, view: KoggeView) -> str:
    points = view.seats[max(view.observer, 0)].development_points + 1
    return words(
        "point {count} of {needed}", count=points, needed=CONTENT.development_points_to_win
    )


def _loot(view: KoggeView) -> list[int]:
    """What a raid on the city brings: its goods, and those in the offices of others."""
    city = view.cities[view.seats[view.observer].city]
    others = [office.goods for office in city.offices if office.seat != view.observer]
    return [sum(counts) for counts in zip(city.goods, *others, strict=True)]


def _old_route(speech: KoggeSpeech, view: KoggeView, route: str) -> str:
    here = view.seats[view.observer].city
    to = view.cities[here].routes[ROUTES.index(route)].marker
    if to is None:
        return speech.words("a hidden one")
    # With Memory a route may lead to its own city.
    city = speech.words("back here") if to == here else CITY_NAMES[to]
    return f"{to} ({city})"


def _routes_known(view: KoggeView) -> int:
    """How many of the routes where the ship lies the reader knows already."""
    routes = view.cities[view.seats[view.observer].city].routes
    return sum(route.marker is not None for route in routes)


def _answer(speech: KoggeSpeech, view: KoggeView, kind: str, number: str) -> str:
    """What the reader would give and get; '' where the offer is not known."""
    offer = deals.find(view, number)
    if offer is None or offer.give is None or offer.take is None:
        return ""
    words = speech.words
    facts = {
        "seat": speech.seat(offer.seat),
        "give": speech.pieces(offer.take),
        "get": speech.pieces(offer.give),
    }
    if kind == ACCEPT:
        text = msg("Accept: give {give}, get {get} ({seat})")
        if not offer.take:
            text = msg("Accept: {get} as a gift ({seat})")
        elif not offer.give:
            text = msg("Accept: give {give} for nothing ({seat})")
    else:
        text = msg("Decline: keep {give} ({seat})")
        if not offer.take:
            text = msg("Decline the gift: {get} ({seat})")
    said = words(text, **facts)
    if len(said) <= LONGEST_LABEL:
        return said
    # The question above says it all.
    short = msg("Accept {seat}'s offer") if kind == ACCEPT else msg("Decline {seat}'s offer")
    return words(short, seat=facts["seat"])
