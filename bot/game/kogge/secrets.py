"""What an observer cannot know: put at random in its place, and disclosed by events and actions.

Markers that the observer cannot place are dealt to the squares that lie face down, to the hands and
to the bag; where the sizes of hands are secret, each goes to a hand or the bag as likely as at the
beginning of the game. Hidden goods go to any of the others' ships.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from bot.game.choices import Bundle
from bot.game.contract import Action, Event, Observer, Seat
from bot.game.hidden import UNSEEN
from bot.game.kogge import auction, conflicts, guild_master, movement, offers, raid, routes, setup
from bot.game.kogge.auction import can_bid
from bot.game.kogge.common import here, highest_first
from bot.game.kogge.data import (
    CITIES,
    CONTENT,
    MARKER_BACK,
    MARKER_LETTERS,
    PIECE_LETTERS,
    goods_of,
    goods_word,
    split,
)
from bot.game.kogge.offers import ALL_MARKERS, place_of, stock
from bot.game.kogge.routes import SLOT
from bot.game.kogge.state import (
    NOWHERE,
    SECRET,
    Acting,
    Auction,
    Choosing,
    Conflict,
    Founding,
    KoggeState,
    Movement,
    Offer,
    Push,
    Taxing,
    numbers_seen_in_the_bag,
)
from bot.game.kogge.turn import TURNS

ASKED_FOR = 3
"""A secret offer asks for at most this many pieces."""


def deal(state: KoggeState, observer: Observer, rng: Random) -> None:
    """Put something possible in place of each blank of a state as the observer knows it."""
    frame = state.frames[-1]
    if isinstance(frame, Founding):
        for player in state.players:
            # Nothing but the marker of its city has left a hand.
            player.markers = [int(number != player.city) for number in range(CITIES)]
    _deal_markers(state, observer, rng)
    if any(not player.goods for player in state.players):
        _deal_goods(state, observer, rng)
    for sighting in state.sightings:
        if sighting.marker == UNSEEN:
            there = state.cities[sighting.city].routes[sighting.slot]
            lies_there = sighting.seats & there.known
            sighting.marker = there.marker if lies_there else rng.randrange(CITIES)
    state.offers = [_reworded(state, offer, rng) for offer in state.offers]
    match frame:
        case Founding(chosen):
            for seat, city in enumerate(chosen):
                if city == UNSEEN:
                    chosen[seat] = int(setup.cities_to_found(state, seat).sample(rng))
        case Taxing(_, taxes):
            for seat, good in enumerate(taxes):
                if good == SECRET:
                    taxes[seat] = guild_master.taxes_of(state, seat).sample(rng)
        case Conflict(sides, bids):
            for place, seat in enumerate(sides):
                if bids[place] == SECRET:
                    bids[place] = conflicts.conflict_bids(state, seat).sample(rng)
        case Choosing(_, victim, groups) if SECRET in groups:
            frame.groups = _divided(state.players[victim].goods, rng)


def promised_pieces(state: KoggeState, seat: Seat, observer: Observer) -> str:
    """Pieces the observer knows a seat to hold, because they were offered to the observer.

    Goods offered from an office lie there, not on the ship.
    """
    words = [
        split(offer.give)[1] if offer.office == seat else offer.give
        for offer in state.offers
        if offer.seat == seat and offer.other == observer
    ]
    return "".join(
        letter * max(word.count(letter) for word in words) for letter in sorted(set("".join(words)))
    )


def _deal_markers(state: KoggeState, observer: Observer, rng: Random) -> None:
    """Deal all markers anew until none lies where it cannot, and whoever is asked for a bid has
    one to make."""
    squares = [
        (route, NOWHERE if state.rules.memory and not route.laid else number)
        for number, city in enumerate(state.cities)
        for route in city.routes
        if route.marker == UNSEEN
    ]
    seen = numbers_seen_in_the_bag(state, observer)
    bag = [int(number in seen and state.bag[number] > 0) for number in range(CITIES)]
    absent = [number for number in seen if not bag[number]]
    hands, slots = {}, []
    pool = [count - there for count, there in zip(_unplaced_markers(state), bag, strict=True)]
    for seat, player in enumerate(state.players):
        if len(player.markers) != CITIES:
            word = promised_pieces(state, seat, observer)
            hands[seat] = [word.count(str(number)) for number in range(CITIES)]
            slots += [seat] * (sum(player.markers) - sum(hands[seat]))
            pool = [count - there for count, there in zip(pool, hands[seat], strict=True)]
    unbounded = state.rules.hidden and bool(hands)
    in_hands = len(state.players) * CITIES / sum(CONTENT.markers)
    pieces = [number for number, count in enumerate(pool) for _ in range(count)]
    frame = state.frames[-1]
    while True:
        rng.shuffle(pieces)
        given = pieces
        if not unbounded:
            # What the bag does not hold is on a square or in a hand.
            pieces.sort(key=lambda number: number not in absent)
            given = pieces[: len(squares) + len(slots)]
            rng.shuffle(given)
        for (route, _), number in zip(squares, given, strict=False):
            route.marker = number
        for seat, promised in hands.items():
            state.players[seat].markers = promised[:]
        state.bag = bag[:]
        if unbounded:
            for number in given[len(squares) :]:
                if number in absent or rng.random() < in_hands:
                    state.players[rng.choice([*hands])].markers[number] += 1
                else:
                    state.bag[number] += 1
        else:
            for seat, number in zip(slots, given[len(squares) :], strict=True):
                state.players[seat].markers[number] += 1
            for number in pieces[len(given) :]:
                state.bag[number] += 1
        if all(route.marker != barred for route, barred in squares) and not (
            isinstance(frame, Auction) and not can_bid(state, state.order[frame.at])
        ):
            return


def _unplaced_markers(state: KoggeState) -> list[int]:
    """By number, the markers whose place the observer does not know."""
    lying = "".join(state.display)
    if isinstance(state.frames[0], Auction):
        # Later the bids are only remembered: their markers have gone back.
        lying += "".join(state.bids)
    pool = [total - lying.count(str(number)) for number, total in enumerate(CONTENT.markers)]
    for player in state.players:
        if len(player.markers) == CITIES:
            pool = [count - held for count, held in zip(pool, player.markers, strict=True)]
    for city in state.cities:
        for route in city.routes:
            if route.marker != UNSEEN:
                pool[route.marker] -= 1
    return pool


def _deal_goods(state: KoggeState, observer: Observer, rng: Random) -> None:
    hidden = [player for player in state.players if not player.goods]
    frame = state.frames[-1]
    if isinstance(frame, Choosing) and SECRET not in frame.groups:
        victim = state.players[frame.victim]
        if not victim.goods:
            # Both groups lie before the raider, who so knows the whole cargo.
            victim.goods = goods_of("".join(frame.groups))
            hidden.remove(victim)
    for seat, player in enumerate(state.players):
        if not player.goods:
            player.goods = goods_of(promised_pieces(state, seat, observer))
    stocks = [state.reserve, *(player.goods for player in state.players)]
    for city in state.cities:
        stocks += [city.goods, *(office.goods for office in city.offices)]
    for good, kind in enumerate(CONTENT.goods):
        for _ in range(kind.total - sum(each[good] for each in stocks)):
            rng.choice(hidden).goods[good] += 1


def _reworded(state: KoggeState, offer: Offer, rng: Random) -> Offer:
    """The offer, where it is secret, in words that its maker may have used."""
    have = stock(state, offer.seat, place_of(offer))
    if offer.give == SECRET:
        give = Bundle("give", PIECE_LETTERS, have, 0, sum(have)).sample(rng)
        asked = rng.sample(PIECE_LETTERS, rng.randint(0 if give else 1, ASKED_FOR))
        take = "".join(sorted(asked, key=PIECE_LETTERS.index))
        return replace(offer, give=give, take=take)

    def numbered(word: str, have: Sequence[int]) -> str:
        goods, backs = split(word)
        if MARKER_BACK not in backs:
            return word
        markers = Bundle("markers", MARKER_LETTERS, tuple(have), len(backs), len(backs))
        return goods + markers.sample(rng)

    give = numbered(offer.give, highest_first(state.players[offer.seat].markers))
    return replace(offer, give=give, take=numbered(offer.take, ALL_MARKERS))


def _divided(goods: list[int], rng: Random) -> tuple[str, str]:
    """A cargo in two groups, as its owner may have divided it; each a word of goods."""
    cargo = list(goods_word(goods))
    rng.shuffle(cargo)
    half = len(cargo) // 2
    first, second = (goods_word(goods_of("".join(part))) for part in (cargo[:half], cargo[half:]))
    return first, second


# What discloses a secret

REVEALING: tuple[type[Event], ...] = (
    *(setup.Founded, setup.Crowded, auction.NoBid, auction.ExtraMarker),
    *(routes.Saw, routes.Rerouted, movement.Sailed, movement.RouteFailed),
    *(raid.CargoSplit, raid.Looted, raid.Pushed, raid.PushFailed),
    *(conflicts.ConflictBids, conflicts.ConflictWon, conflicts.ConflictTied, conflicts.Demanded),
    *(guild_master.TaxPaid, guild_master.TaxPaidSecretly),
    *(offers.OfficeAccepted, offers.OfficeAcceptedSecretly),
)
"""The kinds of event that disclose what was secret until then: sealed choices revealed at once, a
seat without a bid, what lay face down and is turned or taken up, a cargo laid open to its robber,
what comes to lie in the reserve or in an office."""

OF_PIECES = frozenset({"fee", "price", "give", "take", "markers", "marker", "pieces", "good"})
"""Parameters that name pieces, which are paid, dealt or laid."""

HARMLESS = frozenset({"advance", "stop", "load", "end", "sail", "raid_city", "decline", "withdraw"})
"""Kinds that touch no hidden hand, unless something is paid for them."""

BRINGS_GOODS = frozenset({"trade", "accept"})
"""Kinds that may put a good of another colour on the ship in the middle of a turn."""

OUT_OF_THE_BAG = "swap_good"
"""The kind by which all see a number the bag had; until then the buyer alone did (ruling 45)."""

OF_MEMORY = frozenset({"peek", "reroute", "pass"})
"""With Memory somebody looks at what lies face down."""


def discloses(state: KoggeState, action: Action) -> bool:
    """Whether the action may disclose something: a route that is turned up, a look at what lies
    face down or into the bag, or a piece out of a hand that others do not see.

    It errs on the safe side: it is true even where everybody happened to know already.
    """
    kind, *words = action
    if kind == OUT_OF_THE_BAG or _turns_up(state, kind, words) or _opens_the_bag(state, kind):
        return True
    if state.rules.memory and kind in OF_MEMORY:
        return True
    paid = [
        word
        for name, word in zip(TURNS.rules[kind].move.params, words, strict=False)
        if name in OF_PIECES
    ]
    if state.rules.hidden:
        return kind not in HARMLESS or (kind != "load" and any(paid))
    # A marker leaves a hand of which only the goods are visible.
    return state.rules.covered and (kind == "accept" or any(map(_has_marker, paid)))


def _has_marker(word: str) -> bool:
    """Whether pieces, or the price of an office, include a marker."""
    return word in ("markers", "both") or bool(split(word)[1])


def _turns_up(state: KoggeState, kind: str, words: list[str]) -> bool:
    if kind not in ("sail", "push") or words[0] not in SLOT:
        return False
    frame = state.frames[-1]
    ship = frame.pushed if isinstance(frame, Push) else TURNS.asked_seat(state)
    return ship is not None and here(state, ship).routes[SLOT[words[0]]].hidden


def _opens_the_bag(state: KoggeState, kind: str) -> bool:
    """Whether somebody comes to be able to deal with the guild master, or with other goods: for
    each good they hold they see which numbers the bag has (ruling 45)."""
    frame, seat = state.frames[-1], TURNS.asked_seat(state)
    if seat is None or state.players[seat].city != state.guild_city:
        return False
    if isinstance(frame, Movement):
        return kind == "stop"
    return isinstance(frame, Acting) and "guild" not in frame.used and kind in BRINGS_GOODS
