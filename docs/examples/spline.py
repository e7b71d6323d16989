"""Lengths of dugongs by age: a smooth curve, whose basis is patsy's."""
import numpy as np
import pymc as pm
from patsy import dmatrix

formula = "bs(age, df=4, include_intercept=False) - 1"
basis = np.asarray(dmatrix(formula, {"age": data["age"]}))

with pm.Model() as model:
    level = pm.Normal("level", 2, 1)
    weights = pm.Normal("weights", 0, 1, shape=4)
    sigma = pm.HalfNormal("sigma", 0.5)
    pm.Normal("length", level + basis @ weights, sigma, observed=data["length"])
