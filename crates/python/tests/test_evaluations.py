"""Evaluations of built-in games that are written in Python."""

import numpy
import pytest

import treegraft as tg


def test_a_function_of_positions():
    asked = []

    @tg.evaluation("columns", game="connect4")
    def columns(position):
        """How far left the discs are."""
        asked.append(position)
        array = position.array()
        return float((array[0] - array[1]).sum(axis=0) @ numpy.linspace(0.1, -0.1, 7))

    report = tg.analyze("connect4", "ab(depth=1,eval=columns)")
    assert report.best_move == "1"
    assert all(isinstance(position, tg.Position) for position in asked)
    assert {position.game for position in asked} == {"connect4"}
    assert "columns" in tg.game("connect4").evaluations
    assert tg.game("connect4").position("1").evaluate("columns") == pytest.approx(0.1, abs=1e-6)
    assert tg.analyze("connect4", "mcts-ic-e(eval=columns)@100it").best_move
    result = tg.match("connect4", "greedy(eval=columns)", "random", games=4)
    assert result.games == 4
    report = tg.check("connect4", walks=2, samples=10)
    assert report.passed, str(report)


@pytest.mark.parametrize(
    ("game", "sizes"), [("breakthrough", ["6x6", "10x10"]), ("hex", ["5", "10", "13"])]
)
def test_all_sizes_of_a_game(game, sizes):
    @tg.evaluation("turn", game=game)
    def turn(position):
        assert position.game.startswith(f"{game}:")
        return 0.1

    for size in sizes:
        assert tg.analyze(f"{game}:{size}", "ab(depth=1,eval=turn)").value == pytest.approx(0.1)


def test_the_children_of_an_expansion_are_one_batch():
    sizes = []

    @tg.evaluation("net", game="connect4", batch=True)
    def net(arrays):
        assert arrays.dtype == numpy.float32 and arrays.shape[1:] == (3, 6, 7)
        sizes.append(len(arrays))
        return numpy.tanh(arrays[:, 0, :, 3].sum(axis=1) - arrays[:, 1, :, 3].sum(axis=1))

    for player in ["mcts(im=0.4,eval=net,expand=all)@200it", "greedy(eval=net)", "ab(depth=2,eval=net)"]:
        sizes.clear()
        report = tg.analyze("connect4", player)
        assert report.best_move == "4", player
        # All seven moves can nearly always be made.
        assert max(sizes) == 7, player
        assert sum(sizes) / len(sizes) > 3, (player, sizes)


def test_a_batch_says_the_same_as_one_at_a_time():
    def value(array):
        return float(array[0, :, 3].sum() - array[1, :, 3].sum()) / 10

    @tg.evaluation("alone", game="connect4")
    def alone(position):
        return value(position.array())

    @tg.evaluation("together", game="connect4", batch=True)
    def together(arrays):
        return [value(array) for array in arrays]

    for player in ["mcts(im=0.4,eval={})@300it", "mcts-ip-e(eval={})@100it", "ab(depth=3,eval={})"]:
        one, many = (tg.analyze("connect4", player.format(n), seed=3) for n in ("alone", "together"))
        assert one.digest == many.digest and one.best_move == many.best_move


def test_exceptions_come_out_as_themselves():
    @tg.evaluation("broken", game="connect4")
    def broken(position):
        raise LookupError("no weights")

    @tg.evaluation("broken-batch", game="connect4", batch=True)
    def broken_batch(arrays):
        return [0.0]

    for call in [
        lambda: tg.analyze("connect4", "ab(eval=broken)@100nodes"),
        lambda: tg.match("connect4", "greedy(eval=broken)", "random", games=8, jobs=2),
    ]:
        with pytest.raises(LookupError, match="no weights"):
            call()
    with pytest.raises(ValueError, match="was asked for 7 values and returned 1"):
        tg.analyze("connect4", "greedy(eval=broken-batch)")
    report = tg.check("connect4", walks=2, samples=10)
    assert not report and "LookupError: no weights" in str(report)
    for name in ["broken", "broken-batch"]:
        assert tg.unregister(name) and not tg.unregister(name)
    assert tg.check("connect4", walks=2, samples=10)


@pytest.mark.parametrize("value", [float("nan"), 2, -1.5, "much", None, [1]])
def test_values_out_of_range_are_refused(value):
    @tg.evaluation("wrong", game="othello")
    def wrong(position):
        return value

    with pytest.raises(ValueError, match="expected a number from -1"):
        tg.analyze("othello", "ab(eval=wrong)@100nodes")


def test_what_cannot_be_registered():
    for arguments in [
        {"name": "auto", "game": "connect4"},
        {"name": "a b", "game": "connect4"},
        {"name": "x", "game": "chess"},
        {"name": "x", "game": "connect4", "slope": -1},
    ]:
        with pytest.raises(ValueError, match="expected"):
            tg.evaluation(arguments.pop("name"), **arguments)(lambda position: 0)
    with pytest.raises(TypeError, match="must be a function"):
        tg.evaluation("x", game="connect4")(3)
    own = tg.game("breakthrough").evaluations[0]
    with pytest.raises(ValueError, match="has one of this name"):
        tg.evaluation(own, game="breakthrough")(lambda position: 0)
