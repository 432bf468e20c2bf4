"""Experiments on a Ray cluster: pairs of games are tasks, and one driver writes the store.

>>> import treegraft as tg
>>> report = tg.cluster.run("examples/quick.toml")          # doctest: +SKIP

The same from a shell: ``python -m treegraft.cluster examples/quick.toml``. The package must be
installed on every node. ``pip install treegraft[ray]`` installs what this module needs; it imports
Ray only when it is used.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import _treegraft
from ._api import Path, _experiment, _Line
from ._ray import UnequalMachinesWarning, _check_numbers, _cluster, _ClusterLine, _duration, _ray, _Run
from ._results import ExperimentReport, RunSummary
from ._tables import Table

__all__ = ["Reproduced", "UnequalMachinesWarning", "main", "reproduce", "run"]


def run(
    path: Path,
    *,
    address: str | None = None,
    store: Path | None = None,
    workers: int | None = None,
    batch: int | None = None,
    progress: bool | Callable[[Mapping[str, Any]], Any] = True,
    strict: bool = False,
    mix_versions: bool = False,
    max_retries: int = 20,
) -> ExperimentReport:
    """Runs an experiment file on a Ray cluster, or resumes it, and reports its results.

    ``address`` is that of a cluster (``"auto"`` for the one that this machine belongs to); without
    it, Ray is started on this machine for as long as it takes. If Ray is initialized already, that is
    used. Every pair that is not in the store yet is a part of a task; only this process writes the
    store. Pairs that are lost with a worker or a node are played again, each up to ``max_retries``
    times. When this process dies, the same call goes on. The report is that of ``treegraft.run``.

    At most ``workers`` tasks run at once, by default one per processor of the cluster. A task has
    ``batch`` pairs; by default as many as take about a second.

    ``progress`` is as in ``treegraft.run``; the dict has ``workers``, ``lost`` (pairs that were played
    again) and ``seconds_left``, too. A sequential test ends the run as soon as it has decided.

    If a player is limited by time or is an engine, results depend on the machine. Machines that
    differ are warned about (:class:`UnequalMachinesWarning`), and with ``strict`` they are refused
    (ValueError). Which machine played a game is in the store in any case.
    """
    _check_numbers(workers, batch, max_retries)
    ray = _ray()
    driver = _treegraft._Driver(path, store, mix_versions)
    listener = progress if callable(progress) else (_ClusterLine() if progress else None)
    run = _Run(ray, driver, workers, batch, listener, strict, max_retries)
    # A traceback that is kept must not keep the store locked.
    del driver
    begun = time.monotonic()
    with _cluster(ray, address, workers) as connect:
        planned, found, played, where = run.whole(connect)
    summary = RunSummary(
        planned=planned,
        found=found,
        played=played,
        cancelled=False,
        seconds=time.monotonic() - begun,
        store=where,
    )
    return _experiment(_treegraft.report(path, store, False, None), summary)


@dataclass(frozen=True)
class Reproduced:
    """What an experiment of a paper came to."""

    id: str
    """The experiment: PAPER/EXPERIMENT."""
    scale: str
    """How large it was: 'smoke', 'quick', 'long' or 'paper'."""
    budget: str
    """What players could spend: 'emulated', 'equal' or 'time'."""
    done: int
    """Games, or whatever a study has, that are done."""
    planned: int
    """How many there are."""
    seconds: float
    """Wall-clock time of this call."""
    rows: Table
    """What was measured, with 95 % intervals."""


def reproduce(
    *ids: str,
    scale: str = "quick",
    budget: str = "emulated",
    folder: Path = "reproduce",
    address: str | None = None,
    workers: int | None = None,
    batch: int | None = None,
    progress: bool | Callable[[Mapping[str, Any]], Any] = True,
    strict: bool = False,
    mix_versions: bool = False,
    max_retries: int = 20,
) -> list[Reproduced]:
    """Plays experiments of papers on a Ray cluster, as ``treegraft reproduce`` does on one machine.

    An ID is an experiment such as ``weinstein-2012/uniform``, a paper, or ``all``; ``scale``,
    ``budget`` and ``folder`` are those of the program, which reports from the same folder
    (``treegraft reproduce report --dir FOLDER``). The other arguments are those of :func:`run`.
    What was played at another scale is not played again, and after an interruption the same call
    goes on.

    Pairs of games are played by the cluster. Studies (of traps, trees and speeds) have none: this
    process makes them, with all processors of its machine.
    """
    found = _reproduced(
        ids, scale, budget, folder, address, workers, batch, progress, strict, mix_versions, max_retries
    )
    return list(found)


def _reproduced(
    ids: Sequence[str],
    scale: str,
    budget: str,
    folder: Path,
    address: str | None,
    workers: int | None,
    batch: int | None,
    progress: bool | Callable[[Mapping[str, Any]], Any],
    strict: bool,
    mix_versions: bool,
    max_retries: int,
) -> Iterator[Reproduced]:
    """The experiments, each when it is done."""
    if not ids:
        raise ValueError("expected an experiment, a paper, or all")
    _check_numbers(workers, batch, max_retries)
    ray = _ray()
    names, _ = _treegraft._papers(list(ids), scale, budget)
    with _cluster(ray, address, workers) as connect:
        for name in names:
            begun = time.monotonic()
            paper = _treegraft._Paper(name, scale, budget, folder)
            if not paper.is_games:
                paper.study()
            elif (driver := paper.driver(mix_versions)) is not None:
                listener = progress if callable(progress) else (_ClusterLine() if progress else None)
                run = _Run(ray, driver, workers, batch, listener, strict, max_retries)
                del driver
                run.whole(connect)
            outcome = paper.outcome(time.monotonic() - begun)
            yield Reproduced(**{**outcome, "rows": Table.of(outcome["rows"])})


# ---------------------------------------------------------------- the command


def main(arguments: Sequence[str] | None = None) -> int:
    """The command ``python -m treegraft.cluster``; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m treegraft.cluster",
        description="Runs an experiment on a Ray cluster, or goes on with it, and prints its report.",
    )
    parser.add_argument("file", nargs="?", help="the experiment file")
    parser.add_argument(
        "--reproduce", metavar="ID", action="append", default=[],
        help="instead of a file, an experiment of a paper, a paper, or all; can be given several times",
    )
    parser.add_argument("--scale", help="of --reproduce: smoke, quick (unless given), long or paper")
    parser.add_argument("--budget", help="of --reproduce: emulated (unless given), equal or time")
    parser.add_argument("--dir", help="of --reproduce: the folder of all results; reproduce unless given")
    parser.add_argument("--address", help="of a Ray cluster; auto for the one this machine is in")
    parser.add_argument("--store", help="where the games go; FILE.db unless given")
    parser.add_argument("--workers", type=int, help="tasks at once; one per processor unless given")
    parser.add_argument("--batch", type=int, help="pairs of a task; about a second's unless given")
    parser.add_argument("--retries", type=int, default=20, help="times a lost pair is played again")
    parser.add_argument(
        "--strict", action="store_true", help="refuse time budgets on machines that differ"
    )
    parser.add_argument(
        "--mix-versions", action="store_true", help="allow games of several versions in one store"
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    asked = parser.parse_args(arguments)
    if bool(asked.file) == bool(asked.reproduce):
        parser.error("expected an experiment file, or --reproduce ID")
    if asked.reproduce and asked.store:
        parser.error("--store is for an experiment file; --dir says where papers' results go")
    if asked.file and (asked.scale or asked.budget or asked.dir):
        parser.error("--scale, --budget and --dir are for --reproduce")
    options = {
        "address": asked.address,
        "workers": asked.workers,
        "batch": asked.batch,
        "progress": not asked.quiet,
        "strict": asked.strict,
        "mix_versions": asked.mix_versions,
        "max_retries": asked.retries,
    }
    try:
        if asked.reproduce:
            _reproduce_command(asked, options)
            return 0
        report = run(asked.file, store=asked.store, **options)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        return 130
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(report.text, end="" if report.text.endswith("\n") else "\n")
    return 0


def _reproduce_command(asked: argparse.Namespace, options: dict[str, Any]) -> None:
    """Plays experiments of papers, and says so when each is done."""
    scale, folder = asked.scale or "quick", asked.dir or "reproduce"
    budget = asked.budget or "emulated"
    names, left = _treegraft._papers(asked.reproduce, scale, budget)
    done = _reproduced(asked.reproduce, scale, budget, folder, **options)
    for number, one in enumerate(done, 1):
        state = "done" if one.done == one.planned else f"{one.done} of {one.planned}"
        print(f"{number}/{len(names)}  {one.id}  {state}, {_duration(one.seconds)}", flush=True)
    if left:
        print(f"{left} experiments have no scale {scale} and were left out")
    where = "" if folder == "reproduce" else f" --dir {folder}"
    which = " --scale smoke" if scale == "smoke" else ""
    print(f"the results beside the paper: treegraft reproduce report{where}{which} --html out")


if __name__ == "__main__":
    # Workers find the functions in the module, not in the program.
    from treegraft.cluster import main as _main

    sys.exit(_main())
