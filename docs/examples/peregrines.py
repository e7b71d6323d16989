# Pairs of peregrines by those of the year before, density dependence as Gompertz (1825) has it.
# A program for `sluice score --time year`, and for PyMC.
import numpy as np
import pymc as pm

log_pairs = np.log(data["pairs"])

with pm.Model() as model:
    growth = pm.Normal("growth", mu=0, sigma=1)
    carry = pm.Normal("carry", mu=1, sigma=0.3)
    sigma = pm.HalfNormal("sigma", sigma=0.3)
    mu = growth + carry * log_pairs[:-1]
    pm.Normal("pairs", mu=mu, sigma=sigma, observed=log_pairs[1:])
