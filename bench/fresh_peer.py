"""Scores programs with PyMC and ArviZ, one after another; prints the CPU seconds of each.

Usage: fresh_peer.py pymc|nutpie, the sampler. Reads {"data": {name: numbers}, "texts": [text, …]}
from standard input: the first text warms up the process. CPU seconds are those of this process, all
of its threads, and of the compilers that it has started. PyTensor keeps earlier compilations
in `base_compiledir` of PYTENSOR_FLAGS, which is to be an empty folder.
"""
import json
import logging
import os
import sys
import warnings

import arviz as az
import numpy as np
import pymc as pm


def cpu():
    return sum(os.times()[:4])


def score(text, data, sampler):
    scope = {"data": data}
    exec(text, scope)
    with scope["model"]:
        trace = pm.sample(tune=200, draws=125, chains=4, cores=1, random_seed=1, progressbar=False,
                          nuts_sampler=sampler, compute_convergence_checks=False)
        if "log_likelihood" not in trace:
            pm.compute_log_likelihood(trace, progressbar=False)
    az.loo(trace)


warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
job = json.load(sys.stdin)
data = {name: np.array(values) for name, values in job["data"].items()}
seconds = []
for text in job["texts"]:
    begun = cpu()
    score(text, data, sys.argv[1])
    seconds.append(cpu() - begun)
json.dump({"seconds": seconds}, sys.stdout)
