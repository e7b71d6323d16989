"""Leave-one-group-out of counts whose groups hold rows of several effects, and single rows from kept ones, by quadrature.

python tools/golden/crossing_groups.py tests/golden/crossing_groups.json    (NumPy, SciPy)

Given (mu, log tau), on Gauss-Legendre nodes, the effects z are independent: an even grid for each.
"""

import json
import sys

import numpy as np
import scipy
from scipy import stats
from scipy.special import logsumexp

y = [2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 2, 1, 0, 0, 0, 0, 1, 2, 1, 8, 1, 0, 1, 0, 2, 0, 0, 1,
     0]
x = [0.864, -0.042, -0.984, 0, -0.552, 0.514, -0.039, 0, 0.124, -0.873, -0.174, -0.27, 0, 0.554, -0.156, 0.819, 0.243,
     -0.983, 0.081, 0.706, -0.851, 0, -0.805, 0, -0.953, 0.012, -0.363, -0.368, 0.121, 0.438, 0.471, 0.243, -0.526, 0,
     -0.888, 0.898, 0.596, -0.433, 0]
effect = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 7,
     7, 7, 7]
unit = [0, 1, 1, 0, 1, 2, 3, 2, 3, 3, 4, 3, 4, 2, 2, 1, 1, 4, 3, 2, 4, 1, 3, 3, 2, 2, 2, 0, 2, 2, 5, 2, 4, 5, 5, 0, 6,
     6, 6]
y, x, effect, unit = (np.array(one) for one in (y, x, effect, unit))
ALPHA = 2.5


def nodes(low, high, count=80):
    at, weight = np.polynomial.legendre.leggauss(count)
    return (high - low) / 2 * at + (low + high) / 2, np.log(weight * (high - low) / 2)


(mu, w_mu), (log_t, w_t) = nodes(-5, 5), nodes(np.log(1e-3), np.log(4))
tau = np.exp(log_t)
prior = (stats.norm.logpdf(mu) + w_mu)[:, None] + (stats.halfnorm.logpdf(tau, scale=0.7) + log_t + w_t)[None, :]
step = np.linspace(-8, 8, 321)
weight = stats.norm.logpdf(step) + np.log(step[1] - step[0])
level = mu[:, None, None] + tau[None, :, None] * step


def rows(i):
    mean = np.exp(level + 0.5 * x[i])
    return stats.nbinom.logpmf(y[i], ALPHA, ALPHA / (ALPHA + mean))


def of_effect(keep):
    return logsumexp(weight + sum((rows(i) for i in keep), np.zeros_like(level)), axis=-1)


members = [np.flatnonzero(effect == e) for e in range(effect.max() + 1)]
whole = [of_effect(own) for own in members]
density = prior + sum(whole)
pointwise = []
for u in range(unit.max() + 1):
    ratio = sum(
        of_effect(own[unit[own] != u]) - whole[e] for e, own in enumerate(members) if (unit[own] == u).any()
    )
    pointwise.append(float(logsumexp(density) - logsumexp(density + ratio)))
# Three rows, one with an unlikely count, and all rows of an effect, are withheld; each from those that are kept.
withheld = [3, 15, 29, *np.flatnonzero(effect == 7)]
y_held = y.copy()
y_held[15] = 14
kept = [np.setdiff1d(own, withheld) for own in members]
of_kept = [of_effect(own) for own in kept]
given = prior + sum(of_kept)


def of_row(i):
    mean = np.exp(level + 0.5 * x[i])
    own = stats.nbinom.logpmf(y_held[i], ALPHA, ALPHA / (ALPHA + mean))
    e = effect[i]
    both = logsumexp(weight + own + sum((rows(j) for j in kept[e]), np.zeros_like(level)), axis=-1)
    return float(logsumexp(given + both - of_kept[e]) - logsumexp(given))


found = {
    "by": f"python tools/golden/crossing_groups.py, NumPy {np.__version__}, SciPy {scipy.__version__}",
    "y": y.tolist(),
    "x": x.tolist(),
    "effect": effect.tolist(),
    "unit": unit.tolist(),
    "pointwise": pointwise,
    "withheld": [int(i) for i in withheld],
    "y_held": [int(y_held[i]) for i in withheld],
    "held": [of_row(i) for i in withheld],
}
with open(sys.argv[1], "w") as file:
    json.dump(found, file)
    file.write("\n")
