"""The games of Kogge to record."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.kogge import GAME
from tests.recorded.spec import RANDOM_SHARE, RecordingSpec

AIMLESS = 0.3
"""The random share for games that no one may win by development points before the second lap."""

ADVANCED: Mapping[str, frozenset[str]] = {
    "taxes": frozenset({"tax"}),
    "offices": frozenset({"offer office", "accept"}),
    "conflicts": frozenset({"challenge", "demand", "pass"}),
    "memory": frozenset({"peek", "pass", "reroute"}),
}
"""By option for an advanced rule: actions that use it."""
ADVANCED_MOVES = frozenset({"tax", "challenge", "demand", "pass", "peek"})

WANTED = {
    f"{seats}-{ending}-{goods}{'-italian' * italian}": RecordingSpec(
        seats,
        ending,
        {"edition": "italian" if italian else "english", "goods": goods},
        random_share=AIMLESS if ending == "laps" else RANDOM_SHARE,
    )
    for seats in (2, 3, 4)
    for ending in ("laps", "development")
    for goods in ("markers", "open", "hidden")
    for italian in (False, True)
} | {
    "4-laps-whims": RecordingSpec(
        4,
        "laps",
        {"edition": "english", "goods": "hidden"},
        random_share=1,
        takes=frozenset(GAME.moves) - {"build", "accept"} - ADVANCED_MOVES,
    )
}
WANTED |= {
    f"{seats}-{ending}-{name}": RecordingSpec(
        seats,
        ending,
        {
            "edition": "italian" if seats == 4 else "english",
            "goods": {2: "markers", 3: "hidden", 4: "open"}[seats],
            **dict.fromkeys(options, "on"),
        },
        random_share=0.15,
        takes=frozenset[str]().union(*(ADVANCED[option] for option in options)),
    )
    for seats in (2, 3, 4)
    for ending in ("laps", "development")
    for name, options in [(option, (option,)) for option in ADVANCED] + [("all", tuple(ADVANCED))]
}
