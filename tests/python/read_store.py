"""Reads a Zarr store with ArviZ and prints what it finds as JSON: python read_store.py FOLDER"""
import json
import sys
import warnings

import arviz as az
import numpy as np

warnings.simplefilter("error")
data = az.from_zarr(sys.argv[1])
posterior = data.posterior
rhat, bulk, tail = az.rhat(posterior), az.ess(posterior), az.ess(posterior, method="tail")
warnings.simplefilter("ignore")
loo = az.loo(data, pointwise=True)


def flat(array):
    return np.asarray(array.values, dtype=float).ravel().tolist()


json.dump({
    "arviz": az.__version__,
    "groups": sorted(data.groups()),
    "dims": {group: {name: list(map(str, array.dims)) for name, array in data[group].data_vars.items()}
             for group in data.groups()},
    "shapes": {group: {name: list(array.shape) for name, array in data[group].data_vars.items()}
               for group in data.groups()},
    "schools": posterior.school.values.tolist(),
    "diverging": str(data.sample_stats.diverging.dtype),
    "mean": {name: flat(posterior[name].mean(["chain", "draw"])) for name in posterior.data_vars},
    "rhat": {name: flat(rhat[name]) for name in posterior.data_vars},
    "ess_bulk": {name: flat(bulk[name]) for name in posterior.data_vars},
    "ess_tail": {name: flat(tail[name]) for name in posterior.data_vars},
    "observed": flat(data.observed_data.obs),
    "sigma": flat(data.constant_data.sigma),
    "elpd_loo": float(loo.elpd_loo),
    "bfmi": az.bfmi(data).tolist(),
}, sys.stdout)
