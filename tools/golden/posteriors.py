"""Makes tests/golden/posteriors.json: quantities of posteriors by long runs of PyMC.

Run: python tools/golden/posteriors.py OUT.json  (PyMC 5.28.5, ArviZ 0.23.4)

Every model is the text of a program that reads `data`; simulated data come from numpy's PCG64 with
the seed that stands beside them. Sampled with PyMC's own NUTS: 4 chains, tune 1000, draws 3000,
target_accept 0.95. For every element of a free variable: mean, sd, 5 % and 95 % quantiles, each
with its Monte Carlo standard error (az.mcse), and the largest R-hat.
"""

import csv
import json
import sys
import time
import warnings
from pathlib import Path

import arviz as az
import numpy as np
import pymc as pm

ROOT = Path(__file__).resolve().parents[2]
SEED, CHAINS, TUNE, DRAWS = 20, 4, 1000, 3000


def table(name):
    with open(ROOT / "data" / name, newline="") as file:
        rows = list(csv.DictReader(file))
    return {key: [row[key] for row in rows] for key in rows[0]}


def numbers(values):
    return [float(value) for value in values]


MODELS = []


def model(name, data, response, response_type, body):
    text = "import pymc as pm\n\nwith pm.Model() as model:\n" + "".join(
        f"    {line}\n" for line in body.strip().split("\n"))
    MODELS.append({"name": name, "response": response, "response_type": response_type,
                   "data": {key: numbers(column) for key, column in data.items()}, "text": text})


def define():
    dugongs = table("dugongs.csv")
    model("dugongs_growth", dugongs, "length", "real", """
alpha = pm.Normal("alpha", 2.5, 1)
beta = pm.Normal("beta", 1, 1)
lam = pm.Uniform("lam", 0.5, 1.0)
sigma = pm.HalfNormal("sigma", 0.5)
pm.Normal("y", mu=alpha - beta * lam ** data["age"], sigma=sigma, observed=data["length"])""")
    schools = {key: table("eight_schools.csv")[key] for key in ("y", "sigma")}
    model("eight_schools_non_centred", schools, "y", "real", """
mu = pm.Normal("mu", 0, 5)
tau = pm.HalfCauchy("tau", 5)
raw = pm.Normal("raw", 0, 1, shape=8)
theta = pm.Deterministic("theta", mu + tau * raw)
pm.Normal("obs", mu=theta, sigma=data["sigma"], observed=data["y"])""")
    rng = np.random.Generator(np.random.PCG64(1))
    group = np.repeat(np.arange(6), 12)
    level = rng.normal(3.0, 1.5, 6)
    y = level[group] + rng.normal(0, 0.7, 72)
    model("hierarchical_centred", {"group": group, "y": y}, "y", "real", """
mu = pm.Normal("mu", 0, 10)
tau = pm.HalfNormal("tau", 3)
level = pm.Normal("level", mu, tau, shape=6)
sigma = pm.HalfNormal("sigma", 2)
pm.Normal("obs", mu=level[data["group"].astype(int)], sigma=sigma, observed=data["y"])""")
    surgical = table("surgical.csv")
    model("surgical_random_effects", {k: surgical[k] for k in ("n", "r")}, "r", "count", """
mu = pm.Normal("mu", -2, 2)
sigma = pm.HalfNormal("sigma", 1)
b = pm.Normal("b", 0, 1, shape=12)
pm.Binomial("obs", n=data["n"], logit_p=mu + sigma * b, observed=data["r"])""")
    peregrines = table("peregrines_french_jura_real.csv")
    t = (np.array(numbers(peregrines["year"])) - 1983.5) / 11.5
    model("poisson_cubic", {"t": t, "pairs": peregrines["pairs"]}, "pairs", "count", """
a = pm.Normal("a", 4, 2)
b = pm.Normal("b", 0, 2)
c = pm.Normal("c", 0, 2)
d = pm.Normal("d", 0, 2)
t = data["t"]
pm.Poisson("obs", mu=pm.math.exp(a + b * t + c * t ** 2 + d * t ** 3), observed=data["pairs"])""")
    model("negative_binomial", {"t": t, "eyasses": peregrines["eyasses"]}, "eyasses", "count", """
a = pm.Normal("a", 4, 2)
b = pm.Normal("b", 0, 1)
alpha = pm.Exponential("alpha", 0.1)
pm.NegativeBinomial("obs", mu=pm.math.exp(a + b * data["t"]), alpha=alpha,
                    observed=data["eyasses"])""")
    rng = np.random.Generator(np.random.PCG64(2))
    x = rng.normal(size=(60, 3))
    p = 1 / (1 + np.exp(-(0.4 + x @ np.array([1.0, -0.5, 0.2]))))
    y = (rng.uniform(size=60) < p).astype(int)
    model("logistic", {"u": x[:, 0], "v": x[:, 1], "w": x[:, 2], "y": y}, "y", "binary", """
a = pm.Normal("a", 0, 2)
b = pm.Normal("b", 0, 2, shape=3)
eta = a + b[0] * data["u"] + b[1] * data["v"] + b[2] * data["w"]
pm.Bernoulli("obs", p=pm.math.sigmoid(eta), observed=data["y"])""")
    rng = np.random.Generator(np.random.PCG64(3))
    x = np.linspace(-2, 2, 50)
    y = 1 + 2 * x + 0.3 * rng.standard_t(2.5, 50)
    model("robust_line", {"x": x, "y": y}, "y", "real", """
a = pm.Normal("a", 0, 5)
b = pm.Normal("b", 0, 5)
sigma = pm.HalfCauchy("sigma", 1)
nu = pm.Gamma("nu", alpha=2, beta=0.1)
pm.StudentT("obs", nu=nu, mu=a + b * data["x"], sigma=sigma, observed=data["y"])""")
    rng = np.random.Generator(np.random.PCG64(4))
    x = rng.uniform(0, 1, 60)
    y = rng.gamma(3.0, np.exp(0.5 + x) / 3.0)
    model("gamma_log_link", {"x": x, "y": y}, "y", "real", """
a = pm.Normal("a", 0, 2)
b = pm.Normal("b", 0, 2)
shape = pm.Exponential("shape", 0.2)
mu = pm.math.exp(a + b * data["x"])
pm.Gamma("obs", alpha=shape, beta=shape / mu, observed=data["y"])""")
    rng = np.random.Generator(np.random.PCG64(5))
    y = 5.0 * rng.weibull(1.7, 40)
    model("weibull", {"y": y}, "y", "real", """
alpha = pm.HalfNormal("alpha", 3)
beta = pm.HalfNormal("beta", 20)
pm.Weibull("obs", alpha=alpha, beta=beta, observed=data["y"])""")
    rng = np.random.Generator(np.random.PCG64(6))
    y = rng.normal(2.5e5, 4e4, 30)
    model("large_scale", {"y": y}, "y", "real", """
mu = pm.Normal("mu", 2e5, 1e5)
sigma = pm.HalfNormal("sigma", 1e5)
pm.Normal("obs", mu=mu, sigma=sigma, observed=data["y"])""")
    rng = np.random.Generator(np.random.PCG64(7))
    x = rng.uniform(0, 1e-3, 40)
    y = 2e-3 + 1.5 * x + rng.normal(0, 3e-4, 40)
    model("small_scale", {"x": x, "y": y}, "y", "real", """
a = pm.Normal("a", 0, 1e-2)
b = pm.Normal("b", 0, 5)
sigma = pm.HalfNormal("sigma", 1e-3)
pm.Normal("obs", mu=a + b * data["x"], sigma=sigma, observed=data["y"])""")
    rng = np.random.Generator(np.random.PCG64(8))
    y = np.where(rng.uniform(size=80) < 0.35, rng.normal(-2, 0.6, 80), rng.normal(1.5, 1.0, 80))
    model("mixture_of_two", {"y": y}, "y", "real", """
w = pm.Beta("w", 2, 2)
low = pm.Normal("low", -2, 1)
high = pm.Normal("high", 2, 1)
sigma = pm.HalfNormal("sigma", 2, shape=2)
pm.NormalMixture("obs", w=pm.math.stack([w, 1 - w]), mu=pm.math.stack([low, high]), sigma=sigma,
                 observed=data["y"])""")
    rng = np.random.Generator(np.random.PCG64(9))
    trend = np.cumsum(rng.normal(0, 0.3, 30))
    model("random_walk", {"y": trend + rng.normal(0, 0.5, 30)}, "y", "real", """
step = pm.HalfNormal("step", 1)
sigma = pm.HalfNormal("sigma", 1)
raw = pm.Normal("raw", 0, 1, shape=30)
level = pm.Deterministic("level", pm.math.cumsum(raw) * step)
pm.Normal("obs", mu=level, sigma=sigma, observed=data["y"])""")
    rng = np.random.Generator(np.random.PCG64(10))
    student, item = np.divmod(np.arange(60), 6)
    ability, difficulty = rng.normal(0, 1, 10), rng.normal(0, 1, 6)
    y = rng.uniform(size=60) < 1 / (1 + np.exp(difficulty[item] - ability[student]))
    model("item_response", {"student": student, "item": item, "y": y.astype(int)}, "y", "binary", """
ability = pm.Normal("ability", 0, 1, shape=10)
difficulty = pm.Normal("difficulty", 0, 2, shape=6)
eta = ability[data["student"].astype(int)] - difficulty[data["item"].astype(int)]
pm.Bernoulli("obs", logit_p=eta, observed=data["y"])""")
    rng = np.random.Generator(np.random.PCG64(11))
    group = np.repeat(np.arange(5), 3)
    y = rng.normal(0, 0.8, 5)[group] + rng.normal(0, 1, 15)
    model("funnel", {"group": group, "y": y}, "y", "real", """
log_scale = pm.Normal("log_scale", 0, 1.5)
raw = pm.Normal("raw", 0, 1, shape=5)
x = pm.Deterministic("x", raw * pm.math.exp(log_scale))
pm.Normal("obs", mu=x[data["group"].astype(int)], sigma=1, observed=data["y"])""")
    rng = np.random.Generator(np.random.PCG64(12))
    x = rng.normal(size=50)
    mu = 1 / (1 + np.exp(-0.3 - 0.8 * x))
    model("beta_regression", {"x": x, "y": rng.beta(12 * mu, 12 * (1 - mu))}, "y", "real", """
a = pm.Normal("a", 0, 2)
b = pm.Normal("b", 0, 2)
kappa = pm.HalfNormal("kappa", 30)
mu = pm.math.invlogit(a + b * data["x"])
pm.Beta("obs", alpha=mu * kappa, beta=(1 - mu) * kappa, observed=data["y"])""")
    rng = np.random.Generator(np.random.PCG64(13))
    y = np.where(rng.uniform(size=70) < 0.6, rng.poisson(4, 70), 0)
    model("zero_inflated", {"y": y}, "y", "count", """
psi = pm.Beta("psi", 1, 1)
rate = pm.Gamma("rate", 2, 0.5)
pm.ZeroInflatedPoisson("obs", psi=psi, mu=rate, observed=data["y"])""")
    seeds = table("seeds.csv")
    keys = ("seed_type", "root_extract", "germinated", "total")
    model("seeds", {k: seeds[k] for k in keys}, "germinated", "count", """
a0 = pm.Normal("a0", 0, 2)
a1 = pm.Normal("a1", 0, 2)
a2 = pm.Normal("a2", 0, 2)
a12 = pm.Normal("a12", 0, 2)
sigma = pm.HalfNormal("sigma", 1)
b = pm.Normal("b", 0, 1, shape=21)
x1 = data["seed_type"]
x2 = data["root_extract"]
eta = a0 + a1 * x1 + a2 * x2 + a12 * x1 * x2 + sigma * b
pm.Binomial("obs", n=data["total"], p=pm.math.sigmoid(eta), observed=data["germinated"])""")


def build(text, data):
    scope = {"data": data, "__name__": "program"}
    exec(text, scope)
    return scope["model"]


def reference(one):
    data = {key: np.array(values) for key, values in one["data"].items()}
    built = build(one["text"], data)
    with built:
        trace = pm.sample(draws=DRAWS, tune=TUNE, chains=CHAINS, cores=1, target_accept=0.95,
                          random_seed=SEED, progressbar=False, compute_convergence_checks=False)
    names = [variable.name for variable in built.free_RVs]
    quantities = {name: quantity(trace.posterior[name].values) for name in names}
    rhat = az.rhat(trace, var_names=names)
    largest = max(float(rhat[name].max()) for name in names)
    return {**one, "rhat_max": largest, "divergences": int(trace.sample_stats.diverging.sum()),
            "quantities": quantities}


def quantity(values):
    flat = values.reshape(*values.shape[:2], -1)
    elements = [element(flat[:, :, i]) for i in range(flat.shape[2])]
    keys = elements[0].keys()
    return {"shape": list(values.shape[2:]), **{key: [e[key] for e in elements] for key in keys}}


def element(x):
    error = lambda **how: float(np.ravel(az.mcse(x, **how))[0])
    return {
        "mean": float(x.mean()), "mean_mcse": error(method="mean"),
        "sd": float(x.std(ddof=1)), "sd_mcse": sd_error(x),
        "q05": float(np.quantile(x, 0.05)), "q05_mcse": error(method="quantile", prob=0.05),
        "q95": float(np.quantile(x, 0.95)), "q95_mcse": error(method="quantile", prob=0.95),
    }


def sd_error(x):
    """The formula of az.mcse(method="sd"), which fails under NumPy 2."""
    squares = (x - x.mean()) ** 2
    size = float(np.ravel(az.ess(squares, method="mean"))[0])
    variance = squares.mean()
    return float(np.sqrt((np.mean(squares**2) - variance**2) / size / variance / 4))


def main(out):
    warnings.filterwarnings("ignore")
    define()
    done = []
    for one in MODELS:
        begun = time.time()
        done.append(reference(one))
        print(one["name"], round(time.time() - begun), "s", done[-1]["rhat_max"], flush=True)
        made = {"made": "python tools/golden/posteriors.py OUT.json",
                "versions": {"pymc": pm.__version__, "arviz": az.__version__, "numpy": np.__version__},
                "chains": CHAINS, "tune": TUNE, "draws": DRAWS, "seed": SEED, "models": done}
        Path(out + ".part").write_text(json.dumps(made, indent=1) + "\n")
    Path(out + ".part").rename(out)  # a run that is stopped leaves the file whole


if __name__ == "__main__":
    main(sys.argv[1])
