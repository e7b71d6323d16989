# Length of dugongs by the logarithm of their age: a program for `sluice score`, and for PyMC.
import numpy as np
import pymc as pm

with pm.Model() as model:
    yearling = pm.Normal("yearling", mu=1.7, sigma=0.5)
    gain = pm.HalfNormal("gain", sigma=1)
    sigma = pm.Exponential("sigma", lam=10)
    mu = yearling + gain * np.log(data["age"])
    pm.Normal("length", mu=mu, sigma=sigma, observed=data["length"])
