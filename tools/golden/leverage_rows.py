"""Exact ELPD-LOO of regressions with one row far from the others.

NumPy and SciPy alone: rows are simulated, and log p(y) and log p(y_-i) are sums over grids of two
coefficients, each grid around what has weight. Writes tests/golden/leverage_rows.json:
python tools/golden/leverage_rows.py
"""
import json
from pathlib import Path

import numpy as np
import scipy
from scipy.special import gammaln


def log_likelihood(family, y, eta):
    with np.errstate(over="ignore"):
        if family == "poisson":
            return y * eta - np.exp(eta) - gammaln(y + 1)
        if family == "exponential":
            return -eta - y * np.exp(-eta)
        return -np.logaddexp(0, np.where(y == 1, -eta, eta))


def evidence(family, x, y, scales, middle, points):
    """log of the integral of prior times likelihood, over a + b * middle and b."""
    a_scale, b_scale = scales
    far = 8 * np.hypot(a_scale, b_scale * middle)
    box = [(-far, far), (-8 * b_scale, 8 * b_scale)]
    for rounds in range(9):
        count = 201 if rounds < 8 else points
        c, b = (np.linspace(*ends, count) for ends in box)
        cc, bb = np.meshgrid(c, b, indexing="ij")
        aa = cc - bb * middle
        log_density = -0.5 * (aa / a_scale) ** 2 - 0.5 * (bb / b_scale) ** 2 - np.log(
            2 * np.pi * a_scale * b_scale)
        for xi, yi in zip(x, y):
            log_density = log_density + log_likelihood(family, yi, aa + bb * xi)
        log_density = np.where(np.isnan(log_density), -np.inf, log_density)
        top = log_density.max()
        kept = log_density > top - 40
        steps = c[1] - c[0], b[1] - b[0]
        box = [(axis[np.where(kept.any(axis=1 - k))[0][0]] - steps[k],
                axis[np.where(kept.any(axis=1 - k))[0][-1]] + steps[k])
               for k, axis in enumerate((c, b))]
    return float(np.log(np.exp(log_density - top).sum()) + top + np.log(steps[0] * steps[1]))


def design(seed):
    rng = np.random.default_rng(seed)
    family = ("poisson", "exponential", "bernoulli")[seed % 3]
    n = int(rng.integers(7, 30))
    x = (rng.normal(size=n) * rng.uniform(.2, .8)).round(3)
    far = int(rng.integers(n))
    x[far] = round(rng.uniform(3, 12), 2)
    eta = rng.normal(scale=.7) + rng.normal(scale=.35) * x
    y = {"poisson": lambda: rng.poisson(np.exp(np.minimum(eta, 5))).astype(float),
         "exponential": lambda: np.maximum(rng.exponential(np.exp(eta)), 1e-3).round(3),
         "bernoulli": lambda: (rng.uniform(size=n) < 1 / (1 + np.exp(-eta))).astype(float)}[family]()
    scales = [round(10 ** rng.uniform(-.2, 1.1), 2), round(10 ** rng.uniform(-.5, .8), 2)]
    middle = float(np.delete(x, far).mean())
    values = []
    for points in (301, 601):
        whole = evidence(family, x, y, scales, middle, points)
        values.append([whole - evidence(family, np.delete(x, i), np.delete(y, i), scales, middle, points)
                       for i in range(n)])
    error = abs(sum(values[0]) - sum(values[1]))
    return {"family": family, "x": x.tolist(), "y": y.tolist(), "scales": scales, "far": far,
            "elpd": np.round(values[1], 5).tolist(), "error": error}


designs = [one for one in map(design, range(30)) if one.pop("error") < 1e-3]
file = Path(__file__).parents[2] / "tests/golden/leverage_rows.json"
file.write_text(json.dumps({
    "versions": {"numpy": np.__version__, "scipy": scipy.__version__},
    "designs": designs,
}) + "\n")
print(len(designs))
