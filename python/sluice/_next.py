"""`sluice.next`: which row to measure next, as a frame."""
import json
from pathlib import Path

import pandas as pd

from ._data import file_of
from ._process import call
from ._rank import _left
from ._runs import axes
from ._score import listed, named
from ._show import table


class Candidates:
    """Rows that could be measured, most informative first.

    about: subject of the nats, "models", "effects" or "predictions".
    candidates: a DataFrame with the predictors, `nats`, `low`, `high` and `changes`.
    batch: a DataFrame of the most informative batch, or None.
    json: everything, as `sluice next --json` prints it.
    """

    def __init__(self, found):
        self.json = found
        self.about = found["about"]
        self.candidates = _frame(found["candidates"], ("nats", "low", "high", "changes", "cost", "nats_per_cost"))
        self.batch = _frame(found["batch"], ("adds", "error", "joint")) if "batch" in found else None

    def _repr_html_(self):
        first = self.candidates.head(10)
        rows = [[f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in row]
                for row in first.itertuples(index=False)]
        return table(list(first.columns), rows)

    def __repr__(self):
        return self.candidates.head(10).to_string(index=False)


def next(data, formula=None, *, candidates=None, grid=None, about="models", batch=None, cost=None,
         response=None, space=None, families=None, curves=None, category=None, group=None,
         top=None, draws=None, workers=None, progress=True):
    """Says which row to measure next, and how many nats it is expected to tell.

    data: a DataFrame, the path of a data file or of a pipeline, or the id of a finished run.
    candidates: a DataFrame or file of rows with every predictor; or
    grid: values by predictor, `{"dose": [0, 1, 2]}`, of which all combinations are candidates.
    about: "models", "effects" or "predictions".
    batch: how many rows to choose together. cost: a column of the candidates.
    The others are those of `sluice.rank`.
    """
    folder = Path(".sluice") / "python"
    options = {"formula": formula, "response": response or _left(formula), "space": space,
               "families": listed(families), "curves": listed(curves), "category": listed(category),
               "group": group, "about": about, "batch": batch, "cost": cost, "top": top,
               "draws": draws, "workers": workers,
               "candidates": None if candidates is None else file_of(candidates, folder),
               "grid": None if grid is None else axes(grid)}
    is_name = isinstance(data, (str, Path)) and Path(str(data)).suffix in ("", ".toml")
    what = data if is_name else file_of(data, folder)
    if is_name:
        options["response"] = response
    return Candidates(json.loads(call(["next", what, *named(options), "--json"], progress=progress)))


def _frame(rows, keys):
    return pd.DataFrame([{**row["at"], **{key: row[key] for key in keys if key in row}} for row in rows])
