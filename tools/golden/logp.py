"""Makes tests/golden/logp.json: log densities of families and of whole programs as PyMC has them.

Run: python tools/golden/logp.py  (PyMC 5.28.5), from the root of the repository.
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
import pytensor.tensor as pt

ROOT = Path(__file__).resolve().parents[2]
INF = math.inf

# Canonical family -> (PyMC call on positional canonical arguments, argument tuples, values).
FAMILIES = {
    "normal": (lambda m, s: pm.Normal.dist(mu=m, sigma=s),
               [(0, 1), (2.5, 0.3), (-40, 12), (0, 1000), (1, -1)], [-3.1, 0.0, 0.7, 2.5, 55.0]),
    "half_normal": (lambda s: pm.HalfNormal.dist(sigma=s),
                    [(1,), (0.05,), (30,), (-2,)], [-0.1, 0.0, 0.2, 1.0, 7.5, 40.0]),
    "log_normal": (lambda m, s: pm.LogNormal.dist(mu=m, sigma=s),
                   [(0, 1), (2, 0.25), (-3, 4), (0, -1)], [-1.0, 1e-6, 0.3, 1.0, 2.0, 90.0]),
    "student_t": (lambda n, m, s: pm.StudentT.dist(nu=n, mu=m, sigma=s),
                  [(3, 0, 1), (0.7, 2, 0.2), (40, -5, 3), (1e4, 0, 1), (-1, 0, 1)],
                  [-8.0, 0.0, 0.5, 2.0, 300.0]),
    "half_student_t": (lambda n, s: pm.HalfStudentT.dist(nu=n, sigma=s),
                       [(3, 1), (0.7, 0.2), (40, 3), (3, -1)], [-0.5, 0.0, 0.1, 1.0, 5.0, 80.0]),
    "cauchy": (lambda a, b: pm.Cauchy.dist(alpha=a, beta=b),
               [(0, 1), (2, 0.1), (-30, 20), (0, -1)], [-30.0, 0.0, 0.5, 2.0, 1e3]),
    "half_cauchy": (lambda b: pm.HalfCauchy.dist(beta=b),
                    [(1,), (0.1,), (25,), (-1,)], [-1.0, 0.0, 0.3, 2.0, 50.0, 1e4]),
    "exponential": (lambda lam: pm.Exponential.dist(lam=lam),
                    [(1,), (0.02,), (30,), (-1,)], [-1.0, 0.0, 0.3, 2.0, 50.0]),
    "gamma": (lambda a, b: pm.Gamma.dist(alpha=a, beta=b),
              [(1, 1), (0.3, 2), (20, 0.5), (150, 60), (-1, 1), (2, -1)], [-1.0, 0.0, 1e-4, 0.9, 2.5, 70.0]),
    "inverse_gamma": (lambda a, b: pm.InverseGamma.dist(alpha=a, beta=b),
                      [(1, 1), (0.3, 2), (20, 9.5), (-1, 1)], [-1.0, 1e-2, 0.4, 1.0, 2.5, 70.0]),
    "weibull": (lambda a, b: pm.Weibull.dist(alpha=a, beta=b),
                [(1.5, 1), (0.3, 2), (8, 0.5), (-1, 1)], [-1.0, 1e-4, 0.4, 1.0, 2.5, 7.0]),
    "beta": (lambda a, b: pm.Beta.dist(alpha=a, beta=b),
             [(1, 1), (0.5, 0.5), (20, 3), (2, 900), (-1, 1)], [-0.1, 1e-6, 0.3, 0.5, 0.999, 1.2]),
    "uniform": (lambda a, b: pm.Uniform.dist(lower=a, upper=b),
                [(0, 1), (-5, 30), (0.5, 0.6), (2, 1)], [-6.0, -5.0, 0.0, 0.55, 1.0, 30.0, 31.0]),
    "laplace": (lambda m, b: pm.Laplace.dist(mu=m, b=b),
                [(0, 1), (2, 0.1), (-9, 20), (0, -1)], [-30.0, 0.0, 0.5, 2.0, 90.0]),
    "logistic": (lambda m, s: pm.Logistic.dist(mu=m, s=s),
                 [(0, 1), (2, 0.1), (-9, 20), (0, -1)], [-30.0, 0.0, 0.5, 2.0, 60.0]),
    "gumbel": (lambda m, b: pm.Gumbel.dist(mu=m, beta=b),
               [(0, 1), (2, 0.5), (-9, 20), (0, -1)], [-5.0, 0.0, 0.5, 2.0, 60.0]),
    "skew_normal": (lambda m, s, a: pm.SkewNormal.dist(mu=m, sigma=s, alpha=a),
                    [(0, 1, 0), (2, 0.5, 3), (-1, 2, -4), (0, -1, 1)], [-1.5, 0.0, 0.5, 1.9, 3.0]),
    "truncated_normal": (lambda m, s, a, b: pm.TruncatedNormal.dist(mu=m, sigma=s, lower=a, upper=b),
                         [(0, 1, -1, 2), (0, 1, 0, INF), (3, 0.5, -INF, 2.5), (-2, 1, 0, 4), (0, -1, 0, 1)],
                         [-1.5, -0.5, 0.0, 0.5, 2.0, 3.0]),
}

HEAD = "import pymc as pm\n\nwith pm.Model() as model:\n    age = pm.Data('age', data['age'])\n"
# Numbers have decimal points: PyTensor takes logarithms of small integers in single precision.
PROGRAMS = {
    "growth": """
    alpha = pm.Normal("alpha", 0.0, 10.0)
    beta = pm.Normal("beta", 0.0, 10.0)
    lam = pm.Uniform("lam", 0.5, 1.0)
    sigma = pm.HalfNormal("sigma", 1.0)
    pm.Normal("y", mu=alpha - beta * lam**age, sigma=sigma, observed=data["length"])
""",
    "posteriordb": """
    alpha = pm.Normal("alpha", 0.0, 1000.0)
    beta = pm.Normal("beta", 0.0, 1000.0)
    lam = pm.Uniform("lam", 0.5, 1.0)
    tau = pm.Gamma("tau", 0.0001, 0.0001)
    pm.Normal("y", mu=alpha - beta * lam**age, tau=tau, observed=data["length"])
""",
    "log curve": """
    a = pm.Normal("a", 2.0, 1.0)
    b = pm.HalfNormal("b", 1.0)
    c = pm.LogNormal("c", 0.0, 1.0)
    sigma = pm.Exponential("sigma", 5.0)
    pm.Normal("y", mu=a + b * pm.math.log(age + c), sigma=sigma, observed=data["length"])
""",
    "student noise": """
    a = pm.Cauchy("a", 0.0, 2.0)
    b = pm.HalfCauchy("b", 1.0)
    k = pm.Gamma("k", 2.0, 2.0)
    nu = pm.Gamma("nu", 2.0, 0.1)
    sigma = pm.HalfStudentT("sigma", 3.0, 1.0)
    pm.StudentT("y", nu=nu, mu=a + b * (1.0 - pm.math.exp(-k * age)), sigma=sigma, observed=data["length"])
""",
    "fixed student": """
    a = pm.Normal("a", 2.0, 1.0)
    b = pm.Laplace("b", 0.0, 1.0)
    sigma = pm.InverseGamma("sigma", 3.0, 1.0)
    pm.StudentT("y", nu=4.0, mu=a + b * pm.math.sqrt(age), sigma=sigma, observed=data["length"])
""",
    "log-normal noise": """
    a = pm.TruncatedNormal("a", mu=2.0, sigma=1.0, lower=0.0)
    b = pm.Beta("b", 2.0, 3.0)
    sigma = pm.HalfNormal("sigma", 0.5)
    pm.LogNormal("y", mu=pm.math.log(a) + b * pm.math.tanh(age / 10.0), sigma=sigma, observed=data["length"])
""",
    "growing noise": """
    vmax = pm.HalfNormal("vmax", 3.0)
    k = pm.Uniform("k", 0.0, 20.0)
    s0 = pm.HalfNormal("s0", 1.0)
    s1 = pm.Normal("s1", 0.0, 0.1)
    mu = vmax * age / (k + age)
    pm.Normal("y", mu=mu, sigma=s0 * pm.math.exp(s1 * age), observed=data["length"])
""",
    "gamma noise": """
    a = pm.Normal("a", 0.0, 1.0)
    b = pm.Normal("b", 0.0, 1.0)
    shape = pm.Gamma("shape", 2.0, 0.01)
    mu = pm.math.exp(a + b / age)
    pm.Gamma("y", alpha=shape, beta=shape / mu, observed=data["length"])
""",
    "power distribution": """
    a = pm.Gumbel("a", 1.0, 1.0)
    b = pm.Logistic("b", 0.0, 1.0)
    sigma = pm.Weibull("sigma", 1.5, 1.0)
    pm.Normal("y", mu=a * age**b, sigma=sigma, observed=data["length"])
""",
    "hierarchical": """
    m = pm.Normal("m", 0.0, 3.0)
    s = pm.HalfNormal("s", 2.0)
    a = pm.Normal("a", m, s)
    top = pm.LogNormal("top", 0.0, 0.5)
    b = pm.Uniform("b", -top, top)
    t = pm.TruncatedNormal("t", mu=a, sigma=s, lower=-top, upper=5.0)
    sigma = pm.HalfCauchy("sigma", 1.0)
    pm.Normal("y", mu=a + b * pm.math.log(1.0 + age) + t * pm.math.sigmoid(age - 10.0), sigma=sigma, observed=data["length"])
""",
    "bounded above": """
    a = pm.TruncatedNormal("a", mu=2.0, sigma=1.0, upper=3.0)
    b = pm.SkewNormal("b", 0.0, 1.0, 2.0)
    sigma = pm.Gamma("sigma", 2.0, 4.0)
    pm.Laplace("y", mu=a + b * (age / 10.0)**2.0 / 10.0, b=sigma, observed=data["length"])
""",
    "others": """
    a = pm.Normal("a", 2.0, 1.0)
    b = pm.Normal("b", 0.0, 1.0)
    sigma = pm.HalfNormal("sigma", 1.0)
    pm.Logistic("y", mu=a - b * abs(age - 12.0) / 20.0 - b**3.0, s=sigma, observed=data["length"])
""",
    "weibull noise": """
    a = pm.HalfNormal("a", 3.0)
    b = pm.Exponential("b", 1.0)
    shape = pm.HalfNormal("shape", 10.0)
    pm.Weibull("y", alpha=shape, beta=a + b * pm.math.log(age), observed=data["length"])
""",
    "gumbel noise": """
    a = pm.Normal("a", 2.0, 1.0)
    b = pm.Normal("b", 0.0, 1.0)
    sigma = pm.HalfNormal("sigma", 1.0)
    pm.Gumbel("y", mu=a + b / (1.0 + pm.math.exp(-age / 5.0)), beta=sigma, observed=data["length"])
""",
    "skew noise": """
    a = pm.Normal("a", 2.0, 1.0)
    skew = pm.Normal("skew", 0.0, 2.0)
    sigma = pm.HalfNormal("sigma", 1.0)
    pm.SkewNormal("y", mu=a + 0.01 * age, sigma=sigma, alpha=skew, observed=data["length"])
""",
}


def number(x):
    x = float(x)
    return "nan" if math.isnan(x) else ("inf" if x > 0 else "-inf") if math.isinf(x) else x


def family_cases(name):
    build, argument_sets, values = FAMILIES[name]
    v = pt.dscalar("v")
    for arguments in argument_sets:
        fn = pytensor.function([v], pm.logp(build(*map(np.float64, arguments)), v), mode="FAST_COMPILE")
        for value in values:
            try:
                out = number(fn(value))
            except Exception as e:  # ParameterValueError: PyMC refuses the arguments
                out = "refused" if "ParameterValue" in type(e).__name__ else str(e)
            yield {"value": value, "arguments": [number(a) for a in arguments], "logp": out}


def program_cases(text, data, rng):
    scope = {"data": data}
    exec(text, scope)
    model = scope["model"]
    logp, dlogp = model.compile_logp(), model.compile_dlogp()
    names = [v.name for v in model.value_vars]
    start = model.initial_point()
    for k in range(12):
        point = {n: np.asarray(float(start[n]) + rng.normal(0, 0.3 + 0.1 * k)) for n in names}
        gradient = dlogp(point)
        ordered = [v.name for v in model.value_vars]
        rv = {model.rvs_to_values[r].name: r.name for r in model.free_RVs}
        yield {
            "position": {rv[n]: number(point[n]) for n in names},
            "logp": number(logp(point)),
            "gradient": {rv[n]: number(g) for n, g in zip(ordered, gradient)},
        }


def main():
    rows = np.loadtxt(ROOT / "data/dugongs.csv", delimiter=",", skiprows=1)
    data = {"age": rows[:, 0], "length": rows[:, 1]}
    rng = np.random.default_rng(20)
    out = {
        "made": "python tools/golden/logp.py",
        "versions": {"pymc": pm.__version__, "pytensor": pytensor.__version__, "python": sys.version.split()[0]},
        "families": {name: list(family_cases(name)) for name in FAMILIES},
        "programs": {
            name: {"text": HEAD + body.strip("\n") + "\n",
                   "points": list(program_cases(HEAD + body.strip("\n") + "\n", data, rng))}
            for name, body in PROGRAMS.items()
        },
    }
    path = ROOT / "tests/golden/logp.json"
    path.write_text(json.dumps(out, indent=1) + "\n")
    print(path, len(out["families"]), "families,", len(out["programs"]), "programs")


if __name__ == "__main__":
    main()
