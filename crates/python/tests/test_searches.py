"""Analyses, exact values and traces of built-in games."""

import threading
import time
import xml.dom.minidom

import pytest

import treegraft as tg


def test_a_report_has_everything():
    report = tg.analyze(tg.game("connect4").start(), "mcts-ms-2-visit-2@2000it", seed=7)
    assert report.iterations == 2000 and report.stop == "iterations" and report.repeatable
    assert report.best_move in [row["move"] for row in report.moves]
    assert report.pv[0] == report.best_move
    assert report.value == report.value_first
    assert sum(report.moves.column("visits")) > 1500
    assert len(report.move_reports) == 7 and report.move_reports[3].move == "4"
    frame = report.to_pandas()
    assert list(frame["move"]) == list("1234567") and frame["visits"].dtype.kind == "i"
    assert report.to_polars()["visits"].sum() == frame["visits"].sum()
    xml.dom.minidom.parseString(report.tree_svg())
    assert report.tree["visits"] > 0 and len(report.tree["children"]) == 5
    assert "4" in str(report) and "<table>" in report._repr_html_()


def test_the_same_seed_gives_the_same_search():
    digests = [
        tg.analyze("othello", "mcts@500it", seed=seed).digest for seed in (1, 1, 2, 2**64 - 1)
    ]
    assert digests[0] == digests[1] and len(set(digests)) == 3


def test_values_are_in_the_view_of_the_player_to_move():
    # The second player wins by playing 1 to 4 in a row.
    position = tg.game("connect4").position("1727374")
    report = tg.analyze(position, "ab(depth=2)")
    assert report.mover == 1 and report.value_first == -report.value


def test_alpha_beta_has_no_tree_but_lines():
    report = tg.analyze("connect4", "ab@2000nodes", lines=3)
    assert sum(bool(row["pv"]) for row in report.moves) == 3
    assert report.tree is None
    with pytest.raises(ValueError, match="no tree"):
        report.tree_svg()


def test_progress_is_heard_and_may_end_the_search():
    heard = []
    tg.analyze("connect4", "mcts@0.5s", on_progress=heard.append)
    assert 2 <= len(heard) <= 6
    assert all(report.stop == "not-yet" and report.best_move for report in heard)
    begun = time.monotonic()
    report = tg.analyze("connect4", "mcts@60s", on_progress=lambda report: False)
    assert report.stop == "cancelled" and time.monotonic() - begun < 2


def test_an_exception_in_a_listener_comes_out_as_itself():
    class Mine(Exception):
        pass

    def fail(report):
        raise Mine("enough")

    begun = time.monotonic()
    with pytest.raises(Mine, match="enough"):
        tg.analyze("connect4", "mcts@60s", on_progress=fail)
    with pytest.raises(Mine):
        tg.solve("connect4", on_progress=fail)
    assert time.monotonic() - begun < 2


def test_the_gil_is_released():
    counted = 0

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    done = threading.Event()
    thread = threading.Thread(target=count)
    thread.start()
    tg.analyze("connect4", "mcts@0.5s")
    done.set()
    thread.join()
    assert counted > 50


def test_finished_games_have_reports_too():
    position = tg.game("connect4").position("1212121")
    report = tg.analyze(position, "mcts@10it")
    assert report.best_move is None and report.proof == "loss" and report.value_first == 1
    assert tg.solve(position).outcome == "loss"
    with pytest.raises(ValueError, match="the game is over"):
        tg.trace(position, "ab")


def test_exact_values():
    assert tg.solve("connect4:4x4").outcome == "draw"
    solution = tg.solve("othello:4")
    assert solution.proven and solution.margin == -8 and solution.outcome == "loss"
    assert tg.solve("tree:((3 5) (2 9))", "fsss").margin == 3
    limited = tg.solve("connect4", seconds=0.2)
    assert not limited.proven and limited.stop == "time"
    with pytest.raises(ValueError, match="this search proves nothing"):
        tg.solve("connect4", "uct@1s")
    with pytest.raises(ValueError, match="seconds is -1"):
        tg.solve("connect4", seconds=-1)


def test_traces():
    trace = tg.trace("tree:((3 5) (2 9))", "alpha-beta")
    assert trace.scale == "margin" and trace.report.margin == 3
    assert [event["event"] for event in trace.events].count("leaf") == 3
    xml.dom.minidom.parseString(trace.svg())
    assert len(trace.to_pandas()) == len(trace.to_polars()) == len(trace.lines)
    short = tg.trace("connect4", "mcts-solver@50it", limit=10)
    assert len(short.events) == 10 and short.left_out > 0
    analysis = tg.analyze("connect4", "mcts-solver@50it")
    assert short.report.digest == analysis.digest
    with pytest.raises(ValueError, match="does not search"):
        tg.trace("connect4", "random")


def test_every_player_that_searches_does():
    needs_knowledge = {"mcts-bl", "mcts-bl2", "mcts-loa", "mcts-loa-ab", "mcts-loa-pb", "engine"}
    for player in tg.players():
        if player.label in needs_knowledge:
            continue
        label = "mcts-mr-2" if player.label == "mcts-mr" else player.label
        position = tg.game("breakthrough:5x5").start()
        report = tg.analyze(position, f"{label}@100it,1000nodes")
        assert report.best_move in position.legal_moves(), label
    assert tg.analyze("loa", "mcts-loa-ab@10it").best_move


def test_bad_players_are_refused_with_the_programs_message():
    for text, message in [
        ("mtcs@1s", r'there is no player "mtcs" \(did you mean mcts\?\)'),
        ("mcts(x=1)@1s", "mcts has no option"),
        ("mcts@1parsec", "expected"),
        ("mcts(eval=nothing)@1it", "which connect4 does not have"),
        ("", "expected"),
    ]:
        with pytest.raises(ValueError, match=message):
            tg.analyze("connect4", text)
    with pytest.raises(ValueError, match="memory"):
        tg.analyze("connect4", "mcts@1it,900000GiB")
    for arguments in [{"lines": 0}, {"tree_depth": 1000}, {"tree_width": 0}]:
        with pytest.raises(ValueError, match="expected a number from"):
            tg.analyze("connect4", "mcts@1it", **arguments)
    with pytest.raises(OverflowError):
        tg.analyze("connect4", "mcts@1it", seed=-1)
