"""Data sets of six pairs of families over a range of dispersion, and by how much maximum likelihood parts them.

Each set is 60 rows of one of two families with a straight line in the predictor. `nats` is the
difference of the greatest log likelihoods, outer less inner, less the parameters that the outer
family has more: half the difference of AIC.

Run: python tools/golden/family_sets.py 40 > tests/golden/family_sets.json
"""

import json
import platform
import sys

import numpy as np
import scipy
from scipy import optimize
from scipy.special import expit

from family_pairs import density, extra, line_start, own_starts

rows = 60
tight = {"maxiter": 600, "fatol": 1e-7, "xatol": 1e-6}
random = np.random.default_rng(311)


def greatest(family, y, x, n):
    """The greatest log likelihood: quasi-Newton steps from each start, and a simplex from the best."""

    def loss(theta):
        total = np.sum(density(family, y, theta[0] + theta[1] * x, theta[2:], n))
        return -total if np.isfinite(total) else 1e12

    starts = [np.array([*line_start(family, y, x, n), *own]) for own in own_starts[family]]
    found = min((optimize.minimize(loss, one, method="BFGS") for one in starts), key=lambda one: one.fun)
    return -float(optimize.minimize(loss, found.x, method="Nelder-Mead", options=tight).fun)


def spread(mu, phi):
    return random.gamma(1 / phi**2, mu * phi**2) if phi > 0 else mu


def strength(k, least, most):
    """Nothing in every fourth set, else on a logarithmic scale."""
    return 0 if k % 4 == 0 else float(np.exp(random.uniform(np.log(least), np.log(most))))


def poisson_wide(k, x):
    return random.poisson(spread(np.exp(1.5 + 0.3 * x), strength(k, 0.05, 1.5))), None


def poisson_zeros(k, x):
    return random.poisson(np.exp(1.2 + 0.3 * x)) * (random.uniform(size=rows) >= strength(k, 0.01, 0.5)), None


def binomial_wide(k, x):
    phi, p = strength(k, 0.05, 1), expit(0.5 + 0.4 * x)
    q = random.beta(p / phi**2, (1 - p) / phi**2) if phi > 0 else p
    return random.binomial(20, q), 20


def normal_tails(k, x):
    tails = strength(k, 0.03, 1)
    noise = random.standard_t(1 / tails, size=rows) if tails > 0 else random.normal(size=rows)
    return (2 + 0.5 * x + noise).round(4), None


def gamma_or_log_normal(k, x):
    cv, mu = float(np.exp(random.uniform(np.log(0.1), np.log(2)))), np.exp(1.5 + 0.3 * x)
    if k % 2:
        return np.maximum(random.gamma(1 / cv**2, mu * cv**2), 1e-4).round(4), None
    sigma = np.sqrt(np.log1p(cv**2))
    return np.maximum(mu * np.exp(random.normal(-(sigma**2) / 2, sigma, size=rows)), 1e-4).round(4), None


def exponential_gamma(k, x):
    shape = 1 if k % 4 == 0 else float(np.exp(random.uniform(np.log(0.3), np.log(4))))
    mu = np.exp(1.5 + 0.3 * x)
    return np.maximum(random.gamma(shape, mu / shape), 1e-4).round(4), None


pairs = [
    ("poisson", "negative_binomial", poisson_wide),
    ("poisson", "zero_inflated_poisson", poisson_zeros),
    ("binomial", "beta_binomial", binomial_wide),
    ("normal", "student_t", normal_tails),
    ("log_normal", "gamma", gamma_or_log_normal),
    ("exponential", "gamma", exponential_gamma),
]


def made(inner, outer, draw, k):
    x = random.normal(size=rows).round(2)
    y, n = draw(k, x)
    best = [greatest(one, np.asarray(y, float), x, n) for one in (inner, outer)]
    nats = best[1] - best[0] - (extra[outer] - extra[inner])
    trials = {} if n is None else {"n": n}
    return {"inner": inner, "outer": outer, "nats": round(nats, 3), "y": y.tolist(), "x": x.tolist(), **trials}


sets = [made(*pair, k) for k in range(int(sys.argv[1])) for pair in pairs]
versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
json.dump({"versions": versions, "sets": sets}, sys.stdout)
print()
