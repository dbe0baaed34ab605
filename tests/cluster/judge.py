"""Compares the answers to people with the database and the posts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.text.errors import ERRORS
from tests.cluster.cluster import Cluster
from tests.cluster.players import Player
from tests.wire.players import ids
from tests.wire.witness import RETIRED, check_ranges, ranges_in

FORBIDDEN = ("unforeseen", "table_damaged")
"""Errors that no one may get, whatever goes wrong with processes, connections and servers."""


async def judge(cluster: Cluster, players: Sequence[Player]) -> None:
    await check_actions(cluster, players)
    await check_posts(cluster, players[0])
    check_private_messages(cluster, players)
    for press in (press for player in players for press in player.presses):
        assert not any(ERRORS[code] in press.text for code in FORBIDDEN), press.text


async def check_actions(cluster: Cluster, players: Sequence[Player]) -> None:
    """Check that the log has no gaps, and that actions match the presses and their answers."""
    await cluster.records.settled()
    log = await cluster.records.log()
    assert [entry.seq for entry in log] == list(range(len(log)))
    acted = await cluster.records.acted()
    assert sorted(acted.values()) == await cluster.records.by_people()
    presses = [press for player in players for press in player.presses]
    lost = [each for each in presses if each.is_done and each.delivery not in acted]
    assert lost == [], f"answered as done, but not stored: {lost}"
    denied = [each for each in presses if ERRORS["store_unavailable"] in each.text]
    stored = [each for each in denied if each.delivery in acted]
    assert stored == [], f"answered as if nothing had changed, but stored: {stored}"


async def check_posts(cluster: Cluster, player: Player) -> None:
    known, posts = ranges_in(cluster.log()), player.posts
    assert known[posts[0].id].after == -1
    check_ranges(posts, known)
    pressable = {n: ids(p) for n, p in enumerate(posts[:-1]) if not set(ids(p)) <= {RETIRED}}
    assert pressable == {}, f"{pressable} of {len(posts)} posts"
    seq, status = await cluster.records.posted()
    assert known[posts[-1].id].to == seq
    if status == "finished":
        assert seq == (await cluster.records.log())[-1].seq
        assert [name.partition("-")[0] for name in player.other_files] == ["points", "game"]


def check_private_messages(cluster: Cluster, players: Sequence[Player]) -> None:
    """Check that no numbered message was sent twice."""
    bot = cluster.standin.model.bot.id
    for player in players:
        inbox = player.person.sees(player.person.dm)
        sent = [m for m in inbox if m.author_id == bot and not m.is_ephemeral]
        numbered = Counter(m.nonce for m in sent if m.nonce is not None)
        twice = {nonce for nonce, count in numbered.items() if count > 1}
        assert not twice, [m.text for m in sent if m.nonce in twice]
