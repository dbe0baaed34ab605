"""What planned actions would change: now and after."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.contract import Seat
from bot.game.flandern.data import EMBLEM_KEYS, GUILDS
from bot.game.flandern.view import FlandernCityView, FlandernView, StandingView
from bot.text.flandern.speech import FlandernSpeech
from bot.text.what_if import Change, gains_first


def changes(speech: FlandernSpeech, before: FlandernView, after: FlandernView) -> list[str]:
    """A line for points and cards of the observer that differ, and for each city; none for a
    spectator."""
    if after.observer < 0:
        return []
    cities = zip(before.cities, after.cities, strict=True)
    changed = (Change(line) for was, now in cities for line in _city(speech, was, now))
    return gains_first([*_counts(speech, before, after), *changed])


def _counts(speech: FlandernSpeech, before: FlandernView, after: FlandernView) -> Iterator[Change]:
    words, seat = speech.words, after.observer
    was, now = before.seats[seat], after.seats[seat]
    rows = (
        (words("Points"), was.score, now.score),
        (words("Points if all cities were scored now"), _all(before, seat), _all(after, seat)),
        (words("Influence cards"), was.influence or 0, now.influence or 0),
    )
    for what, old, new in rows:
        if old != new:
            yield Change(words("{what}: {old} → {new}", what=what, old=old, new=new), new - old)


def _all(view: FlandernView, seat: Seat) -> int:
    """What a seat has scored, and would score in each city that is still to be."""
    own = view.seats[seat].guilds
    still = (city.standings for city in view.cities if not city.scored)
    return view.seats[seat].score + sum(
        each.points for standings in still for each in standings if each.guild in own
    )


def _city(speech: FlandernSpeech, was: FlandernCityView, now: FlandernCityView) -> Iterator[str]:
    """What a city is worth, what each guild would score there, and who is first now."""
    words, parts = speech.words, []
    if was.value != now.value:
        parts.append(words("worth {old} → {new}", old=was.value, new=now.value))
    old, new = ({each.guild: each.points for each in city.standings} for city in (was, now))
    for guild in EMBLEM_KEYS[:GUILDS]:
        points = old.get(guild, 0), new.get(guild, 0)
        if points[0] != points[1]:
            facts = {"guild": speech.emblem(guild), "old": points[0], "new": points[1]}
            parts.append(words("{guild} {old} → {new}", **facts))
    first = _first(now.standings)
    if first and first != _first(was.standings):
        guilds = words.listing([speech.emblem(guild) for guild in first])
        parts.append(
            words.plural("{guilds} leads", "{guilds} share the lead", len(first), guilds=guilds)
        )
    if parts:
        yield words("{city}: {said}", city=speech.city(now.city), said="; ".join(parts))


def _first(standings: tuple[StandingView, ...]) -> list[str]:
    """Who shares the first place."""
    best = min((each.rank for each in standings), default=0)
    return [each.guild for each in standings if each.rank == best]
