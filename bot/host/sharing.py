"""What the operator sees of one process among several that share a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec
from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

CONNECTED, NOT_CONNECTED = "connected", "not connected"


class Sharing(msgspec.Struct, frozen=True):
    """Who runs which shards, as this process sees it, and what it has met with."""

    process: str
    """The label of its metrics."""
    member: str
    """What the others know it by."""
    shards: int
    """Into how many Discord divides the servers."""
    here: Mapping[int, bool]
    """Those that it runs, and whether each is connected."""
    leases: tuple[int, ...]
    """Those whose lease it holds."""
    members: Mapping[str, str]
    """Who is alive, and which shards each may run."""
    nobody_may_run: tuple[int, ...]
    nobody_has: tuple[int, ...]
    """Those that somebody may run, but whose lease nobody holds at the moment."""
    takeovers: int
    """How many shards it took that others had before."""
    stale_writes: int
    """How often it did work again because another process had been faster."""

    def told(self) -> dict[str, object]:
        """For `/healthz`."""
        here = {
            str(shard): CONNECTED if is_connected else NOT_CONNECTED
            for shard, is_connected in sorted(self.here.items())
        }
        return {
            "name": self.member,
            "shards": self.shards,
            "here": here,
            "leases": list(self.leases),
            "members": dict(self.members),
            "nobody_may_run": list(self.nobody_may_run),
            "nobody_has": list(self.nobody_has),
        }


class SharingCollector(Collector):
    """Looks when somebody asks for the metrics."""

    def __init__(self, look: Callable[[], Sharing]) -> None:
        self._look = look

    def collect(self) -> Iterator[Metric]:
        """The metrics of one look."""
        seen = self._look()
        nobodys = len(seen.nobody_may_run) + len(seen.nobody_has)
        for name, what, value in (
            ("leases", "Shards whose lease this process holds.", len(seen.leases)),
            ("shards_connected", "Shards it has connected.", sum(seen.here.values())),
            ("members", "Processes that share the database.", len(seen.members)),
            ("shards_of_nobody", "Shards that no process runs.", nobodys),
        ):
            yield GaugeMetricFamily(f"kontor_{name}", what, value)
        for name, what, value in (
            ("takeovers", "Shards taken that another process had before.", seen.takeovers),
            ("stale_writes", "Work done again: another process was faster.", seen.stale_writes),
        ):
            yield CounterMetricFamily(f"kontor_{name}", what, value)


class LabelledRegistry:
    """Metrics of a registry, each with one more label: `process`."""

    def __init__(self, registry: Collector, process: str) -> None:
        self._registry = registry
        self._label = {"process": process}

    def collect(self) -> Iterator[Metric]:
        """All of them."""
        for metric in self._registry.collect():
            labelled = Metric(metric.name, metric.documentation, metric.type, metric.unit)
            labelled.samples = [
                sample._replace(labels={**sample.labels, **self._label})
                for sample in metric.samples
            ]
            yield labelled
