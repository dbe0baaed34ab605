"""What is kept of the reviews of finished games, and what they are worked out of."""

from __future__ import annotations

from random import Random

import pytest

from bot.tables import Status
from bot.tables.core.errors import NotOver
from bot.tables.core.table_lines import standing
from tests.tables.world import ANNA, BEN, World


async def test_a_review_is_kept_over_a_restart_and_a_newer_one_takes_its_place(
    world: World,
) -> None:
    first, second = [(await world.game(ANNA, BEN)).id for _ in range(2)]
    assert await world.tables.reviews.get(first) is None
    await world.tables.reviews.put(first, b"one")
    await world.reopen()
    assert await world.tables.reviews.get(first) == b"one"
    await world.tables.reviews.put(first, b"two")
    assert await world.tables.reviews.get(first) == b"two"
    assert await world.tables.reviews.get(second) is None


async def test_a_whole_game_is_given_out_after_its_end_alone(world: World) -> None:
    table = await world.game(ANNA, BEN)
    rng = Random(2)
    await world.play(table.id, 2, rng)
    with pytest.raises(NotOver):
        await world.tables.reviews.whole(table.id)
    while (await world.tables.reader.get(table.id)).status is Status.PLAYING:
        await world.play(table.id, 1, rng)
    game = await world.tables.reviews.whole(table.id)
    assert len(game.blobs) == len(game.entries) == await world.tables.reader.seq(table.id) + 1
    assert game.game.outcome(game.game.decode(game.blobs[-1])) is not None
    assert list(standing(each.back_to for each in game.happened)) == list(range(len(game.blobs)))
