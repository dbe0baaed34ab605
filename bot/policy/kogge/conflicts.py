"""Advanced rule C: whom to challenge, what to bid, and what to demand."""

from __future__ import annotations

from itertools import combinations_with_replacement

from bot.game.contract import Action, Decision
from bot.game.kogge.data import CITIES, GOOD_LETTERS, MARKER_LETTERS, goods_word
from bot.game.kogge.view import KoggeView
from bot.policy.contract import Legal
from bot.policy.kogge.situation import Situation, change, plus, words
from bot.policy.kogge.worth import points

WINS = (0.0, 0.2, 0.8, 0.95, 0.98)
"""How likely a bid of so many markers of one number wins against one that is unseen."""
WINS_HIGHER = 0.01
"""How much more likely, for each step of the number."""
THERE = 0.5
"""How likely a good that is demanded is there."""
WORTH_A_FIGHT = 1.0
"""What a conflict must promise to be begun."""
DEMANDED = 3
PEACE: Action = ("pass",)


def challenges(situation: Situation, legal: Legal) -> list[Action]:
    """The ships here, the strongest first; peace before them where the best bid promises no more
    than it risks.
    """
    others = sorted(
        words(legal, ("challenge",)),
        key=lambda word: points(situation.view, int(word)),
        reverse=True,
    )
    fights: list[Action] = [("challenge", word) for word in others]
    if max(_bids(situation).values()) - THERE * _at_risk(situation) < WORTH_A_FIGHT:
        return [PEACE, *fights]
    return [*fights, PEACE]


def conflict_bids(situation: Situation, _legal: Legal) -> list[Action]:
    """Markers of one number, by how much more than their price the possible gain is worth."""
    bids = _bids(situation)
    return [("bid", word) for word in sorted(bids, key=lambda word: bids[word], reverse=True)]


def demands(situation: Situation, _legal: Legal) -> list[Action]:
    """Three goods, by what they would gain; what the loser has is secret."""
    best = "".join(sorted(_wanted(situation)[0], key=GOOD_LETTERS.index))
    others = map("".join, combinations_with_replacement(GOOD_LETTERS, DEMANDED))
    rest = sorted(others, key=situation.gain, reverse=True)
    return [("demand", word) for word in dict.fromkeys((best, *rest))]


def _bids(situation: Situation) -> dict[str, float]:
    """Bids of one number, by what each is worth more than a sure defeat.

    Nothing is bid only from an empty hand (ruling 42). The other side's markers, mostly useless,
    come in return.
    """
    goods, held = situation.goods, situation.markers
    stake = THERE * (_wanted(situation)[1] + _at_risk(situation))
    bids = {}
    for number in range(CITIES):
        for count in range(1, min(held[number], len(WINS) - 1) + 1):
            bids[str(number) * count] = (WINS[count] + WINS_HIGHER * number) * stake
    for word in bids or {"": 0.0}:
        markers = held[:]
        change(goods, markers, word, -1)
        left = min(situation.worth.of(goods, plus(markers, new)) for new in MARKER_LETTERS)
        bids[word] = bids.get(word, 0.0) + left - situation.now
    return bids


def _at_risk(situation: Situation) -> float:
    """The worth of the three dearest goods on board; kinds are listed from the cheapest on."""
    return situation.without(goods_word(situation.goods)[-DEMANDED:])


def _wanted(situation: Situation) -> tuple[str, float]:
    """Three goods found one after the other, each gaining most, and what all of them gain."""
    goods, markers = situation.goods[:], situation.markers[:]
    wanted, worth = "", situation.now
    for _ in range(DEMANDED):
        gains = {}
        for letter in GOOD_LETTERS:
            change(goods, markers, letter, 1)
            gains[letter] = situation.worth.of(goods, markers)
            change(goods, markers, letter, -1)
        best = max(gains, key=lambda letter: gains[letter])
        change(goods, markers, best, 1)
        wanted, worth = wanted + best, gains[best]
    return wanted, worth - situation.now


def pass_conflicts(view: KoggeView, decision: Decision, legal: Legal, value: str) -> Action | None:
    """No conflict is begun."""
    return ("pass",) if decision.kind == "challenge" else None
