"""What planned actions would change for who plans them: now and after."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.burgundy.view import BurgundySeatView, BurgundyView, RegionView
from bot.text.burgundy.speech import BurgundySpeech, word_of
from bot.text.burgundy.tiles import NAMES, colour_sign
from bot.text.markup import capital


def changes(speech: BurgundySpeech, before: BurgundyView, after: BurgundyView) -> list[str]:
    """A line for everything of the observer's that differs; none for a spectator."""
    if after.observer < 0:
        return []
    was, now = before.seats[after.observer], after.seats[after.observer]
    return [
        *_counts(speech, was, now),
        *_regions(speech, was, now),
        *_colours(speech, was, now),
        *_stock(speech, was, now),
    ]


def _counts(speech: BurgundySpeech, was: BurgundySeatView, now: BurgundySeatView) -> Iterator[str]:
    words = speech.words
    rows = (
        (words("Points"), was.total, now.total),
        (words("Still to come at the end"), _at_the_end(was), _at_the_end(now)),
        (words("Workers"), was.workers, now.workers),
        (words("Silverlings"), was.silverlings, now.silverlings),
        (words("Place on the turn track"), was.track, now.track),
    )
    for what, old, new in rows:
        if old != new:
            yield words("{what}: {old} → {new}", what=what, old=old, new=new)


def _at_the_end(seat: BurgundySeatView) -> int:
    return sum(points for _, points in seat.prospects)


def _regions(speech: BurgundySpeech, was: BurgundySeatView, now: BurgundySeatView) -> Iterator[str]:
    words = speech.words
    for old, new in zip(was.regions, now.regions, strict=False):
        if len(old.empty) == len(new.empty):
            continue
        name = capital(words(NAMES.regions[new.colour]))
        facts: dict[str, object] = {
            "region": f"{colour_sign(words, new.colour)} {name}",
            "size": len(new.spaces),
            "old": _covered(old),
            "new": _covered(new),
            "points": new.points or old.points,
        }
        if new.empty:
            yield words(
                "{region} of {size}: {old}/{size} → {new}/{size}, +{points} when complete", **facts
            )
        else:
            yield words("{region} of {size}: complete, +{points}", **facts)


def _covered(region: RegionView) -> int:
    return len(region.spaces) - len(region.empty)


def _colours(speech: BurgundySpeech, was: BurgundySeatView, now: BurgundySeatView) -> Iterator[str]:
    had, bonuses = dict(was.empty), dict(now.bonuses)
    for colour, left in now.empty:
        if left or not had.get(colour):
            continue
        facts = {"colour": speech.colour(colour), "points": bonuses.get(colour, 0)}
        if colour in bonuses:
            yield speech.words("All {colour} covered: +{points}", **facts)
        else:
            yield speech.words("All {colour} covered, too late for a bonus", **facts)


def _stock(speech: BurgundySpeech, was: BurgundySeatView, now: BurgundySeatView) -> Iterator[str]:
    words = speech.words
    rows = (
        (words("Goods"), speech.goods(word_of(was.goods)), speech.goods(word_of(now.goods))),
        (words("Storage"), speech.tiles(was.storage), speech.tiles(now.storage)),
    )
    for what, old, new in rows:
        if old != new:
            yield words("{what}: {old} → {new}", what=what, old=old, new=new)
