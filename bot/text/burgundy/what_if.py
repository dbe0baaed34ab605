"""What planned actions would change for who plans them: now and after."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.burgundy.view import BurgundySeatView, BurgundyView, RegionView
from bot.text.burgundy.speech import BurgundySpeech, word_of
from bot.text.burgundy.tiles import NAMES, colour_sign
from bot.text.game_words import Change
from bot.text.markup import capital
from bot.text.what_if import gains_first


def changes(speech: BurgundySpeech, before: BurgundyView, after: BurgundyView) -> list[str]:
    """A line for everything of the observer's that differs; none for a spectator. What an event
    says as a reason, as that a region is complete, is left to it."""
    if after.observer < 0:
        return []
    was, now = before.seats[after.observer], after.seats[after.observer]
    return gains_first(
        [*_counts(speech, was, now), *_regions(speech, was, now), *_goods(speech, was, now)]
    )


def _counts(
    speech: BurgundySpeech, was: BurgundySeatView, now: BurgundySeatView
) -> Iterator[Change]:
    words = speech.words
    rows = (
        (words("Points"), was.total, now.total),
        (words("Points still to come at the end"), _at_the_end(was), _at_the_end(now)),
        (words("Workers"), was.workers, now.workers),
        (words("Silverlings"), was.silverlings, now.silverlings),
        (words("Space on the turn track"), was.track, now.track),
    )
    for what, old, new in rows:
        if old != new:
            yield Change(words("{what}: {old} → {new}", what=what, old=old, new=new), new - old)


def _at_the_end(seat: BurgundySeatView) -> int:
    return sum(points for _, points in seat.prospects)


def _regions(
    speech: BurgundySpeech, was: BurgundySeatView, now: BurgundySeatView
) -> Iterator[Change]:
    words = speech.words
    for old, new in zip(was.regions, now.regions, strict=False):
        if not new.empty or len(old.empty) == len(new.empty):
            continue
        name = capital(words(NAMES.regions[new.colour]))
        said = words(
            "{size}-space {region}: {old}/{size} → {new}/{size}, +{points} when complete",
            region=f"{colour_sign(words, new.colour)} {name}",
            size=len(new.spaces),
            old=_covered(old),
            new=_covered(new),
            points=new.points or old.points,
        )
        yield Change(said, 1)


def _covered(region: RegionView) -> int:
    return len(region.spaces) - len(region.empty)


def _goods(
    speech: BurgundySpeech, was: BurgundySeatView, now: BurgundySeatView
) -> Iterator[Change]:
    words = speech.words
    old, new = (speech.goods(word_of(each.goods)) for each in (was, now))
    if old != new:
        gain = sum(now.goods) - sum(was.goods)
        what = words("Goods")
        yield Change(words("{what}: {old} → {new}", what=what, old=old, new=new), gain)
