"""Leave-one-group-out of a Student hierarchy by quadrature, with and without the cells of recorded data.

python tools/golden/student_groups.py tests/golden/student_groups.json    (NumPy, SciPy)

theta = (mu, log sigma, log tau) on Gauss-Legendre nodes, the effect of a group on an even grid.
"""

import json
import sys

import numpy as np
import scipy
from scipy import stats
from scipy.special import logsumexp

GROUPS, ROWS, NU = 8, 5, 4
rng = np.random.default_rng(5)
effects = rng.normal(0, 1.5, GROUPS)
group = np.repeat(np.arange(GROUPS), ROWS)
y = np.round(1 + effects[group] + 0.7 * rng.standard_t(NU, GROUPS * ROWS), 1)
y[3] = np.round(y[3] + 6, 1)  # an outlier within its group


def nodes(low, high, count=48):
    at, weight = np.polynomial.legendre.leggauss(count)
    return (high - low) / 2 * at + (low + high) / 2, np.log(weight * (high - low) / 2)


(mu, w_mu), (log_s, w_s), (log_t, w_t) = nodes(-5, 7), nodes(np.log(0.05), np.log(6)), nodes(np.log(0.02), np.log(9))
sigma, tau = np.exp(log_s), np.exp(log_t)
prior = (
    (stats.norm.logpdf(mu, 0, 5) + w_mu)[:, None, None]
    + (stats.halfnorm.logpdf(sigma, scale=2) + log_s + w_s)[None, :, None]
    + (stats.halfnorm.logpdf(tau, scale=2) + log_t + w_t)[None, None, :]
)
level = np.linspace(-14, 16, 1201)
half = (level[1] - level[0]) / 2
ends = np.append(level - half, level[-1] + half)
# Mass of a normal distribution of effects between these levels, by mean and width.
mass = np.diff(stats.norm.cdf((ends[:, None, None] - mu[None, :, None]) / tau), axis=0)


def of_row(value, step):
    place = {"loc": level[:, None], "scale": sigma[None, :]}
    if step is None:
        return stats.t.logpdf(value, NU, **place)
    high, low = (stats.t.cdf(value + side * step / 2, NU, **place) for side in (1, -1))
    return np.log(high - low) - np.log(step)


def of_groups(step):
    out = []
    for k in range(GROUPS):
        rows = sum(of_row(value, step) for value in y[group == k])
        top = rows.max(0)
        inner = np.einsum("ms,mut->ust", np.exp(rows - top), mass, optimize=True)
        out.append(np.log(inner) + top[None, :, None])
    return out


dense = of_groups(None)
whole = prior + sum(dense)
elpd = sum(logsumexp(whole) - logsumexp(whole - one) for one in dense)
rewards = {
    str(step): float(
        sum(logsumexp(whole - a + b) - logsumexp(whole - a) for a, b in zip(dense, of_groups(step)))
    )
    for step in (0.1, 1.0)
}
found = {
    "by": f"python tools/golden/student_groups.py, NumPy {np.__version__}, SciPy {scipy.__version__}",
    "group": group.tolist(),
    "y": y.tolist(),
    "elpd": float(elpd),
    "rewards": rewards,
}
with open(sys.argv[1], "w") as file:
    json.dump(found, file, indent=1)
    file.write("\n")
