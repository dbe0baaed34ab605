"""A whole game of two, by buttons alone, with somebody watching."""

from __future__ import annotations

from itertools import pairwise

from bot.local.changes import Change, MessageCreated
from tests.wire.conftest import Wire
from tests.wire.hands import has_board, play_on
from tests.wire.posts import check_table, told


async def test_two_people_play_a_game_to_its_end_by_buttons_alone(wire: Wire) -> None:
    pinged: list[tuple[set[int], set[int]]] = []

    def note(change: Change) -> None:
        if isinstance(change, MessageCreated) and has_board(change.message):
            message = change.message
            if not message.is_ephemeral:
                named = {p.id for p in (wire.anna, wire.bert) if p.mention in last(message.text)}
                pinged.append((set(message.mentions), named))

    forget = wire.standin.model.subscribe(note)
    hands = await wire.begin(seed=1)
    await play_on(hands)
    forget()

    await wire.kept.settled()
    check_table(hands[0], wire.kept)
    posts = hands[0].posts
    outcome = await wire.services.tables.reader.outcome(1)
    assert outcome is not None
    names = (await wire.services.tables.reader.get(1)).names
    assert all(f"**{names[seat]}** wins" in posts[-1].text for seat in outcome.winners)
    # At the start everybody is called, in between who comes to be awaited; who stays is not again.
    both = {wire.anna.id, wire.bert.id}
    assert pinged[0][0] == both
    assert pinged[-1][0] <= both
    for (_, before), (mentioned, named) in pairwise(pinged[:-1]):
        assert named - before <= mentioned <= named
    seen = [m for m in wire.vera.sees(hands[0].place) if has_board(m)]
    assert [m.id for m in seen] == [m.id for m in posts]
    assert told(wire.kept)[seen[-1].id].to == await wire.services.tables.reader.seq(1)


def last(content: str) -> str:
    """The line of a post that says who is to move."""
    return content.splitlines()[-1]
