"""Models of others by the Python door: python tests/python/catalogue.py FOLDER [SECONDS], with the wheel and PyMC 5.

FOLDER has models/NAME.py with build_model(), as github.com/ricardoV94/pymc-model-catalogue has them. A line
for each says its score, or why there is none; the last line counts them. A score may take SECONDS, 60.
"""
import importlib.util
import sys
import warnings
from pathlib import Path

import sluice
from sluice._model import CannotWrite

warnings.filterwarnings("ignore")


def built(path):
    """The model of a file; None where it cannot be built here."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        return module.build_model()[0]
    except Exception as error:
        print(f"{path.stem}: not built: {error}", flush=True)
        return None


def outcome(model, seconds):
    """`scored`, `not scored` or `not written`, and what is said of it."""
    try:
        score = sluice.score(model, timeout=seconds)
        return "scored", f"{score.elpd_loo:.2f} ± {score.mcse:.3f}"
    except CannotWrite as error:
        return "not written", error
    except sluice.SluiceError as error:
        return "not scored", str(error).split("\n")[0]


folder, seconds = Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 60
sys.path.insert(0, str(folder / "models"))
counts = {}
for path in sorted(folder.glob("models*/*.py")):
    model = None if path.stem.startswith("_") else built(path)
    if model is not None:
        meant = len(model.observed_RVs) == 1 and not model.potentials
        what, said = outcome(model, seconds) if meant else ("a rule", "several responses, none, or a Potential")
        counts[what] = counts.get(what, 0) + 1
        print(f"{path.stem}: {what}: {said}", flush=True)
print(counts)
