"""Frames, dictionaries and files, as a file that Sluice reads."""

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
        return ".csv", _csv(data)
    if isinstance(data, dict):
        return ".json", json.dumps({name: _plain(name, one) for name, one in data.items()})
    raise TypeError(f"data is a {type(data).__name__}; wanted a DataFrame, a dictionary or a path")


def _csv(frame):
    """One line a row; numbers with all their digits, truth values as 0 and 1."""
    names = [str(name) for name in frame.columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"two columns are called {twice[0]!r}; rename one of them")
    truth = {name: frame[name].astype(int) for name in frame.select_dtypes("bool")}
    return frame.assign(**truth).to_csv(index=False) if truth else frame.to_csv(index=False)


def _plain(name, value):
    array = np.asarray(value)
    if array.dtype.kind not in "biufUOS":
        raise TypeError(f"{name!r} holds {array.dtype}; wanted numbers or texts")
    return array.astype(int).tolist() if array.dtype.kind == "b" else array.tolist()
