"""Asks PyMC how it reads distributions' arguments: tests/golden/pymc_signatures.json.

Run:  python tools/golden/pymc_signatures.py > tests/golden/pymc_signatures.json
"""
import json
import math
import platform
import sys

import numpy as np
import pymc as pm

ACCEPTED = [
    'pm.Normal("a")',
    'pm.Normal("a", 2, 3)',
    'pm.Normal("a", sigma=3, mu=2)',
    'pm.Normal("a", 2, None, 0.25)',
    'pm.Normal("a", 2, tau=0.25)',
    'pm.Normal(name="a", mu=2)',
    'pm.Normal("a", 2, 3, observed=None)',
    'pm.HalfNormal("a")',
    'pm.HalfNormal("a", 0.5)',
    'pm.HalfNormal("a", tau=4)',
    'pm.LogNormal("a", 1, 2)',
    'pm.Lognormal("a", mu=1, tau=0.25)',
    'pm.StudentT("a", 4)',
    'pm.StudentT("a", 4, 1, sigma=2)',
    'pm.StudentT("a", nu=4, lam=0.25)',
    'pm.HalfStudentT("a", 3, 2)',
    'pm.HalfStudentT("a", 3, lam=0.25)',
    'pm.Cauchy("a", 1, 2)',
    'pm.HalfCauchy("a", 2)',
    'pm.Exponential("a")',
    'pm.Exponential("a", 4)',
    'pm.Exponential("a", scale=4)',
    'pm.Gamma("a", 2, 3)',
    'pm.Gamma("a", mu=3, sigma=2)',
    'pm.InverseGamma("a", 2)',
    'pm.InverseGamma("a", 2, 3)',
    'pm.InverseGamma("a", mu=3, sigma=1)',
    'pm.Weibull("a", 2, 3)',
    'pm.Beta("a", 2, 3)',
    'pm.Beta("a", mu=0.25, nu=8)',
    'pm.Beta("a", mu=0.5, sigma=0.25)',
    'pm.Uniform("a")',
    'pm.Uniform("a", -1, upper=2)',
    'pm.Laplace("a", 1, 2)',
    'pm.Logistic("a")',
    'pm.Logistic("a", 1, 2)',
    'pm.Gumbel("a", 1, 2)',
    'pm.SkewNormal("a", 3, 1, 2)',
    'pm.SkewNormal("a", alpha=3, tau=0.25)',
    'pm.TruncatedNormal("a", 1, 2)',
    'pm.TruncatedNormal("a", 1, 2, lower=0)',
    'pm.TruncatedNormal("a", 1, tau=0.25, lower=-np.inf, upper=3)',
]
REFUSED = [
    'pm.Normal("a", 0, 1, 1)',
    'pm.Normal("a", 0, 1, None, 1)',
    'pm.Beta("a", alpha=1)',
    'pm.Gamma("a")',
    'pm.Gamma("a", alpha=2, sigma=1)',
    'pm.InverseGamma("a")',
    'pm.Laplace("a", 0)',
    'pm.Gumbel("a")',
    'pm.Cauchy("a")',
    'pm.HalfCauchy("a")',
    'pm.Weibull("a", 1)',
    'pm.Exponential("a", 1, scale=1)',
    'pm.Exponential("a", 1, 2)',
    'pm.StudentT("a", sigma=1)',
    'pm.StudentT("a", 4, 0, 1, 1)',
    'pm.TruncatedNormal("a", 0, 1, 2)',
    'pm.HalfNormal("a", sd=1)',
]
# PyTensor's parameters that are the reciprocal of PyMC's canonical one.
RECIPROCAL = {"ExponentialRV": [0], "GammaRV": [1]}
TRANSFORMS = {"LogTransform": "log", "LogOddsTransform": "logodds", "Interval": "interval"}


def build(call):
    with pm.Model() as model:
        variable = eval(call)
    return model, variable


def number(value):
    """Infinities have no place in JSON."""
    value = float(value)
    return value if math.isfinite(value) else repr(value)


def accepted(call):
    model, variable = build(call)
    operator = variable.owner.op
    values = [float(p.eval()) for p in operator.dist_params(variable.owner)]
    name = type(operator).__name__
    for index in RECIPROCAL.get(name, []):
        values[index] = 1 / values[index]
    if call.startswith("pm.HalfNormal"):
        values = values[1:]  # PyTensor carries a location of zero
    transform = model.rvs_to_transforms[variable]
    kind = TRANSFORMS.get(type(transform).__name__, "identity")
    return {"call": call, "values": [number(v) for v in values], "transform": kind}


def refused(call):
    try:
        build(call)
    except (TypeError, ValueError, NotImplementedError) as error:
        return {"call": call, "error": f"{type(error).__name__}: {error}"}
    raise SystemExit(f"PyMC accepts {call}")


def main():
    document = {
        "program": "tools/golden/pymc_signatures.py",
        "version": f"PyMC {pm.__version__}, NumPy {np.__version__}, "
        f"CPython {platform.python_version()}",
        "command": "python tools/golden/pymc_signatures.py > tests/golden/pymc_signatures.json",
        "accepted": [accepted(call) for call in ACCEPTED],
        "refused": [refused(call) for call in REFUSED],
    }
    json.dump(document, sys.stdout, indent=1)
    print()


main()
