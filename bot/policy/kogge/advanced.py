"""What the advanced rules ask: taxes, conflicts, and the routes of the first city."""

from __future__ import annotations

from bot.game.choices import Bundle
from bot.game.contract import Action
from bot.game.kogge.data import GOOD_LETTERS, MARKER_LETTERS
from bot.policy.contract import Legal
from bot.policy.kogge.situation import Situation, change

PAIR = 2
DEMANDED = 3


def tax(situation: Situation, legal: Legal) -> Action:
    """The good that is missed least; nothing from an empty ship."""
    domain = legal(("tax",))
    assert isinstance(domain, Bundle)
    return ("tax", min(domain.each(), key=situation.without))


def keep_peace() -> Action:
    """No conflict, and no change of the first routes: what either would bring is unknown."""
    return ("pass",)


def conflict_bid(situation: Situation) -> Action:
    """The pair that is missed least, for it beats every mix; without one, a single marker.

    The other side's markers come for those that go, so no more than needed is risked.
    """
    held = [letter for letter in MARKER_LETTERS if situation.markers[int(letter)]]
    pairs = [letter * PAIR for letter in held if situation.markers[int(letter)] >= PAIR]
    return ("bid", min(pairs or held or [""], key=situation.without))


def demand(situation: Situation) -> Action:
    """The three goods that together gain most, one after the other; what the loser has is his
    secret."""
    goods, markers = situation.goods[:], situation.markers[:]
    wanted = ""
    for _ in range(DEMANDED):
        gains = {}
        for letter in GOOD_LETTERS:
            change(goods, markers, letter, 1)
            gains[letter] = situation.worth.of(goods, markers)
            change(goods, markers, letter, -1)
        best = max(gains, key=lambda letter: gains[letter])
        change(goods, markers, best, 1)
        wanted += best
    return ("demand", "".join(sorted(wanted, key=GOOD_LETTERS.index)))
