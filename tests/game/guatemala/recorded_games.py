"""Which games of Guatemala Café are to be recorded."""

from __future__ import annotations

from tests.recorded.spec import RecordingSpec

SHOWN = frozenset({"refill", "block yes", "pass"})
"""Beginnings of actions that a game played at random is to show before it ends."""

WANTED = {
    f"{seats}-{setup}-{track}": RecordingSpec(seats, "met", {"setup": setup, "track": track})
    for seats in (2, 3, 4)
    for setup in ("printed", "random")
    for track in ("79", "99")
} | {
    f"{seats}-{ending}": RecordingSpec(seats, ending, {"setup": setup}, 1, SHOWN)
    for seats, setup in ((2, "random"), (3, "printed"), (4, "random"))
    for ending in ("no_sacks", "no_steps", "idle")
}
"""Computer players that play for points meet the sacks; random ones end in the other ways."""
