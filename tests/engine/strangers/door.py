"""Programs of strangers by the Python door: each script is run, its model written, both densities compared.

SLUICE_PYTHON=PYTHON deno task strangers:python prints a line for each; PYTHON has the wheel, PyMC 5, scikit-learn and patsy.
"""
import json
import os
import sys
import tempfile
import warnings
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
from sluice._model import program_of
from sluice._script import model_of

warnings.filterwarnings("ignore")
random = np.random.default_rng(3)


def densities_differ(model, text, data):
    """Whether the log density of the text is another than the model's, at two points."""
    names = {"data": data}
    exec(text, names)
    own, again = (one.compile_logp(mode="FAST_COMPILE") for one in (model, names["model"]))
    pairs = list(zip(model.value_vars, names["model"].value_vars))
    start = model.initial_point(random_seed=1)
    for _ in range(2):
        point = {name: value + 0.05 * random.normal(size=np.shape(value)) if value.dtype.kind == "f" else value
                 for name, value in start.items()}
        a, b = float(own(point)), float(again({to.name: point[of.name] for of, to in pairs}))
        if not np.isclose(a, b, rtol=1e-8, atol=1e-8, equal_nan=True):
            return True
    return False


def tried(program, folder):
    """The text and the data of a program's model, or why there is none."""
    os.chdir(folder)
    Path("model.py").write_text(program["text"])
    Path(program["file"]).write_text(program["csv"])
    try:
        with redirect_stdout(open(os.devnull, "w")):
            model, columns = model_of("model.py")
        text, data = program_of(model, columns)
        if densities_differ(model, text, data):
            return {"error": "another density than PyMC's"}
        return {"text": text, "data": {name: np.asarray(one).tolist() for name, one in data.items()}}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


for line in sys.stdin:
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(tried(json.loads(line), folder)), flush=True)
