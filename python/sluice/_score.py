"""One program, scored: ELPD-LOO with its errors, and its draws."""

import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from ._data import file_of
from ._model import program_of
from ._process import SluiceError, call
from ._script import model_of
from ._show import card, table


@dataclass(frozen=True)
class Score:
    """Score of one program on one data set; all in nats.

    elpd_loo: expected log pointwise predictive density, by leave-one-out (Vehtari et al. 2017).
    se: its standard error over the rows.
    mcse: its Monte Carlo error.
    p_loo: effective number of parameters.
    pointwise: `[rows]`, the terms of `elpd_loo`.
    pareto_k: `[rows]`, NaN where a row was not importance-sampled.
    program: the text that was scored.
    data: an xarray.DataTree with posterior, log_likelihood, posterior_predictive and observed_data,
        or None where draws were not kept or the program was integrated without any.
    result: everything, as `sluice score --json` prints it.
    """

    elpd_loo: float
    se: float
    mcse: float
    p_loo: float
    pointwise: np.ndarray = field(repr=False)
    pareto_k: np.ndarray = field(repr=False)
    result: dict = field(repr=False)
    program: str = field(default="", repr=False)
    data: object = field(default=None, repr=False)

    @property
    def params(self):
        """A row for every parameter's element: mean, sd, quantiles, interval, errors."""
        return pd.DataFrame(dict(_elements(self.result.get("params") or {}))).T

    def to_inferencedata(self):
        """The draws as ArviZ 0.x holds them; ArviZ 1 reads `data` itself."""
        import arviz

        if self.data is None:
            raise ValueError("no draws were kept: score with save=True")
        if not hasattr(arviz, "InferenceData"):
            return self.data
        return arviz.InferenceData(
            **{name: node.to_dataset() for name, node in self.data.children.items()}
        )

    def _repr_html_(self):
        rows = [["ELPD-LOO", f"{self.elpd_loo:.2f} ± {self.se:.2f}"],
                ["Monte Carlo error", f"{self.mcse:.3f}"],
                ["effective parameters", f"{self.p_loo:.1f}"],
                ["method", str(self.result.get("loo_method"))],
                ["largest Pareto k", f"{np.nanmax(self.pareto_k, initial=-np.inf):.2f}"]]
        return card("Score", table(["", ""], rows), self.params.to_html(float_format="%.3g"))


def score(program, data=None, *, response=None, resolution=None, missing=None, category=None,
          group=None, time=None, unit=None, rows=None, executor="native", chains=None, tune=None,
          draws=None, seed=0, timeout=None, save=False):
    """Scores a program by leave-one-out cross-validation.

    program: the text of a PyMC program that reads `data["column"]`, the path of one (`.py`), or a
        `pymc.Model`, whose graph is written out as such a text.
    data: a DataFrame, a dictionary of numbers and arrays, or the path of a file. Of a model it may be
        left out: its arrays are the data, and those of `data` lend them their names. Of the path of a
        script it may be left out as well: this process then runs the script, as Python would, until
        it first samples, and scores the model that the script built.
    category: names of columns whose numbers are names.
    save: keep draws and predictions, as `Score.data`.
    The others are flags of `sluice score`, under the same names.

    Raises SluiceError where there is no score, with what is wrong and how to mend it.
    """
    options = {"response": response, "resolution": resolution, "missing": missing,
               "category": listed(category), "group": group,
               "time": time, "unit": unit, "rows": rows, "executor": executor, "chains": chains,
               "tune": tune, "draws": draws, "seed": seed, "timeout": timeout}
    with tempfile.TemporaryDirectory(prefix="sluice-") as scratch:
        folder = Path(scratch)
        store = folder / "draws.zarr"
        saved = ["--save", store] if save else []
        text, data = _text_of(program, data)
        path = folder / "program.py"
        path.write_text(text, encoding="utf-8")
        arguments = ["score", path, "--data", file_of(data, folder / "data")]
        printed = call([*arguments, *named(options), *saved, "--json"], folder, said_as_json=True)
        return _score(_result(printed), text, _opened(store))


def compare(scores):
    """Scores side by side, best first: differences from the best with their errors, by row.

    scores: a dictionary of `Score` by name, of the same rows.
    """
    if len({len(one.pointwise) for one in scores.values()}) > 1:
        raise ValueError("the scores are of data sets with different numbers of rows")
    names = sorted(scores, key=lambda name: -scores[name].elpd_loo)
    best = scores[names[0]].pointwise
    return pd.DataFrame([_compared(scores[name], best) for name in names], index=names)


def _compared(one, best):
    gap = best - one.pointwise
    dse = np.sqrt(len(gap) * np.var(gap))
    return {"elpd_loo": one.elpd_loo, "se": one.se, "p_loo": one.p_loo,
            "elpd_diff": gap.sum(), "dse": dse, "mcse": one.mcse}


def named(options):
    """Flags of the command line: those that are given, `snake_case` as `--snake-case`."""
    given = {name: value for name, value in options.items() if value is not None}
    return [part for name, value in given.items() for part in (f"--{name.replace('_', '-')}", value)]


def listed(names):
    """Names as a flag takes them."""
    return names if names is None or isinstance(names, str) else ",".join(names)


def _text_of(program, data):
    """The text of a program, and its data."""
    if hasattr(program, "free_RVs"):
        return program_of(program, data)
    is_file = isinstance(program, Path) or (isinstance(program, str) and program.endswith(".py"))
    if is_file and data is None:
        return program_of(*model_of(program))
    if data is None:
        raise TypeError("score() needs data beside the text of a program")
    if is_file:
        return Path(program).read_text(encoding="utf-8"), data
    if isinstance(program, str):
        return program, data
    kind = type(program).__name__
    raise TypeError(f"program is a {kind}; wanted a text, the path of one, or a pymc.Model")


def _result(printed):
    result = json.loads(printed)
    if result["status"] != "ok" or result.get("elpd_loo") is None:
        raise SluiceError("\n".join(map(_sentence, result.get("diagnostics", []))), 1)
    return result


def _sentence(diagnostic):
    hint = diagnostic.get("hint")
    line = diagnostic.get("line")
    where = f" (line {line})" if line else ""
    return f"{diagnostic['code']}: {diagnostic['message']}{where}" + (f"; {hint}" if hint else "")


def _opened(store):
    """The tree of draws in memory: its folder goes with the call."""
    if not store.exists():
        return None
    import xarray

    return xarray.open_datatree(store, engine="zarr", consolidated=False).load()


def _score(result, text, data):
    numbers = (result[name] for name in ("elpd_loo", "se", "mcse", "p_loo"))
    floats = lambda name: np.array(result[name] or [], dtype=float)
    return Score(*numbers, floats("elpd_pointwise"), floats("pareto_k"), result, text, data)


def _elements(params):
    for name, one in params.items():
        shape = one["shape"]
        for place in range(len(one["mean"])):
            index = ", ".join(map(str, np.unravel_index(place, shape))) if shape else ""
            label = f"{name}[{index}]" if shape else name
            yield label, {key: each[place] for key, each in one.items() if key != "shape"}
