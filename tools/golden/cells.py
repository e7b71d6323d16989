"""Masses of cells under every continuous family, by quadrature of its density to 40 digits.

python tools/golden/cells.py tests/golden/cells.json
"""

import json
import sys

import mpmath
from mpmath import mp, mpf

mp.dps = 40
half = mpf(1) / 2


def normal(x, mu, sigma):
    return mpmath.npdf(x, mu, sigma)


def student(x, nu, mu, sigma):
    z = (x - mu) / sigma
    c = mpmath.gamma((nu + 1) / 2) / mpmath.gamma(nu / 2) / mpmath.sqrt(nu * mp.pi) / sigma
    return c * (1 + z * z / nu) ** (-(nu + 1) / 2)


def gamma(x, a, b):
    return b**a * x ** (a - 1) * mpmath.exp(-b * x) / mpmath.gamma(a)


def beta(x, a, b):
    return x ** (a - 1) * (1 - x) ** (b - 1) / mpmath.beta(a, b)


def weibull(x, a, b):
    return a / b * (x / b) ** (a - 1) * mpmath.exp(-((x / b) ** a))


def logistic(x, mu, s):
    z = (x - mu) / s
    return mpmath.sech(z / 2) ** 2 / 4 / s


def asymmetric(x, kappa, mu, b):
    z = x - mu
    rate = b * kappa * z if z >= 0 else -b / kappa * z
    return b / (kappa + 1 / kappa) * mpmath.exp(-rate)


def ex_gaussian(x, mu, sigma, nu):
    shift = (mu - x) / nu + (sigma / nu) ** 2 / 2
    return mpmath.exp(shift) * mpmath.ncdf((x - mu) / sigma - sigma / nu) / nu


def wald(x, mu, lam, alpha):
    c = x - alpha
    return mpmath.sqrt(lam / (2 * mp.pi * c**3)) * mpmath.exp(-lam * (c - mu) ** 2 / (2 * mu**2 * c))


def rice(x, b, sigma):
    z = x / sigma
    return z / sigma * mpmath.exp(-(z * z + b * b) / 2) * mpmath.besseli(0, z * b)


def truncated_normal(x, mu, sigma, lower, upper):
    whole = mpmath.ncdf((upper - mu) / sigma) - mpmath.ncdf((lower - mu) / sigma)
    return normal(x, mu, sigma) / whole


def triangular(x, lower, upper, c):
    if x < c:
        return 2 * (x - lower) / (upper - lower) / (c - lower)
    return 2 * (upper - x) / (upper - lower) / (upper - c)


# family: density, parameters, places where it bends or peaks, cells (low, high)
families = {
    "normal": (normal, [0.3, 0.7], [0.3], [(0.2, 0.21), (0.2, 0.2000001), (5, 5.01), (-9, -8), (-50, 50), (30, 30.5)]),
    "student_t": (student, [3.5, 0.3, 0.7], [0.3], [(0.2, 0.21), (0.2, 0.2000001), (5, 5.01), (-90, -80), (-50, 50)]),
    "cauchy": (lambda x, a, b: b / mp.pi / ((x - a) ** 2 + b * b), [0.3, 0.7], [0.3], [(0.2, 0.21), (500, 501), (-5, 5)]),
    "laplace": (lambda x, m, b: mpmath.exp(-abs(x - m) / b) / 2 / b, [0.3, 0.7], [0.3], [(0.29, 0.31), (9, 9.01), (-90, 5)]),
    "logistic": (logistic, [0.3, 0.7], [0.3], [(0.29, 0.31), (9, 9.01), (-90, 5)]),
    "half_normal": (lambda x, s: 2 * normal(x, 0, s), [0.7], [0], [(0, 0.005), (0.3, 0.31), (5, 5.01)]),
    "half_student_t": (lambda x, n, s: 2 * student(x, n, 0, s), [3.5, 0.7], [0], [(0, 0.005), (0.3, 0.31), (50, 50.1)]),
    "half_cauchy": (lambda x, b: 2 * b / mp.pi / (x * x + b * b), [0.7], [0], [(0, 0.005), (0.3, 0.31), (50, 50.1)]),
    "exponential": (lambda x, lam: lam * mpmath.exp(-lam * x), [1.3], [0], [(0, 0.005), (0.3, 0.31), (50, 50.1)]),
    "gamma": (gamma, [2.5, 1.3], [1.1], [(0, 0.005), (0.3, 0.31), (50, 50.1), (900, 900.1), (0.3, 0.30000001)]),
    "chi_squared": (lambda x, n: gamma(x, n / 2, half), [3.5], [1.1], [(0, 0.005), (0.3, 0.31), (50, 50.1)]),
    "inverse_gamma": (lambda x, a, b: b**a * x ** (-a - 1) * mpmath.exp(-b / x) / mpmath.gamma(a), [2.5, 1.3], [0.4], [(0.3, 0.31), (50, 50.1)]),
    "weibull": (weibull, [0.8, 1.3], [0.1], [(0.3, 0.31), (1, 3), (20, 20.1)]),
    "log_normal": (lambda x, m, s: normal(mpmath.log(x), m, s) / x, [0.3, 0.7], [1], [(0.3, 0.31), (1, 3), (50, 50.1)]),
    "beta": (beta, [2.5, 1.7], [0.6], [(0.3, 0.31), (0.99, 0.995), (0.001, 0.002)]),
    "kumaraswamy": (lambda x, a, b: a * b * x ** (a - 1) * (1 - x**a) ** (b - 1), [2.5, 1.7], [0.6], [(0.3, 0.31), (0.99, 0.995)]),
    "logit_normal": (lambda x, m, s: normal(mpmath.log(x / (1 - x)), m, s) / x / (1 - x), [0.3, 0.7], [0.6], [(0.3, 0.31), (0.99, 0.995)]),
    "uniform": (lambda x, a, b: 1 / (b - a), [0.3, 1.7], [1], [(0.5, 0.51), (0.5, 1.5)]),
    "triangular": (triangular, [0.3, 1.7, 0.9], [0.9], [(0.5, 0.51), (0.895, 0.905), (1.6, 1.61)]),
    "truncated_normal": (truncated_normal, [0.3, 0.7, 0.1, 2.0], [0.3], [(0.2, 0.21), (1.9, 1.95)]),
    "asymmetric_laplace": (asymmetric, [1.7, 0.3, 2.0], [0.3], [(0.29, 0.31), (9, 9.01), (-9, -8.9)]),
    "gumbel": (lambda x, m, b: mpmath.exp(-(x - m) / b - mpmath.exp(-(x - m) / b)) / b, [0.3, 0.7], [0.3], [(0.2, 0.21), (9, 9.1), (-1, -0.9)]),
    "moyal": (lambda x, m, s: mpmath.exp(-((x - m) / s + mpmath.exp(-(x - m) / s)) / 2) / s / mpmath.sqrt(2 * mp.pi), [0.3, 0.7], [0.3], [(0.2, 0.21), (9, 9.1), (-1, -0.9)]),
    "skew_normal": (lambda x, m, s, a: 2 * normal(x, m, s) * mpmath.ncdf(a * (x - m) / s), [0.3, 0.7, 4.0], [0.3, 0.5], [(0.4, 0.41), (-5, 5), (0.1, 0.2), (-100, 100)]),
    "ex_gaussian": (ex_gaussian, [0.3, 0.7, 1.2], [0.8], [(0.4, 0.41), (9, 9.1), (-2, -1.9)]),
    "wald": (wald, [1.3, 2.1, 0.2], [0.8], [(0.7, 0.71), (9, 9.1)]),
    "pareto": (lambda x, a, m: a * m**a / x ** (a + 1), [2.1, 0.5], [0.6], [(0.7, 0.71), (90, 90.1)]),
    "rice": (rice, [2.1, 0.7], [1.4], [(0.7, 0.71), (1, 3), (0.001, 100)]),
    "von_mises": (lambda x, m, k: mpmath.exp(k * mpmath.cos(x - m)) / (2 * mp.pi * mpmath.besseli(0, k)), [3.0, 9.0], [3.0], [(2.9, 2.91), (-3.1, -3.0), (-1, 3.1)]),
}


def mass(density, parameters, places, low, high):
    p = [mpf(repr(x)) if isinstance(x, float) else mpf(x) for x in parameters]
    near = [c + s * d for c in places for s in (-1, 1) for d in (0, 0.01, 0.1, 0.5, 1, 2, 5, 10)]
    steps = [mpf(low) + (mpf(high) - mpf(low)) * k / 16 for k in range(17)]
    points = sorted({*steps, *(mpf(x) for x in near if low < x < high)})
    return mpmath.quad(lambda x: density(x, *p), points)


cases = []
for family, (density, parameters, places, cells) in families.items():
    for low, high in cells:
        value = mpmath.log(mass(density, parameters, places, low, high))
        cases.append({"family": family, "parameters": parameters, "low": low, "high": high, "logMass": float(value)})

made = f"mpmath {mpmath.__version__}, {mp.dps} digits"
command = "python tools/golden/cells.py tests/golden/cells.json"
with open(sys.argv[1], "w") as file:
    rows = ",\n".join("  " + json.dumps(case) for case in cases)
    file.write(f'{{"made_by": "{made}", "command": "{command}", "cells": [\n{rows}\n]}}\n')
