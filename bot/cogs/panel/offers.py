"""The open offers in a seat's panel, each with its answers."""

from __future__ import annotations

from bot.cogs.panel.message import Panel
from bot.cogs.panel.open_moves import open_kinds
from bot.cogs.ui.components import Pressable, button
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Keep, Text, rows
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.game.choices import OneOf
from bot.game.contract import Decision, Seat, offer_of
from bot.text import promises as promise_text

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
        made.offered += [Text(said, Keep.BEGINNING), *rows(answers, spare=True)]


def offer_answers(
    services: Services, snapshot: Snapshot, seat: Seat, offer: Decision
) -> list[Pressable]:
    """A button for each kind of answer to an offer; also used in the notice of it."""
    items: list[Pressable] = []
    number = offer_of(offer)
    _asked, free = open_kinds(services, snapshot, seat)
    for kind in free:
        choices = snapshot.legal(seat, (kind,))
        if isinstance(choices, OneOf) and choices.param == "offer" and choices.admits(number):
            label = snapshot.label((), OneOf("kind", free), kind)
            custom_id = CustomId("act", snapshot.table.id, offer.id, (kind, number))
            items.append(button(custom_id, label))
    return items
