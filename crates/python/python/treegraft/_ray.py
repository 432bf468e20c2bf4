"""The driver of an experiment on a Ray cluster, and what its workers do."""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from . import _treegraft
from ._api import _Line

__all__: list[str] = []

# About what a task should take: short enough to lose little with a worker, and long enough for the
# scheduler not to matter.
_TASK_SECONDS = 1.0
# Maximum number of tasks that the driver handles per second: with many workers tasks are longer.
_TASKS_A_SECOND = 200
_LARGEST_BATCH = 256
# How often the progress is reported, and how often a line is written to a file.
_NEWS_SECONDS = 0.5
_LINE_SECONDS = 30.0
_PROBE_SECONDS = 120.0


class UnequalMachinesWarning(UserWarning):
    """Machines that differ play games whose results depend on the machine."""


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise ImportError("treegraft.cluster needs Ray: pip install treegraft[ray]") from error
    return ray


# ---------------------------------------------------------------- in the workers

_SESSIONS: dict[bytes, bytes] = {}


def _session(cast: bytes) -> tuple[str, bytes]:
    """The node that this process is on, and its session, without what the driver knows."""
    if cast not in _SESSIONS:
        _SESSIONS[cast] = _treegraft._session(cast, "", 1)
    return _ray().get_runtime_context().get_node_id(), _SESSIONS[cast]


def _play(cast: bytes, record: bool, pairs: bytes) -> tuple[str, bytes, float, bytes]:
    """Plays a batch: the node, its session, the seconds it took, and the finished pairs."""
    node, session = _session(cast)
    begun = time.monotonic()
    played = _treegraft._play_pairs(pairs, record)
    return node, session, time.monotonic() - begun, played


# ---------------------------------------------------------------- the driver


def _check_numbers(workers: int | None, batch: int | None, max_retries: int) -> None:
    for name, value, least in (
        ("workers", workers, 1),
        ("batch", batch, 1),
        ("max_retries", max_retries, 0),
    ):
        if value is not None and value < least:
            raise ValueError(f"{name} is {value}; expected a number from {least}")


@contextmanager
def _cluster(ray: Any, address: str | None, workers: int | None) -> Iterator[Callable[[], None]]:
    """What connects to a cluster when it is first called, for as long as this lasts."""
    is_ours = not ray.is_initialized()

    def connect() -> None:
        if ray.is_initialized():
            return
        is_local = address in (None, "local") and "RAY_ADDRESS" not in os.environ
        ray.init(
            address=address,
            num_cpus=workers if is_local else None,
            include_dashboard=False if is_local else None,
            log_to_driver=False,
            logging_level="warning",
        )

    try:
        yield connect
    finally:
        if is_ours and ray.is_initialized():
            ray.shutdown()


def _kind(session: Mapping[str, Any]) -> tuple[Any, ...]:
    """What machines must have in common to be called equal."""
    return tuple(session[key] for key in ("cpu", "cores", "os", "arch"))


def _kind_text(kind: tuple[Any, ...]) -> str:
    cpu, cores, system, arch = kind
    return f"{cpu or 'an unknown processor'} ({cores} cores, {system}, {arch})"


class _Run:
    """A run: what is in flight, and who plays."""

    def __init__(
        self,
        ray: Any,
        driver: _treegraft._Driver,
        workers: int | None,
        batch: int | None,
        listener: Callable[[Mapping[str, Any]], Any] | None,
        strict: bool,
        max_retries: int,
    ) -> None:
        self.ray = ray
        self.driver = driver
        self.most_workers = workers
        self.batch = batch
        self.listener = listener
        self.strict = strict
        self.max_retries = max_retries
        self.workers = 0
        self.flying: dict[Any, list[str]] = {}
        self.sessions: dict[tuple[str, bytes], int] = {}
        self.losses: dict[str, int] = {}
        self.lost = 0
        self.pair_seconds: float | None = None
        self.begun = self.told = self.counted = time.monotonic()
        self.kinds: set[tuple[Any, ...]] = set()

    def whole(self, connect: Callable[[], None]) -> tuple[int, int, int, str]:
        """Plays everything that counts, connecting to a cluster if there is something to play: pairs of
        the plan, those found, those played, and the store."""
        try:
            planned, found, _, _ = self.driver.counts()
            if not self.driver.is_over():
                connect()
                self.play()
            _, _, played, _ = self.driver.counts()
            return planned, found, played, self.driver.store
        finally:
            self.close()
            if isinstance(self.listener, _Line):
                self.listener.end()

    def close(self) -> None:
        """Ends what is in flight, and lets go of the store."""
        for task in self.flying:
            try:
                self.ray.cancel(task)
            except Exception:
                # The cluster may be gone.
                break
        self.flying.clear()
        del self.driver

    def play(self) -> None:
        """Plays everything that counts."""
        # The driver is in no variable: a traceback would keep its store locked.
        ray = self.ray
        cast = ray.put(self.driver.cast)
        record = self.driver.record
        task = ray.remote(num_cpus=1, max_retries=0)(_play)
        if self.driver.is_timed:
            self.kinds.update(_kind(session) for session in self.driver.sessions())
            self.compare_nodes(cast)
        self.begun = time.monotonic()
        self.count_workers()
        while True:
            is_all_out = False
            while len(self.flying) < self.most_in_flight():
                batch = self.driver.next_batch(self.batch or self.batch_size())
                is_all_out = batch is None
                if batch is None:
                    break
                names, pairs = batch
                self.flying[task.remote(cast, record, pairs)] = names
            if not self.flying:
                break
            self.take()
            if is_all_out and self.driver.is_over():
                # A test has decided: what is still in flight does not count.
                break
            self.tell()
        if not self.driver.is_over():
            raise RuntimeError("pairs are missing though none is in flight; please report it")
        self.tell(at_once=True)

    def most_in_flight(self) -> int:
        """Tasks that may be in flight: each worker finds the next one waiting, and not more."""
        if self.most_workers is not None and self.most_workers < self.workers:
            return self.most_workers
        return 2 * max(self.workers, 1)

    def batch_size(self) -> int:
        """How many pairs a task gets."""
        if self.pair_seconds is None:
            return 1
        seconds = max(_TASK_SECONDS, self.workers / _TASKS_A_SECOND)
        size = int(seconds / max(self.pair_seconds, 1e-6))
        # In the end all workers should have something to do.
        planned, done, _, out = self.driver.counts()
        share = (planned - done - out) // (2 * max(self.workers, 1))
        return max(1, min(size, share, _LARGEST_BATCH))

    def count_workers(self) -> None:
        self.counted = time.monotonic()
        self.workers = int(self.ray.cluster_resources().get("CPU", 0))

    def take(self) -> None:
        """Waits for tasks, and writes what they have played."""
        ray = self.ray
        tasks = list(self.flying)
        ready, _ = ray.wait(tasks, num_returns=1, timeout=_NEWS_SECONDS)
        if ready and len(tasks) > 1:
            ready, _ = ray.wait(tasks, num_returns=len(tasks), timeout=0)
        played: dict[int, list[bytes]] = {}
        for task in ready:
            names = self.flying[task]
            try:
                node, session, seconds, pairs = ray.get(task)
            except ray.exceptions.RayTaskError as error:
                # It was not lost: it failed, and would fail again.
                cause = getattr(error, "cause", None)
                raise (cause if isinstance(cause, Exception) else error) from None
            except (
                ray.exceptions.LocalRayletDiedError,
                ray.exceptions.RuntimeEnvSetupError,
                ray.exceptions.TaskUnschedulableError,
            ):
                raise
            except ray.exceptions.RayError as error:
                del self.flying[task]
                self.lose(names, error)
                continue
            del self.flying[task]
            played.setdefault(self.number(node, session), []).append(pairs)
            each = seconds / len(names)
            before = self.pair_seconds
            self.pair_seconds = each if before is None else 0.8 * before + 0.2 * each
        for number, batches in played.items():
            self.driver.write(number, batches)
        if time.monotonic() - self.counted > 2:
            self.count_workers()

    def lose(self, names: list[str], error: Exception) -> None:
        """Pairs will not come back: they are played again, unless that has happened too often."""
        self.driver.give_up(names)
        self.lost += len(names)
        for name in names:
            self.losses[name] = self.losses.get(name, 0) + 1
            if self.losses[name] > self.max_retries:
                raise RuntimeError(
                    f"pair {name} was lost {self.losses[name]} times with its worker, the last time "
                    f"by {type(error).__name__}: {error}"
                ) from error

    def number(self, node: str, session: bytes) -> int:
        """The number of a node's session."""
        told = json.loads(session)
        # Processes of one node differ in nothing else.
        key = node, json.dumps({**told, "process": 0, "started_ms": 0}).encode()
        if key not in self.sessions:
            self.compare(told)
            jobs = [
                int(it.get("Resources", {}).get("CPU", 1))
                for it in self.ray.nodes()
                if it["NodeID"] == node
            ]
            told = {**told, "experiment": self.driver.text, "jobs": max([1, *jobs])}
            self.sessions[key] = self.driver.begin_session(json.dumps(told).encode())
        return self.sessions[key]

    def compare_nodes(self, cast: Any) -> None:
        """Compares all machines before anything is played."""
        ray = self.ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        def ask(node: str) -> Any:
            there = NodeAffinitySchedulingStrategy(node_id=node, soft=False)
            probe = ray.remote(num_cpus=1, max_retries=0, scheduling_strategy=there)(_session)
            return probe.remote(cast)

        nodes = [it for it in ray.nodes() if it["Alive"] and it["Resources"].get("CPU", 0) >= 1]
        asked = [ask(it["NodeID"]) for it in nodes]
        ready, late = ray.wait(asked, num_returns=len(asked), timeout=_PROBE_SECONDS)
        for task in late:
            ray.cancel(task)
        for task in ready:
            try:
                _, session = ray.get(task)
            except ray.exceptions.RayTaskError:
                raise
            except ray.exceptions.RayError:
                # The node is gone. If it comes back, its first games show what it is.
                continue
            self.compare(json.loads(session))

    def compare(self, session: Mapping[str, Any]) -> None:
        """Compares a machine with those before it, if that matters."""
        if not self.driver.is_timed or _kind(session) in self.kinds:
            self.kinds.add(_kind(session))
            return
        self.kinds.add(_kind(session))
        if len(self.kinds) == 1:
            return
        text = (
            "results of players that are limited by time, and of engines, depend on the machine, and "
            "these differ: " + "; ".join(sorted(_kind_text(kind) for kind in self.kinds))
        )
        if self.strict:
            raise ValueError(f"{text}. Use machines of one kind, or budgets of work, or do not be strict")
        warnings.warn(text, UnequalMachinesWarning, stacklevel=2)

    def tell(self, at_once: bool = False) -> None:
        """Lets the listener know how it goes."""
        now = time.monotonic()
        if self.listener is None or not (at_once or now - self.told > _NEWS_SECONDS):
            return
        self.told = now
        planned, done, written, _ = self.driver.counts()
        seconds = now - self.begun
        self.listener(
            {
                "pairs": done,
                "planned": planned,
                "played": written,
                "seconds": seconds,
                "games_per_second": 2 * written / seconds if seconds > 0 else 0.0,
                "seconds_left": (planned - done) * seconds / written if written else None,
                "workers": min(self.workers, self.most_workers or self.workers),
                "lost": self.lost,
                "standings": self.driver.standings(),
            }
        )


class _ClusterLine(_Line):
    """Progress as a line that changes in place; in a file, as a line now and then."""

    def __init__(self) -> None:
        super().__init__()
        self._written = time.monotonic()

    def __call__(self, now: Mapping[str, Any]) -> None:
        is_done = now["pairs"] == now["planned"]
        if not self._is_shown and not is_done and time.monotonic() - self._written < _LINE_SECONDS:
            return
        self._written = time.monotonic()
        left = now["seconds_left"]
        text = (
            f"{2 * now['pairs']} of {2 * now['planned']} games, {now['workers']} workers, "
            f"{now['games_per_second']:.1f} games/s"
        )
        if left is not None and not is_done:
            text += f", {_duration(left)} left"
        if now["lost"]:
            text += f", {now['lost']} pairs lost and played again"
        if self._is_shown:
            sys.stderr.write("\r" + text.ljust(self._length))
            self._length = len(text)
        else:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
