"""Makes tests/golden/dist_signatures.json: names, order and defaults of the arguments of PyMC's distributions.

Run: python tools/golden/dist_signatures.py  (PyMC 5.28.5), from the root of the repository.
"""

import inspect
import json
import sys
from pathlib import Path

import pymc as pm

ROOT = Path(__file__).resolve().parents[2]
NAMES = """Normal HalfNormal LogNormal TruncatedNormal StudentT HalfStudentT Cauchy HalfCauchy Exponential Gamma
InverseGamma ChiSquared Weibull Beta Uniform Triangular Laplace AsymmetricLaplace Logistic LogitNormal Gumbel Moyal
SkewNormal ExGaussian Wald Pareto Rice Kumaraswamy VonMises Flat HalfFlat Bernoulli Binomial Poisson NegativeBinomial
Geometric HyperGeometric BetaBinomial DiscreteUniform DiscreteWeibull ZeroInflatedPoisson ZeroInflatedBinomial
ZeroInflatedNegativeBinomial HurdlePoisson HurdleNegativeBinomial HurdleGamma HurdleLogNormal Categorical
OrderedLogistic OrderedProbit Dirichlet Multinomial DirichletMultinomial MvNormal MvStudentT LKJCholeskyCov
ZeroSumNormal AR Mixture NormalMixture Truncated Censored""".split()

# Where `dist` passes its arguments on, the function that names them.
NAMED_BY = {"GaussianRandomWalk": pm.distributions.timeseries.GaussianRandomWalk.get_dists}


def describe(function):
    out = {"positional": [], "keyword_only": [], "defaults": {}}
    for name, p in inspect.signature(function).parameters.items():
        if p.kind == p.POSITIONAL_OR_KEYWORD:
            out["positional"].append(name)
        elif p.kind == p.KEYWORD_ONLY:
            out["keyword_only"].append(name)
        else:
            continue
        if isinstance(p.default, (int, float)) and abs(p.default) != float("inf"):
            out["defaults"][name] = float(p.default)
    return out


golden = {
    "made": "python tools/golden/dist_signatures.py",
    "versions": {"pymc": pm.__version__, "python": sys.version.split()[0]},
    "distributions": {name: describe(getattr(pm, name).dist) for name in NAMES}
    | {name: describe(f) for name, f in NAMED_BY.items()},
}
path = ROOT / "tests/golden/dist_signatures.json"
path.write_text(json.dumps(golden, indent=1) + "\n")
print(path, len(golden["distributions"]))
