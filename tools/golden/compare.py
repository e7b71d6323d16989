"""Writes tests/golden/compare.json: programs compared by ArviZ, and the pointwise ELPD it used.

Command: python tools/golden/compare.py tests/golden/compare.json   (needs arviz 0.23.4)
"""
import json
import sys
import warnings

import arviz as az
import numpy as np

rng = np.random.default_rng(20)
METHODS = {"stacking": "stacking", "pseudo_bma": "pseudo-bma", "bb_pseudo_bma": "bb-pseudo-bma"}


def loo(y, mean, sd):
    """az.loo of draws of a normal predictive distribution around `mean`."""
    shift = rng.normal(0, 0.1, size=(4, 250, 1))
    ll = -0.5 * np.log(2 * np.pi * sd**2) - 0.5 * ((y - mean - shift) / sd) ** 2
    data = az.from_dict(posterior={"shift": shift[..., 0]}, log_likelihood={"y": ll})
    return az.loo(data, pointwise=True)


def case(name, y, models):
    loos = {key: loo(y, *model) for key, model in models.items()}
    results = {}
    for ours, theirs in METHODS.items():
        table = az.compare(loos, method=theirs, seed=20)
        results[ours] = [
            {"name": key, "elpd": float(row.elpd_loo), "se": float(row.se), "weight": float(row.weight),
             "elpd_diff": float(row.elpd_diff), "dse": float(row.dse)}
            for key, row in table.iterrows()
        ]
    return {"name": name, "models": list(loos), "results": results,
            "elpd_pointwise": [loos[key].loo_i.values.tolist() for key in loos]}


warnings.filterwarnings("ignore")
x = np.linspace(-1, 1, 30)
line = 0.5 + x + rng.normal(0, 0.4, 30)
mixed = np.where(np.arange(40) % 3 == 0, 2.0, -1.0) + rng.normal(0, 0.5, 40)
cases = [
    case("one_wins", line, {"line": (0.5 + x, 0.4), "flat": (0.5, 0.8), "steep": (0.5 + 2 * x, 0.6)}),
    case("complementary", mixed, {"high": (2.0, 0.7), "low": (-1.0, 0.7), "wide": (0.0, 1.6)}),
    case("near_twins", line, {"a": (0.5 + x, 0.4), "b": (0.52 + x, 0.42), "c": (0.45 + 1.1 * x, 0.5),
                              "d": (0.5 + x**3, 0.5)}),
]
with open(sys.argv[1], "w") as file:
    json.dump({"made_by": f"arviz {az.__version__}, numpy {np.__version__}",
               "command": "python tools/golden/compare.py tests/golden/compare.json",
               "cases": cases}, file)
