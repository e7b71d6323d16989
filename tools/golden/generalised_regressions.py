"""ELPD-LOO of Poisson, binomial and Student's regressions with every row left out, on grids of their parameters.

python tools/golden/generalised_regressions.py; NumPy 2.4.6, SciPy 1.17.1. For
tests/gfn/amortised/generalised_test.ts.
"""
import numpy as np
from scipy.special import logsumexp
from scipy.stats import binom, norm, poisson, t

R = np.random.default_rng(11)
X = np.round(R.normal(size=24), 2)
COUNTS = R.poisson(np.exp(0.4 + 0.5 * X))
YES = R.binomial(1, 1 / (1 + np.exp(-0.3 - X)))
TRIALS = R.integers(1, 9, size=24)
HITS = R.binomial(TRIALS, 1 / (1 + np.exp(0.5 - 0.7 * X)))
REALS = np.round(0.6 * X + 0.7 * R.standard_t(3, size=24), 2)


def standard(values):
    return (values - values.mean()) / values.std(ddof=1)


def left_out(log_rows, log_prior):
    """Sum of log p(y_i | y_-i) and log p(y) but for the step of the grid."""
    whole = log_prior + log_rows.sum(axis=0)
    total = logsumexp(whole)
    return sum(total - logsumexp(whole - one) for one in log_rows)


def two(density, y, middle, points=601, reach=9.0):
    """Intercept and effect on a square grid."""
    z = standard(X)
    a = np.linspace(middle - reach, middle + reach, points)[:, None]
    b = np.linspace(-reach, reach, points)[None, :]
    log_prior = norm.logpdf(a, middle, 2.5) + norm.logpdf(b, 0, 2.5)
    rows = np.array([density(one, a + b * z[i], i) for i, one in enumerate(y)])
    return left_out(rows, log_prior)


def one(density, y, middle, points=4001, reach=12.0):
    a = np.linspace(middle - reach, middle + reach, points)
    rows = np.array([density(own, a, i) for i, own in enumerate(y)])
    return left_out(rows, norm.logpdf(a, middle, 2.5))


def student(points=49):
    """Intercept, effect, log of scale, and tails; the response standardised."""
    z, y = standard(X), standard(REALS)
    a = np.linspace(-1, 1, points)[:, None, None, None]
    b = np.linspace(-0.7, 1.5, points)[None, :, None, None]
    s = np.exp(np.linspace(-2.6, 0.8, points))[None, None, :, None]
    tails = np.linspace(0.002, 1.9, points)[None, None, None, :]
    log_prior = norm.logpdf(a, 0, 2.5) + norm.logpdf(b, 0, 2.5) - s + np.log(s) - 5 * tails
    rows = np.array([t.logpdf(y[i], 1 / tails, a + b * z[i], s) for i in range(len(y))])
    return left_out(rows, log_prior)


def logit(p):
    return np.log(p / (1 - p))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def counted(y, eta, i):
    return poisson.logpmf(y, np.exp(eta))


def happened(y, eta, i):
    return binom.logpmf(y, 1, sigmoid(eta))


def hit(y, eta, i):
    return binom.logpmf(y, TRIALS[i], sigmoid(eta))


if __name__ == "__main__":
    for values in (X, COUNTS, YES, TRIALS, HITS, REALS):
        print(values.tolist())
    m = np.log(COUNTS.mean())
    print("poisson", one(counted, COUNTS, m), two(counted, COUNTS, m))
    m = logit((YES.mean() + 0.5) / 2)
    print("bernoulli", one(happened, YES, m), two(happened, YES, m))
    m = logit((HITS.mean() + 0.5) / (TRIALS.mean() + 1))
    print("binomial", one(hit, HITS, m), two(hit, HITS, m))
    print("student_t", student())
