"""Tic-tac-toe as a Python class, searched, checked and played by Treegraft.

    python examples/python/tic_tac_toe.py
"""

from __future__ import annotations

from dataclasses import dataclass

import treegraft as tg

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@dataclass(frozen=True)
class TicTacToe:
    """A position: nine cells with 1 (the first player's), -1 (the second player's) or 0."""

    cells: tuple[int, ...] = (0,) * 9

    def to_move(self) -> int:
        return sum(map(abs, self.cells)) % 2

    def legal_moves(self) -> list[int]:
        return [cell for cell in range(9) if not self.cells[cell]]

    def play(self, move: int) -> TicTacToe:
        mark = 1 if self.to_move() == 0 else -1
        return TicTacToe(self.cells[:move] + (mark,) + self.cells[move + 1 :])

    def outcome(self) -> int | None:
        for a, b, c in LINES:
            if self.cells[a] and self.cells[a] == self.cells[b] == self.cells[c]:
                return self.cells[a]
        return 0 if all(self.cells) else None

    def __str__(self) -> str:
        marks = ["·XO"[cell] for cell in self.cells]
        return "\n".join(" ".join(marks[row : row + 3]) for row in (0, 3, 6))


def main() -> None:
    print(tg.check(TicTacToe))
    print("with best play:", tg.solve(TicTacToe).outcome)
    print(tg.match(TicTacToe, "mcts-solver@100it", "random", games=20))
    position = TicTacToe()
    while position.outcome() is None:
        report = tg.analyze(position, "mcts-solver@1000it")
        position = position.play(report.best_move)
        print(f"\n{position}")


if __name__ == "__main__":
    main()
