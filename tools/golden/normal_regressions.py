"""ELPD-LOO and evidence of normal regressions by adaptive quadrature, each row left out of the integral.

Run: python tools/golden/normal_regressions.py (NumPy 2.4, SciPy 1.17). The numbers stand in
tests/gfn/amortised/normal_regressions_test.ts. The standardised model is that of the space
`regression`: intercept and effects Normal(0, 2.5), sigma Exponential(1).
"""

import numpy as np
from scipy import integrate
from scipy.stats import multivariate_normal as mvn
r = np.random.default_rng(7)
n = 12
X = r.normal(size=(n, 2)); X[:, 1] = .7 * X[:, 0] + .5 * X[:, 1]
y = .8 * X[:, 0] + r.normal(size=n) ; y[3] += 2.5
X = np.round(X, 3); y = np.round(y, 3)
Z = (X - X.mean(0)) / X.std(0, ddof=1); t = (y - y.mean()) / y.std(ddof=1)
def evidence(rows, cols):
    D = np.c_[np.ones(n), Z[:, cols]][rows]
    def f(ls):
        s = np.exp(ls)
        return np.exp(mvn.logpdf(t[rows], np.zeros(len(rows)), s * s * np.eye(len(rows)) + 6.25 * D @ D.T) - s + ls + 20)
    return integrate.quad(f, -4, 4, epsabs=0, epsrel=1e-11, limit=400)[0]
for cols in [[], [0], [1], [0, 1]]:
    whole = evidence(list(range(n)), cols)
    elpd = sum(np.log(whole / evidence([k for k in range(n) if k != i], cols)) for i in range(n))
    print(cols, repr(float(elpd)), repr(float(np.log(whole) - 20)))
print(X.T.tolist(), y.tolist())
