"""The old view, built from a state."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.contract import Observer, Seat
from bot.game.flandern.cards import DECKS
from bot.game.flandern.city import (
    NONE,
    FlandernCity,
    copy_of,
    emblem_key,
    quarters,
    standings,
    value,
)
from bot.game.flandern.data import (
    CARDS,
    CONTENT,
    EMBLEM_KEYS,
    EMBLEM_OF_CITY,
    HOME,
    TILES,
)
from bot.game.flandern.plan import CITIES, PLACE_NAMES
from bot.game.flandern.scoring import outcome, score_of
from bot.game.flandern.state import (
    CardChoice,
    CityAction,
    FlandernState,
    SiteAction,
    TwoActions,
    cities_in_play,
    idle_turns,
)
from bot.game.flandern.view import (
    ActionView,
    FlandernCityView,
    FlandernSeatView,
    FlandernView,
    GuildView,
    QuarterView,
    StandingView,
)
from bot.game.frames import question_of
from bot.game.sides import clockwise


def view(
    state: FlandernState, observer: Observer, known: FlandernState, active: tuple[int, ...]
) -> FlandernView:
    """The table as the observer may know it."""
    seats = len(state.players)
    turn = next((frame for frame in state.frames if isinstance(frame, TwoActions)), TwoActions())
    golden = state.golden_card != NONE and (state.revealed or observer == state.first)
    covered = sum(city.covered.bit_count() for city in cities_in_play(state))
    drawn, card = state.drawn
    return FlandernView(
        observer=observer,
        known=known,
        asked=question_of(state),
        active=active,
        round=state.round,
        first=state.first,
        turn=state.turn,
        order=tuple(state.order) or clockwise(state.first, seats),
        acted=state.acted,
        cities=tuple(_city(number, city) for number, city in enumerate(state.cities)),
        stock=tuple(map(tuple, state.stock)),
        sites=state.site_pieces,
        cathedrals=state.cathedral_pieces,
        leaders=state.leader_pieces,
        covers=max(CONTENT.covers - covered, 0),
        action=_action(state),
        golden_left=tuple(map(sum, state.golden)),
        golden_deck="" if state.golden_deck == NONE else DECKS[state.golden_deck],
        golden_card=CARDS[state.golden_card] if golden else None,
        revealed=state.revealed,
        golden_out=tuple(
            CARDS[card] for card, count in enumerate(state.golden_out) for _ in range(count)
        ),
        deck=sum(map(sum, state.deck)),
        discards=tuple(_discards(state)),
        drawn=None if drawn == NONE else (EMBLEM_KEYS[drawn], CARDS[card]),
        played=turn.played,
        has_drawn=turn.drawn,
        still=idle_turns(state),
        has_built=state.idle < 0,
        golden_cities=state.rules.golden_cities,
        any_bonus=state.rules.any_bonus,
        guilds=tuple(_guilds(state)),
        seats=tuple(_seat(state, seat, shown=seat == observer) for seat in range(seats)),
        outcome=outcome(state),
    )


def _city(number: int, city: FlandernCity | None) -> FlandernCityView:
    key = CITIES[number]
    if city is None:
        home = EMBLEM_KEYS[EMBLEM_OF_CITY[number]]
        return FlandernCityView(key, home, False, False, (), (), (), 0, (), None)
    return FlandernCityView(
        city=key,
        home=EMBLEM_KEYS[city.home],
        in_play=True,
        scored=city.scored,
        quarters=tuple(_quarters(city)),
        free=city.places(city.free),
        covered=city.places(city.covered),
        value=value(city),
        standings=tuple(
            [StandingView(EMBLEM_KEYS[each[0]], *each[1:]) for each in standings(city)]
        ),
        plots=copy_of(city),
    )


def _quarters(city: FlandernCity) -> Iterator[QuarterView]:
    names = PLACE_NAMES[city.number]
    for each in quarters(city):
        yield QuarterView(
            place=names[each.plot],
            emblem=EMBLEM_KEYS[each.emblem],
            kind="" if each.kind == NONE else TILES[each.kind],
            site=each.site,
            cathedral=each.cathedral,
            printed=each.printed_leaders,
            leaders=each.placed_leaders,
            bar="" if each.bar == NONE else names[each.bar],
        )


def _action(state: FlandernState) -> ActionView | None:
    frame = state.frames[-1]
    if not isinstance(frame, (CityAction, SiteAction)):
        return None
    city = CITIES[frame.city] if isinstance(frame, CityAction) else ""
    guild = emblem_key(frame.guild)
    drawn = bool(guild) and frame.guild != state.players[state.turn].guild
    return ActionView(city, guild, frame.golden, drawn)


def _discards(state: FlandernState) -> Iterator[tuple[str, str]]:
    for player, counts in zip(state.players, state.discards, strict=False):
        for card, count in enumerate(counts):
            yield from [(EMBLEM_KEYS[player.controlled], CARDS[card])] * count


def _guilds(state: FlandernState) -> Iterator[GuildView]:
    seat_of = {guild: seat for seat, each in enumerate(state.players) for guild in each.guilds}
    for guild, points in enumerate(state.points):
        if state.cities[HOME[guild]] is not None:
            yield GuildView(EMBLEM_KEYS[guild], seat_of.get(guild), tuple(points))


def _seat(state: FlandernState, seat: Seat, *, shown: bool) -> FlandernSeatView:
    player = state.players[seat]
    laid = player.card != NONE and (shown or not isinstance(state.frames[-1], CardChoice))
    return FlandernSeatView(
        guild=emblem_key(player.guild),
        controlled=emblem_key(player.controlled),
        score=score_of(state, seat),
        bonus=state.bonus[seat] if state.bonus else 0,
        cards=len(player.hand) + player.influence,
        hand=tuple(CARDS[card] for card in player.hand) if shown else None,
        influence=player.influence if shown else None,
        open=tuple(CARDS[card] for card in player.open),
        chosen=player.card != NONE,
        card=CARDS[player.card] if laid else None,
        laid=player.laid if laid else None,
    )
