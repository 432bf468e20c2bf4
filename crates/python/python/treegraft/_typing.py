"""What games and evaluations of your own must have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar, Union

from ._treegraft import Game, Position

__all__ = ["AnyGame", "AnyPosition", "OwnGame"]

Self = TypeVar("Self", bound="OwnGame")


class OwnGame(Protocol):
    """A position of a game of your own: four methods, ``__eq__`` and ``__hash__``.

    Positions are values: ``play`` returns a new one and leaves the old one alone. Moves are anything
    that can be a key of a dict. Equal positions are those from which the same can happen; a frozen
    dataclass, or a subclass of a named tuple, has the right ``__eq__`` and ``__hash__`` already.
    Turns need not alternate.

    A class may have more, and searches use it:

    ``evaluate(self)``
        How good an unfinished position looks for the first player, from -1 to 1.
    ``order_hint(self, move)``
        A whole number: moves with a larger one are tried earlier.
    ``margin(self)``
        By how much a finished game was won, in the first player's view: exact searches find the
        best margin.
    ``margin_bounds(self)``
        Two whole numbers that the final margin lies between.
    ``loud_moves(self)``
        The legal moves that upset an evaluation, such as captures, for quiescence search.
    ``null_move(self)``
        The position with the turn passed, or None, for null-move pruning.
    ``move_text(self, move)``
        The move as people write it, without blanks and commas; ``str(move)`` otherwise.
    ``side_names``
        What the players are called: two texts.
    ``playout_plies``, ``repetition_limit``, ``max_plies``
        When random play is given up (10,000 plies), and when a played game is drawn (never).

    ``str(position)`` is shown as its diagram, and ``_repr_svg_`` as its picture.
    """

    def to_move(self) -> int:
        """Whose turn it is: 0 for the first player, 1 for the second."""

    def legal_moves(self) -> Iterable[Any]:
        """All legal moves, each once. Only called while the game goes on; then there is one."""

    def play(self: Self, move: Any, /) -> Self:
        """The position after a legal move."""

    def outcome(self) -> int | None:
        """1 if the first player has won, -1 if the second has, 0 for a draw, else None."""


AnyPosition = Union[Position, Game, str, OwnGame, Callable[[], OwnGame]]
"""What can be searched: a position, or a game, which means its start."""

AnyGame = Union[Game, str, OwnGame, Callable[[], OwnGame]]
"""What can be played: a game, its text, or one of your own, as a start or as what makes one."""
