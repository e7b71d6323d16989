"""Writes tests/golden/diagnostics.json: R-hat and effective sample sizes by ArviZ.

Command: python tools/golden/diagnostics.py tests/golden/diagnostics.json   (needs arviz 0.23.4)
"""
import json, sys
import numpy as np
import arviz as az
from arviz.stats.diagnostics import _rhat_rank, _ess_bulk, _ess_tail, _ess_mean, _mcse_mean

rng = np.random.default_rng(20)


def mcse_sd(x):
    """The lines of ArviZ 0.23.4's `_mcse_sd`, whose conversion to float fails under NumPy 2."""
    squares = (x - x.mean()) ** 2
    variance = squares.mean()
    return np.sqrt(((squares**2).mean() - variance**2) / _ess_mean(squares) / variance / 4)


def ar(chains, draws, rho, shift=0.0):
    x = np.zeros((chains, draws))
    x[:, 0] = rng.normal(size=chains)
    for t in range(1, draws):
        x[:, t] = rho * x[:, t - 1] + np.sqrt(1 - rho**2) * rng.normal(size=chains)
    return x + shift * np.arange(chains)[:, None]


cases = {
    "independent": ar(4, 125, 0.0),
    "correlated": ar(4, 125, 0.7),
    "sticky": ar(4, 100, 0.97),
    "antithetic": ar(4, 125, -0.6),
    "apart": ar(4, 50, 0.3, shift=0.5),
    "heavy_tails": rng.standard_cauchy(size=(4, 100)),
    "ties": np.round(ar(2, 101, 0.4), 1),
    "two_chains_short": ar(2, 9, 0.2),
    "one_chain": ar(1, 60, 0.5),
    "different_scales": ar(4, 60, 0.2) * np.array([1, 1, 3, 1])[:, None],
}
out = []
for name, x in cases.items():
    with np.errstate(all="ignore"):
        out.append({
            "name": name, "chains": x.shape[0], "values": x.ravel().tolist(),
            # ArviZ refuses R-hat of a single chain.
            "rhat": None if x.shape[0] < 2 else float(_rhat_rank(x)),
            "ess_bulk": float(_ess_bulk(x)), "ess_tail": float(_ess_tail(x)), "ess_mean": float(_ess_mean(x)),
            "mcse_mean": float(np.ravel(_mcse_mean(x))[0]), "mcse_sd": float(mcse_sd(x)),
        })
with open(sys.argv[1], "w") as f:
    json.dump({"made_by": f"arviz {az.__version__}, numpy {np.__version__}",
               "command": "python tools/golden/diagnostics.py tests/golden/diagnostics.json",
               "cases": out}, f)
