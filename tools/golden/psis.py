"""Writes tests/golden/psis.json: PSIS-LOO by ArviZ, and by arviz-stats' formulas.

ArviZ 0.23 rounds the length of the tail up, arviz-stats down; `elpd_floor` and `k_floor` are the
functions of ArviZ with the length that arviz-stats uses.

Command: python tools/golden/psis.py tests/golden/psis.json   (needs arviz 0.23.4)
"""
import json, sys
import numpy as np
import arviz as az
from scipy.special import logsumexp
from arviz.stats.stats import _psislw

rng = np.random.default_rng(20)


def floor_psis(ll, r_eff):
    n = len(ll)
    tail = int(np.floor(3 * np.sqrt(n / r_eff)) if n * r_eff > 225 else np.floor(n / 5))
    lw, k = _psislw(-ll.copy(), -tail - 1, np.log(np.finfo(float).tiny), True)
    return float(logsumexp(lw + ll)), float(k)


def normal_likelihood(chains, draws, n, outlier):
    """A conjugate normal mean with an outlier: the further out, the heavier the tail."""
    y = rng.normal(size=n)
    y[0] = outlier
    mu = rng.normal(y.mean(), 1 / np.sqrt(n), size=(chains, draws))
    return -0.5 * np.log(2 * np.pi) - 0.5 * (y[None, None, :] - mu[..., None]) ** 2, mu


cases = []
for name, chains, draws, n, outlier in [
    ("calm", 4, 125, 6, 0.5), ("outlier", 4, 125, 6, 6.0), ("far_outlier", 4, 125, 4, 15.0),
    ("long", 4, 1000, 4, 4.0), ("tiny", 2, 40, 4, 2.0),
]:
    ll, mu = normal_likelihood(chains, draws, n, outlier)
    # Repeated draws, as rejected transitions make them.
    ll[:, 5] = ll[:, 4]
    mu[:, 5] = mu[:, 4]
    data = az.from_dict(posterior={"mu": mu}, log_likelihood={"y": ll})
    loo = az.loo(data, pointwise=True)
    r_eff = float(az.ess(data, method="mean")["mu"].values / (chains * draws))
    flat = ll.reshape(-1, n)
    floor = [floor_psis(flat[:, i], r_eff) for i in range(n)]
    cases.append({
        "name": name, "draws": chains * draws, "observations": n, "r_eff": r_eff,
        "log_likelihood": flat.ravel().tolist(),
        "elpd_arviz": loo.loo_i.values.tolist(), "k_arviz": loo.pareto_k.values.tolist(),
        "se_arviz": float(loo.se), "p_loo_arviz": float(loo.p_loo),
        "elpd_floor": [e for e, _ in floor], "k_floor": [k for _, k in floor],
    })
with open(sys.argv[1], "w") as f:
    json.dump({"made_by": f"arviz {az.__version__}, numpy {np.__version__}",
               "command": "python tools/golden/psis.py tests/golden/psis.json", "cases": cases}, f)
