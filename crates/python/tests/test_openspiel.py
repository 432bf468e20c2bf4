"""OpenSpiel both ways."""

import os
import random

import pytest

import treegraft as tg

pyspiel = pytest.importorskip("pyspiel")

# More in `cargo xtask test-python --long`.
POSITIONS = int(os.environ.get("TREEGRAFT_POSITIONS", "10000"))


def fitting_games():
    kinds = pyspiel.GameType
    return [
        kind.short_name
        for kind in pyspiel.registered_games()
        if kind.default_loadable
        and kind.dynamics == kinds.Dynamics.SEQUENTIAL
        and kind.chance_mode == kinds.ChanceMode.DETERMINISTIC
        and kind.information == kinds.Information.PERFECT_INFORMATION
        and kind.utility == kinds.Utility.ZERO_SUM
        and kind.min_num_players <= 2
    ]


def returned_board(state):
    """Whether OpenSpiel has drawn Lines of Action because a board returned with the other side to
    move: it compares boards, and we compare boards with the side to move."""
    replayed = state.get_game().new_initial_state()
    seen = []
    for action in state.history():
        seen.append((str(replayed).split("Current")[0], replayed.current_player()))
        replayed.apply_action(action)
    last = str(replayed).split("Current")[0]
    movers = {mover for board, mover in seen if board == last}
    return movers == {seen[-1][1]} and state.returns() == [0, 0]


@pytest.mark.parametrize("name", tg.openspiel.COMMON_GAMES)
def test_both_agree_on_moves_and_returns(name):
    game = pyspiel.load_game(name)
    rng = random.Random(name)
    seen = exceptions = 0
    while seen < POSITIONS:
        state = game.new_initial_state()
        follower = tg.openspiel._Follower(game)
        while True:
            position = follower.follow(state)
            seen += 1
            if state.is_terminal():
                if name == "lines_of_action" and returned_board(state):
                    exceptions += 1
                else:
                    assert position.outcome() == state.returns()[0]
                break
            assert position.outcome() is None
            assert position.to_move() == state.current_player()
            actions = state.legal_actions()
            ours = position.legal_moves()
            # Each action is a different legal move of ours.
            theirs = {position.play(follower.move(state, action)).history[-1] for action in actions[:3]}
            assert theirs <= set(ours) and len(actions) == len(ours)
            if seen % 7 == 0:
                texts = {position.play(follower.move(state, a)).history[-1] for a in actions}
                assert texts == set(ours)
            state.apply_action(rng.choice(actions))
    assert exceptions <= seen / 1000


@pytest.mark.parametrize("name", fitting_games())
def test_games_of_openspiel_keep_the_contract(name):
    # A game of some of them takes seconds.
    is_slow = name in {"chinese_checkers", "crazyhouse", "go", "hive", "shogi"}
    report = tg.check(tg.openspiel.game(name), walks=1 if is_slow else 2, samples=10)
    assert report.passed, str(report)


def test_there_are_at_least_twenty_of_them():
    assert len(fitting_games()) >= 20


def test_games_that_do_not_fit_are_refused_with_the_reason():
    for name, reason in [
        ("kuhn_poker", "it has chance"),
        ("matrix_rps", "do not move in turn"),
        ("phantom_ttt", "do not see everything"),
        ("blackjack", "players, not two|it has chance"),
        ("trade_comm", "it has chance|do not see everything"),
        ("misere(game=kuhn_poker())", "it has chance"),
    ]:
        with pytest.raises(ValueError, match=reason):
            tg.openspiel.game(name)
        assert tg.openspiel.why_unfit(name)
    with pytest.raises(ValueError, match="OpenSpiel cannot load"):
        tg.openspiel.game("no_such_game")
    with pytest.raises(TypeError, match="is not a game of OpenSpiel"):
        tg.openspiel.game(3)


def test_tic_tac_toe_through_the_adapter():
    game = tg.openspiel.game("tic_tac_toe")
    assert game.name == "openspiel.tic_tac_toe"
    for player in [None, "ab", "mtd", "sss", "dual", "mcts-sb@20000it"]:
        assert tg.solve(game, player).outcome == "draw", player
    report = tg.analyze(game.start().play(4).play(1), "mcts-solver@500it")
    assert report.best_move in range(9)
    assert str(game.start().play(4)).count("x") == 1


def test_adapted_games_in_matches_and_experiments(tmp_path):
    game = tg.openspiel.game("tic_tac_toe")
    assert tg.match(game, "mcts-solver@50it", "random", games=6).games == 6
    path = tmp_path / "spiel.toml"
    path.write_text(
        'title = "x"\ngame = "openspiel.tic_tac_toe"\ngames = 4\n'
        'schedule = "round-robin"\nplayers = ["mcts@20it", "ab(depth=2)"]\n'
    )
    assert len(tg.run(path, progress=False).games) == 4


def test_parameters_make_names():
    assert tg.openspiel.game("nim(pile_sizes=2;3)").name.startswith("openspiel.nim")
    game = tg.openspiel.game("nim(pile_sizes=2;3)")
    # The side that takes the last one loses in OpenSpiel, unless configured otherwise.
    assert tg.solve(game).proven


def test_common_games_and_others():
    assert tg.openspiel.common_game("connect_four").text == "connect4"
    assert tg.openspiel.common_game("breakthrough(rows=6,columns=6)").text == "breakthrough:6x6"
    assert tg.openspiel.common_game("tic_tac_toe") is None
    assert tg.openspiel.common_game("breakthrough(rows=5,columns=5)") is None
    assert tg.openspiel.common_game("hex(num_cols=5,num_rows=4)") is None
    state = pyspiel.load_game("connect_four").new_initial_state()
    state.apply_action(3)
    assert tg.openspiel.position(state) == tg.game("connect4").position("4")


@pytest.mark.parametrize("name", [*tg.openspiel.COMMON_GAMES, "tic_tac_toe", "clobber"])
def test_bots_play_in_openspiels_loops(name):
    game = pyspiel.load_game(name)
    bots = [
        tg.openspiel.bot(game, "mcts-ms-2-visit-2@20it", player_id=0, seed=1),
        pyspiel.make_uniform_random_bot(1, 7),
    ]
    for _ in range(2):
        for bot in bots:
            bot.restart()
        returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 5)
        assert len(returns) == 2 and sum(returns) == 0


def test_openspiels_mcts_bot_against_ours():
    import openspiel_match

    score = openspiel_match.play("breakthrough(rows=6,columns=6)", "mcts-ms-2-visit-2@100it", 4, 20)
    assert score >= 0.5


def test_bots_refuse_players_that_do_not_exist():
    with pytest.raises(ValueError, match="there is no player"):
        tg.openspiel.bot("connect_four", "mtcs@1s")
    with pytest.raises(ValueError, match="it has chance"):
        tg.openspiel.bot("kuhn_poker", "mcts@1s")
