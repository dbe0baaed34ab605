"""What the computer player knows at the moment it is asked."""

from __future__ import annotations

from bot.game.choices import OneOf
from bot.game.contract import Action
from bot.game.kogge.data import CITIES, GOOD_LETTERS, GOODS, PIECE_LETTERS
from bot.game.kogge.view import View
from bot.policy.contract import Legal
from bot.policy.kogge.berth import Berth
from bot.policy.kogge.worth import Counts, Worth


class Situation:
    """A view as one seat judges it: its own holdings, and berths in cities."""

    def __init__(self, view: View, seat: int) -> None:
        me = view.seats[seat]
        assert me.goods is not None, "a seat knows its own goods"
        assert me.markers is not None, "a seat knows its own markers"
        self.view = view
        self.seat = seat
        self.me = me
        self.goods: Counts = list(me.goods)
        self.markers: Counts = list(me.markers)
        self.worth = Worth(view, seat)
        self.now = self.worth.of(self.goods, self.markers)

    def berth(
        self, city: int, guild_city: int, *, may_trade: bool, may_build: bool = True
    ) -> Berth:
        """A berth in a city, were the guild master in `guild_city`."""
        view = self.view
        return Berth(
            self.worth,
            city,
            view.cities[city].goods,
            ratio=3 if "three" in self.me.chits else 2,
            guild_deals=guild_city == city,
            may_build=may_build,
            may_trade=may_trade,
        )

    def without(self, pieces: str) -> float:
        """How much the worth of the holdings falls when these pieces are given away."""
        goods, markers = self.goods[:], self.markers[:]
        change(goods, markers, pieces, -1)
        return self.now - self.worth.of(goods, markers)

    def spare(self, count: int) -> str:
        """The pieces that are missed least, as a word in canonical order."""
        goods, markers = self.goods[:], self.markers[:]
        word = ""
        for _ in range(count):
            piece = least_missed(self.worth, goods, markers)
            change(goods, markers, piece, -1)
            word += piece
        return "".join(sorted(word, key=PIECE_LETTERS.index))


def words(legal: Legal, prefix: Action) -> tuple[str, ...]:
    """The words that may follow, where they are few."""
    choices = legal(prefix)
    assert isinstance(choices, OneOf)
    return choices.values


def change(goods: Counts, markers: Counts, pieces: str, by: int) -> None:
    """Add (or with -1 take away) the pieces of a word."""
    for piece in pieces:
        good = GOOD_LETTERS.find(piece)
        if good < 0:
            markers[int(piece)] += by
        else:
            goods[good] += by


def least_missed(worth: Worth, goods: Counts, markers: Counts) -> str:
    """The piece whose loss costs least. Raises ValueError where there is none."""
    best, chosen = 0.0, ""
    for good in range(GOODS):
        if goods[good]:
            goods[good] -= 1
            value = worth.of(goods, markers)
            goods[good] += 1
            if not chosen or value > best:
                best, chosen = value, GOOD_LETTERS[good]
    for number in range(CITIES):
        if markers[number]:
            markers[number] -= 1
            value = worth.of(goods, markers)
            markers[number] += 1
            if not chosen or value > best:
                best, chosen = value, str(number)
    if not chosen:
        raise ValueError("there is no piece to give")
    return chosen
