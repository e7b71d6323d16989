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


def refits(text, data, seed):
    """log p(y_i | y_-i) of every row, and the Monte Carlo error of each."""
    scope = {"data": data}
    exec(weighted(text), scope)
    model = scope["model"]
    n = len(data["y"])
    found, errors = [], []
    with model:
        gradient = model.logp_dlogp_function(ravel_inputs=True)
        gradient.set_extra_values({})
        each = model.compile_fn(model["each"], inputs=model.value_vars, on_unused_input="ignore", point_fn=False)
        for i in range(n):
            keep = np.ones(n)
            keep[i] = 0
            pm.set_data({"keep": keep})
            chains = []
            for chain in range(CHAINS):
                step = pm.NUTS(logp_dlogp_func=gradient, target_accept=0.95, rng=seed + 100 * i + chain)
                trace = pm.sample(
                    draws=DRAWS, tune=TUNE, chains=1, cores=1, step=step, random_seed=seed + 100 * i + chain,
                    progressbar=False, compute_convergence_checks=False, return_inferencedata=False,
                )
                chains.append(trace.get_values("each")[:, i])
            logs = np.concatenate(chains)
            value = logsumexp(logs) - np.log(logs.size)
            # Batch means of 40 batches: draws of a chain know of each other.
            batches = [logsumexp(b) - np.log(b.size) for b in np.array_split(logs, 40)]
            found.append(float(value))
            errors.append(float(np.std(np.exp(np.array(batches) - value), ddof=1) / np.sqrt(40)))
    return found, errors


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
