"""Exact leave-one-out of some of the torture set's programs by real PyMC: every row is left out and sampled.

Reads the programs that `programs_for_pymc.ts` prints, writes what it finds: see tests/golden/count_refits.json.
"""

import json
import logging
import sys

import numpy as np
import pymc as pm
from scipy.special import logsumexp

logging.getLogger("pymc").setLevel(logging.ERROR)

DRAWS, TUNE, CHAINS = 4000, 1000, 2


def weighted(text):
    """The program with a weight for each row's log density instead of an observed variable."""
    *head, last = text.rstrip().split("\n")
    family, rest = last.strip().split('("y", ', 1)
    arguments = rest.rsplit(", observed=", 1)[0]
    return "\n".join([
        *head,
        f"    each = pm.logp({family}.dist({arguments}), data['y'])",
        "    each = pm.Deterministic('each', each)",
        "    keep = pm.Data('keep', np.ones(len(data['y'])))",
        "    pm.Potential('kept', (keep * each).sum())",
    ])


def bridged(without, whole):
    """log p(y_i | y_-i) from log p(y_i | theta) at draws without the row and with it (Meng and Wong 1996)."""
    share = len(without) / (len(without) + len(whole))
    value = logsumexp(without) - np.log(len(without))
    for _ in range(200):
        # Both are means over draws; the bridge is best where it is its own fixed point.
        up = without - np.logaddexp(np.log(share) + value, np.log(1 - share) + without)
        down = -np.logaddexp(np.log(share) + value, np.log(1 - share) + whole)
        following = logsumexp(up) - np.log(len(up)) - logsumexp(down) + np.log(len(down))
        if abs(following - value) < 1e-10:
            break
        value = following
    return value


def with_error(without, whole, batches=40):
    """The bridge, and its error by leaving out batches of draws: draws of a chain know of each other."""
    value = bridged(without, whole)
    pieces = [np.array_split(one, batches) for one in (without, whole)]
    squares = 0
    for which in range(2):
        left = []
        for k in range(batches):
            own = [without, whole]
            own[which] = np.concatenate(pieces[which][:k] + pieces[which][k + 1:])
            left.append(bridged(*own))
        squares += (batches - 1) * np.var(left)
    return float(value), float(np.sqrt(squares))


def refits(text, data, seed):
    """log p(y_i | y_-i) of every row, and the Monte Carlo error of each."""
    scope = {"data": data}
    exec(weighted(text), scope)
    model = scope["model"]
    n = len(data["y"])
    with model:
        gradient = model.logp_dlogp_function(ravel_inputs=True)
        gradient.set_extra_values({})

        def draws(keep, key):
            """log p(y_i | theta) of all rows at draws of the posterior of those that are kept."""
            pm.set_data({"keep": keep})
            chains = []
            for chain in range(CHAINS):
                step = pm.NUTS(logp_dlogp_func=gradient, target_accept=0.95, rng=key + chain)
                trace = pm.sample(
                    draws=DRAWS, tune=TUNE, chains=1, cores=1, step=step, random_seed=key + chain,
                    progressbar=False, compute_convergence_checks=False, return_inferencedata=False,
                )
                chains.append(trace.get_values("each"))
            return np.concatenate(chains)

        whole = draws(np.ones(n), seed)
        found = [
            with_error(draws(1.0 * (np.arange(n) != i), seed + 100 * (i + 1))[:, i], whole[:, i]) for i in range(n)
        ]
    return [value for value, _ in found], [error for _, error in found]


programs = json.load(open(sys.argv[1]))
out = {}
for seed, program in programs.items():
    data = {name: np.array(values) for name, values in program["data"].items()}
    for name in ("g", "site"):
        data[name] = data[name].astype(int)
    found, errors = refits(program["text"], data, int(seed))
    out[seed] = {"name": program["name"], "elpd": sum(found), "mcse": float(np.hypot.reduce(errors)), "pointwise": found}
    print(seed, program["name"], out[seed]["elpd"], out[seed]["mcse"], file=sys.stderr, flush=True)
    json.dump(
        {
            "made": f"PyMC {pm.__version__}: deno run -A tests/engine/loo/torture/programs_for_pymc.ts > programs.json; "
            "python tests/engine/loo/torture/exact_refits.py programs.json tests/golden/count_refits.json",
            "programs": out,
        },
        open(sys.argv[2], "w"),
        indent=1,
    )
