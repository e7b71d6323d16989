"""Exact ELPD-LOO of responses that lie between two numbers, beyond a limit, or are known.

NumPy and SciPy alone: rows are simulated, the posterior of three parameters is a grid, and each row's
predictive density is its mean over the posterior of the others. Writes
tests/golden/interval_censored.json: python tools/golden/interval_censored.py
"""
import json
from pathlib import Path

import numpy as np
from scipy import stats

rng = np.random.default_rng(3)
n = 16
x = rng.normal(size=n).round(2)


def windows(values, step, last):
    """In turn a value, an interval of a grid, a limit from below, and one from above."""
    rows = []
    for i, v in enumerate(values):
        low = float(np.floor(v / step) * step)
        if i % 4 == 1 and (low > 0 or step == 1):
            rows.append(("interval", low, low + step))
        elif i % 4 == 2:
            rows.append(("left", low + step, None))
        elif i % 4 == 3 and v > last:
            rows.append(("right", last, None))
        else:
            rows.append(("none", round(float(v), 2), None))
    return rows


def terms(rows, dist):
    """Log density or log probability of each row: [points, rows]."""
    out = []
    for i, (kind, low, high) in enumerate(rows):
        d = dist(i)
        out.append({
            "none": lambda: d.logpdf(low),
            "left": lambda: d.logcdf(low),
            "right": lambda: d.logsf(low),
            "interval": lambda: np.log(np.maximum(d.cdf(high) - d.cdf(low), 1e-300)),
        }[kind]())
    return np.stack(out, axis=1)


def elpd(rows, dist, prior):
    """ELPD-LOO: log sum of the posterior without a row times its term, for each row."""
    t = terms(rows, dist)
    total = 0.0
    for i in range(len(rows)):
        without = np.delete(t, i, axis=1).sum(axis=1) + prior
        weight = np.exp(without - without.max())
        total += np.log((weight * np.exp(t[:, i])).sum() / weight.sum())
    return float(total)


a, b, s = (g.ravel() for g in np.meshgrid(
    np.linspace(-4, 6, 121), np.linspace(-4, 4, 121), np.exp(np.linspace(-2.5, 2, 121)), indexing="ij"))
prior = stats.norm(0, 2).logpdf(a) + stats.norm(0, 1).logpdf(b) + np.log(s)

normal = windows(1 + 0.8 * x + 0.9 * rng.normal(size=n), 1.0, 2.0)
sigma = stats.expon().logpdf(s)
weibull = windows(rng.weibull(1.5, size=n) * 3 * np.exp(0.6 * x), 2.0, 5.0)
shape = stats.expon().logpdf(s)
answers = {
    "normal": elpd(normal, lambda i: stats.norm(a + b * x[i], s), prior + sigma),
    "weibull": elpd(weibull, lambda i: stats.weibull_min(s, scale=np.exp(a + b * x[i])), prior + shape),
}
rows = lambda some: [dict(zip(("side", "low", "high"), row)) for row in some]
golden = {"x": x.tolist(), "normal": rows(normal), "weibull": rows(weibull), "elpd_loo": answers}
path = Path(__file__).parents[2] / "tests" / "golden" / "interval_censored.json"
path.write_text(json.dumps(golden, indent=1) + "\n")
print(answers)
