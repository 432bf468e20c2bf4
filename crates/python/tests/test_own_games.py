"""Games that are Python classes."""

import random
from dataclasses import dataclass, field

import pytest
from tic_tac_toe import TicTacToe

import treegraft as tg


def minimax(position):
    outcome = position.outcome()
    if outcome is not None:
        return outcome
    values = [minimax(position.play(move)) for move in position.legal_moves()]
    return max(values) if position.to_move() == 0 else min(values)


def exact_players():
    """Every player that can prove something, with a budget that suffices."""
    players = []
    for player in tg.players():
        label = {"mcts-mr": "mcts-mr-2"}.get(player.label, player.label)
        text = label if label in ("ab", "alpha-beta", "mtd", "sss", "dual") else f"{label}@20000it"
        try:
            tg.solve(TicTacToe((1, -1, 1, -1, 1, -1, 0, 0, 0)), text)
        except ValueError:
            continue
        players.append(text)
    return players


def test_every_exact_search_finds_the_value_of_tic_tac_toe():
    players = exact_players()
    assert len(players) >= 15
    words = {1: "win", 0: "draw", -1: "loss"}
    rng = random.Random(1)
    some = []
    while len(some) < 12:
        position = TicTacToe()
        for _ in range(rng.randrange(2, 7)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            some.append(position)
    solved = set()
    for player in players:
        start = tg.solve(TicTacToe(), player)
        # MCTS-Solver proves wins and losses only, and this is a draw.
        if start.proven:
            assert start.outcome == "draw", player
            solved.add(player)
        for position in some:
            value = minimax(position) * (1 if position.to_move() == 0 else -1)
            solution = tg.solve(position, player)
            if solution.proven:
                assert solution.outcome == words[value], (player, position)
    assert {"ab", "mtd", "sss", "dual", "alpha-beta", "fsss@20000it", "mcts-sb@20000it"} <= solved


def test_own_moves_come_back_as_they_are():
    report = tg.analyze(TicTacToe(), "mcts-solver@500it")
    assert isinstance(report.best_move, int) and report.moves.column("move") == list(range(9))
    position = TicTacToe()
    for move in report.pv:
        position = position.play(move)
    assert report.to_polars()["move"].to_list() == [str(move) for move in range(9)]
    assert list(report.to_pandas()["move"]) == list(range(9))


def test_searches_of_own_games_can_be_repeated():
    texts = ["mcts-solver@300it", "ab@300nodes", "mcts-ms-2-visit-2@200it", "mcts(rave)@100it"]
    for text in texts:
        first, second = (tg.analyze(TicTacToe(), text, seed=5) for _ in range(2))
        assert first.digest == second.digest, text


def test_own_games_are_positions_too():
    tg.register_game("tic-tac-toe", TicTacToe, "three in a row")
    position = tg.game("tic-tac-toe").start().play(4).play(0)
    assert position.legal_moves() == [1, 2, 3, 5, 6, 7, 8]
    assert position.history == [4, 0] and position.to_move() == 0
    assert position.wrapped == TicTacToe().play(4).play(0)
    assert position == tg.game(TicTacToe).start().play_line("4 0")
    assert "svg" in position._repr_svg_()
    with pytest.raises(ValueError, match="not legal here"):
        position.play(4)
    assert tg.analyze(position, "ab(depth=3)").best_move in position.legal_moves()
    assert "tic-tac-toe" in [game.name for game in tg.games()]


def test_checked_and_matched():
    assert tg.check(TicTacToe)
    result = tg.match(TicTacToe, "mcts-solver@50it", "random", games=10, seed=3)
    again = tg.match(TicTacToe, "mcts-solver@50it", "random", games=10, seed=3, jobs=2)
    assert result.games == 10 and result.score > 0.6
    assert result.digest == again.digest


@dataclass(frozen=True)
class Nim:
    """Take up to three; whoever takes the last one wins. Knows itself well."""

    heap: int = 15
    mover: int = 0
    side_names = ("Ann", "Bob")
    playout_plies = 100
    asked: list = field(default_factory=list, compare=False, repr=False)

    def to_move(self):
        return self.mover

    def legal_moves(self):
        return range(1, min(self.heap, 3) + 1)

    def play(self, take):
        return Nim(self.heap - take, 1 - self.mover, self.asked)

    def outcome(self):
        return None if self.heap else (-1 if self.mover == 0 else 1)

    def evaluate(self):
        self.asked.append("evaluate")
        good = self.heap % 4 != 0
        return (0.5 if good else -0.5) * (1 if self.mover == 0 else -1)

    def order_hint(self, take):
        self.asked.append("order_hint")
        return 10 if (self.heap - take) % 4 == 0 else 0

    def margin(self):
        return self.outcome()

    def move_text(self, take):
        return f"take-{take}"


def test_evaluations_and_hints_are_used():
    nim = Nim()
    assert tg.analyze(nim, "ab(depth=1)").best_move == 3
    assert "evaluate" in nim.asked
    assert tg.analyze(nim, "greedy").best_move == 3
    assert tg.analyze(nim, "mcts-ip-e@50it").best_move is not None
    tg.analyze(nim, "ab(depth=4,killers=false,history=false)")
    assert "order_hint" in nim.asked
    assert tg.check(nim, walks=20, samples=200).passed
    position = tg.game(Nim).start()
    assert position.mover == "Ann" and position.play("take-2").history == [2]
    assert tg.game(Nim).evaluations == ["evaluate"]
    assert tg.analyze(nim, "ab(depth=15)").proof == "win"
    assert tg.solve(nim).margin == 1


def test_hashes_that_python_makes_equal_do_not_confuse_searches():
    assert hash(-1) == hash(-2)

    @dataclass(frozen=True)
    class Signs:
        """The first player names -1 or -2; the second wins by answering with the same number."""

        said: tuple = ()

        def to_move(self):
            return len(self.said) % 2

        def legal_moves(self):
            return [-1, -2]

        def play(self, number):
            return Signs(self.said + (number,))

        def outcome(self):
            if len(self.said) < 2:
                return None
            return -1 if self.said[0] == self.said[1] else 1

    assert tg.solve(Signs()).outcome == "loss"
    for player in ["ab", "alpha-beta", "mtd", "mcts-solver@1000it", "fsss"]:
        assert tg.solve(Signs(), player).outcome == "loss"
    assert tg.check(Signs).passed


def test_turns_need_not_alternate():
    @dataclass(frozen=True)
    class Twice:
        """The first player moves twice, then the second once: the larger number wins."""

        chosen: tuple = ()

        def to_move(self):
            return 0 if len(self.chosen) < 2 else 1

        def legal_moves(self):
            return [1, 2, 3]

        def play(self, number):
            return Twice(self.chosen + (number,))

        def outcome(self):
            if len(self.chosen) < 3:
                return None
            a, b, c = self.chosen
            return (a + b > c) - (a + b < c)

    assert tg.solve(Twice()).outcome == "win"
    assert tg.check(Twice).passed
