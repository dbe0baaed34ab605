"""Moving the guild master: to where the seat can use it, and to the end only when the seat
leads."""

from __future__ import annotations

from bot.game.choices import Bundle
from bot.game.contract import Action
from bot.game.kogge.data import CITIES, CONTENT
from bot.policy.contract import Legal
from bot.policy.kogge.movement import best_voyage
from bot.policy.kogge.situation import Situation
from bot.policy.kogge.worth import lead

END = 500.0
"""What ending the game is worth to the leader, and costs the others."""


def advances(situation: Situation, _legal: Legal) -> list[Action]:
    """One step and two, the better first."""
    steps = sorted(("1", "2"), key=lambda steps: _worth(situation, int(steps)), reverse=True)
    return [("advance", each) for each in steps]


def _worth(situation: Situation, steps: int) -> float:
    view = situation.view
    city, laps, left = view.guild_city, view.laps, steps
    while left:
        city = (city + 1) % CITIES
        laps += city == view.end_city
        left -= not view.cities[city].raids
    if laps >= CONTENT.laps_to_end:
        return END if lead(view, situation.seat) >= 0 else -END
    free = 2 if "spaces" in situation.me.chits else 1
    return best_voyage(situation, city, situation.me.city, free).worth


def taxes(situation: Situation, legal: Legal) -> list[Action]:
    """The goods, the least useful first; nothing from an empty ship."""
    domain = legal(("tax",))
    assert isinstance(domain, Bundle)
    return [("tax", good) for good in sorted(domain.each(), key=situation.without)]
