"""Makes tests/golden/logp_arrays.json: log densities of programs over arrays as PyMC has them.

Run: python tools/golden/logp_arrays.py  (PyMC 5.28.5), from the root of the repository.
"""

import json
import math
import os
import sys
from pathlib import Path

# By default PyTensor keeps constants such as 10.0 or log(2) in single precision.
os.environ["PYTENSOR_FLAGS"] = "cast_policy=numpy+floatX,floatX=float64"

import numpy as np
import pymc as pm
import pytensor

ROOT = Path(__file__).resolve().parents[2]

COLUMNS = {
    "x": [-1.2, -0.9, -0.4, -0.1, 0.0, 0.2, 0.5, 0.7, 1.1, 1.3, 1.6],
    "z": [0.3, -0.7, 1.4, 0.9, -1.1, 0.1, -0.2, 0.8, -0.6, 1.2, 0.4],
    "g": [0, 0, 1, 1, 2, 2, 3, 3, 0, 1, 3],
    "y": [0.3, -0.5, 1.9, 0.2, 0.9, -1.3, 2.2, 0.6, 1.7, 2.4, 0.1],
    "count": [0, 1, 3, 0, 2, 5, 1, 0, 7, 2, 4],
    "binary": [0, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1],
    "trials": [5, 8, 10, 4, 9, 6, 7, 5, 12, 3, 8],
    "hits": [1, 3, 6, 0, 5, 1, 4, 3, 9, 1, 6],
    "kind": [0, 2, 1, 0, 1, 2, 2, 0, 1, 1, 2],
    "share": [0.1, 0.35, 0.62, 0.05, 0.5, 0.21, 0.8, 0.44, 0.9, 0.37, 0.7],
}

HEAD = "import numpy as np\nimport pymc as pm\nimport pytensor.tensor as pt\n\nwith pm.Model() as model:\n"
# Response, and program. Numbers have decimal points, see above.
PROGRAMS = {
    "centred hierarchy": ("y", """
    mu = pm.Normal("mu", 0.0, 2.0)
    tau = pm.HalfCauchy("tau", 1.5)
    theta = pm.Normal("theta", mu, tau, shape=4)
    sigma = pm.HalfNormal("sigma", 1.0)
    pm.Normal("y", mu=theta[data["g"]] + 0.5 * data["x"], sigma=sigma, observed=data["y"])
"""),
    "varying slopes": ("count", """
    mu = pm.Normal("mu", 0.0, 1.0, shape=2)
    tau = pm.Exponential("tau", 2.0, shape=2)
    raw = pm.Normal("raw", 0.0, 1.0, shape=(4, 2))
    b = pm.Deterministic("b", mu + raw * tau)
    eta = b[data["g"], 0] + b[data["g"], 1] * data["x"]
    pm.Poisson("y", mu=pm.math.exp(eta), observed=data["count"])
"""),
    "logistic by matrix": ("binary", """
    X = np.column_stack([np.ones(len(data["x"])), data["x"], data["z"], data["x"] * data["z"]])
    beta = pm.Normal("beta", 0.0, 1.5, shape=4)
    pm.Bernoulli("y", logit_p=pm.math.dot(X, beta), observed=data["binary"])
"""),
    "logistic by broadcasting": ("binary", """
    X = np.column_stack([data["x"], data["z"]])
    a = pm.Normal("a", 0.0, 1.5)
    beta = pm.Laplace("beta", 0.0, 1.0, shape=2)
    p = pm.math.sigmoid(a + (X * beta).sum(axis=1))
    pm.Bernoulli("y", p=p, observed=data["binary"])
"""),
    "binomial with effects": ("hits", """
    a = pm.Normal("a", 0.0, 1.0)
    s = pm.HalfNormal("s", 1.0)
    e = pm.Normal("e", 0.0, s, shape=11)
    pm.Binomial("y", n=data["trials"], p=pm.math.invlogit(a + e), observed=data["hits"])
"""),
    "negative binomial": ("count", """
    a = pm.Normal("a", 0.0, 1.0)
    b = pm.Normal("b", 0.0, 1.0)
    alpha = pm.Gamma("alpha", 2.0, 0.5)
    pm.NegativeBinomial("y", mu=pm.math.exp(a + b * data["x"]), alpha=alpha, observed=data["count"])
"""),
    "softmax regression": ("kind", """
    a = pm.Normal("a", 0.0, 1.0, shape=3)
    b = pm.Normal("b", 0.0, 1.0, shape=3)
    eta = a + data["x"][:, None] * b
    pm.Categorical("y", p=pm.math.softmax(eta, axis=1), observed=data["kind"])
"""),
    "ordered categories": ("kind", """
    cut = pm.Normal("cut", 0.0, 2.0, shape=2, transform=pm.distributions.transforms.ordered, initval=[-1.0, 1.0])
    b = pm.Normal("b", 0.0, 1.0)
    pm.OrderedLogistic("y", eta=b * data["x"], cutpoints=cut, observed=data["kind"])
"""),
    "simplex": ("kind", """
    p = pm.Dirichlet("p", a=np.array([1.0, 2.0, 3.5]))
    pm.Categorical("y", p=p, observed=data["kind"])
"""),
    "mixture of normals": ("y", """
    w = pm.Dirichlet("w", a=np.ones(2))
    mu = pm.Normal("mu", 0.0, 2.0, shape=2)
    sigma = pm.HalfNormal("sigma", 1.0, shape=2)
    pm.NormalMixture("y", w=w, mu=mu, sigma=sigma, observed=data["y"])
"""),
    "zero-inflated": ("count", """
    psi = pm.Beta("psi", 2.0, 2.0)
    a = pm.Normal("a", 0.0, 1.0)
    pm.ZeroInflatedPoisson("y", psi=psi, mu=pm.math.exp(a + 0.3 * data["x"]), observed=data["count"])
"""),
    "random walk": ("y", """
    s = pm.HalfNormal("s", 0.5)
    walk = pm.GaussianRandomWalk("walk", mu=0.1, sigma=s, init_dist=pm.Normal.dist(0.0, 1.0), shape=11)
    pm.StudentT("y", nu=4.0, mu=walk, sigma=0.7, observed=data["y"])
"""),
    "correlated effects": ("y", """
    chol, corr, sds = pm.LKJCholeskyCov("chol", n=2, eta=2.0, sd_dist=pm.Exponential.dist(1.0))
    raw = pm.Normal("raw", 0.0, 1.0, shape=(4, 2))
    e = pm.math.dot(raw, chol.T)
    pm.Normal("y", mu=e[data["g"], 0] + e[data["g"], 1] * data["x"], sigma=0.8, observed=data["y"])
"""),
    "multivariate prior": ("y", """
    cov = np.array([[1.0, 0.3, 0.1], [0.3, 2.0, -0.4], [0.1, -0.4, 0.7]])
    b = pm.MvNormal("b", mu=np.zeros(3), cov=cov, shape=3)
    sigma = pm.HalfNormal("sigma", 1.0)
    pm.Normal("y", mu=b[0] + b[1] * data["x"] + b[2] * data["z"], sigma=sigma, observed=data["y"])
"""),
    "zero-sum effects": ("y", """
    a = pm.Normal("a", 0.0, 1.0)
    e = pm.ZeroSumNormal("e", sigma=1.3, shape=4)
    pm.Normal("y", mu=a + e[data["g"]], sigma=1.0, observed=data["y"])
"""),
    "beta regression": ("share", """
    a = pm.Normal("a", 0.0, 1.0)
    b = pm.Normal("b", 0.0, 1.0)
    kappa = pm.Gamma("kappa", 2.0, 0.1)
    mu = pm.math.sigmoid(a + b * data["z"])
    pm.Beta("y", alpha=mu * kappa, beta=(1.0 - mu) * kappa, observed=data["share"])
"""),
    "loop over groups": ("y", """
    sigma = pm.HalfNormal("sigma", 1.0)
    means = []
    for i in range(4):
        means.append(pm.Normal(f"m{i}", 0.5 * i, 1.0))
    mu = pm.math.stack(means)
    pm.Normal("y", mu=mu[data["g"]], sigma=sigma, observed=data["y"])
"""),
}


def number(x):
    x = float(x)
    return "nan" if math.isnan(x) else ("inf" if x > 0 else "-inf") if math.isinf(x) else x


def cases(text, rng):
    scope = {"data": {name: np.asarray(values) for name, values in COLUMNS.items()}}
    exec(HEAD + text, scope)
    model = scope["model"]
    # The C-free mode keeps stabilising rewrites; compiling C takes half a minute per program.
    mode = pytensor.compile.mode.Mode(linker="py", optimizer="fast_run")
    logp = model.compile_logp(mode=mode)
    dlogp = model.compile_dlogp(mode=mode)
    names = {model.values_to_rvs[v].name: v.name for v in model.value_vars}
    start = model.initial_point()
    for k in range(6):
        point = {v: np.asarray(start[v] + rng.normal(0, 0.2 + 0.15 * k, np.shape(start[v]))) for v in names.values()}
        gradient = dlogp(point)
        parts, at = {}, 0
        for v in model.value_vars:
            size = int(np.prod(np.shape(point[v.name])))
            parts[v.name] = gradient[at:at + size]
            at += size
        yield {
            "position": {n: [number(x) for x in np.ravel(point[v])] for n, v in names.items()},
            "logp": number(logp(point)),
            "gradient": {n: [number(x) for x in parts[v]] for n, v in names.items()},
        }


def main():
    rng = np.random.default_rng(7)
    programs = {}
    for name, (response, text) in PROGRAMS.items():
        print(name, file=sys.stderr, flush=True)
        programs[name] = {"response": response, "text": HEAD + text, "points": list(cases(text, rng))}
    out = {
        "made": "python tools/golden/logp_arrays.py",
        "versions": {"pymc": pm.__version__, "pytensor": pytensor.__version__, "python": sys.version.split()[0]},
        "columns": COLUMNS,
        "programs": programs,
    }
    (ROOT / "tests/golden/logp_arrays.json").write_text(json.dumps(out, indent=1) + "\n")


if __name__ == "__main__":
    main()
