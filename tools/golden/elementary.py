"""Writes tests/golden/elementary.json: correctly rounded values of elementary and special functions.

Command: python tools/golden/elementary.py tests/golden/elementary.json   (needs mpmath)
"""
import json, math, random, sys
import mpmath as mp

mp.mp.prec = 400
rng = random.Random(20)


def spread(low, high, n):
    return [rng.uniform(low, high) for _ in range(n)]


def powers(low, high, n):
    return [math.ldexp(rng.uniform(1, 2), rng.randint(low, high)) for _ in range(n)]


def signed(xs):
    return [x if rng.random() < 0.5 else -x for x in xs]


def sigmoid(x):
    return 1 / (1 + mp.exp(-x))


def log_ndtr(x):
    return mp.log(mp.erfc(-x / mp.sqrt(2)) / 2)


inputs = {
    "exp": (mp.exp, spread(-745, 709, 400) + spread(-2, 2, 400) + signed(powers(-60, 0, 100)) + [-745.1, -744.5, -708.5, 709.78, 709.4]),
    "log": (mp.log, powers(-1074, 1022, 400) + powers(-6, 6, 400) + spread(0.6, 1.6, 400) + [5e-324, 1.7976931348623157e308, 0.7071067811865475, 1.4142135623730951]),
    "log1p": (mp.log1p, signed(powers(-60, -3, 300)) + spread(-0.999, 3, 400) + powers(1, 1000, 200)),
    "expm1": (mp.expm1, signed(powers(-60, -2, 300)) + spread(-45, 45, 400) + spread(-1, 1, 300) + [700.0, 41.0]),
    "tanh": (mp.tanh, signed(powers(-60, 4, 400)) + spread(-3, 3, 300)),
    "sigmoid": (sigmoid, spread(-700, 40, 200) + spread(-5, 5, 300)),
    "softplus": (lambda x: mp.log1p(mp.exp(x)), spread(-700, 700, 200) + spread(-5, 5, 300)),
    "sin": (mp.sin, signed(powers(-40, 19, 300)) + spread(-10, 10, 400) + signed(powers(20, 1000, 100)) + [math.pi, 2 * math.pi, 6381956970095103 * 2.0**797]),
    "cos": (mp.cos, signed(powers(-40, 19, 300)) + spread(-10, 10, 400) + signed(powers(20, 1000, 100)) + [math.pi / 2]),
    "lgamma": (lambda x: mp.loggamma(x), spread(0.001, 20, 400) + powers(-30, 60, 300)),
    "digamma": (mp.digamma, spread(0.001, 20, 400) + powers(-30, 60, 300)),
    "trigamma": (lambda x: mp.psi(1, x), spread(0.001, 20, 200) + powers(-30, 30, 200)),
    "erf": (mp.erf, spread(-6, 6, 400) + signed(powers(-40, 0, 200))),
    "erfc": (mp.erfc, spread(-6, 26, 500)),
    "logNormalCdf": (log_ndtr, spread(-40, 8, 500) + [-1e3, -1e8]),
    "normalQuantile": (lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1), spread(1e-6, 1 - 1e-6, 300) + powers(-40, -10, 50)),
}


def number(v):
    v = mp.re(v)
    return float(v)


golden = {
    "made_by": f"mpmath {mp.__version__}, 400 bits, rounded to the nearest double",
    "command": "python tools/golden/elementary.py tests/golden/elementary.json",
    "functions": {
        name: {"x": xs, "y": [number(f(mp.mpf(x))) for x in xs]} for name, (f, xs) in inputs.items()
    },
}
bases = powers(-10, 10, 300) + powers(-900, 900, 100) + spread(0.5, 1.5, 200)
exponents = [rng.uniform(-60, 60) if i < 300 else rng.uniform(-1, 1) if i < 400 else rng.uniform(-800, 800) for i in range(600)]
golden["pow"] = {"x": bases, "y": exponents, "z": [number(mp.power(mp.mpf(a), mp.mpf(b))) for a, b in zip(bases, exponents)]}
with open(sys.argv[1], "w") as out:
    json.dump(golden, out)
