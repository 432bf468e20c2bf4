#!/bin/sh
# Density and difficulty of traps (section V-B): 1,000 games of MCTS-Solver against itself a game, with a tenth of the
# simulations a move that the paper's program made in its second. About 6 minutes on one core; can be ended and begun again.
set -eu
cd "$(dirname "$0")/../.."
cargo build --release --quiet
treegraft=${CARGO_TARGET_DIR:-target}/release/treegraft
stores=${CARGO_TARGET_DIR:-target}/traps
out=papers/baier-winands-2015/traps
mkdir -p "$stores" "$out"

study() { # GAME SIMULATIONS NAME
    name=$3
    set -- traps "$1" --player "mcts-solver@$2it" --games 1000 --seed 1 --jobs "${JOBS:-1}" --store "$stores/$name.jsonl"
    "$treegraft" "$@" --json > "$out/$name.json"
    if [ "$name" = lion ]; then
        others="--beside $stores/breakthrough.jsonl --beside $stores/connect4.jsonl --beside $stores/othello.jsonl"
        # shellcheck disable=SC2086 # several arguments
        "$treegraft" "$@" $others --plot "$out/traps.svg" > "$out/traps.txt"
    fi
}

study othello 870 othello
study connect4 9100 connect4
study breakthrough:6x6 4510 breakthrough
study lion 3470 lion
