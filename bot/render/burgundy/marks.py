"""What has just happened, gathered from events: what the pictures mark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import asdict

from bot.game.burgundy import goods, placing, rounds, storing
from bot.game.contract import Event, Seat


class Marks:
    """What is new in the order in which it happened, in words of the notation, and what each seat
    has gained and spent.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        self.spaces: list[tuple[Seat, str]] = []
        self.taken: list[tuple[str, str, Seat]] = []
        """Depots, the tiles that were taken out of them, and by whom."""
        self.stored: list[tuple[Seat, str]] = []
        self.placed_goods: set[tuple[str, str]] = set()
        """By the depot into which they came."""
        self.loads: list[tuple[str, Seat]] = []
        self.loaded: set[tuple[Seat, str]] = set()
        self.ahead: set[Seat] = set()
        self.colours: set[tuple[Seat, str]] = set()
        """Those completed."""
        self.changes: dict[str, Counter[Seat]] = {
            what: Counter() for what in ("points", "workers", "silverlings", "sold")
        }
        for event in events:
            self._add(event)

    def _add(self, event: Event) -> None:
        facts = Counter({fact: n for fact, n in asdict(event).items() if isinstance(n, int)})
        points, workers, silverlings, sold = self.changes.values()
        points[facts["seat"]] += facts["points"] + facts["bonus"]
        workers[facts["seat"]] += facts["workers"] - facts["spent"]
        silverlings[facts["seat"]] += facts["silverlings"] - facts["price"]
        match event:
            case rounds.CastlePlaced() | placing.Placed():
                self.spaces.append((event.seat, event.space))
            case storing.Taken() | storing.Bought():
                self.taken.append((event.depot, event.tile, event.seat))
                self.stored.append((event.seat, event.tile))
            case rounds.GoodsPlaced():
                self.placed_goods.add((event.depot, event.good))
            case goods.Loaded():
                self.loads.append((event.depot, event.seat))
                self.loaded.update((event.seat, good) for good in event.goods)
            case goods.MovedAhead():
                self.ahead.add(event.seat)
            case placing.ColourCompleted():
                self.colours.add((event.seat, event.colour))
            case goods.Sold():
                sold[event.seat] += event.count
