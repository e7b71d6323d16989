"""Distributions of PyMC by the names of their random operations, with parameters as people write them."""


def _named(kind, *names):
    return lambda *values: (kind, dict(zip(names, values)))


def _negative_binomial(n, p):
    """By mean and shape where the probability was computed from them: p = α / (μ + α)."""
    total = _inputs(p, "TrueDiv")
    terms = _inputs(total[1], "Add") if total and _same(total[0], n) else None
    mean = [one for one in terms or [] if not _same(one, n)]
    if len(mean) == 1:
        return "NegativeBinomial", {"mu": mean[0], "alpha": n}
    return "NegativeBinomial", {"n": n, "p": p}


def _inverse(value):
    """1 / value; the reciprocal of a reciprocal is its argument."""
    inner = _inputs(value, "Reciprocal")
    if inner:
        return inner[0]
    ratio = _inputs(value, "TrueDiv")
    one = getattr(ratio[0], "data", None) if ratio else None
    return ratio[1] if one is not None and one.size == 1 and one.item() == 1 else 1 / value


def _inputs(variable, scalar_op):
    """Inputs of an elementwise operation of this name, past what only adds axes."""
    variable = _bare(variable)
    op = getattr(variable.owner, "op", None)
    return variable.owner.inputs if type(getattr(op, "scalar_op", None)).__name__ == scalar_op else None


def _bare(variable):
    while variable.owner is not None and type(variable.owner.op).__name__ in ("DimShuffle", "ExpandDims"):
        variable = variable.owner.inputs[0]
    return variable


def _same(a, b):
    a, b = _bare(a), _bare(b)
    return a is b or (getattr(a, "data", a) is getattr(b, "data", b)) or _equal_constants(a, b)


def _equal_constants(a, b):
    x, y = getattr(a, "data", None), getattr(b, "data", None)
    return x is not None and y is not None and x.size == y.size == 1 and x.item() == y.item()


FAMILIES = {
    "normal": _named("Normal", "mu", "sigma"),
    "halfnormal": lambda loc, sigma: ("HalfNormal", {"sigma": sigma}),
    "lognormal": _named("LogNormal", "mu", "sigma"),
    "t": _named("StudentT", "nu", "mu", "sigma"),
    "halfstudentt": _named("HalfStudentT", "nu", "sigma"),
    "cauchy": _named("Cauchy", "alpha", "beta"),
    "halfcauchy": _named("HalfCauchy", "beta"),
    "exponential": lambda scale: ("Exponential", {"lam": _inverse(scale)}),
    "gamma": lambda alpha, scale: ("Gamma", {"alpha": alpha, "beta": _inverse(scale)}),
    "invgamma": _named("InverseGamma", "alpha", "beta"),
    "weibull": _named("Weibull", "alpha", "beta"),
    "beta": _named("Beta", "alpha", "beta"),
    "uniform": _named("Uniform", "lower", "upper"),
    "triangular": _named("Triangular", "lower", "c", "upper"),
    "laplace": _named("Laplace", "mu", "b"),
    "asymmetriclaplace": _named("AsymmetricLaplace", "b", "kappa", "mu"),
    "logistic": _named("Logistic", "mu", "s"),
    "gumbel": _named("Gumbel", "mu", "beta"),
    "moyal": _named("Moyal", "mu", "sigma"),
    "skewnormal": _named("SkewNormal", "mu", "sigma", "alpha"),
    "exgaussian": _named("ExGaussian", "mu", "sigma", "nu"),
    "vonmises": _named("VonMises", "mu", "kappa"),
    "pareto": _named("Pareto", "alpha", "m"),
    "kumaraswamy": _named("Kumaraswamy", "a", "b"),
    "truncated_normal": _named("TruncatedNormal", "mu", "sigma", "lower", "upper"),
    "LogitNormal": _named("LogitNormal", "mu", "sigma"),
    "poisson": _named("Poisson", "mu"),
    "negative_binomial": _negative_binomial,
    "binomial": _named("Binomial", "n", "p"),
    "beta_binomial": _named("BetaBinomial", "n", "alpha", "beta"),
    "bernoulli": _named("Bernoulli", "p"),
    "geometric": _named("Geometric", "p"),
    "discrete_uniform": _named("DiscreteUniform", "lower", "upper"),
    "categorical": _named("Categorical", "p"),
    "dirichlet": _named("Dirichlet", "a"),
    "multivariate_normal": _named("MvNormal", "mu", "cov"),
    "multinomial": _named("Multinomial", "n", "p"),
    "dirichlet_multinomial": _named("DirichletMultinomial", "n", "a"),
}

INFLATED = {"Poisson": "ZeroInflatedPoisson", "NegativeBinomial": "ZeroInflatedNegativeBinomial",
            "Binomial": "ZeroInflatedBinomial"}


def mixture(weights, components):
    """A zero-inflated distribution, which PyMC keeps as a mixture with a point at zero; else None."""
    shares = shares_of(weights)
    names = [getattr(one.owner.op, "name", None) or type(one.owner.op).__name__ for one in components]
    if shares is None or len(components) != 2 or names[0] not in ("DiracDelta", "diracdelta", "dirac_delta"):
        return None
    if names[1] not in FAMILIES:
        return None
    kind, arguments = FAMILIES[names[1]](*components[1].owner.op.dist_params(components[1].owner))
    return (INFLATED[kind], {"psi": shares[1], **arguments}) if kind in INFLATED else None


def shares_of(weights):
    """The shares that a vector of weights was stacked from; None for one that was not."""
    weights = _bare(weights)
    name = type(getattr(weights.owner, "op", None)).__name__
    if name == "MakeVector":
        return weights.owner.inputs
    if name == "Join":
        return [_bare(one) for one in weights.owner.inputs[1:]]
    return None
