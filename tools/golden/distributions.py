"""Makes tests/golden/distributions.json: PyMC's log densities, gradients and cumulative functions.

Run: python tools/golden/distributions.py  (PyMC 5.28.5), from the root of the repository; with names,
such as `SkewStudentT`, only their cases are made, and the others stay.
Every row is evaluated by itself, because PyMC's parameter checks hold for whole arrays.
"""

import json
import math
import os
import sys
from pathlib import Path

# Without a C compiler the graphs run in Python; constants stay in double precision.
os.environ["PYTENSOR_FLAGS"] = "cxx=,cast_policy=numpy+floatX,floatX=float64"

import warnings

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
from pymc.pytensorf import compile as pymc_compile

from kept_cases import write_cases

warnings.simplefilter("ignore")
ROOT = Path(__file__).resolve().parents[2]
INF = math.inf
REAL = [-40.0, -3.1, -0.7, 0.0, 0.4, 1.0, 2.5, 60.0]
POSITIVE = [-1.0, 0.0, 1e-6, 0.05, 0.4, 1.0, 2.5, 30.0]
UNIT = [-0.1, 0.0, 1e-6, 0.3, 0.5, 0.9, 0.999, 1.0, 1.2]
COUNTS = [-1, 0, 1, 2, 3, 7, 25, 140]

# name: (discrete, {parametrisation: argument rows}, values)
CASES = {
    "Normal": (0, {"mu sigma": [(0, 1), (2.5, 0.3), (-40, 12), (0, 1000), (1, -1)],
                   "mu tau": [(0.5, 4), (1, 0.01)]}, REAL),
    "HalfNormal": (0, {"sigma": [(1,), (0.05,), (30,), (-2,)], "tau": [(4,), (0.1,)]}, POSITIVE),
    "LogNormal": (0, {"mu sigma": [(0, 1), (2, 0.25), (-3, 4), (0, -1)], "mu tau": [(1, 4)]}, POSITIVE),
    "TruncatedNormal": (0, {
        "mu sigma lower upper": [(0, 1, -1, 2), (3, 0.5, -1, 2.5), (-2, 1, 0, 4), (8, 0.5, -3, 1), (0, -1, 0, 1)],
        "mu sigma lower": [(0, 1, 0), (-6, 1, 0.2)], "mu sigma upper": [(3, 0.5, 2.5), (12, 1, 1)],
        "mu tau lower upper": [(0.3, 4, -1, 2)]}, REAL[1:]),
    "StudentT": (0, {"nu mu sigma": [(3, 0, 1), (0.7, 2, 0.2), (40, -5, 3), (1e4, 0, 1), (-1, 0, 1), (3, 0, -1)],
                     "nu mu lam": [(4, 1, 2)]}, REAL),
    "HalfStudentT": (0, {"nu sigma": [(3, 1), (0.7, 0.2), (40, 3), (3, -1)], "nu lam": [(4, 2)]}, POSITIVE),
    "Cauchy": (0, {"alpha beta": [(0, 1), (2, 0.1), (-30, 20), (0, -1)]}, REAL),
    "HalfCauchy": (0, {"beta": [(1,), (0.1,), (25,), (-1,)]}, POSITIVE),
    "Exponential": (0, {"lam": [(1,), (0.02,), (30,), (-1,)], "scale": [(0.3,), (5,)]}, POSITIVE),
    "Gamma": (0, {"alpha beta": [(1, 1), (0.3, 2), (20, 0.5), (150, 60), (-1, 1), (2, -1)],
                  "mu sigma": [(2, 0.5), (0.3, 1)]}, POSITIVE),
    "InverseGamma": (0, {"alpha beta": [(1, 1), (0.3, 2), (20, 9.5), (-1, 1)], "mu sigma": [(2, 0.5)]}, POSITIVE),
    "ChiSquared": (0, {"nu": [(1,), (4,), (30,), (-1,)]}, POSITIVE),
    "Weibull": (0, {"alpha beta": [(1.5, 1), (0.3, 2), (8, 0.5), (1, 1), (-1, 1)]}, POSITIVE),
    "Beta": (0, {"alpha beta": [(1, 1), (0.5, 0.5), (20, 3), (2, 900), (-1, 1)],
                 "mu sigma": [(0.4, 0.2), (0.9, 0.05)], "mu nu": [(0.3, 5)]}, UNIT),
    "Uniform": (0, {"lower upper": [(0, 1), (-5, 30), (0.5, 0.6), (2, 1)]}, [-6.0, -5.0, 0.0, 0.55, 0.6, 1.0, 30.0, 31.0]),
    "Triangular": (0, {"lower upper c": [(0, 1, 0.5), (-2, 3, 1), (0, 1, 0.9), (0, 1, 2)]},
                   [-3.0, -1.2, 0.0, 0.2, 0.5, 0.95, 1.0, 2.5, 4.0]),
    "Laplace": (0, {"mu b": [(0, 1), (2, 0.1), (-9, 20), (0, -1)]}, REAL),
    "AsymmetricLaplace": (0, {"kappa mu b": [(1, 0, 1), (0.4, 2, 0.5), (3, -1, 2), (-1, 0, 1)],
                              "mu b q": [(0, 1, 0.3), (1, 2, 0.8)]}, REAL),
    "Logistic": (0, {"mu s": [(0, 1), (2, 0.1), (-9, 20), (0, -1)]}, REAL),
    "LogitNormal": (0, {"mu sigma": [(0, 1), (2, 0.5), (-1, 3), (0, -1)], "mu tau": [(0.5, 2)]}, UNIT),
    "Gumbel": (0, {"mu beta": [(0, 1), (2, 0.5), (-9, 20), (0, -1)]}, REAL),
    "Moyal": (0, {"mu sigma": [(0, 1), (2, 0.5), (-9, 20), (0, -1)]}, REAL),
    "SkewNormal": (0, {"alpha mu sigma": [(0, 0, 1), (3, 2, 0.5), (-4, -1, 2), (1, 0, -1)], "alpha mu tau": [(2, 1, 0.3)]},
                   [-1.5, -0.2, 0.0, 0.5, 1.9, 3.0]),
    "ExGaussian": (0, {"mu sigma nu": [(0, 1, 1), (-1, 0.5, 3), (1, 2, 0.05), (0, 1, 0.3), (0, -1, 1)]}, [-3.1, -0.7, 0.0, 0.4, 1.0, 2.5, 20.0]),
    "Wald": (0, {"mu lam alpha": [(1, 1, 0), (0.5, 3, 0.2), (4, 0.5, 0), (-1, 1, 0)], "mu": [(2,)],
                 "mu phi": [(2, 0.4)], "lam phi": [(2, 0.4)]}, POSITIVE),
    "Pareto": (0, {"alpha m": [(1, 1), (3, 0.2), (0.4, 2), (-1, 1)]}, POSITIVE),
    "Rice": (0, {"nu sigma": [(0, 1), (2, 0.5), (10, 3)], "b sigma": [(1.5, 2)]}, POSITIVE),
    "Kumaraswamy": (0, {"a b": [(1, 1), (0.5, 2), (4, 3), (-1, 1)]}, UNIT[:1] + UNIT[2:-2] + UNIT[-1:]),
    "VonMises": (0, {"mu kappa": [(0, 1), (1, 0.05), (-2, 30), (0, 200), (0, -1)]},
                 [-4.0, -math.pi, -1.0, 0.0, 0.5, 2.0, 3.1, 3.2]),
    "Flat": (0, {"": [()]}, REAL),
    "HalfFlat": (0, {"": [()]}, POSITIVE),
    "Bernoulli": (1, {"p": [(0.3,), (0.999,), (1e-9,), (0.0,), (1.0,), (1.5,)], "logit_p": [(0.5,), (-3,), (2.25,), (-30,), (40,)]}, [-1, 0, 1, 2]),
    "Binomial": (1, {"n p": [(10, 0.3), (1, 0.5), (200, 0.9), (5, 0.0), (5, 1.0), (5, -0.1)], "n logit_p": [(10, -2.0), (30, 9.0)]}, COUNTS),
    "Poisson": (1, {"mu": [(3.0,), (0.01,), (0.0,), (120.0,), (-1,)]}, COUNTS),
    "NegativeBinomial": (1, {"mu alpha": [(3, 2), (0.01, 0.3), (100, 50), (-1, 1)], "n p": [(2.5, 0.3), (10, 0.9)],
                             "mu n": [(4, 2)], "alpha p": [(2, 0.5)]}, COUNTS),
    "Geometric": (1, {"p": [(0.3,), (0.01,), (1.0,), (1.5,)]}, COUNTS),
    "HyperGeometric": (1, {"N k n": [(50, 10, 8), (30, 25, 20), (300, 150, 200)]}, COUNTS),
    "BetaBinomial": (1, {"alpha beta n": [(1, 1, 10), (0.3, 2, 30), (50, 20, 200), (-1, 1, 10)]}, COUNTS),
    "DiscreteUniform": (1, {"lower upper": [(0, 5), (-3, 30), (2, 1)]}, COUNTS),
    "DiscreteWeibull": (1, {"q beta": [(0.5, 1), (0.9, 0.7), (0.2, 2), (1.5, 1)]}, COUNTS[:6]),
    "ZeroInflatedPoisson": (1, {"psi mu": [(0.7, 3), (0.05, 0.2), (0.99, 40), (1.5, 1)]}, COUNTS),
    "ZeroInflatedBinomial": (1, {"psi n p": [(0.7, 10, 0.3), (0.1, 30, 0.9)]}, COUNTS),
    "ZeroInflatedNegativeBinomial": (1, {"psi mu alpha": [(0.7, 3, 2), (0.1, 20, 0.5)], "psi n p": [(0.6, 3, 0.4)]}, COUNTS),
    "HurdlePoisson": (1, {"psi mu": [(0.7, 3), (0.05, 0.2), (0.99, 40)]}, COUNTS),
    "HurdleNegativeBinomial": (1, {"psi mu alpha": [(0.7, 3, 2), (0.1, 20, 0.5)], "psi n p": [(0.6, 3, 0.4)]}, COUNTS),
    "HurdleGamma": (0, {"psi alpha beta": [(0.7, 2, 1), (0.2, 0.3, 2)], "psi mu sigma": [(0.5, 2, 1)]}, POSITIVE),
    "HurdleLogNormal": (0, {"psi mu sigma": [(0.7, 0, 1), (0.2, 1, 0.5)], "psi mu tau": [(0.5, 0, 2)]}, POSITIVE),
}

# Arguments that PyMC wants as whole numbers.
WHOLE = {"n": {"Binomial", "HyperGeometric", "BetaBinomial", "ZeroInflatedBinomial"}, "N": {"HyperGeometric"}, "k": {"HyperGeometric"}}


def number(x):
    x = float(x)
    return "nan" if math.isnan(x) else ("inf" if x > 0 else "-inf") if math.isinf(x) else x


def enough(values, rows, discrete):
    """More values where there are fewer than 20 points: between the others, or further counts."""
    more = [4, 5, 6, 9, 10, 11, 13, 17, 30, 40, 55, 80]
    while rows * len(values) < 20:
        if discrete:
            values = [*values, next(x for x in more if x not in values)]
        else:
            values = sorted({*values, *((a + b) / 2 for a, b in zip(values, values[1:]))})
    return values


def evaluator(outputs, inputs):
    """A function with PyMC's own rewrite of parameter checks into −∞."""
    return pymc_compile(inputs, outputs, mode="FAST_COMPILE", on_unused_input="ignore")


def rows_of(name, discrete, names, rows, values):
    whole = [name in WHOLE.get(a, ()) for a in names]
    inputs = [(pt.lvector if w else pt.dvector)(a) for a, w in zip(names, whole)]
    value = (pt.lvector if discrete else pt.dvector)("value")
    dist = getattr(pm, name).dist(**dict(zip(names, inputs)), **({"shape": (1,)} if not names else {}))
    logp = pm.logp(dist, value)
    real = [x for x, w in zip(inputs, whole) if not w] + ([] if discrete else [value])
    try:
        gradients = pytensor.grad(logp.sum(), real, disconnected_inputs="ignore")
    except TypeError:  # PyTensor's loops for slopes in shapes take integers as its default policy has them
        with pytensor.config.change_flags(cast_policy="custom"):
            gradients = pytensor.grad(logp.sum(), real, disconnected_inputs="ignore")
    f = evaluator([logp, *gradients], [*inputs, value])
    try:
        cdf = evaluator([pm.logcdf(dist, value)], [*inputs, value])
    except Exception:
        cdf = None
    for row in rows:
        for v in values:
            arrays = [np.array([x], dtype="int64" if w else "float64") for x, w in zip(row, whole)]
            at = np.array([v], dtype="int64" if discrete else "float64")
            lp, *slopes = f(*arrays, at)
            out = {"args": [number(x) for x in row], "value": v, "logp": number(lp[0]),
                   "gradient": [number(s[0]) for s in slopes]}
            if cdf is not None:
                try:
                    out["logcdf"] = number(cdf(*arrays, at)[0][0])
                except Exception:
                    pass
            yield out


def main():
    only = sys.argv[1:]
    out = {
        "made": "python tools/golden/distributions.py",
        "versions": {"pymc": pm.__version__, "pytensor": pytensor.__version__, "python": sys.version.split()[0]},
        "note": "gradient: by the arguments that are real numbers, then by the value if it is one",
        "cases": [],
    }
    for name, (discrete, forms, values) in CASES.items():
        if only and name not in only:
            continue
        for key, rows in forms.items():
            names = key.split()
            out["cases"].append({"name": name, "names": names, "whole": [name in WHOLE.get(a, ()) for a in names],
                                 "rows": list(rows_of(name, discrete, names, rows, enough(values, len(rows), discrete)))})
        print(name, flush=True)
    path = ROOT / "tests/golden/distributions.json"
    cases = write_cases(path, out, "cases", only)
    print(path, len(cases), sum(len(c["rows"]) for c in cases))


if __name__ == "__main__":
    main()
