"""Programs of strangers by the Python door: each script is run, and its model written and compared with PyMC's density.

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


def tried(program, folder):
    """The text and the data of a program's model, or why there is none."""
    os.chdir(folder)
    Path("model.py").write_text(program["text"])
    Path(program["file"]).write_text(program["csv"])
    try:
        with redirect_stdout(open(os.devnull, "w")):
            model, columns = model_of("model.py")
        text, data = program_of(model, columns)
        return {"text": text, "data": {name: np.asarray(one).tolist() for name, one in data.items()}}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


for line in sys.stdin:
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(tried(json.loads(line), folder)), flush=True)
