"""Games and positions."""

import pickle
import random
import xml.dom.minidom

import numpy
import pytest

import treegraft as tg

BOARDS = ["connect4", "breakthrough:6x6", "othello", "lion", "hex:7", "kalah", "loa"]


def test_the_tour_of_the_issue():
    position = tg.game("breakthrough:6x6").start()
    assert "a2a3" in position.legal_moves()
    after = position.play("a2a3")
    assert (position.to_move(), after.to_move()) == (0, 1)
    assert position.history == [] and after.history == ["a2a3"]
    assert position.outcome() is None
    assert position != after and position == tg.game("breakthrough:6x6").start()
    assert hash(position) == hash(tg.game("breakthrough:6x6").start())
    assert "a3" in after.text or "P" in after.text
    assert after.mover == "Black" and str(after).count("\n") >= 5


@pytest.mark.parametrize("text", BOARDS + ["tree:((3 5) (2 -9 4))"])
def test_random_games_end_with_an_outcome_and_a_picture(text):
    rng = random.Random(text)
    position = tg.game(text).start()
    while position.outcome() is None:
        moves = position.legal_moves()
        assert len(moves) == len(set(moves)) > 0
        position = position.play(rng.choice(moves))
    assert position.outcome() in (-1, 0, 1)
    assert position.legal_moves() == []
    assert position.ended_by in ("rules", "repetition", "too-long")
    assert position.evaluate() == position.outcome() if text in BOARDS else True
    xml.dom.minidom.parseString(position._repr_svg_())
    with pytest.raises(ValueError, match="the game is over"):
        position.play("a1")


@pytest.mark.parametrize("text", BOARDS)
def test_positions_can_be_pickled_and_written(text):
    rng = random.Random(1)
    position = tg.game(text).start()
    for _ in range(5):
        position = position.play(rng.choice(position.legal_moves()))
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.history == position.history
    assert hash(again) == hash(position)
    assert tg.game(text).position(position.text) == position


def test_a_repetition_needs_a_history():
    position = tg.game("loa").start()
    line = "b1b3 a2c2 b3b1 c2a2"
    for _ in range(2):
        position = position.play_line(line)
    assert position.outcome() == 0 and position.ended_by == "repetition"
    assert position == tg.game("loa").start()
    assert tg.game("loa").start().outcome() is None


def test_long_histories_are_dropped_without_recursion():
    position = tg.game("loa:repetition=off").start()
    line = "b1b3 a2c2 b3b1 c2a2".split()
    for ply in range(100_000):
        position = position.play(line[ply % 4])
    assert position.outcome() is None and len(position.history) == 100_000
    del position


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("connect4", (3, 6, 7)),
        ("connect4:5x4", (3, 4, 5)),
        ("breakthrough:6x7", (3, 7, 6)),
        ("othello", (3, 8, 8)),
        ("loa", (3, 8, 8)),
        ("hex:7", (3, 7, 7)),
        ("kalah", (2, 2, 7)),
        ("lion", (17, 4, 3)),
    ],
)
def test_arrays_have_the_documented_layout(text, shape):
    position = tg.game(text).start()
    array = position.array()
    assert array.shape == shape and array.dtype == numpy.float32
    assert (array[-1] == 1).all()
    after = position.play(position.legal_moves()[0])
    if after.to_move() == 1:
        assert (after.array()[-1] == 0).all()
    if text == "kalah":
        assert array[0].sum() == 48
    elif text != "lion":
        assert array[0].sum() == array[1].sum()


def test_arrays_are_as_the_pictures():
    # The first player's discs at the bottom of the fourth column, the second player's above.
    array = tg.game("connect4").position("44").array()
    assert array[0, 5, 3] == 1 and array[1, 4, 3] == 1 and array[:2].sum() == 2
    # White begins at the bottom of the board.
    array = tg.game("breakthrough:6x6").start().play("a2a3").array()
    assert array[0, 3, 0] == 1 and array[0, 4, 0] == 0 and (array[1, :2] == 1).all()
    array = tg.game("hex:5").position("b1").array()
    assert array[0, 0, 1] == 1 and array[0].sum() == 1
    array = tg.game("lion").start().array()
    # Chick, giraffe, elephant, lion, hen.
    assert [int(plane.sum()) for plane in array[:5]] == [1, 1, 1, 1, 0]
    assert array[3, 3, 1] == 1 and array[8, 0, 1] == 1
    array = tg.game("kalah").start().play("1").array()
    assert array[0, 0].tolist() == [0, 5, 5, 5, 5, 4, 0]


def test_trees_have_no_array():
    with pytest.raises(ValueError, match="has no layout"):
        tg.game("tree:(1 2)").start().array()


def test_bad_input_is_refused_with_the_programs_message():
    with pytest.raises(ValueError, match='game "chess": there is no such game; expected one of'):
        tg.game("chess")
    with pytest.raises(ValueError, match="expected"):
        tg.game("connect4:1000x1000")
    with pytest.raises(ValueError, match='move "z9"'):
        tg.game("othello").start().play("z9")
    with pytest.raises(TypeError, match="expected a text"):
        tg.game("othello").start().play(3)
    with pytest.raises(TypeError, match="is not a position"):
        tg.game(42)
    with pytest.raises(ValueError, match="position"):
        tg.game("othello").position("nonsense")
    with pytest.raises(ValueError, match="no evaluation"):
        tg.game("othello").start().evaluate("nothing-like-it")


def test_games_and_players_are_listed():
    names = [game.name for game in tg.games()]
    assert {"connect4", "breakthrough", "othello", "lion", "hex", "kalah", "loa"} <= set(names)
    labels = {player.label: player for player in tg.players()}
    assert {option.name for option in labels["mcts-solver"].options} >= {"c", "eval"}
    assert tg.game("othello").evaluations
    assert tg.game("connect4") == tg.game("connect4:7x6")
