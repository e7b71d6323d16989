"""Writes tests/golden/conjugate_programs.json: the posterior over conjugate programs, by SciPy.

With normal-inverse-gamma priors the response is multivariate t: 2a degrees of freedom, location 0,
shape (b / a) (I + Phi diag(s^2) Phi^T). Programs, weights and data are written down here once more.

Command: python tools/golden/conjugate_programs.py tests/golden/conjugate_programs.json
"""
import itertools, json, sys
import numpy as np, scipy
from scipy.special import logsumexp
from scipy.stats import multivariate_t

x = np.array([-2, -1.75, -1.5, -1.2, -1, -0.7, -0.4, -0.1, 0.2, 0.4, 0.8, 1, 1.3, 1.5, 1.8, 2])
y = np.array(
    [0.42, 0.14, 0.35, -0.08, 0.21, 0.18, 0.05, 0.37, 0.61, 0.48, 1.22, 1.31, 2.04, 2.11, 2.98, 3.11]
)
basis = [np.ones_like(x), x, x**2, x**3, np.abs(x), np.exp(x), np.tanh(x)]
noises = [(3, 0.1, 1), (2, 1, 2), (1, 5, 1)]  # shape, scale, weight
widths = [(1, 2), (10, 1)]  # standard deviation in units of the noise, weight
exit_weight = 4


def log_prior(noise, choice):
    """choice[j] is None or an index into widths; terms are taken in their order."""
    terms = len(choice)
    total = np.log(noises[noise][2] / sum(n[2] for n in noises))
    total += np.log(widths[choice[0]][1] / sum(w[1] for w in widths))
    last = 0
    for j in [j for j in range(1, terms) if choice[j] is not None]:
        rest = exit_weight + 3 * (terms - 1 - last)
        total += np.log(widths[choice[j]][1] / rest)
        last = j
    return total + np.log(exit_weight / (exit_weight + 3 * (terms - 1 - last)))


def log_evidence(noise, choice):
    shape, scale, _ = noises[noise]
    used = [j for j, w in enumerate(choice) if w is not None]
    phi = np.column_stack([basis[j] for j in used])
    s2 = np.array([widths[choice[j]][0] ** 2 for j in used], dtype=float)
    spread = np.eye(len(x)) + phi @ np.diag(s2) @ phi.T
    return multivariate_t(np.zeros(len(x)), scale / shape * spread, df=2 * shape).logpdf(y)


log_reward = []
for noise in range(3):
    for choice in itertools.product([0, 1], *[[None, 0, 1]] * 6):
        log_reward.append(log_prior(noise, choice) + log_evidence(noise, choice))
log_z = logsumexp(log_reward)
p = np.exp(np.array(log_reward) - log_z)
out = {
    "made_by": f"scipy {scipy.__version__}, numpy {np.__version__}",
    "command": "python tools/golden/conjugate_programs.py tests/golden/conjugate_programs.json",
    "count": len(log_reward),
    "log_z": log_z,
    "entropy": float(-(p * np.log(p)).sum()),
    "log_reward_sorted_top": sorted(log_reward, reverse=True)[:20],
    "log_reward_sum": float(np.sum(log_reward)),
}
json.dump(out, open(sys.argv[1], "w"), indent=1)
