"""OpenSpiel's MCTS bot against a Treegraft player, inside OpenSpiel.

    pip install treegraft[openspiel]
    python examples/python/openspiel_match.py
"""

from __future__ import annotations

import numpy
import pyspiel
from open_spiel.python.algorithms import evaluate_bots, mcts

import treegraft as tg


def play(game_name: str, player: str, games: int, simulations: int = 100) -> float:
    """Points per game of our player, who has either side in turn."""
    game = pyspiel.load_game(game_name)
    points = 0.0
    for number in range(games):
        random = numpy.random.RandomState(number)
        evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=random)
        theirs = mcts.MCTSBot(game, 1.4, simulations, evaluator, random_state=random)
        ours = tg.openspiel.bot(game, player, player_id=number % 2, seed=number)
        bots = [ours, theirs] if number % 2 == 0 else [theirs, ours]
        returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, random)
        points += 0.5 + 0.5 * returns[number % 2]
    return points / games


def main() -> None:
    player = "mcts-ms-2-visit-2@100it"
    score = play("breakthrough(rows=6,columns=6)", player, games=4)
    print(f"{player} against OpenSpiel's MCTS with 100 simulations: {100 * score:.0f} %")


if __name__ == "__main__":
    main()
