"""The pool of workers, with real processes."""

from __future__ import annotations

import asyncio
import errno
import multiprocessing
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import Action
from bot.thinking import Considered, SearchPool, SearchUnavailable, worker, workers_of
from bot.thinking.pool import WorkerResult
from bot.thinking.worker import LOWEST, SearchResult
from bot.workers import WorkerError
from tests.games.pebbles import GAME, State, Take
from tests.games.pebbles_player import JUDGEMENT
from tests.waiting import until

ROOT = Path(__file__).parents[2]
LONG = 40.0
"""A share of the usual time, long enough to kill a worker during the search."""


def to_take(*pebbles: int) -> State:
    """Return a state in which seat 0 takes 1 or 2 pebbles. The first seat with six wins."""
    return State(6, list(pebbles), [[1] for _ in pebbles], [0] * len(pebbles), frames=[Take(0)])


async def ask(
    search_pool: SearchPool, state: State, share: float = 1.0, also: tuple[Action, ...] = ()
) -> list[Considered]:
    (decision, *_) = GAME.pending(state)
    view = GAME.view(state, decision.seat)
    return [*await search_pool.think(JUDGEMENT, view, decision, "seed", share=share, also=also)]


def worlds(found: list[Considered]) -> int:
    return max(each.worlds for each in found)


@pytest.fixture
async def search_pool() -> AsyncIterator[SearchPool]:
    opened = SearchPool(1, 50)
    yield opened
    await opened.close()


def workers() -> list[int]:
    return [process.pid for process in multiprocessing.active_children() if process.pid]


@pytest.mark.slow
async def test_workers_think_weigh_and_forecast_like_the_search(search_pool: SearchPool) -> None:
    # Workers start only when they are needed.
    assert workers() == []
    state = to_take(4, 5)
    (decision, *_) = GAME.pending(state)
    by_thinking = await ask(search_pool, state)
    by_weighing = await search_pool.weigh(JUDGEMENT, GAME.view(state, 0), decision, "seed")
    for best, other in (by_thinking, by_weighing):
        assert (best.action, best.chance) == (("take", "2"), 1.0)
        assert other.worlds > 0
    assert await search_pool.forecast(JUDGEMENT, GAME.encode(to_take(7, 1)), "seed") == [1.0, 0.0]
    # Additional actions are judged too.
    state = GAME.setup(2, {}, RandomChance(Random(1)))
    found = await ask(search_pool, state, also=(("choose", "3"),))
    assert {each.action for each in found} == {("choose", word) for word in "123"}
    (pid,) = workers()
    if hasattr(os, "getpriority"):
        assert os.getpriority(os.PRIO_PROCESS, pid) == LOWEST
    # Any error of a search reaches its caller.
    with pytest.raises(WorkerError):
        await search_pool._search(JUDGEMENT, 1.0, lambda _: run_out)


@pytest.mark.slow
async def test_a_search_survives_the_death_of_its_worker(search_pool: SearchPool) -> None:
    await ask(search_pool, to_take(0, 0))
    (first,) = workers()
    thinking = [asyncio.create_task(ask(search_pool, to_take(4, 5), LONG)) for _ in range(3)]
    await asyncio.sleep(0.05)
    os.kill(first, signal.SIGKILL)
    for found in await asyncio.gather(*thinking):
        assert found[0].action == ("take", "2")
    await until(lambda: first not in workers())


async def test_a_search_is_unavailable_if_its_workers_keep_dying(search_pool: SearchPool) -> None:
    async def kill() -> None:
        while True:
            for pid in workers():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            await asyncio.sleep(0.01)

    killing = asyncio.create_task(kill())
    with pytest.raises(SearchUnavailable):
        await ask(search_pool, to_take(0, 0), LONG)
    killing.cancel()
    assert (await ask(search_pool, to_take(4, 5)))[0].action == ("take", "2")


def run_out() -> SearchResult:
    """Raise StopIteration, which a future of asyncio cannot hold."""
    return next(iter(()))


@pytest.mark.slow
async def test_a_search_gets_less_time_if_many_wait(search_pool: SearchPool) -> None:
    for _ in range(4):
        alone = worlds(await ask(search_pool, to_take(0, 0), 4.0))
    crowd = await asyncio.gather(*(ask(search_pool, to_take(0, 0), 4.0) for _ in range(12)))
    assert worlds(crowd[-1]) < alone / 2
    assert worlds(crowd[-1]) > 0


async def test_the_speed_is_measured_only_from_actions_tried(
    search_pool: SearchPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    results: list[WorkerResult] = []
    monkeypatch.setattr(search_pool, "_measure", lambda _judgement, found: results.append(found))
    (decision, *_) = GAME.pending(to_take(0, 0))
    view, past = GAME.view(to_take(0, 0), 0), monotonic() - 1
    found = await search_pool.think(JUDGEMENT, view, decision, "seed", share=1_000.0, deadline=past)
    assert worlds([*found]) == 0
    await search_pool.forecast(JUDGEMENT, GAME.encode(to_take(7, 1)), "seed")
    await search_pool.forecast(JUDGEMENT, GAME.encode(to_take(0, 0)), "seed", nodes=300)
    late, over, complete = results
    assert (late.nodes, over.nodes, complete.nodes) == (1, 0, 300)
    monkeypatch.undo()
    for nodes, budget in ((0, 2500), (1000, 3000), (10**9, 22_400)):
        search_pool._measure(JUDGEMENT, SearchResult((), nodes, 1.0))
        assert search_pool._budget(JUDGEMENT, 100.0) == budget


@pytest.mark.slow
async def test_unused_workers_end_and_start_again() -> None:
    search_pool = SearchPool(1, 50, idle_s=0.05)
    try:
        await ask(search_pool, to_take(0, 0))
        await until(lambda: not workers())
        assert (await ask(search_pool, to_take(4, 5)))[0].action == ("take", "2")
    finally:
        await search_pool.close()
    await until(lambda: not workers())


async def test_a_search_with_fixed_nodes_keeps_the_workers_and_no_budget_shrinks(
    search_pool: SearchPool,
) -> None:
    await ask(search_pool, to_take(0, 0))
    encoded, before = GAME.encode(to_take(0, 0)), search_pool._budget(JUDGEMENT, 100.0)
    forecasts = [
        asyncio.create_task(search_pool.forecast(JUDGEMENT, encoded, "seed", nodes=300))
        for _ in range(3)
    ]
    await asyncio.sleep(0)  # Let the tasks start.
    executor = search_pool._executor
    search_pool._end_if_idle()
    assert search_pool._executor is executor
    assert search_pool._budget(JUDGEMENT, 100.0) == before
    first, *others = await asyncio.gather(*forecasts)
    assert others == [first, first]
    # Workers do not end during other searches either.
    thinking = asyncio.create_task(ask(search_pool, to_take(4, 5)))
    await asyncio.sleep(0)
    search_pool._end_if_idle()
    assert search_pool._executor is executor
    assert (await thinking)[0].action == ("take", "2")


async def test_search_is_unavailable_without_workers_and_after_close(
    search_pool: SearchPool,
) -> None:
    with pytest.raises(SearchUnavailable):
        await ask(SearchPool(0), to_take(0, 0))
    await ask(search_pool, to_take(0, 0))
    thinking = asyncio.create_task(ask(search_pool, to_take(0, 0), 10.0))
    await asyncio.sleep(0)
    await search_pool.close()
    with suppress(SearchUnavailable, asyncio.CancelledError):
        await thinking
    with pytest.raises(SearchUnavailable):
        await ask(search_pool, to_take(0, 0))
    assert not workers()


def test_auto_leaves_a_processor_free_if_there_are_several(monkeypatch: pytest.MonkeyPatch) -> None:
    for processors, expected in ((1, 1), (2, 1), (4, 3), (32, 4), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda count=processors: count)
        assert workers_of("auto") == expected
    assert workers_of(7) == 7


KILLED = """
import asyncio, multiprocessing, sys
from bot.thinking import SearchPool
from tests.games.pebbles_player import JUDGEMENT
from tests.thinking.test_pool import ask, to_take

async def main():
    await ask(SearchPool(1, 50), to_take(0, 0))
    print(*[process.pid for process in multiprocessing.active_children()], flush=True)
    await asyncio.sleep(600)

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
async def test_workers_end_with_a_bot_that_was_killed(tmp_path: Path) -> None:
    program = tmp_path / "killed.py"
    program.write_text(KILLED, encoding="utf-8")
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, program),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
    )
    assert bot.stdout is not None
    (worker,) = map(int, (await bot.stdout.readline()).split())
    bot.kill()
    await bot.wait()

    def has_ended() -> bool:
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return True
        # It may stay a zombie if no process reaps it.
        return " Z " in Path(f"/proc/{worker}/stat").read_text(encoding="utf-8")

    await until(has_ended)


def test_a_worker_starts_without_permission_to_lower_its_priority(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: int) -> int:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "nice", refuse)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    worker.begin()
