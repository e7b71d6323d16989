"""Writes tests/golden/special.json: correctly rounded values of incomplete, Bessel and other functions.

Command: python tools/golden/special.py tests/golden/special.json   (needs mpmath)
"""
import json, math, random, sys
import mpmath as mp

mp.mp.prec = 200
rng = random.Random(21)


def spread(low, high, n):
    return [rng.uniform(low, high) for _ in range(n)]


def logarithmic(low, high, n):
    return [math.exp(rng.uniform(math.log(low), math.log(high))) for _ in range(n)]


def near(a):
    """Around the mean of a gamma distribution of shape a, where its mass is."""
    return max(1e-6, a + math.sqrt(a) * rng.uniform(-6, 6))


def beta_point(a, b):
    mean = a / (a + b)
    x = mean + math.sqrt(mean * (1 - mean) / (a + b + 1)) * rng.uniform(-6, 6)
    return x if 1e-9 < x < 1 - 1e-9 else rng.uniform(1e-3, 1 - 1e-3)


def lower_gamma(a, x):
    return mp.gammainc(a, 0, x, regularized=True)


def upper_gamma(a, x):
    return mp.gammainc(a, x, mp.inf, regularized=True)


def beta(a, b, x):
    return mp.betainc(a, b, 0, x, regularized=True)


def slope(f, x):
    h = mp.mpf(2) ** -60
    with mp.workprec(400):
        return (f(x + h) - f(x - h)) / (2 * h)


def row(f, xs):
    return float(mp.re(f(*map(mp.mpf, xs))))


def table(f, inputs, limit=1e-280):
    rows = [(xs, row(f, xs)) for xs in inputs]
    kept = [(xs, y) for xs, y in rows if limit < abs(y) < 1e280]
    return {"x": [list(xs) for xs, _ in kept], "y": [y for _, y in kept]}


shapes = logarithmic(0.01, 1e4, 120) + [0.5, 1.0, 2.0, 10.0, 100.0, 1e4]
gammas = [(a, near(a)) for a in shapes for _ in range(2)] + [(a, x) for a, x in zip(logarithmic(0.01, 30, 60), logarithmic(1e-4, 100, 60))]
pairs = list(zip(logarithmic(0.1, 1e4, 100), logarithmic(0.1, 1e4, 100))) + [(0.5, 0.5), (1.0, 1.0), (1e4, 1e4), (2.0, 5e3)]
betas = [(a, b, beta_point(a, b)) for a, b in pairs for _ in range(2)]
few_gammas, few_betas = gammas[::6], [b for b in betas if max(b[:2]) < 500][::4]

golden = {
    "made_by": f"mpmath {mp.__version__}, 200 bits, rounded to the nearest double",
    "command": "python tools/golden/special.py tests/golden/special.json",
    "functions": {
        "log1mexp": table(lambda x: mp.log(-mp.expm1(x)), [(-x,) for x in logarithmic(1e-300, 700, 300)]),
        "log1pMinus": table(lambda x: mp.log1p(x) - x, [(x,) for x in spread(-0.99, 3, 200) + logarithmic(1e-8, 0.5, 100)]),
        "atan": table(mp.atan, [(x * rng.choice((-1, 1)),) for x in logarithmic(1e-20, 1e20, 300) + logarithmic(0.1, 10, 300)]),
        "tan": table(mp.tan, [(x,) for x in spread(-10, 10, 400)] + [(x,) for x in logarithmic(1e-9, 1e6, 100)]),
        "logI0": table(lambda x: mp.log(mp.besseli(0, x)), [(x,) for x in logarithmic(1e-6, 700, 300)]),
        "besselRatio": table(lambda x: mp.besseli(1, x) / mp.besseli(0, x), [(x,) for x in logarithmic(1e-6, 700, 300)]),
        "gammainc": table(lower_gamma, gammas),
        "gammaincc": table(upper_gamma, gammas),
        "gammaincShapeSlope": table(lambda a, x: slope(lambda s: lower_gamma(s, x), a), few_gammas, 1e-200),
        "betainc": table(beta, betas),
        "betaincASlope": table(lambda a, b, x: slope(lambda s: beta(s, b, x), a), few_betas, 1e-200),
        "betaincBSlope": table(lambda a, b, x: slope(lambda s: beta(a, s, x), b), few_betas, 1e-200),
        "digamma": table(mp.digamma, [(x,) for x in spread(0.01, 3, 400) + spread(1.4, 1.5, 100) + spread(3, 30, 200)]),
        "lgamma": table(mp.loggamma, [(x,) for x in spread(0.01, 3, 300) + spread(3, 60, 300)]),
        "trigamma": table(lambda x: mp.psi(1, x), [(x,) for x in spread(0.01, 3, 200) + spread(3, 60, 200)]),
    },
}
with open(sys.argv[1], "w") as out:
    json.dump(golden, out)
