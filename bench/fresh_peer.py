"""Scores two programs with PyMC and ArviZ; prints the CPU seconds of the second, in a warm process.

Reads {"data": {name: numbers}, "texts": [text, text]} from standard input.
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
    """CPU seconds of this process and of the compilers that it has started."""
    return sum(os.times()[:4])


warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
job = json.load(sys.stdin)
data = {name: np.array(values) for name, values in job["data"].items()}
for text in job["texts"]:
    begun = cpu()
    scope = {"data": data}
    exec(text, scope)
    with scope["model"]:
        trace = pm.sample(tune=200, draws=125, chains=4, cores=1, progressbar=False, random_seed=1,
                          idata_kwargs={"log_likelihood": True}, compute_convergence_checks=False)
    az.loo(trace)
    seconds = cpu() - begun
json.dump({"seconds": seconds}, sys.stdout)
