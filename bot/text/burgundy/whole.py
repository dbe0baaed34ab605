"""Whole actions as entries of a menu: what is done, where, what it brings, and with which die."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import asdict

from bot.game.burgundy.data import CONTENT, DEPOT_WORDS
from bot.text.burgundy import dice, goods, setup, tiles
from bot.text.burgundy.dice import Asked
from bot.text.burgundy.placing import completed_by
from bot.text.burgundy.speech import ANY, face
from bot.text.contract import Label, Style
from bot.text.labels import MOST_TEXT
from bot.text.words import Words, msg

_END = 16
"""Characters that the end of the turn takes."""


def whole(asked: Asked) -> Label | None:
    """The action that is the prefix of `asked`, as one press; None for one without parameters."""
    make = _MADE.get(asked.kind)
    return None if make is None else make(asked, *asked.prefix[1:])


def and_end(words: Words, label: Label) -> Label:
    """The same action and the end of the turn, said in short where there is little room."""
    said = words("{action}, then end turn", action=label.text)
    short = words("{action} 🏁", action=label.text)
    return label._replace(text=said if len(said) <= MOST_TEXT else short)


def _with(asked: Asked, text: str, die: str, points: int = 0) -> str:
    """What is done, with the points it brings, and the die and the workers it takes; a die is named
    where there is another."""
    words = asked.speech.words
    if points:
        text = words("{action}, +{points}", action=text, points=points)
    spent = dice.workers_for(asked.view, asked.prefix)
    has_another = len(set(asked.view.left)) > 1 and die != ANY
    cost = [words("die {die}", die=die)] if has_another else []
    signs = [face(int(die))] if has_another else []
    if spent:
        cost.append(asked.speech.counted("spent", spent))
        signs.append(f"−{spent} 👷")
    if not cost:
        return text
    said = words("{action} ({cost})", action=text, cost=", ".join(cost))
    short = words("{action} ({cost})", action=text, cost=", ".join(signs))
    # The last die is followed by the end of the turn.
    room = MOST_TEXT if has_another else MOST_TEXT - _END
    return said if len(said) <= room else short


def _place(asked: Asked, die: str, tile: str, space: str) -> Label:
    words, use = asked.speech.words, dice.use_of(asked)
    place = next(p for p in (use.places if use else ()) if (p.tile, p.space) == (tile, space))
    text = words("Place {tile} on {space}", tile=asked.speech.with_article(tile), space=space)
    brings, completes = completed_by(asked, place)
    note = [brings, tiles.effect(words, tile)]
    return Label(
        _with(asked, text, die, place.points),
        tiles.sign(words, tile),
        " · ".join(filter(None, note)),
        Style.SUCCESS if completes else Style.NORMAL,
        called=space,
    )


def _take(asked: Asked, die: str, depot: str, tile: str, discard: str) -> Label:
    speech = asked.speech
    words, called = speech.words, speech.with_article(tile)
    place = speech.depot(depot)
    text = words("Take {tile} from {depot}", tile=called, depot=place)
    if discard:
        gone = speech.tile(discard)
        text = words(
            "Take {tile} from {depot}, discard {discard}", tile=called, depot=place, discard=gone
        )
    return _of_tile(asked, tile, _with(asked, text, die))


def _buy(asked: Asked, depot: str, tile: str, discard: str) -> Label:
    speech, price = asked.speech, CONTENT.price
    words, called = speech.words, speech.with_article(tile)
    cost = speech.counted("price", price)
    text = words("Buy {tile} for {price}", tile=called, price=cost)
    if depot != DEPOT_WORDS[-1]:
        place = speech.depot(depot)
        text = words("Buy {tile} from {depot} for {price}", tile=called, depot=place, price=cost)
    if discard:
        gone = speech.tile(discard)
        text = words("{action}, discard {discard}", action=text, discard=gone)
    return _of_tile(asked, tile, text)


def _of_tile(asked: Asked, tile: str, text: str) -> Label:
    words = asked.speech.words
    called = tiles.name(words, tile)
    return Label(text, tiles.sign(words, tile), tiles.effect(words, tile) or None, called=called)


def _sell(asked: Asked, die: str, good: str) -> Label:
    speech, use = asked.speech, dice.use_of(asked)
    sale = next(sale for sale in (use.sales if use else ()) if sale.good == good)
    text = _with(asked, speech.phrase(msg("Sell {count}× {good}"), asdict(sale)), die, sale.points)
    note = speech.counted("silverlings", sale.silverlings)
    return Label(text, tiles.good_sign(speech.words, good), note, called=speech.good(good))


def _workers(asked: Asked, die: str) -> Label:
    use = dice.use_of(asked)
    workers, silverlings = (use and use.gain) or (0, 0)
    says = msg("Take {workers} and {silverlings}") if silverlings else msg("Take {workers}")
    facts = {"workers": workers, "silverlings": silverlings}
    text = _with(asked, asked.speech.phrase(says, facts), die)
    return Label(text, asked.speech.words.sign("burgundy_worker", "👷"), called=text)


def _load(asked: Asked, depot: str, kinds: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    loaded, _left = goods.divided(asked, depot, kinds)
    if not loaded:
        return Label(words("Load nothing"), tiles.depot_sign(words, depot))
    name = speech.depot(depot)
    text = words("Load {goods} from {depot}", goods=speech.goods_in_short(loaded), depot=name)
    return Label(text, tiles.depot_sign(words, depot), called=name)


def _castle(asked: Asked, space: str) -> Label:
    text = asked.speech.words("Castle on {space}", space=space)
    return Label(text, "🏰", setup.beside(asked, space), called=space)


_MADE: Mapping[str, Callable[..., Label]] = {
    "board": setup.board,
    "castle": _castle,
    "place": _place,
    "take": _take,
    "buy": _buy,
    "sell": _sell,
    "workers": _workers,
    "load": _load,
}
