#!/usr/bin/env bash
# The paper's sanity check: MCTS-Solver against random play, 1,000 games a game.
# Writes results/sanity.jsonl, a line a match. Takes a few minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --quiet
out=papers/baier-winands-2015/results/sanity.jsonl
: > "$out"
for game in connect4 breakthrough:6x6 breakthrough othello lion hex:7 hex:11 kalah loa; do
  target/release/treegraft match "$game" mcts-solver@5000it random --games 1000 --seed 1 --json | tee -a "$out"
done
