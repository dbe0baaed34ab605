"""The open offers in a seat's panel, each with its answers."""

from __future__ import annotations

from bot.cogs.panel.message import Panel
from bot.cogs.panel.open_moves import marked, open_kinds
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Keep, Pressable, Text, button, rows
from bot.cogs.ui.services import Services, shows_hints
from bot.cogs.ui.snapshot import Snapshot
from bot.game.choices import OneOf
from bot.game.contract import Decision, Seat, offer_of
from bot.text import promises as promise_text
from bot.text.hints import HINT

MOST_OFFERS = 2
"""Offers that a panel shows beside its question."""


def put_offers(services: Services, made: Panel, snapshot: Snapshot, seat: Seat) -> None:
    """Put the open offers with their answers beside what else is asked."""
    if snapshot.plan is not None:
        return
    # The next follow once these are answered.
    for offer in snapshot.offers(seat)[:MOST_OFFERS]:
        said = snapshot.offer(offer, promise_text.BRIEF)
        answers = offer_answers(services, snapshot, seat, offer)
        answers += hint_presses(services, snapshot, offer)
        made.offered += [Text(said, Keep.BEGINNING), *rows(answers, spare=True)]


def hint_presses(
    services: Services, snapshot: Snapshot, decision: Decision | None
) -> list[Pressable]:
    """A button that asks for a hint about a decision, at a table whose panels have one."""
    if decision is None or not shows_hints(services, snapshot.table):
        return []
    custom_id = CustomId("hint", snapshot.table.id, snapshot.pressed_as(decision))
    return [button(custom_id, snapshot.words(HINT))]


def offer_answers(
    services: Services, snapshot: Snapshot, seat: Seat, offer: Decision
) -> list[Pressable]:
    """A button for each kind of answer to an offer; also used in the notice of it."""
    number = offer_of(offer)
    custom_id = CustomId("act", snapshot.table.id, snapshot.pressed_as(offer))
    _asked, free = open_kinds(services, snapshot, seat)
    found = []
    for kind in _answering(services, snapshot, seat, offer):
        label = snapshot.label((), OneOf("kind", free), kind)
        label = marked(snapshot, seat, (kind, number), label)
        found.append(button(custom_id.then(kind, number), label))
    return found


def answer_kinds(services: Services, snapshot: Snapshot, seat: Seat) -> set[str]:
    """The kinds of action that answer any of the open offers."""
    offers = snapshot.offers(seat)
    return {kind for each in offers for kind in _answering(services, snapshot, seat, each)}


def moves_beside(services: Services, snapshot: Snapshot, seat: Seat) -> tuple[str, ...]:
    """The kinds of free moves but for those answers, which stand beside each offer."""
    _asked, free = open_kinds(services, snapshot, seat)
    answers = answer_kinds(services, snapshot, seat)
    return tuple(kind for kind in free if kind not in answers)


def _answering(services: Services, snapshot: Snapshot, seat: Seat, offer: Decision) -> list[str]:
    _asked, free = open_kinds(services, snapshot, seat)
    domains = {kind: snapshot.legal(seat, (kind,)) for kind in free}
    return [
        kind
        for kind, domain in domains.items()
        if isinstance(domain, OneOf) and domain.param == "offer" and domain.admits(offer_of(offer))
    ]
