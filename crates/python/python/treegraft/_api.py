"""The functions of the package."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, Union

from . import _treegraft
from ._results import (
    BestInfo,
    CheckReport,
    ExperimentReport,
    GameInfo,
    LevelInfo,
    Law,
    MatchResult,
    OptionInfo,
    ParamInfo,
    PlayerInfo,
    Report,
    RunSummary,
    Solution,
    StrategyReport,
    Trace,
)
from ._tables import Table
from ._typing import AnyGame, AnyPosition

__all__ = [
    "analyze",
    "check",
    "evaluation",
    "games",
    "match",
    "players",
    "report",
    "run",
    "solve",
    "trace",
]

Path = Union[str, "os.PathLike[str]"]
Function = TypeVar("Function", bound=Callable[..., Any])

_MOVE_COLUMNS = ["move", "visits", "value", "at_least", "at_most", "proof", "pv"]


def _report(
    found: Mapping[str, Any], tree: _treegraft.Tree | None, head: Mapping[str, Any] | None = None
) -> Report:
    members = {**found, **(head or {})}
    members["moves"] = Table(_MOVE_COLUMNS, members["moves"])
    members["strategies"] = [StrategyReport(**it) for it in members["strategies"]]
    return Report(**members, _tree=tree)


def analyze(
    position: AnyPosition,
    player: str,
    *,
    seed: int = 0,
    lines: int = 1,
    on_progress: Callable[[Report], Any] | None = None,
    tree_depth: int = 2,
    tree_width: int = 5,
) -> Report:
    """Searches a position with a player and returns what it found.

    The player is a text such as ``mcts-solver@1s`` or ``ab(k=10)@5000nodes``; without a budget it has
    a second. The same seed and budget give the same search, unless the budget limits time.

    ``on_progress`` is called about ten times a second with the report so far; if it returns False,
    the search ends. The best ``lines`` moves get exact values and lines. The report has the
    top of the tree, ``tree_depth`` plies deep and ``tree_width`` moves wide.

    The GIL is released, unless the game or its evaluation is written in Python. Ctrl-C ends the
    search and raises KeyboardInterrupt.

    >>> import treegraft as tg
    >>> report = tg.analyze(tg.game("connect4").start(), "mcts-solver@2000it", seed=1)
    >>> report.best_move
    '4'
    >>> tg.analyze("connect4", "mtcs@1s")
    Traceback (most recent call last):
    ...
    ValueError: player "mtcs@1s": there is no player "mtcs" (did you mean mcts?); expected one of ...
    """
    head = {
        "game": "",
        "player": player,
        "seed": seed,
        "position": None,
        "bounds": None,
        "repeatable": False,
    }

    def tell(found: Mapping[str, Any]) -> Any:
        assert on_progress is not None
        return on_progress(_report(found, None, head))

    listener = tell if on_progress is not None else None
    found, tree = _treegraft.analyze(
        position, player, seed, lines, listener, tree_depth, tree_width
    )
    return _report(found, tree)


def solve(
    position: AnyPosition,
    player: str | None = None,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    on_progress: Callable[[Report], Any] | None = None,
) -> Solution:
    """Finds the exact value of a position, with the best exact search or with a player that proves.

    ``seconds`` and ``memory`` (in bytes) limit it; then it may end without a proof.

    >>> import treegraft as tg
    >>> tg.solve("connect4:5x4").outcome
    'draw'
    >>> tg.solve(tg.game("othello:4").start()).margin
    -8
    """
    head = {
        "game": "",
        "player": player or "",
        "seed": 0,
        "position": None,
        "bounds": None,
        "repeatable": False,
    }

    def tell(found: Mapping[str, Any]) -> Any:
        assert on_progress is not None
        return on_progress(_report(found, None, head))

    listener = tell if on_progress is not None else None
    found = _treegraft.solve(position, player, seconds, memory, listener)
    names = Solution.__dataclass_fields__
    return Solution(outcome=found["proof"], **{key: found[key] for key in names if key != "outcome"})


def trace(position: AnyPosition, player: str, *, seed: int = 0, limit: int = 1000) -> Trace:
    """Every step that a search takes: its first ``limit`` events, in order.

    It is the search that ``analyze`` makes with the same seed and budget, but slower. In a notebook,
    a trace is a picture of its tree.

    >>> import treegraft as tg
    >>> trace = tg.trace("tree:((3 5) (2 9))", "alpha-beta")
    >>> trace.report.margin
    3
    >>> len(trace.events) == len(trace.lines)
    True
    """
    found = _treegraft.trace(position, player, seed, limit)
    head = {
        "game": found["game"],
        "player": found["player"],
        "seed": seed,
        "position": None,
        "bounds": None,
        "repeatable": False,
    }
    return Trace(
        game=found["game"],
        player=found["player"],
        seed=seed,
        scale=found["scale"],
        events=Table.of(found["events"]),
        lines=found["lines"],
        left_out=found["left_out"],
        report=_report(found["report"], None, head),
        _svg=found["svg"],
    )


def match(
    game: AnyGame,
    a: str,
    b: str,
    *,
    games: int = 100,
    seed: int = 0,
    jobs: int | None = None,
    opening_plies: int = 0,
    on_progress: Callable[[Mapping[str, Any]], Any] | None = None,
) -> MatchResult:
    """Plays a match between two players: pairs of games in which they swap sides.

    ``jobs`` games are played at once: by default one per processor, or one if a player is limited by
    time or the game is written in Python. ``on_progress`` is called after every game with a dict; if
    it returns False, the match ends, and the games so far count.

    >>> import treegraft as tg
    >>> result = tg.match("connect4", "mcts-solver@100it", "random", games=10)
    >>> result.score > 0.7
    True
    """
    found = _treegraft.play_match(game, a, b, games, seed, jobs, opening_plies, on_progress)
    interval = found["ci95"]
    if isinstance(interval, Mapping):
        interval = (interval["low"], interval["high"])
    named = {**found, "ci95": tuple(interval), "elo_ci95": tuple(found["elo_ci95"])}
    names = MatchResult.__dataclass_fields__
    return MatchResult(**{key: named[key] for key in names if key != "details"}, details=found)


def run(
    path: Path,
    *,
    store: Path | None = None,
    jobs: int | None = None,
    mix_versions: bool = False,
    progress: bool | Callable[[Mapping[str, Any]], Any] = True,
) -> ExperimentReport:
    """Runs an experiment file, or resumes it, and reports its results.

    Every pair of games that is not in the store yet is played and written. After Ctrl-C, the same
    call resumes the experiment. ``progress`` is a function that is called with a dict whenever games
    have been written, or whether to show a line on standard error.

    Games that you have registered (``register_game``) and evaluations (``evaluation``) can be used in
    the file by their names.
    """
    listener = progress if callable(progress) else (_Line() if progress else None)
    try:
        summary = _treegraft.run(path, store, jobs, mix_versions, listener)
    finally:
        if isinstance(listener, _Line):
            listener.end()
    return _experiment(_treegraft.report(path, store, False, None), RunSummary(**summary))


class _Line:
    """Progress as a line that changes in place, where somebody can see it."""

    def __init__(self) -> None:
        self._is_shown = sys.stderr.isatty() or "ipykernel" in sys.modules
        self._length = 0

    def __call__(self, now: Mapping[str, Any]) -> None:
        if not self._is_shown:
            return
        played, planned = now["pairs"], now["planned"]
        text = f"{played} of {planned} pairs, {now['games_per_second']:.1f} games/s"
        standings = [it for it in now["standings"] if it["games"]]
        if len(now["standings"]) == 1 and standings:
            text += f", {standings[0]['a']} {100 * standings[0]['score']:.1f} %"
        sys.stderr.write("\r" + text.ljust(self._length))
        sys.stderr.flush()
        self._length = len(text)

    def end(self) -> None:
        if self._is_shown and self._length:
            sys.stderr.write("\n")


def report(
    path: Path, *, store: Path | None = None, times: bool = False, compare: int | None = None
) -> ExperimentReport:
    """The tables and plots of an experiment, from the games in its store or in a ledger.

    ``times`` adds a table of the time per move, ``compare`` one that compares every row of the results
    with this one, counted from 1.
    """
    return _experiment(_treegraft.report(path, store, times, compare), None)


def _experiment(found: Mapping[str, Any], summary: RunSummary | None) -> ExperimentReport:
    return ExperimentReport(
        title=found["title"],
        tables={name: Table.of(rows) for name, rows in found["tables"].items()},
        plots=found["plots"],
        games=Table.of([_flat(row) for row in found["games"]]),
        text=found["text"],
        run=summary,
    )


def _flat(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A game as one row: what belongs to a side has its name before it."""
    flat = {key: value for key, value in row.items() if key != "sides"}
    for side, of in zip(("first", "second"), row["sides"]):
        flat.update({f"{side}_{key}": value for key, value in of.items()})
    return flat


def check(
    game: AnyGame, *, walks: int | None = None, samples: int | None = None, seed: int = 1
) -> CheckReport:
    """Checks that a game keeps the contract that searches rely on, above all one of your own.

    Plays ``walks`` random games and tests every law in their positions. A law that fails is
    reported with the moves that show it; an exception in your code is such a failure.

    >>> import treegraft as tg
    >>> tg.check("connect4", walks=5, samples=200).passed
    True
    """
    found = _treegraft.check(game, walks, samples, seed)
    return CheckReport(**{**found, "laws": [Law(**law) for law in found["laws"]]})


def evaluation(
    name: str, *, game: str, batch: bool = False, slope: float = 0.0
) -> Callable[[Function], Function]:
    """Makes a function an evaluation of a built-in game: players use it with ``eval=NAME``.

    The function gets a :class:`Position` and returns how good it looks for the first player, from -1
    to 1. With ``batch`` it gets a NumPy array of many positions with the axes position, plane, row
    and column, all children of an expansion at a time, and returns as many values; docs/python.md has
    the planes of every game.

    ``slope`` is that of the logistic curve that turns a value into a reward; 0 if values are rewards.

    >>> import treegraft as tg
    >>> @tg.evaluation("advance", game="breakthrough")
    ... def advance(position):
    ...     \"\"\"Nothing but the first player's most advanced row.\"\"\"
    ...     rows = position.text.split()[0].split("/")
    ...     return max((1 - at / len(rows) for at, row in enumerate(rows) if "P" in row), default=0) - 0.5
    >>> tg.analyze("breakthrough:5x5", "ab(eval=advance)@200nodes").best_move is not None
    True
    """

    def register(function: Function) -> Function:
        _treegraft.register_evaluation(name, game, function, batch, slope)
        return function

    return register


def games() -> list[GameInfo]:
    """All games, those that you have registered included.

    >>> import treegraft as tg
    >>> [game.name for game in tg.games()][:3]
    ['connect4', 'breakthrough', 'othello']
    >>> len(tg.games()[0].best.levels)
    10
    """

    def info(game: dict[str, Any]) -> GameInfo:
        params = [ParamInfo(**param) for param in game.pop("params")]
        best = game.pop("best")
        levels = [LevelInfo(**level) for level in best["levels"]]
        return GameInfo(**game, params=params, best=BestInfo(best["player"], levels))

    return [info(game) for game in _treegraft.games()]


def players() -> list[PlayerInfo]:
    """All kinds of players with their options.

    >>> import treegraft as tg
    >>> "mcts-solver" in [player.label for player in tg.players()]
    True
    """
    return [
        PlayerInfo(**{**player, "options": [OptionInfo(**option) for option in player["options"]]})
        for player in _treegraft.players()
    ]
