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
from bot.thinking.pool import Timed
from bot.thinking.worker import LOWEST, SearchResult
from bot.workers import WorkerError
from tests.games.pebbles import GAME, State, Take
from tests.games.pebbles_player import JUDGEMENT
from tests.waiting import until

ROOT = Path(__file__).parents[2]
LONG = 40.0
"""A share of the usual time in which a worker can be killed."""


def to_take(*pebbles: int) -> State:
    """The first seat is to take 1 or 2 pebbles; whoever has six has won."""
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


async def test_it_thinks_weighs_and_forecasts_as_the_search_does(search_pool: SearchPool) -> None:
    # Nothing is started before it is needed.
    assert workers() == []
    state = to_take(4, 5)
    (decision, *_) = GAME.pending(state)
    thought = await ask(search_pool, state)
    weighed = await search_pool.weigh(JUDGEMENT, GAME.view(state, 0), decision, "seed")
    for best, other in (thought, weighed):
        assert (best.action, best.chance) == (("take", "2"), 1.0)
        assert other.worlds > 0
    assert await search_pool.forecast(JUDGEMENT, GAME.encode(to_take(7, 1)), "seed") == [1.0, 0.0]
    # What is asked about besides is judged as well.
    state = GAME.setup(2, {}, RandomChance(Random(1)))
    found = await ask(search_pool, state, also=(("choose", "3"),))
    assert {each.action for each in found} == {("choose", word) for word in "123"}
    (pid,) = workers()
    if hasattr(os, "getpriority"):
        assert os.getpriority(os.PRIO_PROCESS, pid) == LOWEST
    # A search that fails in any way keeps nobody waiting.
    with pytest.raises(WorkerError):
        await search_pool._ask(JUDGEMENT, 1.0, lambda _: run_out)


async def test_a_worker_that_is_killed_while_it_thinks_costs_nothing(
    search_pool: SearchPool,
) -> None:
    await ask(search_pool, to_take(0, 0))
    (first,) = workers()
    thinking = [asyncio.create_task(ask(search_pool, to_take(4, 5), LONG)) for _ in range(3)]
    await asyncio.sleep(0.05)
    os.kill(first, signal.SIGKILL)
    for found in await asyncio.gather(*thinking):
        assert found[0].action == ("take", "2")
    await until(lambda: first not in workers())


async def test_workers_that_die_each_time_are_given_up(search_pool: SearchPool) -> None:
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
    """A search that asks an empty iterator for more, which no future of asyncio can hold."""
    return next(iter(()))


async def test_where_many_wait_each_is_thought_about_less(search_pool: SearchPool) -> None:
    for _ in range(4):
        alone = worlds(await ask(search_pool, to_take(0, 0), 4.0))
    crowd = await asyncio.gather(*(ask(search_pool, to_take(0, 0), 4.0) for _ in range(12)))
    assert worlds(crowd[-1]) < alone / 2
    assert worlds(crowd[-1]) > 0


async def test_how_fast_the_machine_is_is_learnt_from_what_was_tried_alone(
    search_pool: SearchPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt: list[Timed] = []
    monkeypatch.setattr(search_pool, "_learn", lambda _mind, found: learnt.append(found))
    (decision, *_) = GAME.pending(to_take(0, 0))
    view, past = GAME.view(to_take(0, 0), 0), monotonic() - 1
    found = await search_pool.think(JUDGEMENT, view, decision, "seed", share=1_000.0, deadline=past)
    assert worlds([*found]) == 0
    await search_pool.forecast(JUDGEMENT, GAME.encode(to_take(7, 1)), "seed")
    await search_pool.forecast(JUDGEMENT, GAME.encode(to_take(0, 0)), "seed", nodes=300)
    late, ended, whole = learnt
    assert (late.nodes, ended.nodes, whole.nodes) == (1, 0, 300)
    monkeypatch.undo()
    for nodes, budget in ((0, 2500), (1000, 3000), (10**9, 22_400)):
        search_pool._learn(JUDGEMENT, SearchResult((), nodes, 1.0))
        assert search_pool._budget(JUDGEMENT, 100.0) == budget


async def test_workers_that_nobody_needs_end_and_begin_anew() -> None:
    search_pool = SearchPool(1, 50, idle_s=0.05)
    try:
        await ask(search_pool, to_take(0, 0))
        await until(lambda: not workers())
        assert (await ask(search_pool, to_take(4, 5)))[0].action == ("take", "2")
    finally:
        await search_pool.close()
    await until(lambda: not workers())


async def test_what_nobody_waits_for_makes_no_budget_smaller_and_keeps_the_workers(
    search_pool: SearchPool,
) -> None:
    await ask(search_pool, to_take(0, 0))
    encoded, before = GAME.encode(to_take(0, 0)), search_pool._budget(JUDGEMENT, 100.0)
    apart = [
        asyncio.create_task(search_pool.forecast(JUDGEMENT, encoded, "seed", nodes=300))
        for _ in range(3)
    ]
    await asyncio.sleep(0)  # They have been asked by then.
    at_work = search_pool._executor
    search_pool._rest_now()
    assert search_pool._executor is at_work
    assert search_pool._budget(JUDGEMENT, 100.0) == before
    first, *others = await asyncio.gather(*apart)
    assert others == [first, first]
    # Nor are workers ended while somebody waits for them.
    thinking = asyncio.create_task(ask(search_pool, to_take(4, 5)))
    await asyncio.sleep(0)
    search_pool._rest_now()
    assert search_pool._executor is at_work
    assert (await thinking)[0].action == ("take", "2")


async def test_without_workers_and_after_the_end_nobody_thinks(search_pool: SearchPool) -> None:
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


def test_a_processor_is_left_to_everybody_else_where_there_are_several(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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

    def is_gone() -> bool:
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return True
        # Nobody may be there to bury it.
        return " Z " in Path(f"/proc/{worker}/stat").read_text(encoding="utf-8")

    await until(is_gone)


def test_a_worker_that_may_not_lower_its_priority_thinks_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: int) -> int:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "nice", refuse)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    worker.begin()
