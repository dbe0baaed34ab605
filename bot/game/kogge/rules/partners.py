"""With whom one deals: another ship, or, by advanced rule B, another player's office."""

from __future__ import annotations

from typing import NamedTuple

from bot.game.contract import Seat
from bot.game.kogge.data import CONTENT, GOOD_LETTERS, GOODS, PIECE_LETTERS
from bot.game.kogge.rules.common import GOOD_OF_LETTER, gain, highest_first, number_of, spend
from bot.game.kogge.rules.common import pieces as pieces_of
from bot.game.kogge.state import NOBODY, NOWHERE, Offer, State

OFFICE = "office"
"""``office2`` is the office of seat 2, where ``2`` is her ship."""
ALL_MARKERS = tuple(reversed(CONTENT.markers))
ALL_PIECES = (*(good.total for good in CONTENT.goods), *ALL_MARKERS)


class Place(NamedTuple):
    """Where a deal is made: between two ships, or with the office that `office` has in `city`."""

    office: Seat = NOBODY
    city: int = NOWHERE


SHIPS = Place()


def place_of(offer: Offer) -> Place:
    """Where an offer is to be carried out."""
    return Place(offer.office, offer.city)


def partners(state: State, seat: Seat) -> tuple[str, ...]:
    """The ships with the seat's own, then, by advanced rule B, the offices of others there.

    The ship comes to the office: an offer is the ship's to begin, and the office's owner may
    counter it. Two offices never deal with one another.
    """
    city = state.players[seat].city
    if city == NOWHERE:
        return ()
    ships = [
        str(other)
        for other, player in enumerate(state.players)
        if other != seat and player.city == city
    ]
    if not state.rules.offices:
        return tuple(ships)
    owners = sorted({office.seat for office in state.cities[city].offices} - {seat})
    return (*ships, *(f"{OFFICE}{owner}" for owner in owners))


def partner_of(state: State, seat: Seat, word: str) -> tuple[Seat, Place]:
    """Whom the word of a partner names, and where they deal."""
    if word.startswith(OFFICE):
        owner = int(word.removeprefix(OFFICE))
        return owner, Place(owner, state.players[seat].city)
    return int(word), SHIPS


def seat_named(word: str) -> Seat | None:
    """The seat that a partner's word names, whether or not she is one."""
    return number_of(word.removeprefix(OFFICE))


def stock(state: State, seat: Seat, place: Place) -> tuple[int, ...]:
    """What the seat can give there, by PIECE_LETTERS: with an office its goods, but the owner's
    markers."""
    player = state.players[seat]
    if seat != place.office:
        return pieces_of(player)
    return (*_office_goods(state, place), *highest_first(player.markers))


def can_be_asked(state: State, other: Seat, place: Place) -> tuple[int, ...]:
    """What may be asked for: what the other has, or, where that is secret, anything.

    What lies in an office is on the board for all to see.
    """
    if not state.rules.hidden:
        return stock(state, other, place)
    return (*_office_goods(state, place), *ALL_MARKERS) if other == place.office else ALL_PIECES


def has(have: tuple[int, ...], word: str) -> bool:
    """Whether all pieces of a word are in a stock."""
    return all(word.count(letter) <= have[PIECE_LETTERS.index(letter)] for letter in set(word))


def hand_over(state: State, giver: Seat, taker: Seat, word: str, place: Place) -> None:
    """Goods go from and to the office where one stands for a ship, markers from hand to hand."""
    markers = word.lstrip(GOOD_LETTERS)
    goods = word.removesuffix(markers)
    spend(state.players[giver], markers if giver == place.office else word)
    gain(state.players[taker], markers if taker == place.office else word)
    for letter in goods:
        if giver == place.office:
            _move(state, place, letter, -1)
        elif taker == place.office:
            _move(state, place, letter, 1)


def _office_goods(state: State, place: Place) -> list[int]:
    have = [0] * GOODS
    for office in state.cities[place.city].offices:
        if office.seat == place.office:
            for good, count in enumerate(office.goods):
                have[good] += count
    return have


def _move(state: State, place: Place, letter: str, by: int) -> None:
    """One good into or out of the office; of two of one owner, the first that can."""
    good = GOOD_OF_LETTER[letter]
    for office in state.cities[place.city].offices:
        if office.seat == place.office and office.goods[good] + by >= 0:
            office.goods[good] += by
            return
