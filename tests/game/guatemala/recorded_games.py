"""The recorded games of Guatemala Café."""

from __future__ import annotations

from tests.recorded.spec import RecordingSpec

REQUIRED = frozenset({"refill", "block yes", "pass"})
"""Prefixes of actions that a recorded random game must have."""

WANTED = {
    f"{seats}-{setup}-{track}": RecordingSpec(seats, "met", {"setup": setup, "track": track})
    for seats in (2, 3, 4)
    for setup in ("printed", "random")
    for track in ("79", "99")
} | {
    f"{seats}-{ending}": RecordingSpec(seats, ending, {"setup": setup}, 1, REQUIRED)
    for seats, setup in ((2, "random"), (3, "printed"), (4, "random"))
    for ending in ("no_sacks", "no_steps", "idle")
}
"""Games of computer players end with `met`; random games end in the other ways."""
