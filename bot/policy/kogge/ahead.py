"""The rest of a movement or of a turn as the computer player would go on, imagined from a view.

It ends where something is not known, at a hidden route or a look, and before a raid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from bot.game.choices import Choices, OneOf
from bot.game.contract import Action, IllegalAction, Refusal
from bot.game.kogge.data import (
    CHIT_KEYS,
    CITY_GOOD,
    CONTENT,
    GOOD_KEYS,
    GOOD_LETTERS,
    GOODS,
    goods_word,
)
from bot.game.kogge.view import CityView, KoggeView
from bot.policy.contract import Legal
from bot.policy.kogge.movement import STOP, best_voyage, free_steps
from bot.policy.kogge.routes import SIDES
from bot.policy.kogge.situation import Situation, change, words
from bot.policy.kogge.turn import act
from bot.policy.kogge.worth import Counts

MOST = 6
"""Actions of one entry."""
SECRET = "secret"
RAIDS = ("raid_city", "raid_ship")
"""They cannot be taken back, so none is a part of something longer."""
GUILD_DEALS = ("buy_raid", "sell_six", "swap_good", "swap_marker")
"""Deals with the guild master; only one is allowed in a turn (3B)."""
PAYABLE_LATER = {"needs_goods", "needs_markers", "needs_either", "needs_six_alike"}
"""Why something cannot be done that may become possible within the turn."""


def voyage(situation: Situation, legal: Legal, first: Action) -> Iterator[Action]:
    """An action of the movement, and how the computer player would go on from there."""
    free = free_steps(situation, legal) if "sail" in words(legal, ()) else 0
    action, after = first, _moved(situation, first)
    yield action
    for _ in range(MOST - 1):
        free -= action[0] == "sail"
        if after is None:
            return
        action = _next_step(after, max(free, 0))
        yield action
        after = _moved(after, action)


def turn(situation: Situation, legal: Legal, first: Action) -> Iterator[Action]:
    """An action of a turn, and how the computer player would go on from there."""
    used: list[str] = []
    action, after = first, _acted(situation, first)
    yield action
    for _ in range(MOST - 1):
        if after is None:
            return
        used += GUILD_DEALS if action[0] in GUILD_DEALS else action[:1]
        action = act(after, _imagined(after, legal, used))
        if action[0] in RAIDS:
            return
        yield action
        after = _acted(after, action)


def _next_step(situation: Situation, free: int) -> Action:
    """As `move` does, where what is legal is only imagined."""
    view = situation.view
    stock = _in_offices(situation)
    if any(stock):
        return ("load", goods_word(stock))
    assert view.start is not None, "a ship on its way began somewhere"
    plan = best_voyage(situation, view.guild_city, view.start, free)
    if not plan.routes:
        return STOP
    route = plan.routes[0]
    return ("sail", route, situation.spare(int(not free) + (route == SECRET)))


def _moved(situation: Situation, action: Action) -> Situation | None:
    """The situation after an action of the movement; None where that is not known, or the end."""
    view, here = situation.view, situation.me.city
    match action:
        case ("load", pieces):
            offices = tuple(
                replace(office, goods=(0,) * GOODS) if office.seat == situation.seat else office
                for office in view.cities[here].offices
            )
            city = replace(view.cities[here], offices=offices)
            return _changed(situation, gets=pieces, cities=_with_city(view, here, city))
        case ("sail", route, fee):
            to = view.guild_city
            if route != SECRET:
                known = view.cities[here].routes[SIDES.index(route)].marker
                if known is None:
                    return None
                to = known
            return _changed(situation, gives=fee, city=to)
    return None


def _acted(situation: Situation, action: Action) -> Situation | None:
    """The situation after an action of a turn; None where that is not known, or the end."""
    view, me = situation.view, situation.me
    city = view.cities[me.city]
    match action:
        case ("trade", give, take):
            left = list(city.goods)
            change(left, [], take, -1)
            change(left, [], give, 1)
            cities = _with_city(view, me.city, replace(city, goods=tuple(left)))
            return _changed(situation, gets=take, gives=give, cities=cities)
        case ("buy", pair, good):
            display = list(view.display)
            bought, display[int(pair) - 1] = display[int(pair) - 1], ""
            return _changed(situation, gets=bought, gives=_letter(good), display=tuple(display))
        case ("swap_good", good, marker):
            return _changed(situation, gets=marker, gives=_letter(good))
        case ("swap_marker", marker):
            good = _letter(GOOD_KEYS[CITY_GOOD[int(marker)]])
            return _changed(situation, gets=good, gives=marker)
        case ("build", price):
            goods, markers = city.price or ("", "")
            paid = {"both": goods + markers, "goods": goods}.get(price, markers)
            points = me.development_points + 1
            return _changed(situation, gives=paid, development_points=points)
        case ("sell_six", good, chit):
            paid, points = _letter(good) * CONTENT.bonus_price, me.development_points + 1
            chits = (*me.chits, chit)
            return _changed(situation, gives=paid, chits=chits, development_points=points)
    return None


def _imagined(situation: Situation, legal: Legal, used: Sequence[str]) -> Legal:
    """What would be legal with these holdings; of what was legal before, and to build or sell."""

    def answer(prefix: Action) -> Choices:
        if not prefix:
            return OneOf("kind", tuple(_kinds(situation, legal, used)))
        kind, *rest = prefix
        if kind in used:
            raise IllegalAction(Refusal("already_done", ""))
        if kind == "build":
            return OneOf("price", tuple(_prices(situation)))
        if kind == "sell_six":
            named, counts = (
                (CHIT_KEYS, situation.view.chits_left)
                if rest
                else (
                    GOOD_KEYS,
                    [count // CONTENT.bonus_price for count in situation.goods],
                )
            )
            there = [key for key, count in zip(named, counts, strict=True) if count]
            return OneOf("word", tuple(there))
        choices = legal(prefix)
        assert isinstance(choices, OneOf)
        held = [word for word in choices.values if _is_held(situation, prefix, word)]
        return OneOf(choices.param, tuple(held))

    return answer


def _kinds(situation: Situation, legal: Legal, used: Sequence[str]) -> Iterator[str]:
    for kind in words(legal, ()):
        if kind not in (*used, "build", "sell_six"):
            yield kind
    for kind, payable in (("build", any(_prices(situation))), ("sell_six", _may_sell(situation))):
        if payable and kind not in used and _may_be_later(legal, kind):
            yield kind


def _may_be_later(legal: Legal, kind: str) -> bool:
    try:
        legal((kind,))
    except IllegalAction as refused:
        return refused.refusal.code in PAYABLE_LATER
    return True


def _prices(situation: Situation) -> Iterator[str]:
    """The prices of an office that these holdings can pay, as in the rules."""
    price = situation.view.cities[situation.me.city].price
    if price is None:
        return
    enough = [not _is_short(situation, pieces) for pieces in price]
    if "either_price" not in situation.view.variants:
        yield from ("both",) * all(enough)
        return
    yield from (name for name, able in zip(("goods", "markers"), enough, strict=True) if able)


def _is_short(situation: Situation, pieces: str) -> bool:
    goods, markers = situation.goods[:], situation.markers[:]
    change(goods, markers, pieces, -1)
    return min(*goods, *markers) < 0


def _may_sell(situation: Situation) -> bool:
    return max(situation.goods) >= CONTENT.bonus_price and any(situation.view.chits_left)


def _is_held(situation: Situation, prefix: Action, word: str) -> bool:
    """Whether a word that was legal before can still be paid."""
    match prefix:
        case ("buy_raid",):
            return not _is_short(situation, word * CONTENT.raid_price)
        case ("swap_good",):
            return not _is_short(situation, _letter(word))
        case ("swap_marker",) | ("reroute", _):
            return not _is_short(situation, word)
    return True


def _letter(good: str) -> str:
    return GOOD_LETTERS[GOOD_KEYS.index(good)]


def _in_offices(situation: Situation) -> Counts:
    stock = [0] * GOODS
    for office in situation.view.cities[situation.me.city].offices:
        if office.seat == situation.seat:
            stock = [have + more for have, more in zip(stock, office.goods, strict=True)]
    return stock


def _with_city(view: KoggeView, number: int, city: CityView) -> tuple[CityView, ...]:
    return (*view.cities[:number], city, *view.cities[number + 1 :])


def _changed(
    situation: Situation,
    *,
    gets: str = "",
    gives: str = "",
    cities: tuple[CityView, ...] | None = None,
    display: tuple[str, ...] | None = None,
    **of_seat: Any,
) -> Situation:
    """The situation with other holdings, and what else has changed on the table or of the seat."""
    view, goods, markers = situation.view, situation.goods[:], situation.markers[:]
    change(goods, markers, gets, 1)
    change(goods, markers, gives, -1)
    seats = [*view.seats]
    seats[situation.seat] = replace(
        situation.me, goods=tuple(goods), markers=tuple(markers), **of_seat
    )
    after = replace(
        view, seats=tuple(seats), cities=cities or view.cities, display=display or view.display
    )
    return Situation(after, situation.seat, situation.weights)
