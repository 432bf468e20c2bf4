"""Search two-player games of perfect information.

Treegraft grows game trees (Monte Carlo tree search), prunes them (alpha-beta), and does both in one
search. This package has its games, searches, matches and experiments:

>>> import treegraft as tg
>>> position = tg.game("connect4").start()
>>> report = tg.analyze(position, "mcts-solver@2000it")
>>> report.best_move
'4'

Games and players are texts, as in the program ``treegraft``: ``tg.games()`` and ``tg.players()``
list them. A game of your own is a class with four methods (:class:`OwnGame`), and every search,
match and experiment takes it.
"""

from __future__ import annotations

import sysconfig as _sysconfig
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

if _sysconfig.get_config_var("Py_GIL_DISABLED"):  # pragma: no cover
    raise ImportError(
        "treegraft does not support free-threaded Python: games and evaluations written in Python "
        "rely on the GIL. Use the ordinary build of the same version."
    )

from ._api import (
    analyze,
    check,
    evaluation,
    games,
    match,
    players,
    report,
    run,
    solve,
    trace,
)
from ._results import (
    BestInfo,
    CheckReport,
    ExperimentReport,
    GameInfo,
    Law,
    LevelInfo,
    MatchResult,
    MoveReport,
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
from ._treegraft import Game, Position, __version__, game, register_game, unregister
from ._typing import OwnGame
from . import openspiel

if _TYPE_CHECKING:
    from . import cluster


def __getattr__(name: str) -> _Any:
    # Only when it is used: it is a program, too (python -m treegraft.cluster).
    if name == "cluster":
        import importlib

        return importlib.import_module(".cluster", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "BestInfo",
    "CheckReport",
    "ExperimentReport",
    "Game",
    "GameInfo",
    "Law",
    "LevelInfo",
    "MatchResult",
    "MoveReport",
    "OptionInfo",
    "OwnGame",
    "ParamInfo",
    "PlayerInfo",
    "Position",
    "Report",
    "RunSummary",
    "Solution",
    "StrategyReport",
    "Table",
    "Trace",
    "__version__",
    "analyze",
    "check",
    "cluster",
    "evaluation",
    "game",
    "games",
    "match",
    "openspiel",
    "players",
    "register_game",
    "report",
    "run",
    "solve",
    "trace",
    "unregister",
]
