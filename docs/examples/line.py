# Length of dugongs as a line in their age: a rival of curve.py for `sluice rank`.
import pymc as pm

with pm.Model() as model:
    birth = pm.Normal("birth", mu=1.2, sigma=0.5)
    gain = pm.HalfNormal("gain", sigma=0.1)
    sigma = pm.Exponential("sigma", lam=10)
    mu = birth + gain * data["age"]
    pm.Normal("length", mu=mu, sigma=sigma, observed=data["length"])
