"""The story of a finished game in a few lines: changes of the lead and memorable events.

It works for every game, from the points after each turn and the weight that the game's words give
to each event.
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

MAX_LINES = 10
"""Maximum lines of a story, including the first and the last."""
MAX_TURNING_POINTS = 3

AXIS = msg("Round")
_FIRST = forms("{seat} scores first: 1 point.", "{seat} scores first: {count} points.")
_LEADS = forms("{seat} takes the lead with 1 point.", "{seat} takes the lead with {count} points.")
_LEADS_FOR_GOOD = forms(
    "{seat} takes the lead for good with 1 point.",
    "{seat} takes the lead for good with {count} points.",
)


LEAD_WEIGHT = 7
TURNING_POINT = 12
"""Weight of taking the lead for good: higher than any other."""
GAIN_WEIGHT = 6
REPETITION_PENALTY = 2
"""Weight lost for each earlier line of the same kind."""


class ChronicleTurn(NamedTuple):
    """A turn that was not undone: its public events, and all points after it."""

    round: int
    seat: Seat
    events: Sequence[Event]
    scores: tuple[int, ...]


class Highlight(NamedTuple):
    """What made a turn memorable; `place` is the turn's index."""

    place: int
    weight: int
    kind: str
    event: str
    """The turn's most memorable event as a sentence, or ""."""
    points: str
    """A sentence about a new lead or the highest gain, or ""."""
    seat: Seat
    """The new leader, the seat that gains most, or that of the event."""
    leader: Seat | None
    """The new leader."""
    for_good: bool

    @property
    def content(self) -> str:
        """The sentences."""
        return " ".join(filter(None, (self.event, self.points)))


def chronicle(
    text: AnyGameWords, turns: Sequence[ChronicleTurn], outcome: Outcome, lasted: timedelta
) -> list[str]:
    """Return at most `MAX_LINES` lines of markdown: the length of the game, its turning points and
    its result. If the final scores differ from those after the last turn, the result says why.
    """
    words, names = text.words, text.names
    story, leader = list[str](), None
    for line in _choose(list(_lines(text, turns, outcome)), MAX_LINES - 2):
        # Another player's lead in between may have been left out.
        is_repeated = line.leader is not None and line.leader == leader and not line.for_good
        parts = [line.event, "" if is_repeated else line.points]
        if content := " ".join(filter(None, parts)):
            story.append(f"**{round_name(words, turns[line.place].round)}** · {content}")
        leader = leader if line.leader is None else line.leader
    result = _result(words, outcome, names)
    if outcome.scores != turns[-1].scores:
        result = f"{result} {text.ending(outcome.ending)}"
    return [_length(words, turns, names, lasted), *story, result]


def turning_points(
    text: AnyGameWords, turns: Sequence[ChronicleTurn], outcome: Outcome
) -> list[Highlight]:
    """Return the weightiest lines of the story, at most `MAX_TURNING_POINTS`, in order; plain."""
    return _choose(list(_lines(text.plain, turns, outcome)), MAX_TURNING_POINTS)


def points_alt(text: AnyGameWords, turns: Sequence[ChronicleTurn]) -> str:
    """Return the alt text of the chart of points."""
    shown = msg("Chart: {what} of each player after rounds {first} to {last}. {lines}")
    ends = {turn.round: turn.scores for turn in turns[1:]}
    return chart_alt(text.words, shown, ends, text.names, what=text.scored)


def round_name(words: Words, number: int) -> str:
    """Return the name of a round, plain. Round 0 is the time before the first round."""
    return words("Round {round}", round=number) if number else words("Before round 1")


def turn_name(words: Words, round_: int, turn: int, count: int) -> list[str]:
    """Return plain texts for the round and the number of a turn; the set-up has number 0."""
    if not turn:
        return [words("Set-up")]
    number = words.plural("turn {turn} of {count}", "turn {turn} of {count}", count, turn=turn)
    return [round_name(words, round_), number]


def chart_alt(
    words: Words, shown: Message, ends: Mapping[int, Sequence[int]], names: Names, **facts: str
) -> str:
    """Return the alt text of a chart: each player's numbers at the end of each round."""
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


def _length(words: Words, turns: Sequence[ChronicleTurn], names: Names, lasted: timedelta) -> str:
    players = words.listing([bold(name) for name in names])
    time = words("in less than a day")
    if lasted.days:
        time = words.plural("over 1 day", "over {count} days", lasted.days)
    rounds = max(turn.round for turn in turns)
    return words.plural(
        "{players} played 1 round {time}.",
        "{players} played {count} rounds {time}.",
        rounds,
        players=players,
        time=time,
    )


def _result(words: Words, outcome: Outcome, names: Names) -> str:
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
    next_points = max(outcome.scores[seat] for seat in others)
    next_best = [bold(names[seat]) for seat in others if outcome.scores[seat] == next_points]
    winner = words.listing(winners)
    if next_points == points:
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
        next=next_points,
    )


def _lines(
    text: AnyGameWords, turns: Sequence[ChronicleTurn], outcome: Outcome
) -> Iterator[Highlight]:
    words, leads = text.words, _leads(turns)
    lead_for_good = _lead_for_good(turns, leads, outcome)
    best = max((gain for _, gain in map(_gain, turns, turns[1:])), default=0)
    for place, turn in enumerate(turns):
        event = _most_memorable(text, turn.events, place in leads)
        weight = 0 if event is None else text.weight(event)
        story = "".join(text.story([event])) if event is not None and weight else ""
        kind = event.kind if event is not None and story else "points"
        points = ""
        seat = max(turn.seat, 0) if event is None or event.by is None else event.by
        seats, gain = _gain(turns[place - 1], turn) if place else ([], 0)
        if place in leads:
            seat, count = leads[place], max(turn.scores)
            phrase = _FIRST if place == min(leads) else _LEADS
            weight = max(weight, LEAD_WEIGHT)
            if place == lead_for_good:
                phrase, weight = _LEADS_FOR_GOOD, TURNING_POINT
            points = words.phrase(phrase, count, seat=text.seat(seat))
        elif gain == best > 1:
            seat = seats[0]
            points = _gained(words, list(map(text.seat, seats)), gain)
            weight, best = max(weight, GAIN_WEIGHT), 0
        if story or points:
            leader = leads.get(place)
            yield Highlight(
                place, weight, kind, story, points, seat, leader, place == lead_for_good
            )


def _leads(turns: Sequence[ChronicleTurn]) -> dict[int, Seat]:
    """Return each player who took the sole lead, by the index of the turn."""
    leads: dict[int, Seat] = {}
    leader: Seat | None = None
    for place, turn in enumerate(turns):
        highest = max(turn.scores, default=0)
        ahead = [seat for seat, points in enumerate(turn.scores) if points == highest]
        if highest > 0 and len(ahead) == 1 and ahead[0] != leader:
            leader = leads[place] = ahead[0]
    return leads


def _lead_for_good(
    turns: Sequence[ChronicleTurn], leads: dict[int, Seat], outcome: Outcome
) -> int | None:
    """Return the index of the last new lead, if that player was still ahead and won."""
    if not leads:
        return None
    final, winner = turns[-1].scores, leads[max(leads)]
    alone = final.count(max(final)) == 1 and final[winner] == max(final)
    return max(leads) if alone and outcome.winners == (winner,) else None


def _most_memorable(text: AnyGameWords, events: Sequence[Event], scored: bool) -> Event | None:
    """Return the weightiest event of a turn. With `scored`, events with points come first."""
    return max(
        reversed(events),
        key=lambda event: (scored and "points" in event.facts, text.weight(event)),
        default=None,
    )


def _gain(before: ChronicleTurn, after: ChronicleTurn) -> tuple[list[Seat], int]:
    """Return the seats that scored most in a turn, and their points."""
    gains = [b - a for a, b in zip(before.scores, after.scores, strict=True)]
    best = max(gains, default=0)
    return [seat for seat, gain in enumerate(gains) if gain == best], best


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


def _choose(lines: Sequence[Highlight], limit: int) -> list[Highlight]:
    """Return the weightiest lines in order. Repeated kinds lose weight; ties go to the line that is
    furthest from those already chosen."""
    remaining, chosen = list(lines), list[Highlight]()

    def rank(line: Highlight) -> tuple[int, int]:
        repetitions = sum(each.kind == line.kind for each in chosen)
        distance = min((abs(each.place - line.place) for each in chosen), default=line.place)
        return line.weight - REPETITION_PENALTY * repetitions, distance

    while remaining and len(chosen) < limit:
        chosen.append(max(remaining, key=rank))
        remaining.remove(chosen[-1])
    return sorted(chosen)
