"""What experiments on Ray cost: run by hand, for docs/clusters.md.

    python crates/python/measure_cluster.py --program target/release/treegraft

A cluster with two workers on this machine and the program with two threads play the same experiment
in turn. Rates are of the time between the first move and the last, so that starting up is not in
them. On a machine that does other things too, processor time says more: that of all processes.

Then trivial players, of whom the driver has to hand out, collect and write as many pairs as it can;
and the driver without Ray, with thousands of workers that give back at once what was played before.
"""

from __future__ import annotations

import argparse
import os
import resource
import sqlite3
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
# Ray's workers give way to all other processes, and on a machine that does other things too they would
# be slower than the program for that reason alone.
os.environ.setdefault("RAY_worker_niceness", "0")
# Found again in the environment of all processes that Ray starts.
MARK = f"TREEGRAFT_MEASURE={os.getpid()}"
os.environ["TREEGRAFT_MEASURE"] = str(os.getpid())

import ray  # noqa: E402

import treegraft as tg  # noqa: E402
from treegraft import _ray, cluster  # noqa: E402

WORK = """
game = "breakthrough:6x6"
games = {games}
seed = {seed}
players = ["mcts@3000it", "ab@4000nodes"]

[openings]
random = 4
"""

TRIVIAL = """
game = "connect4:4x4"
games = {games}
seed = {seed}
players = ["random", "greedy"]

[openings]
random = 1
"""


def processor_seconds() -> float:
    """Of this process and of all that Ray has started and that are still there."""
    total, tick = 0.0, os.sysconf("SC_CLK_TCK")
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment = Path("/proc", entry, "environ").read_bytes()
            if int(entry) == os.getpid() or MARK.encode() in environment.split(b"\0"):
                fields = Path("/proc", entry, "stat").read_text().rsplit(")", 1)[1].split()
                total += (int(fields[11]) + int(fields[12])) / tick
        except OSError:
            continue
    return total


def playing_seconds(store: Path) -> float:
    """From the beginning of the first game in a store to the end of the last."""
    with sqlite3.connect(store) as connection:
        begun, over = connection.execute(
            "SELECT min(started_ms), max(started_ms + 1000 * seconds) FROM games"
        ).fetchone()
    return (over - begun) / 1000


def on_ray(path: Path, store: Path) -> tuple[float, float]:
    """Plays an experiment on Ray; seconds of play, and of all processors."""
    begun = processor_seconds()
    cluster.run(path, store=store, progress=False)
    return playing_seconds(store), processor_seconds() - begun


def by_program(program: str, path: Path, store: Path) -> tuple[float, float]:
    """The same with two threads of the program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "run", str(path), "--jobs", "2", "--store", str(store), "--no-plot", "--quiet"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return playing_seconds(store), spent


def compare(folder: Path, program: str, games: int, rounds: int) -> None:
    """Ray with two workers, and the program with two threads, in turn."""
    ray_speeds, program_speeds, ray_costs, program_costs = [], [], [], []
    for seed in range(rounds):
        path = folder / f"work-{seed}.toml"
        path.write_text(WORK.format(games=games, seed=seed))
        seconds, spent = by_program(program, path, folder / f"program-{seed}.db")
        program_speeds.append(games / seconds)
        program_costs.append(spent)
        seconds, spent = on_ray(path, folder / f"ray-{seed}.db")
        ray_speeds.append(games / seconds)
        ray_costs.append(spent)
        print(
            f"  round {seed + 1}: program {program_speeds[-1]:.1f} games/s [{program_costs[-1]:.1f} s], "
            f"Ray {ray_speeds[-1]:.1f} games/s [{spent:.1f} s]"
        )
    speed = statistics.median(ray_speeds) / statistics.median(program_speeds)
    cost = statistics.median(program_costs) / statistics.median(ray_costs)
    print(f"{games} games, {rounds} rounds, medians: Ray has {100 * speed:.0f} % of the program's games a second,")
    print(f"  and by processor time {100 * cost:.0f} %")


def trivial(
    folder: Path, games: int, rounds: int, batch: int | None = None, workers: int | None = None
) -> None:
    """Trivial players on Ray: what the driver handles. It may believe that there are more workers, and
    keep as many tasks in flight."""
    rates, own = [], []
    count = _ray._Run.count_workers

    def count_more(run: Any) -> None:
        count(run)
        run.workers = workers

    if workers:
        _ray._Run.count_workers = count_more  # type: ignore[method-assign]
    for seed in range(rounds):
        path = folder / f"trivial-{batch}-{workers}-{seed}.toml"
        path.write_text(TRIVIAL.format(games=games, seed=seed))
        heard: list[tuple[float, float]] = []
        hear = lambda now: heard.append((now["seconds"], time.process_time()))  # noqa: E731
        begun = time.process_time()
        cluster.run(path, store=path.with_suffix(".db"), batch=batch, progress=hear)
        seconds, spent = heard[-1]
        own.append(games / 2 / (spent - begun))
        rates.append(games / 2 / seconds)
    _ray._Run.count_workers = count  # type: ignore[method-assign]
    print(
        f"trivial players on Ray, {games // 2} pairs, {batch or 'many'} a task, "
        f"{2 * (workers or 2)} tasks in flight, {rounds} rounds: median {statistics.median(rates):.0f} pairs/s; "
        f"the driver {statistics.median(own):.0f} per second of its processor time"
    )


class Handing:
    """A driver that hands out the names of pairs instead of the pairs."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def next_batch(self, most: int) -> tuple[list[str], list[str]] | None:
        batch = self.driver.next_batch(most)
        return batch and (batch[0], batch[0])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.driver, name)


class Instant:
    """Stands in for Ray, with many workers that answer at once: all pairs have been played before."""

    exceptions = ray.exceptions

    def __init__(self, workers: int, session: bytes, played: dict[str, bytes]) -> None:
        self.workers, self.session, self.played = workers, session, played

    def put(self, value: Any) -> Any:
        return value

    def remote(self, **_: Any) -> Callable[[Any], Any]:
        return lambda play: Task

    def wait(self, tasks: list[Any], num_returns: int, timeout: float) -> tuple[list[Any], list[Any]]:
        return tasks[:num_returns], tasks[num_returns:]

    def get(self, task: Task) -> tuple[str, bytes, float, bytes]:
        # As many seconds as a worker of such a cluster would need.
        seconds = float(len(task.names))
        return "node", self.session, seconds, b"[" + b",".join(self.played[it] for it in task.names) + b"]"

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": self.workers}

    def nodes(self) -> list[Any]:
        return []


class Task:
    """What is to be played."""

    def __init__(self, names: list[str]) -> None:
        self.names = names

    @staticmethod
    def remote(cast: bytes, record: bool, names: list[str]) -> Task:
        return Task(names)


def alone(folder: Path, workers: int, games: int, rounds: int) -> None:
    """The driver without Ray, with pairs that seem to take a second."""
    rates, own, played = [], [], {}
    path = folder / "alone.toml"
    path.write_text(TRIVIAL.format(games=games, seed=1000))
    driver = tg._treegraft._Driver(path, folder / "unused.db", False)
    session = tg._treegraft._session(driver.cast, "", 1)
    while batch := driver.next_batch(1):
        (name,), pairs = batch
        played[name] = bytes(tg._treegraft._play_pairs(pairs, False))[1:-1]
    for number in range(rounds):
        driver = Handing(tg._treegraft._Driver(path, folder / f"alone-{number}.db", False))
        run = _ray._Run(Instant(workers, session, played), driver, None, None, None, False, 0)
        begun, spent = time.perf_counter(), time.process_time()
        run.play()
        rates.append(games / 2 / (time.perf_counter() - begun))
        own.append(games / 2 / (time.process_time() - spent))
    print(
        f"the driver without Ray, {workers} workers, {games // 2} pairs, {rounds} rounds: median "
        f"{statistics.median(rates):.0f} pairs/s, {statistics.median(own):.0f} per second of processor time"
    )


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--program", help="the program treegraft, to compare with")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--games", type=int, default=600, help="of a round against the program")
    arguments.add_argument("--trivial-games", type=int, default=40_000)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="treegraft-measure-") as name:
        folder = Path(name)
        alone(folder, 5_000, options.trivial_games, options.rounds)
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="warning")
        # The workers are processes that have to be started.
        path = folder / "warm.toml"
        path.write_text(TRIVIAL.format(games=400, seed=0))
        cluster.run(path, batch=10, progress=False)
        trivial(folder, options.trivial_games, options.rounds)
        trivial(folder, options.trivial_games // 10, options.rounds, batch=1)
        trivial(folder, options.trivial_games, options.rounds, batch=10)
        trivial(folder, 2 * options.trivial_games, options.rounds, batch=10, workers=1_000)
        if options.program:
            compare(folder, options.program, options.games, options.rounds)
        ray.shutdown()


if __name__ == "__main__":
    main()
