"""Setup: cities, quarters, guilds and cards (rules: setup, two_players)."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.choices import OneOf
from bot.game.contract import Chance, Event, Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.flandern.cards import begin_round, dealt_golden
from bot.game.flandern.city import new_city
from bot.game.flandern.data import (
    CITIES,
    CONTENT,
    DECK_CARDS,
    EMBLEM_KEYS,
    EMBLEM_OF_CITY,
    EMBLEM_OF_KEY,
    EMBLEMS,
    GOLDEN,
    HOME,
    PLAYER_GUILDS,
    SITE,
    TAKE,
    stock_of,
)
from bot.game.flandern.state import (
    ControlChoice,
    FlandernPlayer,
    FlandernRules,
    FlandernState,
    GuildChoice,
    TwoActions,
    cities_in_play,
    two_players,
)
from bot.game.frames import question_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule


class GuildChosen(SeatEvent, frozen=True):
    """A seat chose its guild."""

    guild: str


class ControlChosen(SeatEvent, frozen=True):
    """In a two-player game, a seat also took the points of a second guild."""

    guild: str


class CityMissing(Event, frozen=True):
    """In a three-player game, the city of the unchosen guild was removed."""

    city: str


def set_up(seats: int, options: Mapping[str, str], chance: Chance) -> FlandernState:
    """Return the state at its first question: a guild, or the first choice of cards."""
    first = 0
    if options.get("first_player") != "first_seat":
        first = chance.draw("first player", [1] * seats)
    decks = int(options.get("golden_cities", next(iter(GOLDEN))))
    state = FlandernState(
        rules=FlandernRules(decks, any_bonus=options.get("bonus") == "any"),
        players=[FlandernPlayer() for _ in range(seats)],
        cities=[new_city(EMBLEM_OF_CITY[city]) for city in range(len(CITIES))],
        stock=[stock_of(emblem) for emblem in range(EMBLEMS)],
        site_pieces=CONTENT.site_pieces,
        first=first,
        turn=first,
        frames=[GuildChoice()],
    )
    recorder = EventRecorder(chance)
    while options.get("guilds") == "drawn" and question_of(state) in CHOOSE_GUILD:
        free = free_guilds(state)
        guild = free[chance.draw(f"guild of seat {state.turn}", [1] * len(free))]
        CHOOSE_GUILD[question_of(state)](state, state.turn, recorder, EMBLEM_KEYS[guild])
    return state


def free_guilds(state: FlandernState) -> list[int]:
    """Return the player guilds that are still free."""
    taken = {guild for player in state.players for guild in player.guilds}
    return [guild for guild in range(PLAYER_GUILDS) if guild not in taken]


# Guilds


def _guilds(state: FlandernState, seat: Seat) -> OneOf:
    return OneOf("guild", tuple([EMBLEM_KEYS[guild] for guild in free_guilds(state)]))


def _choose(state: FlandernState, seat: Seat, recorder: EventRecorder, guild: str) -> None:
    """Choose a guild, clockwise from the first player. The last player gets the remaining one if
    there is no choice."""
    state.players[seat].guild = EMBLEM_OF_KEY[guild]
    recorder.record(GuildChosen(seat=seat, guild=guild))
    state.turn = (seat + 1) % len(state.players)
    if state.turn != state.first:
        free = free_guilds(state)
        if len(free) == 1:
            _choose(state, state.turn, recorder, EMBLEM_KEYS[free[0]])
    elif two_players(state):
        state.turn = (state.first + 1) % 2
        state.frames = [ControlChoice()]
    else:
        # In a three-player game remove a guild, its city and the cards of that city (ruling 38).
        for left in free_guilds(state):
            state.stock[left] = [0] * len(state.stock[left])
            state.cities[HOME[left]] = None
            recorder.record(CityMissing(city=CITIES[HOME[left]]))
        _deal(state, recorder)


def _why_not_guild(state: FlandernState, seat: Seat, word: str) -> Refusal:
    return refuse("guild_taken", guild=word)


GUILD: Rule[FlandernState] = (
    rule("guild", "setup")
    .word("guild", _guilds, _why_not_guild, EMBLEM_KEYS[:PLAYER_GUILDS])
    .does(_choose)
)


def _control(state: FlandernState, seat: Seat, recorder: EventRecorder, guild: str) -> None:
    """Choose a second guild. The starting player gets the other one (ruling 39)."""
    state.players[seat].controlled = EMBLEM_OF_KEY[guild]
    recorder.record(ControlChosen(seat=seat, guild=guild))
    (left,) = free_guilds(state)
    state.players[state.first].controlled = left
    recorder.record(ControlChosen(seat=state.first, guild=EMBLEM_KEYS[left]))
    _deal(state, recorder)


CONTROL: Rule[FlandernState] = (
    rule("control", "two_players")
    .word("guild", _guilds, _why_not_guild, EMBLEM_KEYS[:PLAYER_GUILDS])
    .does(_control)
)


CHOOSE_GUILD = {"guild": _choose, "control": _control}


def _deal(state: FlandernState, recorder: EventRecorder) -> None:
    """Deal the cards, then begin the first round."""
    cities = [city.number for city in cities_in_play(state)]
    for player in state.players:
        player.hand = [*cities, SITE, TAKE]
    state.turn = state.first
    if two_players(state):
        state.deck = [[1] * DECK_CARDS for _ in state.players]
        state.discards = [[0] * DECK_CARDS for _ in state.players]
        state.round = 1
        state.frames = [TwoActions()]
        return
    for player in state.players:
        player.influence = CONTENT.influence
    state.cathedral_pieces, state.leader_pieces = CONTENT.cathedrals, CONTENT.leaders
    state.golden = dealt_golden(state)
    begin_round(state, recorder)
