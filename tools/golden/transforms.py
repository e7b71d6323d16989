"""Makes tests/golden/transforms.json: PyMC's transforms, values and log Jacobians at 20 points each.

Run: python tools/golden/transforms.py  (PyMC 5.28.5), from the root of the repository.
"""

import json
import os
import sys
from pathlib import Path

os.environ["PYTENSOR_FLAGS"] = "cxx=,cast_policy=numpy+floatX,floatX=float64"

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt

ROOT = Path(__file__).resolve().parents[2]
rng = np.random.default_rng(11)
ordered = pm.distributions.transforms.ordered
circular = pm.distributions.transforms.circular

# name: (variable in a model, unconstrained shape)
CASES = {
    "log": (lambda: pm.HalfNormal("x", shape=3), (3,)),
    "logodds": (lambda: pm.Beta("x", 2.0, 3.0, shape=3), (3,)),
    "interval -2 5": (lambda: pm.Uniform("x", -2.0, 5.0, shape=3), (3,)),
    "interval 1 inf": (lambda: pm.Pareto("x", 2.0, 1.0, shape=3), (3,)),
    "interval -inf 2.5": (lambda: pm.TruncatedNormal("x", 0.0, 1.0, upper=2.5, shape=3), (3,)),
    "circular": (lambda: pm.VonMises("x", 0.0, 1.0, shape=3), (3,)),
    "ordered": (lambda: pm.Normal("x", shape=4, transform=ordered), (4,)),
    "ordered rows": (lambda: pm.Normal("x", shape=(2, 3), transform=ordered), (2, 3)),
    "simplex": (lambda: pm.Dirichlet("x", np.ones(4)), (3,)),
    "simplex rows": (lambda: pm.Dirichlet("x", np.ones((2, 3))), (2, 2)),
    "zero_sum 1": (lambda: pm.ZeroSumNormal("x", 1.0, shape=4), (3,)),
    "zero_sum 1 rows": (lambda: pm.ZeroSumNormal("x", 1.0, shape=(2, 4)), (2, 3)),
    "zero_sum 2": (lambda: pm.ZeroSumNormal("x", 1.0, n_zerosum_axes=2, shape=(3, 4)), (2, 3)),
    "cholesky_factor 3": (lambda: pm.LKJCholeskyCov("x", eta=2.0, n=3, sd_dist=pm.Exponential.dist(1.0, shape=3), compute_corr=False), (6,)),
    "chain log ordered": (lambda: pm.HalfNormal("x", shape=3, transform=ordered), (3,)),
    "chain logodds ordered": (lambda: pm.Beta("x", 2.0, 3.0, shape=3, transform=ordered), (3,)),
}


def points(name, build, shape):
    with pm.Model() as model:
        build()
    rv = model.free_RVs[0]
    transform = model.rvs_to_transforms[rv]
    q = pt.tensor("q", dtype="float64", shape=shape)
    inputs = rv.owner.inputs
    value = transform.backward(q, *inputs)
    jacobian = transform.log_jac_det(q, *inputs).sum()
    f = pytensor.function([q], [value, jacobian], on_unused_input="ignore")
    scales = [0.01, 0.3, 1.0, 3.0, 8.0]
    found = 0
    while found < 20:
        at = rng.normal(0, scales[found % 5], size=shape)
        out, jac = f(at)
        if not (np.all(np.isfinite(out)) and np.isfinite(jac)):
            continue
        found += 1
        yield {"q": at.ravel().tolist(), "value": np.asarray(out).ravel().tolist(), "logJacobian": float(jac)}, list(np.shape(out))


def main():
    cases = []
    for name, (build, shape) in CASES.items():
        rows = list(points(name, build, shape))
        cases.append({"name": name, "unconstrained": list(shape), "shape": rows[0][1], "points": [row for row, _ in rows]})
    out = {
        "made": "python tools/golden/transforms.py",
        "versions": {"pymc": pm.__version__, "pytensor": pytensor.__version__, "numpy": np.__version__, "python": sys.version.split()[0]},
        "cases": cases,
    }
    path = ROOT / "tests/golden/transforms.json"
    path.write_text(json.dumps(out) + "\n")
    print(path, len(cases))


if __name__ == "__main__":
    main()
