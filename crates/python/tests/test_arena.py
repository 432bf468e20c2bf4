"""Matches and experiments."""

import time
import xml.dom.minidom

import pytest
from tic_tac_toe import TicTacToe

import treegraft as tg

EXPERIMENT = """
title = "A small one"
game = "connect4:5x4"
games = 8
seed = 1
schedule = "round-robin"
players = ["mcts-solver@50it", "ab@50nodes", "random"]

[openings]
random = 2
"""


@pytest.fixture
def experiment(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(EXPERIMENT)
    return path


def test_a_match():
    heard = []
    result = tg.match(
        "connect4", "mcts-solver@100it", "random", games=20, seed=1, on_progress=heard.append
    )
    assert result.wins + result.draws + result.losses == result.games == 20 == len(heard)
    assert result.ci95[0] < result.score <= result.ci95[1] and result.complete
    assert heard[-1]["wins"] == result.wins
    assert result.digest == tg.match("connect4", "mcts-solver@100it", "random", games=20, seed=1, jobs=1).digest
    assert result.to_pandas()["games"][0] == 20 and result.to_polars()["games"][0] == 20
    assert "won" in str(result) and result.details["a_spent"]["moves"] > 0


def test_a_match_can_be_ended():
    result = tg.match("connect4", "random", "random", games=100_000, on_progress=lambda now: False)
    assert not result.complete and result.games < 100_000
    with pytest.raises(ZeroDivisionError):
        tg.match("connect4", "random", "random", games=100_000, on_progress=lambda now: 1 / 0)


def test_bad_matches_are_refused():
    with pytest.raises(ValueError, match="games is 0"):
        tg.match("connect4", "random", "random", games=0)
    with pytest.raises(ValueError, match="expected"):
        tg.match("connect4", "random", "randm")
    with pytest.raises(ValueError, match="has a history"):
        tg.match(tg.game("connect4").position("4"), "random", "random")
    with pytest.raises(ValueError, match="jobs is"):
        tg.match("connect4", "random", "random", jobs=100_000)


def test_an_experiment_from_file_to_frames(experiment):
    heard = []
    report = tg.run(experiment, progress=heard.append)
    assert report.run.played == report.run.planned == 12 and not report.run.cancelled
    assert heard[-1]["pairs"] == 12 and len(heard[-1]["standings"]) == 3
    frame = report.to_pandas()
    assert len(frame) == 3 and {"game", "score"} <= set(frame.columns)
    assert report.to_polars("games").height == 3
    assert len(report.games) == 24
    games = report.games.to_pandas()
    assert set(games["outcome"]) <= {-1, 0, 1} and games["first_player"].nunique() == 3
    assert report.games.to_polars().height == 24
    for plot in report.plots.values():
        xml.dom.minidom.parseString(plot)
    assert "A small one" in report._repr_html_() and str(report)
    again = tg.run(str(experiment), progress=False)
    assert again.run.found == 12 and again.run.played == 0
    assert again.tables == report.tables
    told = tg.report(experiment, times=True, compare=1)
    assert told.tables["results"] == report.tables["results"]
    assert {"times", "comparison"} <= set(told.tables)
    with pytest.raises(ValueError, match="there is no table"):
        told.to_pandas("nothing")


def test_own_games_and_evaluations_in_experiments(tmp_path):
    tg.register_game("my-tic-tac-toe", TicTacToe)

    seen = set()

    @tg.evaluation("level", game="connect4")
    def level(position):
        seen.add(position.game)
        return 0

    own = tmp_path / "own.toml"
    own.write_text(EXPERIMENT.replace("connect4:5x4", "my-tic-tac-toe").replace("games = 8", "games = 2"))
    assert len(tg.run(own, progress=False).games) == 6
    judged = tmp_path / "judged.toml"
    judged.write_text(EXPERIMENT.replace("ab@50nodes", "ab(eval=level)@20nodes"))
    assert len(tg.run(judged, jobs=2, progress=False).games) == 24
    assert "connect4:5x4" in seen


def test_an_exception_in_an_experiment_comes_out_as_itself(tmp_path):
    class Fails(TicTacToe):
        def play(self, move):
            after = super().play(move)
            if len(after.legal_moves()) == 2:
                raise OverflowError("two left")
            return Fails(after.cells)

    tg.register_game("fails", Fails)
    path = tmp_path / "fails.toml"
    path.write_text(EXPERIMENT.replace("connect4:5x4", "fails"))
    begun = time.monotonic()
    with pytest.raises(OverflowError, match="two left"):
        tg.run(path, progress=False)
    assert time.monotonic() - begun < 20


def test_bad_experiments_are_refused(tmp_path, experiment):
    with pytest.raises(ValueError, match="cannot be read"):
        tg.run(tmp_path / "nothing.toml")
    bad = tmp_path / "bad.toml"
    bad.write_text(EXPERIMENT.replace("schedule", "shedule"))
    with pytest.raises(ValueError, match="shedule"):
        tg.run(bad)
    with pytest.raises(ValueError, match="no games of this experiment"):
        tg.report(experiment)
    (tmp_path / "no.db").write_text("this is no store, and never was one")
    with pytest.raises((ValueError, OSError)):
        tg.run(experiment, store=tmp_path / "no.db", progress=False)
    with pytest.raises((ValueError, OSError)):
        tg.run(experiment, store=tmp_path / "nowhere" / "x.db", progress=False)
