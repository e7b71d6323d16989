"""Makes tests/golden/dugongs_elpd.json: ELPD-LOO of program texts by PyMC, nutpie and ArviZ.

Run: python tools/golden/dugongs_elpd.py TEXTS.json OUT.json [NUMBER ...]
(PyMC 5.28.5, nutpie 0.16, ArviZ 0.23)

With numbers, those programs of OUT.json alone are made again. TEXTS.json is a list of program texts;
each reads `data["age"]` and `data["length"]`. Every program is sampled with several independent
seeds. ELPD is az.loo's (deviance scale off, pointwise); each observation with k > 0.5 is refitted
without it, exactly: between 0.5 and 0.7 smoothed ratios were too high by up to half a nat in single
seeds, and by 0.12 in the mean of twelve. `elpd` is the mean over seeds and `mcse` the standard
deviation over seeds divided by the root of their number.
"""

import json
import math
import sys
import warnings
from pathlib import Path

import arviz as az
import numpy as np
import nutpie
import pymc as pm

from kept_cases import read_same_versions

ROOT = Path(__file__).resolve().parents[2]
SEEDS, CHAINS, TUNE, DRAWS = 12, 4, 1500, 2000
K_LIMIT = 0.5


def read_data():
    rows = np.loadtxt(ROOT / "data/dugongs.csv", delimiter=",", skiprows=1)
    return {"age": rows[:, 0], "length": rows[:, 1]}


def build(text, data):
    scope = {"data": data, "__name__": "program"}
    exec(text, scope)
    models = [value for value in scope.values() if isinstance(value, pm.Model)]
    return models[0]


def draw(compiled, seed):
    return nutpie.sample(compiled, draws=DRAWS, tune=TUNE, chains=CHAINS, seed=seed,
                         target_accept=0.95, progress_bar=False)


def log_mean_exp(values):
    top = np.max(values)
    return float(top + np.log(np.mean(np.exp(values - top))))


class Refits:
    """Posteriors that lack an observation, each compiled once."""

    def __init__(self, text, data):
        self.text, self.data, self.compiled = text, data, {}

    def log_density(self, row, seed):
        """log p(y_row | all others), from a posterior that never saw the row."""
        if row not in self.compiled:
            kept = {name: np.delete(column, row) for name, column in self.data.items()}
            self.compiled[row] = nutpie.compile_pymc_model(build(self.text, kept))
        held_out = {name: column[row : row + 1] for name, column in self.data.items()}
        one = pm.compute_log_likelihood(draw(self.compiled[row], seed),
                                        model=build(self.text, held_out), progressbar=False)
        (name,) = one.log_likelihood.data_vars
        return log_mean_exp(one.log_likelihood[name].values.ravel())


def one_seed(model, compiled, refits, seed):
    trace = pm.compute_log_likelihood(draw(compiled, seed), model=model, progressbar=False)
    loo = az.loo(trace, pointwise=True)
    pointwise, k = loo.loo_i.values.copy(), loo.pareto_k.values
    for row in np.flatnonzero(~(k <= K_LIMIT)):
        pointwise[row] = refits.log_density(int(row), seed + 7919 * (int(row) + 1))
    free = [rv.name for rv in model.free_RVs]
    return {
        "seed": seed,
        "elpd": float(pointwise.sum()),
        "elpd_pointwise": pointwise.tolist(),
        "pareto_k_max": float(np.max(k)),
        "exact_refits": np.flatnonzero(~(k <= K_LIMIT)).tolist(),
        "rhat_max": float(max(az.rhat(trace, var_names=free).to_array())),
        "divergences": int(trace.sample_stats["diverging"].sum()),
    }


def one_program(text, data):
    model = build(text, data)
    compiled, refits = nutpie.compile_pymc_model(model), Refits(text, data)
    seeds = [one_seed(model, compiled, refits, 20 + 1000 * s) for s in range(SEEDS)]
    elpd = np.array([seed["elpd"] for seed in seeds])
    return {
        "text": text,
        "k_limit": K_LIMIT,
        "elpd": float(elpd.mean()),
        "mcse": float(elpd.std(ddof=1) / math.sqrt(SEEDS)),
        "elpd_pointwise": np.mean([s.pop("elpd_pointwise") for s in seeds], axis=0).tolist(),
        "seeds": seeds,
    }


def main():
    warnings.filterwarnings("ignore")
    texts = json.loads(Path(sys.argv[1]).read_text())
    data = read_data()
    out = {
        "made": "python tools/golden/dugongs_elpd.py TEXTS.json OUT.json",
        "versions": {"pymc": pm.__version__, "nutpie": nutpie.__version__, "arviz": az.__version__},
        "chains": CHAINS, "tune": TUNE, "draws": DRAWS,
        "programs": [],
    }
    chosen = [int(number) for number in sys.argv[3:]] or range(len(texts))
    if sys.argv[3:]:
        out["programs"] = read_same_versions(Path(sys.argv[2]), out)["programs"]
    else:
        out["programs"] = [None] * len(texts)
    for number in chosen:
        result = one_program(texts[number], data)
        out["programs"][number] = result
        print(number, round(result["elpd"], 3), "+-", round(result["mcse"], 3), flush=True)
        Path(sys.argv[2]).write_text(json.dumps(out, indent=1) + "\n")


if __name__ == "__main__":
    main()
