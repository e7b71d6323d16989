"""Leave-future-out of one program by exact refits of PyMC: an autoregression with Student noise.

Each row from the thirteenth on is predicted by the posterior given the rows before it, sampled again:
log of the mean density over the draws, with the standard error of that by ArviZ's effective size.

Run: python tools/golden/leave_future_out.py > tests/golden/leave_future_out.json
"""

import json
import sys

import arviz as az
import numpy as np
import pymc as pm
from scipy.stats import t as student

random = np.random.default_rng(7)
y = [1.0]
for _ in range(29):
    y.append(0.5 + 0.6 * y[-1] + 0.4 * random.standard_t(5))
y = np.round(y, 2)
first = 12
text = """import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 0, 1)
    rho = pm.Normal("rho", 0, 1)
    sigma = pm.HalfNormal("sigma", 1)
    pm.StudentT("y", nu=5, mu=a + rho * data["y"][:-1], sigma=sigma, observed=data["y"][1:])
"""

pointwise, errors = [], []
for rows in range(first, len(y)):
    namespace = {"data": {"y": y[:rows]}}
    exec(text, namespace)
    with namespace["model"]:
        draws = pm.sample(
            draws=2500, tune=1000, chains=4, cores=1, random_seed=rows, progressbar=False,
            target_accept=0.95,
        ).posterior
    location = draws["a"] + draws["rho"] * y[rows - 1]
    density = student.pdf(y[rows], 5, location, draws["sigma"])
    mean = density.mean()
    pointwise.append(float(np.log(mean)))
    errors.append(float(density.std() / mean / np.sqrt(az.ess(density, method="mean"))))

json.dump(
    {
        "pymc": pm.__version__,
        "y": y.tolist(),
        "first": first,
        "text": text,
        "pointwise": pointwise,
        "errors": errors,
    },
    sys.stdout,
    indent=1,
)
print()
