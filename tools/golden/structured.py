"""Makes tests/golden/structured.json: PyMC's log densities of vectors, codes, series and mixtures.

Run: python tools/golden/structured.py  (PyMC 5.28.5), from the root of the repository; with parts of
names only their cases are made, and the others stay.
Every entry gives the program of a distribution, its value and arguments as arrays, log density and gradients.
"""

import json
import math
import os
import sys
from pathlib import Path

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
rng = np.random.default_rng(7)


def number(x):
    x = float(x)
    return "nan" if math.isnan(x) else ("inf" if x > 0 else "-inf") if math.isinf(x) else x


def array(x):
    x = np.asarray(x)
    return {"shape": list(x.shape), "values": [number(v) for v in x.ravel()]}


def simplex(*shape):
    x = rng.gamma(1.0, size=shape)
    return x / x.sum(-1, keepdims=True)


def spd(n):
    a = rng.normal(size=(n, n))
    return a @ a.T + 0.5 * np.eye(n)


def ascending(*shape):
    return np.sort(rng.normal(0, 2, size=shape), axis=-1)


# name: builder from symbolic arguments, cases of (arguments, value); arguments are given by keyword.
CASES = {}


def case(name, build, cases, discrete=False, whole=()):
    CASES[name] = (build, cases, discrete, whole)


codes3 = np.array([0, 1, 2, 2, 1, 0])
case("Categorical p", lambda p: pm.Categorical.dist(p=p),
     [(dict(p=simplex(3)), codes3), (dict(p=np.array([0.2, 0.5, 0.5])), codes3),
      (dict(p=np.array([0.0, 0.4, 0.6])), codes3), (dict(p=np.array([0.3, 0.3, 0.4])), np.array([-1])),
      (dict(p=np.array([0.3, 0.3, 0.4])), np.array([3]))], discrete=True)
case("Categorical p rows", lambda p: pm.Categorical.dist(p=p), [(dict(p=simplex(6, 3)), codes3)], discrete=True)
case("Categorical logit_p", lambda logit_p: pm.Categorical.dist(logit_p=logit_p),
     [(dict(logit_p=rng.normal(0, 3, 3)), codes3), (dict(logit_p=np.array([0.0, 800.0, 20.0])), codes3[1:2]),
      (dict(logit_p=np.array([[0.1, -2.0, 5.0], [30.0, 0.0, -30.0]])), np.array([2, 0]))], discrete=True)
case("OrderedLogistic", lambda eta, cutpoints: pm.OrderedLogistic.dist(eta=eta, cutpoints=cutpoints),
     [(dict(eta=rng.normal(0, 2, 8), cutpoints=ascending(3)), np.array([0, 1, 2, 3, 3, 2, 1, 0])),
      (dict(eta=rng.normal(0, 2, 3), cutpoints=np.array([-1.0, 1.0])), np.array([-1, 3, 1])),
      (dict(eta=rng.normal(0, 2, 4), cutpoints=np.array([0.3])), np.array([0, 1, 1, 0])),
      (dict(eta=np.linspace(-6, 6, 7), cutpoints=np.array([-2.0, 0.1, 0.2, 4.0])), np.array([0, 1, 2, 3, 4, 0, 2]))], discrete=True)
case("OrderedProbit", lambda eta, cutpoints, sigma: pm.OrderedProbit.dist(eta=eta, cutpoints=cutpoints, sigma=sigma),
     [(dict(eta=rng.normal(0, 2, 8), cutpoints=ascending(3), sigma=np.array(1.3)), np.array([0, 1, 2, 3, 3, 2, 1, 0]))], discrete=True)
case("Dirichlet", lambda a: pm.Dirichlet.dist(a=a),
     [(dict(a=np.array([0.5, 2.0, 7.0])), simplex(5, 3)), (dict(a=np.ones(4)), simplex(4)),
      (dict(a=np.array([-1.0, 1.0, 1.0])), simplex(3)), (dict(a=np.ones(3)), np.array([-0.1, 0.5, 0.6])),
      (dict(a=np.array([1.0, 1.0, 2.0])), np.array([0.0, 0.4, 0.6]))])
case("Multinomial", lambda n, p: pm.Multinomial.dist(n=n, p=p),
     [(dict(n=np.array(7), p=simplex(3)), np.array([[3, 3, 1], [7, 0, 0], [0, 3, 4]])),
      (dict(n=np.array(7), p=simplex(3)), np.array([3, 3, 3])), (dict(n=np.array(2), p=np.array([0.0, 0.5, 0.5])), np.array([0, 1, 1]))],
     discrete=True, whole=("n",))
case("DirichletMultinomial", lambda n, a: pm.DirichletMultinomial.dist(n=n, a=a),
     [(dict(n=np.array(7), a=np.array([0.5, 2.0, 7.0])), np.array([[3, 3, 1], [7, 0, 0]])),
      (dict(n=np.array(7), a=np.array([0.5, 2.0, 7.0])), np.array([3, 3, 3]))], discrete=True, whole=("n",))
case("MvNormal cov", lambda mu, cov: pm.MvNormal.dist(mu=mu, cov=cov),
     [(dict(mu=rng.normal(size=3), cov=spd(3)), rng.normal(size=3)), (dict(mu=rng.normal(size=2), cov=spd(2)), rng.normal(size=(4, 2))),
      (dict(mu=np.zeros(2), cov=np.array([[1.0, 2.0], [2.0, 1.0]])), np.zeros(2))])
case("MvNormal chol", lambda mu, chol: pm.MvNormal.dist(mu=mu, chol=chol),
     [(dict(mu=rng.normal(size=3), chol=np.linalg.cholesky(spd(3))), rng.normal(size=3))])
case("MvNormal tau", lambda mu, tau: pm.MvNormal.dist(mu=mu, tau=tau), [(dict(mu=rng.normal(size=3), tau=spd(3)), rng.normal(size=3))])
case("MvStudentT", lambda nu, mu, scale: pm.MvStudentT.dist(nu=nu, mu=mu, scale=scale),
     [(dict(nu=np.array(4.5), mu=rng.normal(size=3), scale=spd(3)), rng.normal(size=(2, 3)))])
for size in (1, 2, 3, 4):
    for eta in (1.0, 2.5):
        packed = np.linalg.cholesky(spd(size))[np.tril_indices(size)]
        case(f"LKJCholeskyCov {size} {eta}",
             lambda rate, size=size, eta=eta: pm.LKJCholeskyCov.dist(eta=eta, n=size, sd_dist=pm.Exponential.dist(rate, shape=size), compute_corr=False),
             [(dict(rate=np.array(0.7)), packed)])
case("ZeroSumNormal", lambda sigma: pm.ZeroSumNormal.dist(sigma=sigma, n_zerosum_axes=1, support_shape=[4]),
     [(dict(sigma=np.array(1.7)), np.array([0.3, -1.0, 1.2, -0.5]))])
case("ZeroSumNormal rows", lambda sigma: pm.ZeroSumNormal.dist(sigma=sigma, n_zerosum_axes=1, shape=(2, 3)),
     [(dict(sigma=np.array(0.6)), np.array([[0.3, -1.0, 0.7], [1.0, 1.0, -2.0]]))])
case("ZeroSumNormal axes", lambda sigma: pm.ZeroSumNormal.dist(sigma=sigma, n_zerosum_axes=2, support_shape=[2, 3]),
     [(dict(sigma=np.array(0.6)), np.array([[0.3, -1.0, 0.7], [-0.3, 1.0, -0.7]]))])
case("GaussianRandomWalk", lambda mu, sigma: pm.GaussianRandomWalk.dist(mu=mu, sigma=sigma, init_dist=pm.Normal.dist(0.5, 2.0), steps=5),
     [(dict(mu=np.array(0.1), sigma=np.array(0.8)), rng.normal(size=6).cumsum())])
case("GaussianRandomWalk rows", lambda mu, sigma: pm.GaussianRandomWalk.dist(mu=mu, sigma=sigma, init_dist=pm.Normal.dist(0.5, 2.0), shape=(2, 4)),
     [(dict(mu=np.array(0.1), sigma=np.array([0.8, 0.3])), rng.normal(size=(2, 4)).cumsum(-1))])
case("AR 2", lambda rho, sigma: pm.AR.dist(rho=rho, sigma=sigma, init_dist=pm.Normal.dist(0.5, 2.0), shape=7),
     [(dict(rho=np.array([0.5, -0.2]), sigma=np.array(0.8)), rng.normal(size=7))])
case("AR 1 constant", lambda rho, sigma: pm.AR.dist(rho=rho, sigma=sigma, constant=True, init_dist=pm.Normal.dist(0.5, 2.0), shape=5),
     [(dict(rho=np.array([0.5, -0.2]), sigma=np.array(0.8)), rng.normal(size=5))])
real = np.array([-40.0, -2.0, 0.0, 0.7, 3.0, 55.0])
case("Mixture normal normal", lambda w, a, b: pm.Mixture.dist(w=w, comp_dists=[pm.Normal.dist(a, 1.0), pm.Normal.dist(b, 2.0)]),
     [(dict(w=simplex(2), a=np.array(-1.0), b=np.array(2.0)), real), (dict(w=np.array([0.6, 0.6]), a=np.array(-1.0), b=np.array(2.0)), real)])
case("Mixture rows", lambda w, a, b: pm.Mixture.dist(w=w, comp_dists=[pm.Normal.dist(a, 1.0), pm.Normal.dist(b, 2.0)]),
     [(dict(w=simplex(6, 2), a=np.array(-1.0), b=np.array(2.0)), real)])
case("Mixture three", lambda w, a, b: pm.Mixture.dist(w=w, comp_dists=[pm.Normal.dist(a, 1.0), pm.StudentT.dist(3.0, b, sigma=2.0), pm.Laplace.dist(0.0, b)]),
     [(dict(w=simplex(3), a=np.array(-1.0), b=np.array(2.0)), real)])
case("Mixture positive", lambda w, a, b: pm.Mixture.dist(w=w, comp_dists=[pm.HalfNormal.dist(a), pm.Exponential.dist(b)]),
     [(dict(w=simplex(2), a=np.array(1.5), b=np.array(2.0)), np.array([-1.0, 0.0, 0.3, 5.0]))])
case("Mixture counts", lambda w, a, b: pm.Mixture.dist(w=w, comp_dists=[pm.Poisson.dist(a), pm.NegativeBinomial.dist(mu=b, alpha=2.0)]),
     [(dict(w=simplex(2), a=np.array(1.5), b=np.array(12.0)), np.array([-1, 0, 3, 25]))], discrete=True)
case("Mixture component axis", lambda w, a: pm.Mixture.dist(w=w, comp_dists=pm.Normal.dist(a, 1.5)),
     [(dict(w=simplex(3), a=np.array([-1.0, 0.5, 4.0])), real)])
case("NormalMixture", lambda w, mu, sigma: pm.NormalMixture.dist(w=w, mu=mu, sigma=sigma),
     [(dict(w=simplex(3), mu=np.array([-1.0, 0.5, 4.0]), sigma=np.array([1.0, 0.3, 2.0])), real)])
case("NormalMixture two", lambda w, mu, sigma: pm.NormalMixture.dist(w=w, mu=mu, sigma=sigma),
     [(dict(w=simplex(2), mu=np.array([-1.0, 0.5]), sigma=np.array([1.0, 0.3])), real)])
for bounds in (dict(lower=0.5), dict(upper=2.0), dict(lower=0.5, upper=2.0)):
    key = " ".join(bounds)
    inside = np.array([0.4, 0.5, 1.1, 2.0, 2.1])
    for name, base in {
        "Gamma": lambda a, b: pm.Gamma.dist(alpha=a, beta=b),
        "StudentT": lambda a, b: pm.StudentT.dist(nu=a, mu=b, sigma=1.5),
        "Exponential": lambda a, b: pm.Exponential.dist(lam=a * b),
        "Weibull": lambda a, b: pm.Weibull.dist(alpha=a, beta=b),
        "LogNormal": lambda a, b: pm.LogNormal.dist(mu=a, sigma=b),
        "Logistic": lambda a, b: pm.Logistic.dist(mu=a, s=b),
        "Cauchy": lambda a, b: pm.Cauchy.dist(alpha=a, beta=b),
        "Laplace": lambda a, b: pm.Laplace.dist(mu=a, b=b),
        "Gumbel": lambda a, b: pm.Gumbel.dist(mu=a, beta=b),
    }.items():
        case(f"Truncated {name} {key}", lambda a, b, base=base, bounds=bounds: pm.Truncated.dist(base(a, b), **bounds),
             [(dict(a=np.array(1.7), b=np.array(0.8)), inside)])
        case(f"Censored {name} {key}", lambda a, b, base=base, bounds=bounds: pm.Censored.dist(base(a, b), **{"lower": None, "upper": None, **bounds}),
             [(dict(a=np.array(1.7), b=np.array(0.8)), inside)])
    case(f"Censored Normal {key}", lambda a, b, bounds=bounds: pm.Censored.dist(pm.Normal.dist(a, b), **{"lower": None, "upper": None, **bounds}),
         [(dict(a=np.array(1.7), b=np.array(0.8)), inside)])
for bounds in (dict(lower=1), dict(upper=6), dict(lower=1, upper=6)):
    key = " ".join(bounds)
    for name, base in {
        "Poisson": lambda a, b: pm.Poisson.dist(mu=a * b),
        "NegativeBinomial": lambda a, b: pm.NegativeBinomial.dist(mu=a, alpha=b),
        "Geometric": lambda a, b: pm.Geometric.dist(p=b / 3),
        "Binomial": lambda a, b: pm.Binomial.dist(n=12, p=b / 3),
    }.items():
        for kind in ("Truncated", "Censored"):
            both = bounds if kind == "Truncated" else {"lower": None, "upper": None, **bounds}
            case(f"{kind} {name} {key}", lambda a, b, base=base, both=both, kind=kind: getattr(pm, kind).dist(base(a, b), **both),
                 [(dict(a=np.array(3.2), b=np.array(0.8)), np.array([0, 1, 3, 6, 7]))], discrete=True)


def is_simplex(x):
    return np.ndim(x) > 0 and np.all(x >= 0) and np.allclose(np.sum(x, -1), 1) and np.shape(x)[-1] > 1


def varied(x):
    """Another value of the same kind: simplexes by a power, others by a factor."""
    s = math.exp(rng.normal(0, 0.3))
    if is_simplex(x):
        y = np.asarray(x) ** s
        return y / y.sum(-1, keepdims=True)
    return np.asarray(x) * s


def variants(name, cases, discrete, whole):
    """The cases, and variants of the first one until there are 20 points."""
    yield from cases
    arguments, value = cases[0]
    fixed = discrete or name.split()[0] in ("Truncated", "Censored")
    rows = {"Categorical": np.size(value), "OrderedLogistic": np.size(value), "OrderedProbit": np.size(value)}
    points = max(1, rows.get(name.split()[0], np.shape(value)[0] if np.ndim(value) == 1 and fixed else 1))
    for _ in range(max(0, math.ceil(20 / points) - len(cases))):
        yield {k: v if k in whole else varied(v) for k, v in arguments.items()}, value if fixed else varied(value)


def compiled(name, arguments, value):
    build, _, discrete, whole = CASES[name]
    symbols = {k: pt.tensor(k, dtype="int64" if k in whole else "float64", shape=np.shape(v)) for k, v in arguments.items()}
    at = pt.tensor("value", dtype="int64" if discrete else "float64", shape=value.shape)
    logp = pm.logp(build(**symbols), at)
    wrt = [s for k, s in symbols.items() if k not in whole] + ([] if discrete else [at])
    try:
        slopes = pytensor.grad(logp.sum(), wrt, disconnected_inputs="ignore")
    except TypeError:  # PyTensor's loops for slopes in shapes take integers as its default policy has them
        with pytensor.config.change_flags(cast_policy="custom"):
            slopes = pytensor.grad(logp.sum(), wrt, disconnected_inputs="ignore")
    return pymc_compile([*symbols.values(), at], [logp, *slopes], mode="FAST_COMPILE", on_unused_input="ignore")


def entries(name):
    _, cases, discrete, whole = CASES[name]
    functions = {}
    for arguments, value in variants(name, cases, discrete, whole):
        shapes = (*(np.shape(v) for v in arguments.values()), value.shape)
        if shapes not in functions:
            functions[shapes] = compiled(name, arguments, value)
        inputs = [np.asarray(v, dtype="int64" if k in whole else "float64") for k, v in arguments.items()]
        out = functions[shapes](*inputs, value.astype("int64" if discrete else "float64"))
        yield {"name": name, "arguments": {k: array(v) for k, v in arguments.items()}, "value": array(value),
               "logp": array(out[0]), "gradient": [array(s) for s in out[1:]]}


def main():
    only = sys.argv[1:]
    out = {
        "made": "python tools/golden/structured.py",
        "versions": {"pymc": pm.__version__, "pytensor": pytensor.__version__, "numpy": np.__version__, "python": sys.version.split()[0]},
        "note": "gradient: of the sum, by the arguments that are real numbers, then by the value if it is real",
        "entries": [entry for name in CASES if not only or any(o in name for o in only) for entry in entries(name)],
    }
    path = ROOT / "tests/golden/structured.json"
    print(path, len(write_cases(path, out, "entries", only)))


if __name__ == "__main__":
    main()
