"""Phase 2: the first player moves the guild master, who brings goods and ends the game."""

from __future__ import annotations

from bot.game.choices import OneOf
from bot.game.contract import Refusal, Seat
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.kogge.data import CITIES, CITY_GOOD, CONTENT, GOOD_KEYS
from bot.game.kogge.events import GuildMasterBrought, GuildMasterMoved, LapCompleted
from bot.game.kogge.rules.ending import end_game
from bot.game.kogge.rules.taxes import begin_taxes
from bot.game.kogge.state import Movement, State

TOPIC = "guild_master"


def walk(state: State, steps: int) -> tuple[int, int]:
    """Where `steps` lead the guild master, and how often that reaches or passes the end marker.

    Cities with any Raid do not count as steps, but walking over the end marker there counts
    (ruling 12). Where every other city is raided, a step leads around to his own (ruling 58).
    """
    city, laps = state.guild_city, 0
    while steps:
        city = (city + 1) % CITIES
        laps += city == state.end_city
        steps -= not state.cities[city].raids
    return city, laps


def _gate(state: State, seat: Seat) -> Refusal | None:
    return None


def _steps(state: State, seat: Seat) -> OneOf:
    return OneOf("steps", ("1", "2"))


def _advance(state: State, seat: Seat, recorder: EventRecorder, steps: str) -> None:
    """The second lap ends the game at once: no goods are brought any more (ruling 13)."""
    state.guild_city, passed = walk(state, int(steps))
    recorder.tell(GuildMasterMoved(seat=seat, city=state.guild_city, count=int(steps)))
    for _ in range(passed):
        state.laps += 1
        recorder.tell(LapCompleted(count=state.laps))
        if state.laps == CONTENT.laps_to_end:
            end_game(state, "laps", recorder)
            return
    good = CITY_GOOD[state.guild_city]
    count = min(CONTENT.guild_goods, state.reserve[good])
    state.reserve[good] -= count
    state.cities[state.guild_city].goods[good] += count
    recorder.tell(GuildMasterBrought(city=state.guild_city, good=GOOD_KEYS[good], count=count))
    state.frames = [Movement(state.players[seat].city)]
    if state.rules.taxes:
        begin_taxes(state, recorder)


ADVANCE: Rule[State] = rule("advance", TOPIC, _gate).word("steps", _steps).does(_advance)
