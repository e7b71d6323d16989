"""Free variables, shapes and log densities that real PyMC gives the programs of tests/engine/python/corpus.

Run: python tools/golden/corpus_models.py > tests/golden/corpus_models.json
"""

import json
import pathlib
import re
import sys
import warnings

import numpy as np
import pandas as pd
import pymc as pm
import pytensor
import pytensor.tensor as pt

warnings.filterwarnings("ignore")
pm.MutableData = lambda name, value, dims=None: pm.Data(name, value, dims=dims)
pm.ConstantData = pm.MutableData
pm.math.square = pt.square
for silent in ("sample", "sample_posterior_predictive", "sample_prior_predictive"):
    setattr(pm, silent, lambda *args, **keywords: {"mean": None})

frames = {
    "dugongs": {"x": [1, 1.5, 2.5, 4, 5], "Y": [1.8, 1.9, 2.2, 2.4, 2.5]},
    "peregrines": {"year": [0, 1, 2, 3, 4], "C": [90, 120, 0, 140, 110]},
    "death_process": {"x": [0.1, 0.5, 1, 1.5], "infection_num": [3, 20, 31, 40]},
    "choices": {"ir": [10, 50, 30, 80], "dr": [20, 60, 90, 85], "days": [30, 200, 7, 90], "Choice": [0, 0, 1, 0]},
    "irt": {"student_id": [3, 1, 2, 0, 5, 4], "question_id": [5, 4, 3, 2, 1, 0], "correctness": [0, 1, 1, 0, 1, 0]},
    "survival": {"metastasized_status": [0, 1, 1, 0], "time_surgery": [0.5, 3.2, 8, 6.1], "outcome": [1, 1, 0, 0]},
    "location": {"x1": [0.5, -1, 1.5], "x2": [0.25, 2, -1.5], "y": [1.9, 0.4, 2.2]},
    "morals": {"gender": [0, -1, 1, 0], "age": [1, 0, -2, 1], "fitness": [0, 1, 1, -1], "choice": [1, 0, 1, 1]},
}
published = {
    "J": 5,
    "sigma": np.array([15, 10, 16, 11, 9]),
    "group": np.array([0, 1, 2, 1, 0]),
    "X": np.array([1, 2, 3, 4, 5, 6, 0.5, 8, 9, 1]).reshape(5, 2),
    "y": np.array([28, 8, -3, 7, -1]),
}

gallery = {
    "x": np.array([0.5, -1, 1.5, 2, 0, -0.5]),
    "group": np.array([0, 1, 2, 1, 0, 2]),
    "n": np.array([9, 8, 9, 8, 12, 7]),
    "y": np.array([2, 1, 4, 7, 0, 3]),
}


def models():
    for path in sorted(pathlib.Path("tests/engine/python/corpus").glob("*.txt")):
        for block in re.split(r"(?m)^=== ", path.read_text())[1:]:
            title, program = block.split("\n", 1)
            scope = {"data": gallery if path.stem == "gallery" else published, "az": None}
            text = re.sub(r"(?m)^.*\b(az\.|print\(|arviz).*$", "", program)
            exec(text, scope)
            if "gen_model" in scope:
                result = scope["gen_model"](pd.DataFrame(frames[path.stem]))
                model = result[0] if isinstance(result, tuple) else result
            else:
                model = next(v for v in scope.values() if isinstance(v, pm.Model))
            shapes = {rv.name: [int(n) for n in rv.shape.eval()] for rv in model.free_RVs}
            [observed] = model.observed_RVs
            yield {
                "file": path.name,
                "title": title,
                "free": shapes,
                "observed": [int(n) for n in observed.shape.eval()],
                "points": list(points(model)),
            }


def points(model):
    """Log densities on the unconstrained scale, Jacobians included."""
    # Without C: its compilation takes half a minute for each program.
    mode = pytensor.compile.mode.Mode(linker="py", optimizer="fast_run")
    logp = model.compile_logp(mode=mode)
    names = {variable.name: model.values_to_rvs[variable].name for variable in model.value_vars}
    rng = np.random.default_rng(20)
    for _ in range(2):
        start = model.initial_point()
        point = {name: rng.normal(0, 0.4, np.shape(start[name])) for name in names}
        position = {names[name]: np.ravel(value).tolist() for name, value in point.items()}
        yield {"position": position, "logp": float(logp(point))}


json.dump(
    {
        "version": f"PyMC {pm.__version__}, NumPy {np.__version__}",
        "command": "python tools/golden/corpus_models.py > tests/golden/corpus_models.json",
        "models": list(models()),
    },
    sys.stdout,
    indent=1,
)
