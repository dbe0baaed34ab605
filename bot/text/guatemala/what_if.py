"""What planned actions would change: now and after."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.contract import Seat
from bot.game.guatemala.data import COLOUR_KEYS
from bot.game.guatemala.view import GuatemalaView, PlantationView
from bot.text.game_words import Change
from bot.text.guatemala import figures
from bot.text.guatemala.board_text import plantation_in_short
from bot.text.guatemala.figures import HUT
from bot.text.guatemala.speech import GuatemalaSpeech
from bot.text.markup import capital
from bot.text.what_if import gains_first


def changes(speech: GuatemalaSpeech, before: GuatemalaView, after: GuatemalaView) -> list[str]:
    """A line for everything of the observer's that differs, and for the harvests of others; none
    for a spectator."""
    if after.observer < 0:
        return []
    seats = range(len(after.seats))
    others = (seat for seat in seats if seat != after.observer)
    return gains_first(
        [
            *_counts(speech, before, after),
            *_own(speech, before, after),
            *(each for seat in others for each in _harvests(speech, before, after, seat)),
        ]
    )


def _counts(
    speech: GuatemalaSpeech, before: GuatemalaView, after: GuatemalaView
) -> Iterator[Change]:
    words, was, now = speech.words, before.seats[after.observer], after.seats[after.observer]
    rows = (
        (words("Points"), was.score, now.score),
        (words("Money"), was.money, now.money),
        (words("Sacks"), was.sacks, now.sacks),
    )
    for what, old, new in rows:
        if old != new:
            yield Change(words("{what}: {old} → {new}", what=what, old=old, new=new), new - old)


def _own(speech: GuatemalaSpeech, before: GuatemalaView, after: GuatemalaView) -> Iterator[Change]:
    """The harvests, what else was built, and the ways of huts to ports."""
    yield from _harvests(speech, before, after, after.observer)
    for colour in COLOUR_KEYS:
        was, now = _both(before, after, after.observer, colour)
        if was.points == now.points and (was.hut, was.workers) != (now.hut, now.workers):
            yield Change(capital(plantation_in_short(speech, now)), 1)
        if now.hut is None or now.ports:
            continue
        old = None if was.hut is None else figures.roads_missing(before, was.hut)
        new = figures.roads_missing(after, now.hut)
        if new is not None and new != old:
            hut = capital(speech.piece(HUT, colour))
            said = speech.words("{hut}: {roads}", hut=hut, roads=speech.short_of(*new))
            yield Change(said, 1)


def _harvests(
    speech: GuatemalaSpeech, before: GuatemalaView, after: GuatemalaView, seat: Seat
) -> Iterator[Change]:
    """What the plantations of a seat would score, where that differs."""
    for colour in COLOUR_KEYS:
        was, now = _both(before, after, seat, colour)
        if was.points == now.points:
            continue
        facts = {"plantation": speech.plantation(colour), "old": was.points, "new": now.points}
        if seat == after.observer:
            said = capital(speech.words("{plantation}, next harvest: {old} → {new}", **facts))
            yield Change(said, now.points - was.points)
        else:
            facts["seat"] = speech.seat(seat)
            said = speech.words("{seat}, {plantation}, next harvest: {old} → {new}", **facts)
            yield Change(said, was.points - now.points)


def _both(
    before: GuatemalaView, after: GuatemalaView, seat: Seat, colour: str
) -> tuple[PlantationView, PlantationView]:
    return before.seats[seat].plantation(colour), after.seats[seat].plantation(colour)
