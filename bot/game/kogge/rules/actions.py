"""Phase 3B: offices, the guild master's deals, buying pairs, city trade, changing a route."""

from __future__ import annotations

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Action, Fact, Refusal, Seat
from bot.game.grammar import Rule, Telling, rule
from bot.game.kogge.data import (
    CHIT_KEYS,
    CITIES,
    CITY_GOOD,
    CONTENT,
    GOOD_KEYS,
    GOOD_LETTERS,
    GOODS,
)
from bot.game.kogge.rules.common import (
    GOOD_OF_KEY,
    GOOD_OF_LETTER,
    ROUTES,
    SLOT,
    at_guild_master,
    development_points,
    gain,
    held,
    here,
    markers_of,
    number_of,
    pay,
    see,
    spend,
    use,
    used,
)
from bot.game.kogge.rules.conflicts import begin_challenge
from bot.game.kogge.rules.ending import end_if_developed
from bot.game.kogge.state import Acting, City, Office, Route, State

THREE_FOR_ONE = CHIT_KEYS.index("three")
OTHER_GOODS = tuple(GOOD_LETTERS.replace(letter, "") for letter in GOOD_LETTERS)
"""By good, one each of the others."""


# a) Build an office


def office_price(state: State, city: int) -> tuple[str, str]:
    """The goods (one of each kind the city does not produce) and the markers of an office: one
    of the city's number, two where an office stands already, whoever owns it (ruling 2)."""
    return OTHER_GOODS[CITY_GOOD[city]], str(city) * (1 + len(state.cities[city].offices))


def room_for_office(city: City) -> bool:
    """Whether the city can take another office."""
    return len(city.offices) < CONTENT.offices_per_city


def _build_gate(state: State, seat: Seat) -> Refusal | None:
    refusal = used(state, "build", "office")
    if refusal is not None:
        return refusal
    player = state.players[seat]
    if not room_for_office(here(state, seat)):
        return Refusal("city_full", "office", {"city": player.city})
    goods, markers = office_price(state, state.players[seat].city)
    missing = "".join([g for g in goods if not player.goods[GOOD_OF_LETTER[g]]])
    short = player.markers[player.city] < len(markers)
    facts = {"city": player.city, "count": len(markers), "marker": player.city}
    if state.rules.either_price:
        if missing and short:
            return Refusal("needs_either", "office", {**facts, "pieces": missing})
        return None
    if missing:
        return Refusal("needs_goods", "office", {"city": player.city, "pieces": missing})
    return Refusal("needs_markers", "office", facts) if short else None


def _price(state: State, seat: Seat) -> OneOf:
    """English text: goods and markers. Italian text: goods or markers (difference 1)."""
    if not state.rules.either_price:
        return OneOf("price", ("both",))
    player = state.players[seat]
    goods, markers = office_price(state, state.players[seat].city)
    words = []
    if all(player.goods[GOOD_OF_LETTER[letter]] for letter in goods):
        words.append("goods")
    if player.markers[player.city] >= len(markers):
        words.append("markers")
    return OneOf("price", tuple(words))


def _why_not_price(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    city = state.players[seat].city
    goods, markers = office_price(state, state.players[seat].city)
    if state.rules.either_price and word == "goods":
        return Refusal("needs_goods", "office", {"city": city, "pieces": goods})
    if state.rules.either_price and word == "markers":
        facts = {"city": city, "count": len(markers), "marker": city}
        return Refusal("needs_markers", "office", facts)
    return None


def _build(state: State, seat: Seat, telling: Telling, price: str) -> None:
    """A new office is a development point; a fifth one ends the game (ruling 30)."""
    goods, markers = office_price(state, state.players[seat].city)
    paid = {"both": goods + markers, "goods": goods, "markers": markers}[price]
    city = state.players[seat].city
    use(state, "build")
    pay(state, seat, paid)
    state.cities[city].offices.append(Office(seat, [0] * GOODS))
    points = development_points(state, seat)
    telling.all("built", seat=seat, city=city, pieces=paid, points=points)
    end_if_developed(state, seat, telling)


# b) The guild master: one of four deals a turn, one piece or set each (ruling 22)


def _guild_gate(state: State, seat: Seat) -> Refusal | None:
    return used(state, "guild", "guild_deals") or at_guild_master(state, seat, "guild_deals")


def _raid_marker_gate(state: State, seat: Seat) -> Refusal | None:
    refusal = _guild_gate(state, seat)
    if refusal is not None:
        return refusal
    player = state.players[seat]
    if player.bought_raid:
        return Refusal("raid_already_bought", "guild_deals")
    if max(player.markers) < CONTENT.raid_price:
        return Refusal("needs_three_alike", "guild_deals", {"count": CONTENT.raid_price})
    return None


def _three_alike(state: State, seat: Seat) -> OneOf:
    markers = state.players[seat].markers
    return OneOf("marker", tuple(w for w in held(markers) if markers[int(w)] >= CONTENT.raid_price))


def _why_not_three(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    if len(prefix) == 1 and number_of(word) is not None:
        return Refusal("needs_three_alike", "guild_deals", {"count": CONTENT.raid_price})
    return None


def _buy_raid_marker(state: State, seat: Seat, telling: Telling, marker: str) -> None:
    use(state, "guild")
    paid = marker * CONTENT.raid_price
    pay(state, seat, paid)
    player = state.players[seat]
    player.bought_raid = True
    player.raids += 1
    telling.all("raid_marker_bought", seat=seat, pieces=paid)


def _chit_gate(state: State, seat: Seat) -> Refusal | None:
    refusal = _guild_gate(state, seat)
    if refusal is not None:
        return refusal
    if not any(state.chits):
        return Refusal("all_chits_gone", "chits")
    if max(state.players[seat].goods) < CONTENT.bonus_price:
        return Refusal("needs_six_alike", "guild_deals", {"count": CONTENT.bonus_price})
    return None


def _six_alike(state: State, seat: Seat) -> OneOf:
    goods = state.players[seat].goods
    keys = tuple(GOOD_KEYS[good] for good in range(GOODS) if goods[good] >= CONTENT.bonus_price)
    return OneOf("good", keys)


def _chit(state: State, seat: Seat, good: str) -> OneOf:
    return OneOf("chit", tuple(key for key, n in zip(CHIT_KEYS, state.chits, strict=True) if n))


def _why_not_chit(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    if len(prefix) == 1 and word in GOOD_KEYS:
        return Refusal("needs_six_alike", "guild_deals", {"count": CONTENT.bonus_price})
    if len(prefix) == 2 and word in CHIT_KEYS:
        return Refusal("chits_gone", "chits", {"chit": word})
    return None


def _buy_chit(state: State, seat: Seat, telling: Telling, good: str, chit: str) -> None:
    use(state, "guild")
    paid = GOOD_LETTERS[GOOD_OF_KEY[good]] * CONTENT.bonus_price
    pay(state, seat, paid)
    kind = CHIT_KEYS.index(chit)
    state.chits[kind] -= 1
    state.players[seat].chits[kind] += 1
    points = development_points(state, seat)
    telling.all("chit_bought", seat=seat, chit=chit, pieces=paid, points=points)
    end_if_developed(state, seat, telling)


def _swap_good_gate(state: State, seat: Seat) -> Refusal | None:
    refusal = _guild_gate(state, seat)
    if refusal is not None:
        return refusal
    goods = state.players[seat].goods
    if not any(goods):
        return Refusal("nothing_to_pay", "guild_deals")
    for good in range(GOODS):
        if goods[good] and markers_of(good, state.bag):
            return None
    return Refusal("bag_short", "guild_deals", {"good": GOOD_KEYS[goods.index(max(goods))]})


def _good_to_swap(state: State, seat: Seat) -> OneOf:
    goods = state.players[seat].goods
    words = (GOOD_KEYS[g] for g in range(GOODS) if goods[g] and markers_of(g, state.bag))
    return OneOf("good", tuple(words))


def _marker_of_colour(state: State, seat: Seat, good: str) -> OneOf:
    """The buyer sees which numbers of that colour the bag holds (ruling 45)."""
    return OneOf("marker", markers_of(GOOD_OF_KEY[good], state.bag))


def _why_not_swap_good(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    if len(prefix) == 1 and word in GOOD_KEYS and state.players[seat].goods[GOOD_OF_KEY[word]]:
        return Refusal("bag_short", "guild_deals", {"good": word})
    number = number_of(word)
    if len(prefix) == 2 and number is not None and number < CITIES:
        if CITY_GOOD[number] != GOOD_OF_KEY[prefix[1]]:
            facts: dict[str, Fact] = {"marker": number, "good": prefix[1]}
            return Refusal("wrong_colour", "guild_deals", facts)
        return Refusal("bag_lacks_marker", "guild_deals", {"marker": number})
    return None


def _swap_good(state: State, seat: Seat, telling: Telling, good: str, marker: str) -> None:
    use(state, "guild")
    pay(state, seat, GOOD_LETTERS[GOOD_OF_KEY[good]])
    state.bag[int(marker)] -= 1
    gain(state.players[seat], marker)
    telling.all("good_exchanged", seat=seat, good=good, marker=int(marker))


def _swap_marker_gate(state: State, seat: Seat) -> Refusal | None:
    refusal = _guild_gate(state, seat)
    if refusal is not None:
        return refusal
    markers = state.players[seat].markers
    if not any(markers):
        return Refusal("no_markers", "guild_deals")
    if not _marker_to_swap(state, seat).values:
        good = CITY_GOOD[markers.index(max(markers))]
        return Refusal("reserve_short", "guild_deals", {"good": GOOD_KEYS[good]})
    return None


def _marker_to_swap(state: State, seat: Seat) -> OneOf:
    words = held(state.players[seat].markers)
    return OneOf("marker", tuple(w for w in words if state.reserve[CITY_GOOD[int(w)]]))


def _why_not_swap_marker(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    if word in held(state.players[seat].markers):
        return Refusal("reserve_short", "guild_deals", {"good": GOOD_KEYS[CITY_GOOD[int(word)]]})
    return None


def _swap_marker(state: State, seat: Seat, telling: Telling, marker: str) -> None:
    use(state, "guild")
    good = CITY_GOOD[int(marker)]
    pay(state, seat, marker)
    state.reserve[good] -= 1
    gain(state.players[seat], GOOD_LETTERS[good])
    telling.all("marker_exchanged", seat=seat, marker=int(marker), good=GOOD_KEYS[good])


# c) Buy a pair of route markers


def _buy_gate(state: State, seat: Seat) -> Refusal | None:
    refusal = used(state, "buy", "buying")
    if refusal is not None:
        return refusal
    if not any(state.players[seat].goods):
        return Refusal("nothing_to_pay", "buying")
    return None if any(state.display) else Refusal("pairs_gone", "buying")


def _pair(state: State, seat: Seat) -> OneOf:
    return OneOf("pair", tuple(str(n) for n, pair in enumerate(state.display, 1) if pair))


def _any_good(state: State, seat: Seat, pair: str) -> OneOf:
    goods = state.players[seat].goods
    return OneOf("good", tuple(GOOD_KEYS[good] for good in range(GOODS) if goods[good]))


def _why_not_buy(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    number = number_of(word)
    if len(prefix) == 1 and number is not None and 0 < number <= len(state.display):
        return Refusal("pair_sold", "buying", {"count": number})
    return None


def _buy(state: State, seat: Seat, telling: Telling, pair: str, good: str) -> None:
    use(state, "buy")
    pay(state, seat, GOOD_LETTERS[GOOD_OF_KEY[good]])
    bought = state.display[int(pair) - 1]
    state.display[int(pair) - 1] = ""
    gain(state.players[seat], bought)
    telling.all("pair_bought", seat=seat, pieces=bought, good=good)


# d) Trade with the city


def _trade_ratio(state: State, seat: Seat) -> int:
    return 3 if state.players[seat].chits[THREE_FOR_ONE] else 2


def _trade_gate(state: State, seat: Seat) -> Refusal | None:
    refusal = used(state, "trade", "trade")
    if refusal is not None:
        return refusal
    acting = state.frames[-1]
    assert isinstance(acting, Acting)
    player = state.players[seat]
    if player.city == acting.start:
        return Refusal("trade_needs_move", "trade", {"city": player.city})
    if not any(player.goods):
        return Refusal("nothing_to_trade", "trade")
    stock = here(state, seat).goods
    if not any(stock):
        return Refusal("city_empty", "trade", {"city": player.city})
    for good in range(GOODS):
        if player.goods[good] and sum(stock) > stock[good]:
            return None
    return Refusal("trade_same_good", "trade", {"city": player.city})


def _counts(word: str) -> list[int]:
    return [word.count(letter) for letter in GOOD_LETTERS]


def _give(state: State, seat: Seat) -> Bundle:
    """Any goods that can each bring at least one good of another kind (rulings 21 and 46)."""
    stock = here(state, seat).goods
    total = sum(stock)

    def fits(give: str) -> bool:
        return all(
            total - stock[good] >= count for good, count in enumerate(_counts(give)) if count
        )

    have = tuple(state.players[seat].goods)
    return Bundle("give", GOOD_LETTERS, have, 1, min(sum(have), total), fits)


def _take(state: State, seat: Seat, give: str) -> Bundle:
    """What the given goods may bring: one to two each (three by chit), each of another kind.

    Each received good is paid by a good of another kind, and each given one brings at least
    one. With n given in all and g of a kind, that can be arranged just when, of every kind, no
    more than ratio * (n - g) are received, and at least g are received of the other kinds.
    """
    ratio = _trade_ratio(state, seat)
    given = _counts(give)
    total = sum(given)
    stock = here(state, seat).goods
    have = tuple(min(stock[good], ratio * (total - given[good])) for good in range(GOODS))

    def fits(take: str) -> bool:
        return all(
            len(take) - take.count(GOOD_LETTERS[good]) >= count
            for good, count in enumerate(given)
            if count
        )

    return Bundle("take", GOOD_LETTERS, have, total, min(ratio * total, sum(have)), fits)


def _why_not_trade(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    if any(letter not in GOOD_LETTERS for letter in word):
        return None
    city = here(state, seat)
    facts: dict[str, Fact] = {"pieces": word, "city": state.players[seat].city}
    if len(prefix) == 1:
        goods = state.players[seat].goods
        if word and all(n <= have for n, have in zip(_counts(word), goods, strict=True)):
            return Refusal("trade_too_much", "trade", facts)
        return None
    if any(n > have for n, have in zip(_counts(word), city.goods, strict=True)):
        return Refusal("not_in_city", "trade", facts)
    ratio, given = _trade_ratio(state, seat), len(prefix[1])
    if len(word) > ratio * given:
        return Refusal("too_many", "trade", {"param": "take", "count": ratio * given})
    if len(word) < given:
        return Refusal("trade_too_little", "trade", {"count": given})
    return Refusal("trade_for_itself", "trade", {"give": prefix[1], "take": word})


def _trade(state: State, seat: Seat, telling: Telling, give: str, take: str) -> None:
    """The only payment that goes to the city."""
    use(state, "trade")
    player = state.players[seat]
    stock = here(state, seat).goods
    for letter in take:
        stock[GOOD_OF_LETTER[letter]] -= 1
    for letter in give:
        stock[GOOD_OF_LETTER[letter]] += 1
    spend(player, give)
    gain(player, take)
    telling.all("traded", seat=seat, city=player.city, give=give, take=take)


# e) Change a trade route


def _reroute_gate(state: State, seat: Seat) -> Refusal | None:
    refusal = used(state, "reroute", "reroute")
    if refusal is not None:
        return refusal
    player = state.players[seat]
    if not _open_route(state, seat).values:
        return Refusal("route_hidden", "reroute", {"city": player.city})
    if not any(player.markers):
        return Refusal("no_markers", "reroute")
    if sum(player.markers) == player.markers[player.city]:
        return Refusal("marker_of_city", "reroute", {"city": player.city})
    return None


def _open_route(state: State, seat: Seat) -> OneOf:
    """Open ones; with Memory any, also one that another player has just laid (rule D)."""
    routes = here(state, seat).routes
    words = [name for name in ROUTES if state.rules.memory or not routes[SLOT[name]].hidden]
    return OneOf("route", tuple(words))


def _new_marker(state: State, seat: Seat, route: str) -> OneOf:
    player = state.players[seat]
    return OneOf("marker", tuple(w for w in held(player.markers) if int(w) != player.city))


def _why_not_reroute(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    player = state.players[seat]
    if len(prefix) == 1:
        hidden = word in SLOT and word not in _open_route(state, seat).values
        return Refusal("route_hidden", "reroute", {"city": player.city}) if hidden else None
    if word == str(player.city):
        return Refusal("marker_of_city", "reroute", {"city": player.city})
    return None


def _reroute(state: State, seat: Seat, telling: Telling, route: str, marker: str) -> None:
    """The old marker comes to hand, the new one lies face down and only its owner knows it."""
    use(state, "reroute")
    lay_route(state, seat, telling, route, marker)


def lay_route(state: State, seat: Seat, telling: Telling, route: str, marker: str) -> None:
    """Exchange a route marker for one's own.

    With Memory the old one lay face down: what it was shows in an open hand to all, and from a
    hidden one only its new owner learns it.
    """
    player = state.players[seat]
    city, slot = player.city, SLOT[route]
    routes = here(state, seat).routes
    old = routes[slot].marker
    spend(player, marker)
    player.markers[old] += 1
    routes[slot] = Route(int(marker), True, 1 << seat, laid=True)
    if state.rules.memory:
        see(state, city, slot, 1 << seat)
    if state.rules.memory and state.rules.hidden:
        telling.only((seat,), "rerouted", seat=seat, city=city, route=route, marker=old)
        telling.but((seat,), "rerouted_secretly", seat=seat, city=city, route=route)
    else:
        telling.all("rerouted", seat=seat, city=city, route=route, marker=old)
    telling.only((seat,), "rerouted_with", city=city, route=route, marker=int(marker))


def _end_gate(state: State, seat: Seat) -> Refusal | None:
    return None


def _end(state: State, seat: Seat, telling: Telling) -> None:
    state.frames.pop()
    if state.rules.conflicts:
        begin_challenge(state, seat)


BUILD: Rule[State] = rule(
    "build", "office", _build_gate, _build, explain=_why_not_price, price=_price
)
BUY_RAID: Rule[State] = rule(
    "buy_raid",
    "guild_deals",
    _raid_marker_gate,
    _buy_raid_marker,
    explain=_why_not_three,
    marker=_three_alike,
)
SELL_SIX: Rule[State] = rule(
    "sell_six",
    "guild_deals",
    _chit_gate,
    _buy_chit,
    explain=_why_not_chit,
    good=_six_alike,
    chit=_chit,
)
SWAP_GOOD: Rule[State] = rule(
    "swap_good",
    "guild_deals",
    _swap_good_gate,
    _swap_good,
    explain=_why_not_swap_good,
    good=_good_to_swap,
    marker=_marker_of_colour,
)
SWAP_MARKER: Rule[State] = rule(
    "swap_marker",
    "guild_deals",
    _swap_marker_gate,
    _swap_marker,
    explain=_why_not_swap_marker,
    marker=_marker_to_swap,
)
BUY: Rule[State] = rule(
    "buy", "buying", _buy_gate, _buy, explain=_why_not_buy, pair=_pair, good=_any_good
)
TRADE: Rule[State] = rule(
    "trade", "trade", _trade_gate, _trade, explain=_why_not_trade, give=_give, take=_take
)
REROUTE: Rule[State] = rule(
    "reroute",
    "reroute",
    _reroute_gate,
    _reroute,
    explain=_why_not_reroute,
    route=_open_route,
    marker=_new_marker,
)
END: Rule[State] = rule("end", "overview", _end_gate, _end)
