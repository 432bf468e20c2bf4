#!/usr/bin/env python3
"""Simulations per CPU second: Treegraft's UCT beside OpenSpiel's MCTSBot, in one run.

Installs open_spiel from PyPI into target/openspiel-venv, runs `cargo bench --bench search`, and prints a table.
OpenSpiel has no Catch the Lion: it stands beside the rate that Baier & Winands (2015) report.
Usage: scripts/compare_openspiel.py
"""

import os
import pathlib
import subprocess
import sys
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / "target" / "openspiel-venv"

# Our game, OpenSpiel's, simulations a search there (or a rate to compare with), and the targets: times OpenSpiel,
# share of raw playouts.
GAMES = [
    ("connect4", "connect_four", 20000, 25, 0.30),
    ("breakthrough:6x6", "breakthrough(rows=6,columns=6)", 10000, 45, 0.55),
    ("breakthrough", "breakthrough", 5000, 75, 0.70),
    ("othello", "othello", 1000, 190, 0.85),
    ("hex:11", "hex(board_size=11)", 5000, 110, 0.25),
    ("kalah:capture-empty=false", "mancala", 20000, 7, 0.65),
    ("loa", "lines_of_action", 500, 110, 0.75),
    ("lion", None, 34700, 60, 0.55),
]


def main():
    if not VENV.exists():
        venv.create(VENV, with_pip=True)
        subprocess.run([VENV / "bin" / "pip", "install", "-q", "open_spiel"], check=True)
    if pathlib.Path(sys.prefix).resolve() != VENV.resolve():
        os.execv(VENV / "bin" / "python", [str(VENV / "bin" / "python"), *sys.argv])
    import pyspiel

    def openspiel(name, simulations):
        """Median of three, from the starting position, one playout a simulation."""
        game = pyspiel.load_game(name)
        rates = []
        for seed in range(3):
            evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
            bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 2000, False, seed, False)
            start = time.process_time()
            bot.step(game.new_initial_state())
            rates.append(simulations / (time.process_time() - start))
        return sorted(rates)[1]

    bench = ["cargo", "bench", "-q", "-p", "treegraft-games", "--bench", "search"]
    lines = subprocess.run(bench, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    ours = {}
    for line in lines.splitlines()[1:]:
        words = line.split()
        ours[words[0]] = [float(word) for word in words[1:]]
    print("| game | OpenSpiel | Treegraft 1e5 | times | target | ÷ raw | target | 1e6 |")
    print("|---|---|---|---|---|---|---|---|")
    for game, theirs, simulations, times, share in GAMES:
        rate = openspiel(theirs, simulations) if theirs else simulations
        raw, small, ratio, large = ours[game][:4]
        print(
            f"| {game} | {rate:,.0f} | {small:,.0f} | {small / rate:.1f} | {times} "
            f"| {ratio:.2f} | {share:.2f} | {large:,.0f} |",
            flush=True,
        )


main()
