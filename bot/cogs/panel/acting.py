"""A person's action carried out: those joined to it, the computer players' answers, and what
happened."""

from __future__ import annotations

from collections.abc import Sequence

from bot.cogs.panel.open_moves import is_weighty, open_kinds
from bot.cogs.panel.showing import noted
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot, without_hash
from bot.game.contract import Action, IllegalAction, Seat
from bot.game.events import GameEnded
from bot.tables import NO_TERMS, Rejected, Terms
from bot.text import general
from bot.text.brief import InBrief

COMPUTERS_S = 1.0
"""Seconds an answer waits for computer players, so that it can ask what comes next."""


async def seated(services: Services, reply: Reply, table_id: int) -> tuple[Snapshot, Seat]:
    """The table as the person who acts sees it from their seat. Raises not_seated."""
    seat = await services.tables.reader.seat_of(table_id, reply.interaction.user.id)
    words = services.words_of(reply.interaction)
    return await services.snapshot(table_id, seat, words, user=reply.user), seat


async def act(
    services: Services,
    reply: Reply,
    snapshot: Snapshot,
    seat: Seat,
    action: Action,
    decision: str | None,
    terms: Terms = NO_TERMS,
    rest: Sequence[Action] = (),
    *,
    sure: bool = False,
) -> InBrief:
    """Act, then do the `rest`, and let the computer players answer; returns what happened.

    Unless the person is `sure`, the rest stops before an action that ends the game. Raises what
    `Play.act` raises for the first action.
    """
    tables, table_id = services.tables, snapshot.table.id
    entry, repeated = await tables.play.act(
        table_id,
        seat,
        action,
        terms=terms,
        decision=without_hash(decision),
        user=reply.interaction.user.id,
        delivery=reply.delivery,
    )
    if not repeated:
        await _act_further(services, reply, table_id, rest, sure=sure)
    await tables.computers.rest(table_id, COMPUTERS_S)
    if repeated:
        return noted([snapshot.words(general.ALREADY_DONE)])
    events = await tables.reader.events_since(table_id, entry.seq - 1, seat)
    # What says nothing of itself, as the end of a turn, shows in what is asked next.
    # Of a game that is over the panel says the result.
    return services.brief(snapshot, [each for each in events if not isinstance(each, GameEnded)])


async def _act_further(
    services: Services, reply: Reply, table_id: int, actions: Sequence[Action], *, sure: bool
) -> None:
    """Act on by the same press, as long as that is what is asked, still legal, and nothing that
    would be confirmed first; of the end of the game the person may be `sure` already."""
    for place, action in enumerate(actions, start=1):
        snapshot, seat = await seated(services, reply, table_id)
        decision = snapshot.main(seat)
        asked, _free = open_kinds(services, snapshot, seat)
        if decision is None or action[0] not in asked:
            return
        has_confirmed = sure and snapshot.end_of(seat, [action]) is not None
        if not has_confirmed and await is_weighty(services, snapshot, seat, [action]):
            return
        try:
            await services.tables.play.act(
                table_id,
                seat,
                action,
                decision=decision.id,
                user=reply.interaction.user.id,
                delivery=f"{reply.delivery}.{place}",
            )
        except (IllegalAction, Rejected):
            # What was done stands; the panel asks what comes next.
            return
