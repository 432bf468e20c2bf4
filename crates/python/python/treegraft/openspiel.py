"""OpenSpiel both ways: its games for our searches, and our players for its loops.

>>> import treegraft as tg
>>> game = tg.openspiel.game("tic_tac_toe")         # doctest: +SKIP
>>> tg.solve(game).outcome                          # doctest: +SKIP
'draw'

``pip install treegraft[openspiel]`` installs what this module needs. It imports OpenSpiel only when
it is used.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _treegraft
from ._api import analyze
from ._treegraft import Game, Position

if TYPE_CHECKING:
    import pyspiel

__all__ = ["COMMON_GAMES", "SpielPosition", "bot", "common_game", "game", "position", "why_unfit"]


def _pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError as error:
        raise ImportError(
            "treegraft.openspiel needs OpenSpiel: pip install treegraft[openspiel]"
        ) from error
    return pyspiel


def _load(game: str | pyspiel.Game) -> Any:
    pyspiel = _pyspiel()
    if isinstance(game, pyspiel.Game):
        return game
    if not isinstance(game, str):
        raise TypeError(f"{game!r} is not a game of OpenSpiel; expected one, or its name")
    try:
        return pyspiel.load_game(game)
    except Exception as error:
        raise ValueError(f"OpenSpiel cannot load {game!r}: {error}") from None


# ---------------------------------------------------------------- its games for our searches


def why_unfit(game: str | pyspiel.Game) -> str | None:
    """Why a game of OpenSpiel cannot be searched by Treegraft; None if it can.

    Treegraft searches games of two players who move in turn, without chance and hidden
    information, and in which one player's gain is the other's loss.
    """
    pyspiel = _pyspiel()
    loaded = _load(game)
    kind = loaded.get_type()
    if loaded.num_players() != 2:
        return f"it has {loaded.num_players()} players, not two"
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        return "its players do not move in turn"
    if kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC:
        return "it has chance"
    if kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
        return "its players do not see everything"
    if kind.utility != pyspiel.GameType.Utility.ZERO_SUM:
        return "it is not zero-sum"
    return None


# The text of a state of these games has everything that matters from then on; in others, two ways
# to the same board may differ in what can be repeated, castled or recaptured.
_TOLD_BY_TEXT = frozenset(
    {"breakthrough", "clobber", "connect_four", "mnk", "nim", "pentago", "tic_tac_toe"}
)


class SpielPosition:
    """A state of a game of OpenSpiel as a position.

    Moves are OpenSpiel's actions: numbers.
    """

    __slots__ = ("_key", "_state", "_told_by_text")

    playout_plies: int | None = None

    def __init__(self, state: pyspiel.State, told_by_text: bool | None = None) -> None:
        self._state = state
        if told_by_text is None:
            told_by_text = state.get_game().get_type().short_name in _TOLD_BY_TEXT
        self._told_by_text = told_by_text
        self._key: Any = None

    @property
    def state(self) -> pyspiel.State:
        """A copy of the state."""
        return self._state.clone()

    def to_move(self) -> int:
        """Whose turn it is. OpenSpiel returns -4 once the game is over; then it is not called."""
        return max(0, int(self._state.current_player()))

    def legal_moves(self) -> list[int]:
        """The legal actions."""
        actions: list[int] = self._state.legal_actions()
        return actions

    def play(self, move: int) -> SpielPosition:
        """The position after an action."""
        child = self._state.clone()
        child.apply_action(move)
        return SpielPosition(child, self._told_by_text)

    def outcome(self) -> int | None:
        """1, 0 or -1 by the first player's return."""
        if not self._state.is_terminal():
            return None
        value = float(self._state.player_return(0))
        return (value > 0) - (value < 0)

    def move_text(self, move: int) -> str:
        """The action as OpenSpiel writes it, without blanks and commas."""
        text = self._state.action_to_string(self._state.current_player(), move)
        text = re.sub(r"\s+", "_", text.strip()).replace(",", ";")
        # Some games write different actions alike.
        return f"{text}#{move}" if text else f"#{move}"

    def _told(self) -> Any:
        if self._key is None:
            if self._told_by_text:
                self._key = (self._state.current_player(), str(self._state))
            else:
                self._key = tuple(self._state.history())
        return self._key

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpielPosition):
            return NotImplemented
        return bool(self._told() == other._told())

    def __hash__(self) -> int:
        return hash(self._told())

    def __str__(self) -> str:
        return str(self._state)

    def __repr__(self) -> str:
        return f"<SpielPosition after {self._state.history()}>"


def game(game: str | pyspiel.Game, *, name: str | None = None) -> Game:
    """A game of OpenSpiel as a Treegraft game: searched by every player, in matches and experiments.

    It is registered under ``name``, by default ``openspiel.`` and OpenSpiel's name, and experiment
    files can use it under that name from then on. Games that do not fit are refused with the reason.

    >>> import treegraft as tg
    >>> tg.analyze(tg.openspiel.game("tic_tac_toe"), "ab(depth=9)").proof   # doctest: +SKIP
    'draw'
    """
    loaded = _load(game)
    problem = why_unfit(loaded)
    short_name = loaded.get_type().short_name
    if problem is not None:
        raise ValueError(f"{short_name} cannot be searched: {problem}")
    if name is None:
        words = re.split(r"[^A-Za-z0-9]+", str(loaded))
        words = [word for word in words if word]
        full = "-".join(words) if _has_parameters(loaded) else short_name
        name = f"openspiel.{full}"[:40]

    def start() -> SpielPosition:
        return SpielPosition(loaded.new_initial_state())

    _treegraft.register_game(name, start, f"{short_name} of OpenSpiel")
    return _treegraft.game(name)


def _has_parameters(loaded: Any) -> bool:
    """Whether a game differs from the one that its name alone stands for."""
    try:
        usual = _pyspiel().load_game(loaded.get_type().short_name)
    except Exception:
        return True
    return str(usual) != str(loaded)


# ---------------------------------------------------------------- our players for its loops


class _Common:
    """A game that both have: how one's moves are written in the other."""

    def __init__(
        self,
        text: Callable[[dict[str, Any]], str | None],
        to_move_text: Callable[[Any, int, dict[str, Any]], str],
    ) -> None:
        self.text = text
        self.to_move_text = to_move_text


def _connect_four(parameters: dict[str, Any]) -> str | None:
    if parameters.get("x_in_row", 4) != 4:
        return None
    return f"connect4:{parameters.get('columns', 7)}x{parameters.get('rows', 6)}"


def _breakthrough(parameters: dict[str, Any]) -> str | None:
    # With fewer rows, OpenSpiel's players begin with one row of pieces, and ours with two.
    if parameters.get("rows", 8) < 6:
        return None
    return f"breakthrough:{parameters.get('columns', 8)}x{parameters.get('rows', 8)}"


def _hex(parameters: dict[str, Any]) -> str | None:
    columns = parameters.get("num_cols", parameters.get("board_size", 11))
    rows = parameters.get("num_rows", parameters.get("board_size", 11))
    if columns != rows or parameters.get("swap", False):
        return None
    return f"hex:{columns}"


def _mirrored(state: Any, action: int, parameters: dict[str, Any]) -> str:
    """OpenSpiel's first player moves down the board, ours moves up."""
    rows = parameters.get("rows", 8)
    text = state.action_to_string(state.current_player(), action).rstrip("*")
    squares = re.findall(r"([a-z])(\d+)", text)
    return "".join(f"{column}{rows + 1 - int(row)}" for column, row in squares)


def _as_written(state: Any, action: int, parameters: dict[str, Any]) -> str:
    text: str = state.action_to_string(state.current_player(), action)
    return text


COMMON_GAMES: dict[str, str] = {
    "breakthrough": "breakthrough",
    "connect_four": "connect4",
    "hex": "hex",
    "lines_of_action": "loa",
    "mancala": "kalah",
    "othello": "othello",
}
"""The games that both have: OpenSpiel's names and ours."""

_COMMON = {
    "breakthrough": _Common(_breakthrough, _mirrored),
    "connect_four": _Common(_connect_four, lambda state, action, parameters: str(action + 1)),
    "hex": _Common(_hex, _as_written),
    "lines_of_action": _Common(lambda parameters: "loa:simultaneous=mover,repetition=2", _as_written),
    "mancala": _Common(
        lambda parameters: "kalah:6,4,capture-empty=false", lambda state, action, parameters: str(action if action < 7 else action - 7)
    ),
    "othello": _Common(lambda parameters: "othello", _as_written),
}


def common_game(game: str | pyspiel.Game) -> Game | None:
    """Our own, fast version of a game of OpenSpiel; None if there is none."""
    loaded = _load(game)
    common = _COMMON.get(loaded.get_type().short_name)
    if common is None:
        return None
    text = common.text(loaded.get_parameters())
    if text is None:
        return None
    try:
        return _treegraft.game(text)
    except ValueError:
        # A board that is too large for us.
        return None


class _Follower:
    """Follows the states of one game of OpenSpiel with positions of ours."""

    def __init__(self, loaded: Any) -> None:
        self.loaded = loaded
        self.parameters = loaded.get_parameters()
        self.common = _COMMON.get(loaded.get_type().short_name)
        self.ours = common_game(loaded)
        if self.ours is None:
            self.ours = game(loaded)
            self.common = None
        self.forget()

    def forget(self) -> None:
        """Begins again."""
        assert self.ours is not None
        self.history: list[int] = []
        self.state = self.loaded.new_initial_state()
        self.here = self.ours.start()

    def follow(self, state: Any) -> Position:
        """Our position for a state."""
        history = state.history()
        if history[: len(self.history)] != self.history:
            self.forget()
        for action in history[len(self.history) :]:
            self.here = self.here.play(self.move(self.state, action))
            self.state.apply_action(action)
            self.history.append(action)
        return self.here

    def move(self, state: Any, action: int) -> Any:
        """Our move for an action."""
        if self.common is None:
            return action
        return self.common.to_move_text(state, action, self.parameters)

    def action(self, state: Any, move: Any) -> int:
        """The action for a move of ours."""
        if self.common is None:
            return int(move)
        here = self.follow(state)
        after = here.play(move)
        for action in state.legal_actions():
            # Notations may differ in marks of captures: what counts is where a move leads.
            if here.play(self.move(state, action)) == after:
                return int(action)
        raise ValueError(f"OpenSpiel has no action for the move {move}")


def position(state: pyspiel.State) -> Position:
    """A state of OpenSpiel as a position: of our own version of the game, if there is one."""
    return _Follower(state.get_game()).follow(state)


@functools.cache
def _bot_class() -> Any:
    pyspiel = _pyspiel()

    class Bot(pyspiel.Bot):  # type: ignore[misc, name-defined, unused-ignore]
        """A Treegraft player in OpenSpiel's loops."""

        def __init__(self, loaded: Any, player: str, player_id: int, seed: int) -> None:
            pyspiel.Bot.__init__(self)
            self._follower = _Follower(loaded)
            self._player = player
            self._player_id = player_id
            self._seed = seed
            self._moves = 0
            # A player that does not exist, or not for this game, is refused now.
            _treegraft.player_text(self._follower.here, player)

        def player_id(self) -> int:
            """Which player it is."""
            return self._player_id

        def restart(self) -> None:
            """A game begins."""
            self._follower.forget()
            self._moves = 0

        def restart_at(self, state: Any) -> None:
            """A game goes on here."""
            self._follower.forget()
            self._follower.follow(state)

        def inform_action(self, state: Any, player_id: int, action: int) -> None:
            """Another player has moved: the next state shows it."""

        def provides_policy(self) -> bool:
            """No: it has a move, not a distribution."""
            return False

        def step(self, state: Any) -> int:
            """The action to play."""
            here = self._follower.follow(state)
            self._moves += 1
            report = analyze(here, self._player, seed=self._seed + self._moves, tree_depth=0)
            if report.best_move is None:
                raise ValueError("the game is over: there is no move to play")
            return self._follower.action(state, report.best_move)

    return Bot


def bot(game: str | pyspiel.Game, player: str, *, player_id: int = 0, seed: int = 0) -> Any:
    """A ``pyspiel.Bot`` that plays as a Treegraft player, such as ``mcts-ms-2-visit-2@1s``.

    The games in common (:data:`COMMON_GAMES`) are searched at full speed, all others that fit through
    OpenSpiel's own rules.
    """
    return _bot_class()(_load(game), player, player_id, seed)
