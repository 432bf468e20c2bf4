"""Experiments on a Ray cluster: two nodes on this machine, whose workers and nodes are killed."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import warnings

import pytest

import treegraft as tg
from treegraft import cluster as tg_cluster

try:
    import ray
    from ray.cluster_utils import Cluster
except ImportError:
    ray = None

needs_ray = pytest.mark.skipif(ray is None, reason="Ray is not installed (treegraft[ray])")

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

SMALL = """
title = "A small one"
game = "connect4:5x4"
games = 40
seed = 1
schedule = "round-robin"
players = ["mcts-solver@50it", "ab@50nodes", "random"]

[openings]
random = 2
"""

# Pairs of about a tenth of a second: some are always in progress.
LONG = """
game = "breakthrough:6x6"
games = 120
seed = 3
players = ["mcts@3000it", "ab@4000nodes"]

[openings]
random = 4
"""

LONGER = """
game = "breakthrough:6x6"
games = 1200
seed = 4
players = ["mcts@6000it", "ab@8000nodes"]

[openings]
random = 4
"""

SEQUENTIAL = """
game = "connect4"
games = 4000
seed = 5
players = ["mcts@400it", "random"]

[openings]
random = 2

[stop.sprt]
elo0 = 0
elo1 = 50
"""

TIMED = """
game = "connect4:4x4"
games = 8
players = ["mcts@2ms", "random"]
"""


def written(path, text):
    path.write_text(text)
    return path


def names(store):
    """The games of a store by their pairs and numbers, in the order in which they were written."""
    with sqlite3.connect(store) as connection:
        return list(connection.execute("SELECT pair, number, digest FROM games"))


def same(report, other):
    assert report.text == other.text
    assert report.plots == other.plots


@pytest.fixture
def nodes():
    """A cluster with a node for the driver, which plays nothing, and two of one processor."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    added = [cluster.add_node(num_cpus=1) for _ in range(2)]
    cluster.wait_for_nodes()
    yield cluster, added
    ray.shutdown()
    cluster.shutdown()


def workers():
    """The processes that play."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                line = file.read()
            with open(f"/proc/{entry}/environ", "rb") as file:
                is_mine = MARK in file.read()
        except OSError:
            continue
        if is_mine and line.startswith(b"ray::_play"):
            found.append(int(entry))
    return found


# Only processes that this one has started are ever killed.
os.environ["TREEGRAFT_TEST_CLUSTER"] = str(os.getpid())
MARK = f"TREEGRAFT_TEST_CLUSTER={os.getpid()}".encode()


def test_without_ray_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    path = written(tmp_path / "small.toml", SMALL)
    with pytest.raises(ImportError, match=r"pip install treegraft\[ray\]"):
        tg.cluster.run(path)
    assert not (tmp_path / "small.db").exists()


def test_bad_numbers_are_refused(tmp_path):
    path = written(tmp_path / "small.toml", SMALL)
    with pytest.raises(ValueError, match="workers is 0"):
        tg.cluster.run(path, workers=0)
    with pytest.raises(ValueError, match="batch is 0"):
        tg.cluster.run(path, batch=0)


@needs_ray
def test_the_report_is_that_of_a_run(tmp_path):
    path = written(tmp_path / "small.toml", SMALL)
    one = tg.run(path, store=tmp_path / "one.db", progress=False)
    heard = []
    many = tg.cluster.run(path, store=tmp_path / "many.db", workers=2, progress=heard.append)
    same(many, one)
    assert sorted(names(tmp_path / "many.db")) == sorted(names(tmp_path / "one.db"))
    assert many.run.planned == many.run.played == 60 and many.run.found == 0
    last = heard[-1]
    assert last["pairs"] == 60 and last["workers"] == 2 and last["games_per_second"] > 0
    assert last["seconds_left"] == 0 and last["lost"] == 0
    # Nothing is left to play: Ray is not even started.
    again = tg.cluster.run(path, store=tmp_path / "many.db", progress=False)
    same(again, one)
    assert again.run.played == 0 and again.run.found == 60


@needs_ray
def test_the_command_prints_the_report(tmp_path):
    path = written(tmp_path / "small.toml", SMALL)
    command = [sys.executable, "-m", "treegraft.cluster", str(path), "--workers", "2", "--batch", "7"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "120 of 120 games, 2 workers" in done.stderr
    one = tg.run(path, store=tmp_path / "one.db", progress=False)
    assert done.stdout.rstrip("\n") == one.text.rstrip("\n")
    missing = subprocess.run([*command[:3], "missing.toml"], capture_output=True, text=True)
    assert missing.returncode == 1 and missing.stderr.startswith("error: missing.toml")


@needs_ray
def test_workers_and_nodes_may_die(tmp_path, nodes):
    cluster, added = nodes
    path = written(tmp_path / "longer.toml", LONGER)
    one = tg.run(path, store=tmp_path / "one.db", progress=False)
    ray.init(address=cluster.address, log_to_driver=False)
    chance, killed, heard = random.Random(1), [], []

    def kill(now):
        heard.append(now)
        if len(killed) in (7, 15):
            cluster.remove_node(added.pop(0), allow_graceful=False)
            added.append(cluster.add_node(num_cpus=1))
            killed.append("node")
        elif len(killed) < 22 and (playing := workers()):
            try:
                os.kill(chance.choice(playing), signal.SIGKILL)
                killed.append("worker")
            except ProcessLookupError:
                pass

    many = tg.cluster.run(path, store=tmp_path / "many.db", batch=2, progress=kill)
    same(many, one)
    games = names(tmp_path / "many.db")
    assert len(set(games)) == len(games) and sorted(games) == sorted(names(tmp_path / "one.db"))
    print(killed.count("worker"), "workers and", killed.count("node"), "nodes killed,", heard[-1])
    assert heard[-1]["lost"] > 0
    assert len(killed) >= 20 and killed.count("node") == 2


@needs_ray
def test_the_driver_may_die(tmp_path, nodes):
    cluster, _ = nodes
    path, store = written(tmp_path / "long.toml", LONG), tmp_path / "long.db"
    command = [sys.executable, "-m", "treegraft.cluster", str(path), "--address", cluster.address]
    for least in (10, 40):
        driver = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        until = time.monotonic() + 120
        while time.monotonic() < until and driver.poll() is None:
            if store.exists() and count(store) >= least:
                break
            time.sleep(0.05)
        driver.kill()
        _, said = driver.communicate()
        assert driver.returncode == -signal.SIGKILL, said
        assert least <= count(store) < 120
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    one = tg.run(path, store=tmp_path / "one.db", progress=False)
    assert done.stdout.rstrip("\n") == one.text.rstrip("\n")
    assert sorted(names(store)) == sorted(names(tmp_path / "one.db"))


def count(store):
    try:
        return len(names(store))
    except sqlite3.Error:
        return 0


@needs_ray
def test_a_sequential_test_stops_the_cluster(tmp_path):
    path = written(tmp_path / "sequential.toml", SEQUENTIAL)
    one = tg.run(path, store=tmp_path / "one.db", progress=False)
    many = tg.cluster.run(path, store=tmp_path / "many.db", workers=2, progress=False)
    same(many, one)
    assert 0 < many.run.played < many.run.planned // 2


@needs_ray
def test_games_in_python_are_refused(tmp_path):
    from tic_tac_toe import TicTacToe

    text = 'game = "toe-of-mine"\ngames = 4\nplayers = ["random", "mcts@10it"]\n'
    path = written(tmp_path / "own.toml", text)
    tg.register_game("toe-of-mine", TicTacToe)
    try:
        with pytest.raises(ValueError, match="workers have the built-in games, and toe-of-mine"):
            tg.cluster.run(path, progress=False)
    finally:
        tg.unregister("toe-of-mine")
    assert not (tmp_path / "own.db").exists()


@needs_ray
def test_a_run_that_fails_lets_go_of_the_store(tmp_path):
    path = written(tmp_path / "small.toml", SMALL)
    with pytest.raises(ZeroDivisionError) as kept:
        tg.cluster.run(path, workers=1, progress=lambda now: 1 / 0)
    assert tg.run(path, progress=False).run.planned == 60 and kept.tb is not None


@needs_ray
@pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="a machine with fewer processors is made by giving a node one of several",
)
def test_time_budgets_on_unequal_machines(tmp_path):
    path = written(tmp_path / "timed.toml", TIMED)
    all_of_them = os.sched_getaffinity(0)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        os.sched_setaffinity(0, {min(all_of_them)})
        try:
            cluster.add_node(num_cpus=1)
        finally:
            os.sched_setaffinity(0, all_of_them)
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False)
        with pytest.raises(ValueError, match="these differ: .*1 cores.*; .*cores"):
            tg.cluster.run(path, progress=False, strict=True)
        assert count(tmp_path / "timed.db") == 0
        with pytest.warns(tg_cluster.UnequalMachinesWarning, match="depend on the machine"):
            report = tg.cluster.run(path, progress=False, batch=1)
        assert report.run.played == 4
        with sqlite3.connect(tmp_path / "timed.db") as connection:
            cores = {row[0] for row in connection.execute("SELECT cores FROM sessions")}
        assert cores <= {1, len(all_of_them)} and cores
        # Budgets of work do not depend on the machine.
        with warnings.catch_warnings():
            warnings.simplefilter("error", tg_cluster.UnequalMachinesWarning)
            small = written(tmp_path / "small.toml", SMALL)
            assert tg.cluster.run(small, progress=False, strict=True).run.played == 60
    finally:
        ray.shutdown()
        cluster.shutdown()


@needs_ray
def test_papers_are_reproduced(tmp_path):
    folder = tmp_path / "results"
    heard = []
    options = {"scale": "smoke", "folder": folder, "workers": 2}
    names = tg._treegraft._papers(["all"], "smoke", "emulated")[0]
    kinds = {it: tg._treegraft._Paper(it, "smoke", "emulated", folder).is_games for it in names}
    games = next(it for it in names if kinds[it])
    study = next(it for it in names if not kinds[it])
    first, second = tg.cluster.reproduce(games, study, progress=heard.append, **options)
    assert (first.id, second.id) == (games, study) and first.scale == "smoke"
    assert first.done == first.planned > 0 and second.done == second.planned > 0
    assert len(first.rows) > 0 and len(second.rows) > 0
    assert heard[-1]["pairs"] == heard[-1]["planned"] and heard[-1]["workers"] == 2
    # The games are those that one machine plays.
    paper, name = games.split("/")
    place = folder / paper / "smoke" / name
    tg.run(place.with_suffix(".toml"), store=tmp_path / "one.db", progress=False)
    assert sorted(names_of(place)) == sorted(names_of(tmp_path / "one"))
    # Nothing is left to play: Ray is not even started.
    again = tg.cluster.reproduce(games, progress=heard.append, address="nowhere:1", **options)
    assert again[0].done == first.done and list(again[0].rows) == list(first.rows)
    with pytest.raises(ValueError, match="did you mean weinstein-2012"):
        tg.cluster.reproduce("weinstein-2013")
    with pytest.raises(ValueError, match="expected one of smoke, quick, long, paper"):
        tg.cluster.reproduce(games, scale="huge")


def names_of(place):
    return names(place.with_suffix(".db"))


@needs_ray
def test_the_command_reproduces(tmp_path):
    command = [sys.executable, "-m", "treegraft.cluster"]
    one = [*command, "--reproduce", "baier-2018/ic-500", "--scale", "smoke", "--workers", "2"]
    done = subprocess.run(one, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1/1  baier-2018/ic-500  done, ")
    assert "treegraft reproduce report --scale smoke" in done.stdout
    assert (tmp_path / "reproduce" / "baier-2018" / "smoke" / "ic-500.db").exists()
    for wrong in ([], ["a.toml", "--reproduce", "all"], ["a.toml", "--scale", "paper"]):
        asked = subprocess.run([*command, *wrong], capture_output=True, text=True, timeout=60)
        assert asked.returncode == 2 and "--reproduce" in asked.stderr
