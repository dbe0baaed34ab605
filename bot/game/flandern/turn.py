"""The course of the game: who is asked what, and what follows once nothing is left to ask."""

from __future__ import annotations

from msgspec.structs import replace

from bot.game.contract import Action, Decision, Seat
from bot.game.events import TurnEnded
from bot.game.flandern.building import BUILD, COMPLETE, PUT_SITE
from bot.game.flandern.cards import CHOOSE, LOOK, begin_round, carry_out, reveal_golden
from bot.game.flandern.city import NONE
from bot.game.flandern.ending import end_game, why_over
from bot.game.flandern.golden import PUT_CATHEDRAL, PUT_LEADER
from bot.game.flandern.scoring import cover_dead, score_full
from bot.game.flandern.setup import CONTROL, GUILD
from bot.game.flandern.state import (
    CardChoice,
    FlandernOver,
    FlandernState,
    TwoActions,
    golden_waits,
    two_players,
)
from bot.game.flandern.two import DRAW, PLAY, TAKE_BACK
from bot.game.grammar import EventRecorder, Rule
from bot.game.turns import TurnLoop

ASKED: dict[str, tuple[Rule[FlandernState], ...]] = {
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
"""The kinds of action that answer each question, in the order shown."""


class FlandernTurns(TurnLoop[FlandernState]):
    """The top frame asks; cards are chosen by all at once, and may be changed until revealed."""

    def asked_seat(self, state: FlandernState) -> Seat | None:
        """Who acts; None while cards are chosen and at the end."""
        if isinstance(state.frames[-1], (CardChoice, FlandernOver)):
            return None
        return state.turn

    def is_asked(self, state: FlandernState, seat: Seat) -> bool:
        """Everybody is, while cards are chosen."""
        return isinstance(state.frames[-1], CardChoice) or super().is_asked(state, seat)

    def choosing(self, state: FlandernState) -> list[tuple[Seat, bool]]:
        """All, while cards are chosen."""
        if not isinstance(state.frames[-1], CardChoice):
            return []
        return [(seat, player.card != NONE) for seat, player in enumerate(state.players)]

    def pending(self, state: FlandernState) -> tuple[Decision, ...]:
        """Until the golden card is drawn, the first player is asked that, openly."""
        found = super().pending(state)
        if not golden_waits(state):
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
        known: Rule[FlandernState],
        action: Action,
        recorder: EventRecorder,
    ) -> None:
        """Go on until somebody is asked again."""
        known.perform(state, seat, recorder, *action[1:])
        if state.frames == [TwoActions(played=True, drawn=True)]:
            state.frames = []
        while not state.frames:
            _go_on(state, recorder)


def _go_on(state: FlandernState, recorder: EventRecorder) -> None:
    """The next card of the round, or its end; of two players the turn is over."""
    if state.acted < len(state.order):
        state.turn = state.order[state.acted]
        state.acted += 1
        player = state.players[state.turn]
        carry_out(state, player.card, player.guild, recorder)
    elif state.golden_card != NONE and not state.revealed:
        reveal_golden(state, recorder)
    else:
        _end_round(state, recorder)


def _end_round(state: FlandernState, recorder: EventRecorder) -> None:
    """Cover and score; then the next round, or turn of two players (4.6, 9.8 and 9.9)."""
    for_two = two_players(state)
    if for_two:
        recorder.tell(TurnEnded(seat=state.turn))
        state.idle += 1
    cover_dead(state, recorder)
    score_full(state, recorder)
    ending = why_over(state)
    if ending:
        end_game(state, ending, recorder)
    elif for_two:
        state.turn = 1 - state.turn
        state.round += state.turn == state.first
        state.frames = [TwoActions()]
    else:
        state.first = (state.first + 1) % len(state.players)
        begin_round(state, recorder)


TURNS = FlandernTurns(ASKED)
