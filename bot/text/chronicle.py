"""The story of a whole game in a few lines: who led when, and what is worth remembering.

The same for every game: it is made from the points after each turn, and from what the game's words
say about its events and the weight of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

from bot.game.contract import Event, Outcome, Seat
from bot.text.contract import Names
from bot.text.game_words import AnyGameWords
from bot.text.markup import bold
from bot.text.words import Message, Words, forms, msg

MOST = 10
"""Lines of a story, including its first and last."""

AXIS = msg("Round")
_FIRST = forms("{seat} scores first: 1 point.", "{seat} scores first: {count} points.")
_LEADS = forms("{seat} takes the lead with 1 point.", "{seat} takes the lead with {count} points.")
_LEADS_FOR_GOOD = forms(
    "{seat} takes the lead for good with 1 point.",
    "{seat} takes the lead for good with {count} points.",
)


LEAD_WEIGHT = 7
TURNING_POINT = 12
"""The weight of the lead that is never lost again: above everything else."""
GAIN_WEIGHT = 6
REPEATED = 2
"""How much less each further event of one kind weighs."""


class ChronicleTurn(NamedTuple):
    """A turn not taken back: what everybody heard of it, and all points after it."""

    round: int
    seat: Seat
    events: Sequence[Event]
    scores: tuple[int, ...]


class _Line(NamedTuple):
    place: int
    weight: int
    kind: str
    text: str
    """What happened."""
    points: str
    """What it did to the points: that somebody took the lead, or scored most."""
    leader: Seat | None
    """Who took the lead."""
    to_the_end: bool


def chronicle(
    text: AnyGameWords, moments: Sequence[ChronicleTurn], outcome: Outcome, lasted: timedelta
) -> list[str]:
    """At most `MOST` lines of markdown: how long the game was, its turning points, how it ended,
    and why, where something else than the points of the story decided.
    """
    words, names = text.words, text.names
    told, leader = list[str](), None
    for line in _choose(list(_lines(text, moments, outcome)), MOST - 2):
        # Between two leads of one player another's may have had no room.
        is_repeated = line.leader is not None and line.leader == leader and not line.to_the_end
        parts = [line.text, "" if is_repeated else line.points]
        if said := " ".join(filter(None, parts)):
            told.append(f"**{round_name(words, moments[line.place].round)}** · {said}")
        leader = leader if line.leader is None else line.leader
    ended = _ended(words, outcome, names)
    if outcome.scores != moments[-1].scores:
        ended = f"{ended} {text.ending(outcome.ending)}"
    return [_played(words, moments, names, lasted), *told, ended]


def points_alt(text: AnyGameWords, moments: Sequence[ChronicleTurn]) -> str:
    """What the chart of the points shows; plain."""
    shown = msg("Chart: {what} of each player after rounds {first} to {last}. {lines}")
    ends = {moment.round: moment.scores for moment in moments[1:]}
    return chart_alt(text.words, shown, ends, text.names, what=text.scored)


def round_name(words: Words, number: int) -> str:
    """A round by its number; the time before the first has none. Plain."""
    return words("Round {round}", round=number) if number else words("Before round 1")


def chart_alt(
    words: Words, shown: Message, ends: Mapping[int, Sequence[int]], names: Names, **facts: str
) -> str:
    """What a chart shows: each player's numbers at the end of each round; plain."""
    lines = [
        words(
            "{name}: {points}.",
            name=name.plain,
            points=", ".join(str(each[seat]) for each in ends.values()),
        )
        for seat, name in enumerate(names)
    ]
    first, last = min(ends, default=0), max(ends, default=0)
    return words(shown, first=first, last=last, lines=" ".join(lines), **facts)


def _played(words: Words, moments: Sequence[ChronicleTurn], names: Names, lasted: timedelta) -> str:
    players = words.listing([bold(name) for name in names])
    time = words("in less than a day")
    if lasted.days:
        time = words.plural("over 1 day", "over {count} days", lasted.days)
    rounds = max(each.round for each in moments)
    return words.plural(
        "{players} played 1 round {time}.",
        "{players} played {count} rounds {time}.",
        rounds,
        players=players,
        time=time,
    )


def _ended(words: Words, outcome: Outcome, names: Names) -> str:
    winners = [bold(names[seat]) for seat in outcome.winners]
    points = max((outcome.scores[seat] for seat in outcome.winners), default=0)
    if len(winners) > 1:
        return words.plural(
            "🏆 {winners} share the win with {count} point each.",
            "🏆 {winners} share the win with {count} points each.",
            points,
            winners=words.listing(winners),
        )
    others = [seat for seat in range(len(outcome.scores)) if seat not in outcome.winners]
    if not others:
        return words.plural(
            "🏆 {winner} wins with {count} point.",
            "🏆 {winner} wins with {count} points.",
            points,
            winner=words.listing(winners),
        )
    most = max(outcome.scores[seat] for seat in others)
    next_best = [bold(names[seat]) for seat in others if outcome.scores[seat] == most]
    winner = words.listing(winners)
    if most == points:
        players = words.listing([*winners, *next_best])
        return words.plural(
            "🏆 {players} have {count} point each; {winner} wins the tie-break.",
            "🏆 {players} have {count} points each; {winner} wins the tie-break.",
            points,
            players=players,
            winner=winner,
        )
    other = words.listing(next_best)
    return words.plural(
        "🏆 {winner} wins with {count} point, ahead of {other} with {next}.",
        "🏆 {winner} wins with {count} points, ahead of {other} with {next}.",
        points,
        winner=winner,
        other=other,
        next=most,
    )


def _lines(
    text: AnyGameWords, moments: Sequence[ChronicleTurn], outcome: Outcome
) -> Iterator[_Line]:
    """One line for each turn worth telling."""
    words, names = text.words, text.names
    leads = _leads(moments)
    to_the_end = _kept(moments, leads, outcome)
    best = max((gain for _, gain in map(_gain, moments, moments[1:])), default=0)
    for place, moment in enumerate(moments):
        event = _remembered(text, moment.events, place in leads)
        weight = 0 if event is None else text.weight(event)
        told = "".join(text.story([event])) if event is not None and weight else ""
        kind = event.kind if event is not None and told else "points"
        points = ""
        seats, gain = _gain(moments[place - 1], moment) if place else ([], 0)
        if place in leads:
            seat, count = leads[place], max(moment.scores)
            said = _FIRST if place == min(leads) else _LEADS
            weight = max(weight, LEAD_WEIGHT)
            if place == to_the_end:
                said, weight = _LEADS_FOR_GOOD, TURNING_POINT
            points = words.phrase(said, count, seat=bold(names[seat]))
        elif gain == best > 1:
            points = _gained(words, [bold(names[seat]) for seat in seats], gain)
            weight, best = max(weight, GAIN_WEIGHT), 0
        if told or points:
            leader = leads.get(place)
            yield _Line(place, weight, kind, told, points, leader, place == to_the_end)


def _leads(moments: Sequence[ChronicleTurn]) -> dict[int, Seat]:
    """Who took the sole lead, by the index of the turn."""
    leads: dict[int, Seat] = {}
    leader: Seat | None = None
    for place, moment in enumerate(moments):
        most = max(moment.scores, default=0)
        ahead = [seat for seat, points in enumerate(moment.scores) if points == most]
        if most > 0 and len(ahead) == 1 and ahead[0] != leader:
            leader = leads[place] = ahead[0]
    return leads


def _kept(moments: Sequence[ChronicleTurn], leads: dict[int, Seat], outcome: Outcome) -> int | None:
    """The index of the last lead, if whoever took it was ahead of all when the game was won."""
    if not leads:
        return None
    final, winner = moments[-1].scores, leads[max(leads)]
    alone = final.count(max(final)) == 1 and final[winner] == max(final)
    return max(leads) if alone and outcome.winners == (winner,) else None


def _remembered(text: AnyGameWords, events: Sequence[Event], scored: bool) -> Event | None:
    """The weightiest event of a turn; one that scored, where points are the story."""
    return max(
        reversed(events),
        key=lambda event: (scored and "points" in event.facts, text.weight(event)),
        default=None,
    )


def _gain(before: ChronicleTurn, after: ChronicleTurn) -> tuple[list[Seat], int]:
    """Who scored most in a turn, and how many points."""
    gains = [b - a for a, b in zip(before.scores, after.scores, strict=True)]
    most = max(gains, default=0)
    return [seat for seat, gain in enumerate(gains) if gain == most], most


def _gained(words: Words, seats: Sequence[str], points: int) -> str:
    if len(seats) == 1:
        return words.plural(
            "{seat} scores 1 point in one turn, the most of the game.",
            "{seat} scores {count} points in one turn, the most of the game.",
            points,
            seat=seats[0],
        )
    return words.plural(
        "{seats} score 1 point each in one turn, the most of the game.",
        "{seats} score {count} points each in one turn, the most of the game.",
        points,
        seats=words.listing(seats),
    )


def _choose(lines: Sequence[_Line], most: int) -> list[_Line]:
    """The weightiest lines, each kind losing weight as it repeats; ties go to the one furthest from
    those chosen."""
    left, chosen = list(lines), list[_Line]()

    def worth(line: _Line) -> tuple[int, int]:
        alike = sum(each.kind == line.kind for each in chosen)
        far = min((abs(each.place - line.place) for each in chosen), default=line.place)
        return line.weight - REPEATED * alike, far

    while left and len(chosen) < most:
        chosen.append(max(left, key=worth))
        left.remove(chosen[-1])
    return sorted(chosen)
