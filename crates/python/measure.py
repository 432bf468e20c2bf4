"""What the Python package costs: run by hand, for docs/python.md.

    python crates/python/measure.py --program target/release/treegraft
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples" / "python"))

import numpy  # noqa: E402
from tic_tac_toe import TicTacToe  # noqa: E402

import treegraft as tg  # noqa: E402

SIMULATIONS = 1_000_000


def overhead(program: str | None, rounds: int) -> None:
    """A million simulations from Python and in the program, in turn."""
    player = f"mcts-solver@{SIMULATIONS}it"
    around, python, rust = [], [], []
    for seed in range(rounds):
        begun = time.perf_counter()
        report = tg.analyze("connect4", player, seed=seed)
        around.append(time.perf_counter() - begun - report.seconds)
        python.append(report.seconds)
        if program:
            command = [program, "analyze", "connect4", player, "--seed", str(seed), "--json"]
            found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            assert found["digest"] == report.digest and found["iterations"] == SIMULATIONS
            rust.append(found["seconds"])
    print(f"a million simulations, {rounds} rounds: median {statistics.median(python):.3f} s")
    print(f"  around the search: median {1000 * statistics.median(around):.2f} ms, most {1000 * max(around):.2f} ms")
    if rust:
        total = [a + b for a, b in zip(around, python)]
        print(f"  in the program: median {statistics.median(rust):.3f} s, least {min(rust):.3f} s")
        more = statistics.median(t / r - 1 for t, r in zip(total, rust))
        print(f"  from Python, all included: least {min(total):.3f} s, median difference {100 * more:+.1f} %")


def rate(name: str, unit: str, work: Callable[[], float]) -> None:
    begun = time.perf_counter()
    done = work()
    print(f"{name}: {done / (time.perf_counter() - begun):,.0f} {unit} per second")


def interrupt(name: str, work: Callable[[], Any], rounds: int) -> None:
    """From Ctrl-C to KeyboardInterrupt."""
    waits = []
    for _ in range(rounds):
        sent = [0.0]

        def send(sent: list[float] = sent) -> None:
            time.sleep(0.2)
            sent[0] = time.perf_counter()
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=send)
        try:
            thread.start()
            work()
        except KeyboardInterrupt:
            waits.append(time.perf_counter() - sent[0])
        thread.join()
    shown = f"median {1000 * statistics.median(waits):.0f} ms, most {1000 * max(waits):.0f} ms"
    print(f"Ctrl-C in {name}, {len(waits)} times: {shown}")


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--program", help="the program treegraft, to compare with")
    arguments.add_argument("--rounds", type=int, default=15)
    options = arguments.parse_args()
    overhead(options.program, options.rounds)

    @tg.evaluation("zero", game="connect4")
    def zero(position: tg.Position) -> float:
        return 0.0

    @tg.evaluation("zeros", game="connect4", batch=True)
    def zeros(arrays: Any) -> Any:
        return numpy.zeros(len(arrays))

    rate("MCTS, Connect-4 in Rust", "simulations", lambda: tg.analyze("connect4", "mcts@500000it").iterations)
    rate("MCTS, tic-tac-toe in Python", "simulations", lambda: tg.analyze(TicTacToe(), "mcts@30000it").iterations)
    rate("alpha-beta, Connect-4 in Rust", "nodes", lambda: tg.analyze("connect4", "ab@2000000nodes").nodes)
    rate("alpha-beta, tic-tac-toe in Python", "nodes", lambda: tg.analyze(TicTacToe(), "ab(table=false)@100000nodes").nodes)
    rate("alpha-beta with a Python evaluation", "nodes", lambda: tg.analyze("connect4", "ab(eval=zero)@200000nodes").nodes)
    rate("implicit minimax with a batch evaluation", "evaluations", lambda: tg.analyze("connect4", "mcts(im=0.4,eval=zeros,expand=all)@3000it").evaluations)
    for name, work in [
        ("MCTS, Connect-4", lambda: tg.analyze("connect4", "mcts@60s")),
        ("alpha-beta, Othello", lambda: tg.analyze("othello", "ab@60s")),
        ("a match of Connect-4", lambda: tg.match("connect4", "mcts@10s", "mcts@10s", games=10)),
        ("MCTS, a game in Python", lambda: tg.analyze(TicTacToe(), "mcts@60s")),
    ]:
        interrupt(name, work, options.rounds)


if __name__ == "__main__":
    main()
