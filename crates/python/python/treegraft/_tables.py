"""Rows that become data frames."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    import pandas
    import polars

__all__ = ["Table"]


class Table(Sequence[Mapping[str, Any]]):
    """Rows with named columns: a sequence of dicts, a table in a notebook, a data frame on request.

    >>> table = Table(["move", "visits"], [{"move": "4", "visits": 12}, {"move": "3", "visits": 7}])
    >>> table[0]["visits"]
    12
    >>> table.column("move")
    ['4', '3']
    >>> print(table)
    move  visits
    4         12
    3          7
    """

    def __init__(self, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
        self._columns = list(columns)
        self._rows = [dict(row) for row in rows]

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]]) -> Table:
        """A table with all columns that its rows have."""
        return cls(list(dict.fromkeys(name for row in rows for name in row)), rows)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    def column(self, name: str) -> list[Any]:
        """The values of a column."""
        if name not in self._columns:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(self._columns)}")
        return [row.get(name) for row in self._rows]

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas data frame."""
        import pandas

        return pandas.DataFrame({name: self.column(name) for name in self._columns})

    def to_polars(self) -> polars.DataFrame:
        """The table as a polars data frame."""
        import polars

        return polars.DataFrame(
            {name: self.column(name) for name in self._columns}, strict=False, nan_to_null=True
        )

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> Table: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, Any] | Table:
        if isinstance(index, slice):
            return Table(self._columns, self._rows[index])
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self._columns == other._columns and self._rows == other._rows

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self._columns)}>"

    def __str__(self) -> str:
        cells = [self._columns] + [[_text(row.get(name)) for name in self._columns] for row in self]
        widths = [max(len(row[at]) for row in cells) for at in range(len(self._columns))]
        numbers = [
            all(isinstance(row.get(name), (int, float, type(None))) for row in self) and len(self) > 0
            for name in self._columns
        ]
        lines = [
            "  ".join(
                cell.rjust(width) if is_number else cell.ljust(width)
                for cell, width, is_number in zip(row, widths, numbers)
            ).rstrip()
            for row in cells
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self._columns)
        rows = (
            "".join(f"<td>{html.escape(_text(row.get(name)))}</td>" for name in self._columns)
            for row in self
        )
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value))
    return str(value)
