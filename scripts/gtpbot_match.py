"""Matches of our players over GTP, refereed by OpenSpiel's GTPBot: cargo xtask test-engines.

usage: gtpbot_match.py PROGRAM [GAMES]

PROGRAM is `treegraft`. In every common game, two of our players meet each other and a random bot.
OpenSpiel checks every move and says who has won; so do we (final_score), and both have to agree.
"""

import random
import sys

import pyspiel
from open_spiel.python.bots import gtp

# OpenSpiel's game, and ours. GTPBot tells the size of Hex only.
GAMES = [
    ("othello", "othello"),
    ("hex(board_size=5)", "hex"),
    ("connect_four", "connect4"),
    ("breakthrough", "breakthrough"),
    ("breakthrough(rows=6,columns=6)", "breakthrough:6x6"),
]


def play(game, bots, rng):
    """A game between bots; None is a random one. The state at its end."""
    state = game.new_initial_state()
    for bot in filter(None, bots):
        bot.restart()
    while not state.is_terminal():
        player = state.current_player()
        if bots[player] is None:
            action = rng.choice(state.legal_actions())
        else:
            action = bots[player].step(state)
        for other, bot in enumerate(bots):
            if other != player and bot is not None:
                bot.inform_action(state, player, action)
        state.apply_action(action)
    return state


def main():
    program, games = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 4
    rng = random.Random(3)
    for name, ours in GAMES:
        game = pyspiel.load_game(name)
        command = [program, "engine", ours, "mcts-solver@200it,4MiB", "--protocol", "gtp"]
        bots = [gtp.GTPBot(game, command) for _ in range(2)]
        assert bots[0].name == "treegraft", bots[0].name
        wins = 0
        for number in range(games):
            for bot in bots:
                bot.gtp_cmd("treegraft-seed", number + 10 * bots.index(bot))
            for players in (bots, [bots[0], None], [None, bots[1]]):
                state = play(game, players, rng)
                result = state.returns()[0]
                for bot in filter(None, players):
                    score = bot.gtp_cmd("final_score")
                    says = {"b": 1, "w": -1, "0": 0}[score[0]]
                    assert says == result, (name, score, state.returns(), str(state))
                if None in players:
                    wins += result == (1 if players[1] is None else -1)
        for bot in bots:
            bot.close()
        print(f"{name}: {3 * games} games, {wins} of {2 * games} won against a random bot")
        assert wins >= games, "weaker than random"


if __name__ == "__main__":
    main()
