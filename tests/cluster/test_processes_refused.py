"""Who may share a database with whom."""

from __future__ import annotations

from tests.cluster.conftest import SHARED, Make

pytestmark = SHARED


async def test_a_process_that_counts_other_shards_is_refused_and_says_why(clustered: Make) -> None:
    # Who is there must not be taken for dead.
    async with clustered(2, 2, must=True) as cluster:
        first, second = cluster.members
        await cluster.start(first)
        await second.launch(SHARDS="3")
        assert await second.process.exit_status() == 2
        assert second.said().count("\n") == 1, second.said()
        assert "SHARDS" in second.said()
        await second.process.clear()

        # With the same number it is welcome.
        await cluster.start(second)


async def test_one_bot_alone_and_several_exclude_one_another(clustered: Make) -> None:
    async with clustered(2, 2, must=True) as cluster:
        shared, alone = cluster.members
        await cluster.start(shared)
        del alone.env["SHARDS"]
        await alone.launch()
        assert await alone.process.exit_status() == 2
        assert "Bots that share it are running on the database" in alone.said()
        await alone.process.clear()

        assert await shared.process.stop() == 0
        # Discord may notice later that it is gone.
        await cluster.standin.model.until(lambda: not cluster.standin.gateway.online.is_set())
        await alone.launch()
        await cluster.standin.bot_online()
        await shared.launch()
        assert await shared.process.exit_status() == 2
        assert "A bot is running on the database" in shared.said()
