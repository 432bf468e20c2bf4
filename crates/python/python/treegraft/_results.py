"""What searches, matches and experiments come to."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._tables import Table
from ._treegraft import Tree

if TYPE_CHECKING:
    import pandas
    import polars

__all__ = [
    "BestInfo",
    "CheckReport",
    "ExperimentReport",
    "GameInfo",
    "Law",
    "LevelInfo",
    "MatchResult",
    "MoveReport",
    "OptionInfo",
    "ParamInfo",
    "PlayerInfo",
    "Report",
    "RunSummary",
    "Solution",
    "StrategyReport",
    "Trace",
]


@dataclass(frozen=True)
class MoveReport:
    """What a search found about one move, in the view of the player to move."""

    move: Any
    """The move: a text, or your own object in a game of your own."""
    visits: int
    """Simulations that went through it; for alpha-beta the nodes spent on it."""
    value: float | None
    """From -1 (lost) to 1 (won); None if unknown."""
    at_least: float | None
    """A bound, where the value itself is unknown."""
    at_most: float | None
    """A bound, where the value itself is unknown."""
    proof: str | None
    """'win', 'draw' or 'loss', if that is proven."""
    pv: list[Any]
    """Best play after it, the move itself first, if it is one of the requested lines."""


@dataclass(frozen=True)
class StrategyReport:
    """What a search that switches strategies for its playouts found about one of them."""

    name: str
    """Its name."""
    side: str | None
    """The side whose moves it chose; None: both."""
    playouts: int
    """The playouts that it was chosen for."""
    share: float
    """Its part of all playouts."""
    mean: float | None
    """The mean reward of these playouts, from -1 to 1."""
    course: list[Mapping[str, Any]]
    """The same in parts of the search, one after the other."""


@dataclass(frozen=True)
class Report:
    """What a search found. Values are in the view of the player to move, from -1 to 1.

    >>> import treegraft as tg
    >>> report = tg.analyze("connect4:5x4", "mcts-solver@2000it", seed=1)
    >>> report.best_move in tg.game("connect4:5x4").start().legal_moves()
    True
    >>> report.moves.column("move")
    ['1', '2', '3', '4', '5']
    >>> sum(report.moves.column("visits")) <= report.iterations
    True
    """

    game: str
    """The text of the game."""
    player: str
    """The player, with the budget that it had."""
    seed: int
    """The seed of all random numbers."""
    position: str | None
    """The position in the game's notation, if it has one."""
    mover: int
    """Whose turn it is: 0 for the first player, 1 for the second."""
    best_move: Any
    """The move to play; None if the game is over. A text, or your own object in your own game."""
    value: float
    """The value of the position."""
    value_first: float
    """The same in the first player's view."""
    proof: str | None
    """'win', 'draw' or 'loss', if that is proven."""
    margin: int | None
    """The exact final margin, if that is proven."""
    pv: list[Any]
    """Best play for both sides as far as the search knows it."""
    moves: Table
    """Every legal move: move, visits, value, at_least, at_most, proof and pv."""
    bounds: Mapping[str, Any] | None
    """What an unfinished search that keeps bounds guarantees."""
    strategies: list[StrategyReport]
    """The strategies for playouts of a search that switches them."""
    iterations: int
    """Simulations, or completed depths of iterative deepening."""
    nodes: int
    """Positions visited, or added to the tree."""
    evaluations: int
    """Static evaluations and playouts."""
    playout_plies: int
    """Moves played in playouts."""
    capped_playouts: int
    """Playouts that were cut off by their limit."""
    transitions: int
    """Moves played outside playouts."""
    depth: int
    """The deepest completed iteration, or the deepest node, in plies."""
    memory: int
    """Bytes of tree or table in use at the end."""
    seconds: float
    """Wall-clock time."""
    stop: str
    """Why the search ended: 'done', a limit such as 'time', 'cancelled', or 'not-yet'."""
    digest: str
    """Equal for equal searches."""
    repeatable: bool
    """Whether the same seed gives the same search: the budget does not limit time."""
    _tree: Tree | None = field(default=None, repr=False, compare=False)

    @property
    def move_reports(self) -> list[MoveReport]:
        """The rows of :attr:`moves` as objects."""
        return [MoveReport(**row) for row in self.moves]

    def to_pandas(self) -> pandas.DataFrame:
        """The moves as a pandas data frame."""
        return self.moves.to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The moves as a polars data frame."""
        return self._plain_moves().to_polars()

    def _plain_moves(self) -> Table:
        # Columns of polars have one type: moves of your own become texts.
        if all(isinstance(move, str) for move in self.moves.column("move")):
            return self.moves
        rows = [
            {**row, "move": str(row["move"]), "pv": [str(move) for move in row["pv"]]}
            for row in self.moves
        ]
        return Table(self.moves.columns, rows)

    @property
    def tree(self) -> Mapping[str, Any] | None:
        """The top of the search tree as nested dicts; None for searches that keep no tree."""
        if self._tree is None:
            return None
        tree: Mapping[str, Any] = self._tree.to_dict()
        return tree

    def tree_svg(self) -> str:
        """The top of the search tree as a picture.

        Raises ValueError if the search keeps no tree.
        """
        if self._tree is None:
            raise ValueError(
                f"player {self.player!r}: there is no tree that could be shown; expected "
                "mcts-solver, or another player that simulates games; fsss, or another that proves"
            )
        return self._tree.svg()

    def __str__(self) -> str:
        lines = [
            f"game    {self.game}",
            f"player  {self.player}",
            f"best    {self.best_move}",
            f"value   {self.value:+.3f}" + (f", proven: {self.proof}" if self.proof else ""),
            f"line    {' '.join(map(str, self.pv[:12]))}",
            f"work    {self.iterations:,} iterations, {self.nodes:,} nodes, {self.seconds:.3f} s",
            "",
            str(_ranked(self)[:20]),
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        proof = f", proven: {self.proof}" if self.proof else ""
        head = (
            f"{html.escape(self.game)} · {html.escape(self.player)}: "
            f"<b>{html.escape(str(self.best_move))}</b>, value {self.value:+.3f}{proof} "
            f"({self.iterations:,} iterations, {self.nodes:,} nodes, {self.seconds:.2f} s)"
        )
        return f"<p>{head}</p>{_ranked(self)[:20]._repr_html_()}"


def _ranked(report: Report) -> Table:
    """The moves, best first, without what is empty everywhere."""

    def rank(row: Mapping[str, Any]) -> tuple[bool, int, float]:
        known = row["value"] if row["value"] is not None else row["at_most"]
        return (
            row["move"] == report.best_move,
            row["visits"],
            -2.0 if known is None else known,
        )

    rows = sorted(report.moves, key=rank, reverse=True)
    columns = [
        name
        for name in report.moves.columns
        if name in ("move", "visits", "value") or any(row[name] not in (None, []) for row in rows)
    ]
    return Table(columns, rows)


@dataclass(frozen=True)
class Solution:
    """The exact value of a position, in the view of the player to move.

    >>> import treegraft as tg
    >>> solution = tg.solve("connect4:4x4")
    >>> solution.proven, solution.outcome
    (True, 'draw')
    """

    game: str
    """The text of the game."""
    player: str
    """The player that searched."""
    position: str | None
    """The position in the game's notation, if it has one."""
    mover: int
    """Whose turn it is: 0 for the first player, 1 for the second."""
    proven: bool
    """Whether there is nothing more to find out."""
    outcome: str | None
    """'win', 'draw' or 'loss' for the player to move, if that is proven."""
    margin: int | None
    """The exact final margin, if that is proven."""
    bounds: Mapping[str, Any] | None
    """What a search that keeps bounds guarantees where it has not finished."""
    best_move: Any
    """The best move; None if the game is over."""
    pv: list[Any]
    """Best play for both sides."""
    iterations: int
    """Simulations, or completed depths."""
    nodes: int
    """Positions visited."""
    memory: int
    """Bytes of tree or table."""
    seconds: float
    """Wall-clock time."""
    stop: str
    """Why the search ended."""


@dataclass(frozen=True)
class Trace:
    """Every step of a search, in order."""

    game: str
    """The text of the game."""
    player: str
    """The player that searched."""
    seed: int
    """The seed of all random numbers."""
    scale: str
    """What values are: 'outcome', 'evaluation' or 'margin', in the first player's view."""
    events: Table
    """One row per event."""
    lines: list[str]
    """The same in words."""
    left_out: int
    """Events beyond the limit."""
    report: Report
    """What the search found."""
    _svg: str = field(default="", repr=False)

    def svg(self) -> str:
        """The tree that the events show."""
        return self._svg

    def to_pandas(self) -> pandas.DataFrame:
        """The events as a pandas data frame."""
        return self.events.to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The events as a polars data frame."""
        return self.events.to_polars()

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _repr_svg_(self) -> str:
        return self._svg


@dataclass(frozen=True)
class Law:
    """One law of the contract between games and searches, and whether a game keeps it."""

    name: str
    """A short name."""
    statement: str
    """The law in a sentence."""
    result: str
    """'ok', 'failed', 'undecided' or 'untested'."""
    checked: int
    """How many times it was tested."""
    problem: str | None
    """What is wrong, if it failed."""
    moves: list[str] | None
    """The moves from the start that show it."""


@dataclass(frozen=True)
class CheckReport:
    """Whether a game keeps the contract that searches rely on."""

    game: str
    """The name of the game."""
    passed: bool
    """Whether every law held wherever it was tested."""
    walks: int
    """Random games that were played."""
    positions: int
    """Positions that were checked."""
    laws: list[Law]
    """All laws, in the order in which they should be repaired."""

    @property
    def failures(self) -> list[Law]:
        """The laws that failed."""
        return [law for law in self.laws if law.result == "failed"]

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        lines = []
        for law in self.failures:
            after = f"after {' '.join(law.moves)}" if law.moves else "at the start"
            lines.append(f"{law.name} FAILED: {law.problem}\n  {after}\n  law: {law.statement}")
        count = {
            result: sum(law.result == result for law in self.laws)
            for result in ("ok", "failed", "undecided", "untested")
        }
        counts = ", ".join(f"{number} {result}" for result, number in count.items() if number)
        verdict = "passed" if self.passed else "FAILED"
        lines.append(
            f"{self.game}: {verdict} ({counts}; {self.walks} games, {self.positions} positions)"
        )
        return "\n".join(lines)


@dataclass(frozen=True)
class MatchResult:
    """The result of a match, in the view of player A."""

    game: str
    """The text of the game."""
    a: str
    """Player A, with the budget that it had."""
    b: str
    """Player B, with the budget that it had."""
    games: int
    """Games played to their end."""
    wins: int
    """Games A won."""
    draws: int
    """Games drawn."""
    losses: int
    """Games A lost."""
    score: float
    """A's points per game: a win 1, a draw ½."""
    ci95: tuple[float, float]
    """The 95 % interval of the score, which treats the pair of games as the unit."""
    elo: float | None
    """The difference in Elo points; None if it is infinite."""
    elo_ci95: tuple[float | None, float | None]
    """Its 95 % interval; None where infinite."""
    los: float
    """The likelihood that A is the stronger player."""
    p: float
    """The two-sided p-value of the score against 50 %."""
    complete: bool
    """Whether all games were played."""
    repeatable: bool
    """Whether the same seed gives the same games."""
    digest: str
    """Equal for equal matches."""
    seconds: float
    """Wall-clock time."""
    details: Mapping[str, Any] = field(repr=False)
    """Everything else, as in the program's JSON: docs/json.md."""

    def to_pandas(self) -> pandas.DataFrame:
        """One row with the numbers."""
        return self._table().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """One row with the numbers."""
        return self._table().to_polars()

    def _table(self) -> Table:
        row = {
            "game": self.game,
            "a": self.a,
            "b": self.b,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score,
            "score_low": self.ci95[0],
            "score_high": self.ci95[1],
            "elo": self.elo,
            "los": self.los,
            "p": self.p,
        }
        return Table.of([row])

    def __str__(self) -> str:
        low, high = self.ci95
        return (
            f"{self.game}: {self.a} – {self.b}: {self.wins} won, {self.draws} drawn, "
            f"{self.losses} lost: {100 * self.score:.1f} % (95 %: {100 * low:.1f} to {100 * high:.1f})"
        )


@dataclass(frozen=True)
class RunSummary:
    """How much of an experiment was played."""

    planned: int
    """Pairs of games that the experiment has."""
    found: int
    """Pairs that were in the store before."""
    played: int
    """Pairs that were played."""
    cancelled: bool
    """Whether the run was ended before everything was played."""
    seconds: float
    """Wall-clock time."""
    store: str
    """Where the games are."""


@dataclass(frozen=True)
class ExperimentReport:
    """What an experiment came to: tables as data frames, plots as SVG, and the games."""

    title: str
    """The title of the experiment."""
    tables: Mapping[str, Table]
    """The tables by name: 'results' and 'games', then 'ratings', 'sprt' and 'work' if they have rows."""
    plots: Mapping[str, str]
    """The plots by name, as SVG."""
    games: Table
    """Every game in the store: who played, how it ended, its moves, and what it cost."""
    text: str = field(repr=False)
    """All tables as the program prints them."""
    run: RunSummary | None = None
    """How much was played just now, if the report comes from treegraft.run."""

    @property
    def results(self) -> Table:
        """One row per pairing."""
        return self.tables["results"]

    def to_pandas(self, table: str = "results") -> pandas.DataFrame:
        """A table as a pandas data frame."""
        return self._table(table).to_pandas()

    def to_polars(self, table: str = "results") -> polars.DataFrame:
        """A table as a polars data frame."""
        return self._table(table).to_polars()

    def _table(self, name: str) -> Table:
        if name not in self.tables:
            names = ", ".join(self.tables)
            raise ValueError(f"there is no table {name!r}; there are {names}")
        return self.tables[name]

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        title = f"<h4>{html.escape(self.title)}</h4>"
        return title + self.results._repr_html_() + "".join(self.plots.values())


@dataclass(frozen=True)
class ParamInfo:
    """A parameter of a game."""

    name: str
    """Its name, or the form of a size."""
    values: str
    """The values that it can have."""
    default: str
    """The value that it has when it is not given."""
    meaning: str
    """What it means."""


@dataclass(frozen=True)
class LevelInfo:
    """What a level of the best player may do."""

    nodes: int
    """The maximum number of nodes that it visits for a move."""
    random: int
    """How many of its moves are drawn at random, in thousandths."""


@dataclass(frozen=True)
class BestInfo:
    """The strongest player that is known for a game, ``best``."""

    player: str
    """The player, without a budget."""
    levels: list[LevelInfo]
    """``best(level=1)`` to ``best(level=10)``."""


@dataclass(frozen=True)
class GameInfo:
    """A game, as lists describe it."""

    name: str
    """The name, which stands before the colon."""
    syntax: str
    """The form of the whole text."""
    rules: str
    """The rules in a line."""
    moves: str
    """How moves are written."""
    positions: str
    """How positions are written."""
    params: list[ParamInfo]
    """The parameters behind the colon."""
    best: BestInfo
    """The strongest player that is known."""


@dataclass(frozen=True)
class OptionInfo:
    """An option of a player."""

    name: str
    """Its name."""
    values: str
    """The values that it can have."""
    default: str
    """The value that it has when it is not given."""
    meaning: str
    """What it means."""
    source: str
    """The paper that it comes from; empty if it needs none."""


@dataclass(frozen=True)
class PlayerInfo:
    """A kind of player, as lists describe it."""

    label: str
    """The label that its texts begin with."""
    about: str
    """What it does."""
    source: str
    """The paper that it comes from; empty if it needs none."""
    options: list[OptionInfo]
    """Its options."""
