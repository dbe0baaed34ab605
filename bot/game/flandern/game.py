"""Flandern 1302 as a `Game`: the course of rounds and turns, the functions of the contract, and the
invariants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from bot.game.chance import RecordedChance
from bot.game.contract import Action, Decision, Option, Seat
from bot.game.events import GameEnded, TurnEnded, kinds_of
from bot.game.flandern.building import (
    BUILD,
    COMPLETE,
    PUT_CATHEDRAL,
    PUT_LEADER,
    PUT_SITE,
    can_use_card,
)
from bot.game.flandern.cards import (
    CHOOSE,
    DRAW,
    LOOK,
    PLAY,
    TAKE_BACK,
    begin_round,
    card_action,
    carry_out,
    deal,
    dealt_golden,
    reveal_golden,
)
from bot.game.flandern.city import NONE, FlandernCity, built, quarters
from bot.game.flandern.data import (
    CARDS,
    CENTRE,
    CHURCH,
    CITIES,
    CONTENT,
    EMBLEM_KEYS,
    GOLDEN,
    HOME,
    PRINTED,
    SITE,
    TAKE,
    TILES,
    added_by,
    stock_of,
    supported_by,
    touched_by,
)
from bot.game.flandern.scoring import cover, end_game, ending_of, outcome, score_full
from bot.game.flandern.setup import CONTROL, GUILD, set_up
from bot.game.flandern.state import (
    CardChoice,
    FlandernOver,
    FlandernState,
    TwoActions,
    card_in_play,
    cities_in_play,
    must_draw_golden,
    open_cities,
    two_players,
)
from bot.game.game import Game
from bot.game.grammar import EventRecorder, Rule
from bot.game.invariants import conserved

QUESTIONS: dict[str, tuple[Rule[FlandernState], ...]] = {
    "guild": (GUILD,),
    "control": (CONTROL,),
    "choose": (LOOK, CHOOSE),
    "turn": (PLAY, TAKE_BACK, DRAW),
    "city": (BUILD, COMPLETE),
    "site": (PUT_SITE,),
    "cathedral": (PUT_CATHEDRAL,),
    "leader": (PUT_LEADER,),
    "over": (),
}
"""The kinds of action that answer each question, in display order."""


def _end_round(state: FlandernState, recorder: EventRecorder) -> None:
    """Cover and score; then begin the next round or two-player turn (rulings 21 and 62)."""
    is_two_player = two_players(state)
    if is_two_player:
        recorder.record(TurnEnded(seat=state.turn))
        state.idle += 1
    cover(state, recorder)
    score_full(state, recorder)
    ending = ending_of(state)
    if ending:
        end_game(state, ending, recorder)
    elif is_two_player:
        state.turn = 1 - state.turn
        state.round += state.turn == state.first
        state.frames = [TwoActions()]
    else:
        state.first = (state.first + 1) % len(state.players)
        begin_round(state, recorder)


def invariants(state: FlandernState) -> list[str]:
    """Return violated invariants, for developers."""
    found = [*_pieces(state), *_cards(state)]
    for city in cities_in_play(state):
        found += [f"{CITIES[city.number]}: {wrong}" for wrong in _plots(city)]
    return found


def _pieces(state: FlandernState) -> Iterator[str]:
    """Count quarters, wooden pieces and golden cards. Two players have no golden cards, and of the
    wooden pieces only sites."""
    cities = cities_in_play(state)
    standing = Counter((each.emblem, each.kind) for city in cities for each in quarters(city))
    for emblem, key in enumerate(EMBLEM_KEYS):
        on_board = [standing[emblem, kind] for kind in range(len(TILES))]
        dealt = stock_of(emblem) if state.cities[HOME[emblem]] else [0] * len(TILES)
        names = [f"{key} {tile}" for tile in TILES]
        yield from conserved([state.stock[emblem], on_board], names, dealt)
    wooden = [
        sum(city.sites.bit_count() for city in open_cities(state)),
        sum(city.cathedrals.bit_count() for city in cities),
        sum(len(city.placed_leaders) for city in cities),
    ]
    left = [state.site_pieces, state.cathedral_pieces, state.leader_pieces]
    golden = bool(state.golden)
    pieces = [CONTENT.site_pieces, CONTENT.cathedrals * golden, CONTENT.leaders * golden]
    yield from conserved([left, wooden], ["site pieces", "cathedrals", "leaders"], pieces)
    if golden:
        own = [int(card == state.golden_card and not state.revealed) for card in range(len(CARDS))]
        cards = [sum(counts) for counts in zip(*dealt_golden(state), strict=True)]
        names = [f"golden {card}" for card in CARDS]
        yield from conserved([*state.golden, state.golden_out, own], names, cards)


def _plots(city: FlandernCity) -> Iterator[str]:
    """Check that every plot is free, covered or built on once (rules: building)."""
    standing, plots = built(city), PRINTED | 1 << CENTRE
    for special, plot in enumerate(city.special):
        if plot != NONE:
            plots |= added_by(special, plot)
    used = sum(part.bit_count() for part in [city.free, city.covered, *city.emblems])
    built_on = standing & ~city.bar & ~(1 << CENTRE)
    wrong = {
        "plots are missing, or used twice": used != plots.bit_count() or standing & ~plots,
        "scored, and plots are free": city.scored and city.free,
        "sites without a quarter": city.sites & ~standing or city.sites & city.bar,
        "a quarter without support": built_on & ~supported_by(standing),
        "a cathedral without a church": city.cathedrals & ~city.emblems[CHURCH],
    }
    yield from (text for text, found in wrong.items() if found)
    for key, emblem in zip(EMBLEM_KEYS, city.emblems, strict=True):
        # D's bar touches its own trapezoid.
        own = emblem & ~city.bar
        if touched_by(own) & own:
            yield f"{key} quarters touch"


def _cards(state: FlandernState) -> Iterator[str]:
    """Check that every player has the cards of all unscored cities, the site and the take."""
    if not state.round:
        return
    cities = [city.number for city in open_cities(state)]
    for seat, player in enumerate(state.players):
        if sorted([*player.hand, *player.open]) != [*cities, SITE, TAKE]:
            yield f"seat {seat} has the cards {player.hand} and {player.open}"
        if min(player.influence, player.laid) < 0:
            yield f"seat {seat} has {player.influence} influence cards and plays {player.laid}"
    for owner, (deck, used) in enumerate(zip(state.deck, state.discards, strict=True)):
        counts = [a + b for a, b in zip(deck, used, strict=True)]
        # Cards of scored cities leave the deck when they are drawn.
        if max(counts) > 1 or any(counts[card] != 1 for card in (*cities, SITE)):
            yield f"the deck holds {counts} of guild {owner}"


class Flandern(Game[FlandernState]):
    """The rules of Flandern 1302.

    Secrets: cards played face down until all are revealed, and the golden card until its phase. In
    events, `place`, `tile`, `card`, `city`, `guild` and `emblem` are words of the notation.
    """

    name = "flandern"
    version = 1
    seats = (2, 3, 4)
    options = (
        Option("guilds", ("chosen", "drawn")),
        Option("first_player", ("drawn", "first_seat")),
        Option("golden_cities", tuple(map(str, GOLDEN))),
        Option("bonus", ("some", "any")),
    )
    events = kinds_of("bot.game.flandern", TurnEnded, GameEnded)
    state = FlandernState
    questions = QUESTIONS

    begin = staticmethod(set_up)
    deal = staticmethod(deal)
    outcome = staticmethod(outcome)
    invariants = staticmethod(invariants)

    def active_seat(self, state: FlandernState) -> Seat | None:
        """Return the active seat, or None while cards are chosen and at the end."""
        if isinstance(state.frames[-1], (CardChoice, FlandernOver)):
            return None
        return state.turn

    def may_answer(self, state: FlandernState, seat: Seat) -> bool:
        """Return whether a seat has an open decision. While cards are chosen, all have, so none is
        listed."""
        return isinstance(state.frames[-1], CardChoice) or seat == self.active_seat(state)

    def choosing(self, state: FlandernState) -> list[tuple[Seat, bool]]:
        """Return all seats while cards are chosen."""
        if not isinstance(state.frames[-1], CardChoice):
            return []
        return [(seat, player.card != NONE) for seat, player in enumerate(state.players)]

    def pending(self, state: FlandernState) -> tuple[Decision, ...]:
        """Return the open decisions. Until the golden card is drawn, only the first player has one,
        which is public."""
        found = super().pending(state)
        if not must_draw_golden(state):
            return found
        return tuple(
            [
                replace(each, id=f"look{each.id}", kind="look", sealed=False)
                if each.seat == state.first
                else each
                for each in found
            ]
        )

    def carry_out(
        self,
        state: FlandernState,
        seat: Seat,
        rule: Rule[FlandernState],
        action: Action,
        recorder: EventRecorder,
    ) -> None:
        """Apply the rule, then continue until the next decision."""
        rule.perform(state, seat, recorder, *action[1:])
        if state.frames == [TwoActions(played=True, drawn=True)]:
            state.frames = []
        while not state.frames:
            if state.acted < len(state.order):
                state.turn = state.order[state.acted]
                state.acted += 1
                player = state.players[state.turn]
                carry_out(state, player.card, player.guild, recorder)
            elif state.golden_card != NONE and not state.revealed:
                reveal_golden(state, recorder)
            else:
                _end_round(state, recorder)

    def progress(self, state: FlandernState) -> float:
        """Return the share of plots that are not free, or of golden cards drawn if it is larger."""
        free = used = 0
        for city in cities_in_play(state):
            free += city.free.bit_count()
            used += sum(plots.bit_count() for plots in (city.covered, *city.emblems))
        left = sum(map(sum, state.golden))
        drawn = 1 - left / sum(map(sum, dealt_golden(state))) if state.golden else 0.0
        return max(used / (free + used), drawn)

    def hand(self, state: FlandernState, seat: Seat) -> object:
        """Return the seat's action cards, without those of scored cities."""
        player = state.players[seat]
        return sorted([*player.hand, *player.open])

    def discloses(self, state: FlandernState, action: Action) -> bool:
        """Return whether no other seat has an action before the golden card is revealed. Everyone
        knows which seats still act and whether their cards can do anything."""
        card = card_in_play(state)
        if state.golden_card == NONE or card is None or card.golden:
            return False
        after = self.decode(self.encode(state))
        rule = self.rule_of(after, after.turn, action)
        rule.perform(after, after.turn, EventRecorder(RecordedChance(())), *action[1:])
        others = (after.players[seat] for seat in after.order[after.acted :])
        return not any(
            other.card != TAKE and can_use_card(after, card_action(other.card, other.guild))
            for other in others
        )


GAME = Flandern()
"""The only instance; it has no state."""
