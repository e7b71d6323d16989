"""Frames, dictionaries and files, as a file that Sluice reads; types of columns travel along."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pandas as pd

READ = (".csv", ".tsv", ".json", ".parquet")


def file_of(data, folder):
    """The path of a data file: one that is there, or one made in `folder`, named by its content.

    data: a path, a DataFrame, or a dictionary of numbers, vectors and matrices by name.
    """
    if isinstance(data, (str, Path)):
        return _existing(Path(data))
    suffix, text = _written(data)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}{suffix}"
    path.write_text(text, encoding="utf-8")
    return path


def _existing(path):
    if not path.is_file():
        raise FileNotFoundError(f"there is no data file {path}")
    if path.suffix.lower() not in READ:
        raise ValueError(f"cannot read {path}: wanted {', '.join(READ)}, or a DataFrame")
    return path.resolve()


def _written(data):
    if isinstance(data, pd.DataFrame):
        return ".json", json.dumps(_table(data), allow_nan=False)
    if isinstance(data, dict):
        return ".json", json.dumps({name: _plain(name, one) for name, one in data.items()})
    raise TypeError(f"data is a {type(data).__name__}; wanted a DataFrame, a dictionary or a path")


def _table(frame):
    """Rows and a schema, as `to_json(orient="table")` writes them, with all digits of numbers.

    Categories travel with their levels and their order, texts as texts though they look like numbers,
    truth values as such, dates as ISO 8601. The index is no column.
    """
    names = [str(name) for name in frame.columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"two columns are called {twice[0]!r}; rename one of them")
    columns = [frame.iloc[:, place] for place in range(len(names))]
    fields = [_field(name, column) for name, column in zip(names, columns)]
    cells = [_cells(column) for column in columns]
    rows = [dict(zip(names, row)) for row in zip(*cells)]
    return {"schema": {"fields": fields}, "data": rows}


def _field(name, column):
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        levels = [_cell(level) for level in column.cat.remove_unused_categories().cat.categories]
        return {"name": name, "type": "any", "constraints": {"enum": levels},
                "ordered": bool(dtype.ordered)}
    kinds = {"b": "boolean", "i": "integer", "u": "integer", "f": "number", "M": "datetime"}
    return {"name": name, "type": kinds.get(getattr(dtype, "kind", "O"), "string")}


def _cells(column):
    """Plain cells; nothing where a value is missing."""
    if getattr(column.dtype, "kind", "O") == "M":
        days = (column.dropna().dt.normalize() == column.dropna()).all()
        texts = column.dt.strftime("%Y-%m-%d" if days else "%Y-%m-%dT%H:%M:%S")
        return [None if pd.isna(one) else one for one in texts]
    return [None if missing else _cell(cell) for cell, missing in zip(column, column.isna())]


def _cell(cell):
    """A number, a truth value, or else a text."""
    if isinstance(cell, (bool, np.bool_)):
        return bool(cell)
    if isinstance(cell, (int, np.integer)):
        return int(cell)
    if isinstance(cell, (float, np.floating)):
        return float(cell) if np.isfinite(cell) else str(cell)
    return str(cell)


def _plain(name, value):
    array = np.asarray(value)
    if array.dtype.kind not in "biufUOS":
        raise TypeError(f"{name!r} holds {array.dtype}; wanted numbers or texts")
    return array.astype(int).tolist() if array.dtype.kind == "b" else array.tolist()
