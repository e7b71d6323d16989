"""Pipelines, run; and SQL over what they recorded."""

import json
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ._data import file_of
from ._process import call
from ._score import named
from ._show import card


@dataclass(frozen=True)
class Run:
    """A finished run of a pipeline, by its id."""

    id: str

    @property
    def certificate(self):
        """How close the sampler came to its target, as `certificate.json` says it."""
        return json.loads(call(["report", self.id, "--certificate", "--json"]))

    @property
    def answer(self):
        """The answer to the questions of its programs, as `answer.json` says it."""
        return json.loads(call(["report", self.id, "--json"]))

    def query(self, sql):
        """A DataFrame of SQL over this run."""
        return _query(sql, ["--run", self.id])

    def predict(self, at, *, weights="target", top=None, draws=None, contrasts=False):
        """Predicts the response, averaged over programs, as a DataFrame.

        at: a DataFrame or file of new rows; or values by predictor, `{"age": [5, 20], "sex": "*"}`, at each
            combination of which predictions are averaged over the rows of the data.
        weights: "target", "policy" or "stacking".
        contrasts: differences of all pairs of combinations instead.
        """
        where = axes(at) if isinstance(at, dict) else file_of(at, Path(".sluice") / "python")
        options = named({"at": where, "weights": weights, "top": top, "draws": draws})
        own = ["--contrasts"] if contrasts else []
        found = json.loads(call(["predict", self.id, *options, *own, "--json"]))
        if contrasts:
            texts = [{key: " ".join(one[key].values()) for key in ("of", "against")} for one in found["contrasts"]]
            return pd.DataFrame([{**one, **text} for one, text in zip(found["contrasts"], texts)])
        if isinstance(at, dict):
            return pd.DataFrame([{**one["at"], **{key: one[key] for key in ("mean", "q05", "q95")}}
                                 for one in found["averages"]])
        index = at.index if isinstance(at, pd.DataFrame) else None
        return pd.DataFrame([one.get("probabilities", one) for one in found["predictions"]], index=index)

    def _repr_html_(self):
        stages = self.query("select stage, status, cached, round(wall_ms / 1000, 1) as seconds from stage_run")
        return card(f"Run {self.id}", stages.to_html(index=False))


def run(pipeline, *overlays, set=None, workers=None, progress=True):
    """Runs a pipeline, or answers from cache; returns its run.

    overlays: files that are laid over it, in order.
    set: values by path, `{"seed": 3, "stages.train.steps": 100}`.

    Raises SluiceError where a stage or a check failed (1), the input is wrong (2), a part is missing
    (3), or Ctrl-C ended it (130); finished work is kept.
    """
    values = [part for path, value in (set or {}).items() for part in ("--set", f"{path}={_toml(value)}")]
    own = ["--workers", workers] if workers else []
    call(["run", pipeline, *(f"@{one}" for one in overlays), *values, *own], progress=progress)
    return Run(_last())


def runs(sql):
    """A DataFrame of SQL over all finished runs below the working folder."""
    return _query(sql, [])


def axes(values):
    """Values by column as the command line takes them; a text, such as "*", as it stands."""
    texts = {name: one if isinstance(one, str) else ",".join(map(str, one)) for name, one in values.items()}
    return "; ".join(f"{name}={text}" for name, text in texts.items())


def _last():
    return _query("select run_id from run", ["--run", "last"])["run_id"].iloc[0]


def _query(sql, flags):
    return pd.DataFrame(json.loads(call(["query", sql, *flags, "--format", "json"])))


def _toml(value):
    """A value as TOML writes it: truth in small letters, texts in quotes; paths as they stand."""
    return json.dumps(str(value) if isinstance(value, Path) else value)
