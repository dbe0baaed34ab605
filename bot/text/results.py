"""Results in words: people's statistics, leaderboards, and two people compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from bot.text.markup import bold
from bot.text.user_text import Name
from bot.text.words import Message, Words, forms, msg

TRUST: Mapping[str, Message] = {
    "new": msg("very rough estimate"),
    "vague": msg("rough estimate"),
    "fair": msg("fairly reliable"),
    "firm": msg("reliable"),
}
"""How much a rating tells."""

STATS = msg("Results of {name}")
STATS_EVERYWHERE = msg("Results of {name} on all servers")
NONE = msg("No results of {name} here yet. Only games finished by at least two people count.")
OWN_OFF = msg(
    "Your statistics are off, so no one can see your results. Turn them on with `/me set "
    "statistics:`."
)
LEADERBOARD = msg("**Leaderboard: {game}**")
LEADERBOARD_NONE = msg(
    "No ratings for {game} here yet. Only games finished by at least two people count."
)
LEADERBOARD_HOW = msg(
    "-# Ratings are cautious estimates: they start at 1000 and rise as you win and as you "
    "play more."
)
UNRATED = msg("This game doesn't count for ratings: fewer than two people played its last third.")
RATING_HERE = msg("-# Each server has its own ratings. Use this command there to see yours.")
BETWEEN = msg("{name} vs. {other}")
NEVER_MET = msg("{name} and {other} haven't finished a game together here.")
CHART = msg("{name}: rating")
ACROSS = msg("games")
PAGE = msg("-# {first}–{last} of {count}")
BACK = msg("Higher ranks")
ON = msg("Lower ranks")
FORMER = msg("Former player")

_GAMES = forms("{count} game", "{count} games")
_WINS = forms("{count} win", "{count} wins")
_RESIGNED = forms("{count} resigned", "{count} resigned")
_AVERAGE = msg("{points} points on average")
_STREAK = forms("{count} win in a row", "{count} wins in a row")
_LONGEST = forms("best streak: {count} win", "best streak: {count} wins")
_RATING = msg("Rating {points} ({trust})")
_PACE = msg("{time} per move on average")
_MEETING = msg("{name} ahead in {ahead}, {other} in {behind}, tied in {even}; last played {when}")
_STANDING = msg("{place}. {name} · {points} ({trust}) · {games}, {wins}")
_YOU = msg("You: {standing}")
_ALT_LINE = msg("{game}: {first} after the first rated game, {last} after {games}; peak {most}.")
_ALT = msg("Chart of {name}'s rating over time.")
_MINUTES = forms("{count} minute", "{count} minutes")
_HOURS = forms("{count} hour", "{count} hours")
_DAYS = forms("{count} day", "{count} days")
_MOMENT = msg("less than a minute")


def tally(
    words: Words,
    game: str,
    *,
    games: int,
    wins: int,
    resigned: int,
    average: float | None,
    streak: int,
    longest: int,
    rating: tuple[int, str] | None,
    pace: timedelta | None,
) -> str:
    """Somebody's results in one game, in a few lines. A rating has points and confidence."""
    done = [words.phrase(_GAMES, games), words.phrase(_WINS, wins)]
    if resigned:
        done.append(words.phrase(_RESIGNED, resigned))
    more = []
    if average is not None:
        more.append(words(_AVERAGE, points=words.number(average)))
    if streak > 1:
        more.append(words.phrase(_STREAK, streak))
    if longest > max(1, streak):
        more.append(words.phrase(_LONGEST, longest))
    lines = [f"{bold(game)} · {', '.join(done)}", *([" · ".join(more)] if more else [])]
    last = []
    if rating is not None:
        points, trust = rating
        last.append(words(_RATING, points=points, trust=words(TRUST[trust])))
    if pace is not None:
        last.append(words(_PACE, time=span(words, pace)))
    return "\n".join([*lines, *([" · ".join(last)] if last else [])])


def meeting(
    words: Words, game: str, name: str, other: str, ahead: int, behind: int, even: int, when: str
) -> str:
    """One person's results against another in one game."""
    games = words.phrase(_GAMES, ahead + behind + even)
    wins = words(_MEETING, name=name, other=other, ahead=ahead, behind=behind, even=even, when=when)
    return f"{bold(game)} · {games}: {wins}"


def standing(
    words: Words, *, place: int, name: Name, points: int, trust: str, games: int, wins: int
) -> str:
    """A line of a leaderboard."""
    return words(
        _STANDING,
        place=place,
        name=bold(name),
        points=points,
        trust=words(TRUST[trust]),
        games=words.phrase(_GAMES, games),
        wins=words.phrase(_WINS, wins),
    )


def own(words: Words, line: str) -> str:
    """The reader's own line, where the page does not show it."""
    return words(_YOU, standing=line)


def alt(words: Words, name: str, lines: Mapping[str, Sequence[int]]) -> str:
    """The description of a chart of ratings, by game."""
    described = [
        words(
            _ALT_LINE,
            game=game,
            first=values[0],
            last=values[-1],
            most=max(values),
            games=words.phrase(_GAMES, len(values)),
        )
        for game, values in lines.items()
    ]
    return " ".join([words(_ALT, name=name), *described])


def span(words: Words, time: timedelta) -> str:
    """A length of time in its two largest units: 2 days and 3 hours."""
    minutes = round(time.total_seconds() / 60)
    days, hours = minutes // (24 * 60), minutes // 60 % 24
    parts = [(days, _DAYS), (hours, _HOURS), (minutes % 60, _MINUTES)]
    units = [words.phrase(form, count) for count, form in parts if count]
    # Minutes are left out where there are days.
    return words.listing(units[:2] if not days else units[: 1 + (hours > 0)]) or words(_MOMENT)
