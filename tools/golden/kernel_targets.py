"""Exact targets of a grammar of kernels to depth 4: normal forms, masses, and closed-form evidence.

Run `python tools/golden/kernel_targets.py` from the repository's root. Nothing here is Sluice's: the
mass of a kernel is summed over all ordered derivations that write it, its reward is the log marginal
likelihood of a Gaussian process with known scale and noise (Rasmussen and Williams 2006, eq. 2.30).
"""

import csv
import json
import math
import pathlib
import platform

import numpy as np

SCALE, NOISE, MEAN, ORIGIN = 10.0, 0.4, 355.0, 1993.0
JITTER = 1e-6  # variance that pm.gp.Marginal adds to the diagonal
LEAVES = {"smooth_1": 1.5, "smooth_10": 1.5, "seasonal_1": 1.5, "seasonal_4": 1.5, "linear": 2.0}
SIGNS = {"+": 2.0, "*": 1.0}

rows = list(csv.DictReader(open("data/mauna_loa.csv")))
t = np.array([float(row["year"]) for row in rows]) - ORIGIN
y = np.array([float(row["co2"]) for row in rows]) - MEAN
apart = t[:, None] - t[None, :]
matrices = {
    "smooth_1": np.exp(-0.5 * apart**2),
    "smooth_10": np.exp(-0.5 * (apart / 10) ** 2),
    "seasonal_1": np.exp(-0.5 * (np.sin(np.pi * apart) / 1) ** 2),
    "seasonal_4": np.exp(-0.5 * (np.sin(np.pi * apart) / 4) ** 2),
    "linear": np.outer(t, t),
}


def masses(depth, besides=None):
    """Mass of each normal form that a hole with so many levels derives, chains of two operands."""
    free = {} if depth == 1 else {sign: w for sign, w in SIGNS.items() if sign != besides}
    total = sum(LEAVES.values()) + sum(free.values())
    found = {leaf: weight / total for leaf, weight in LEAVES.items()}
    for sign, weight in free.items():
        operand = masses(depth - 1, sign)
        for left, p in operand.items():
            for right, q in operand.items():
                key = (sign, *sorted((left, right), key=repr))
                found[key] = found.get(key, 0.0) + weight / total * p * q
    return found


def matrix(kernel):
    if isinstance(kernel, str):
        return matrices[kernel]
    if kernel not in matrices:
        left, right = (matrix(part) for part in kernel[1:])
        matrices[kernel] = left + right if kernel[0] == "+" else left * right
    return matrices[kernel]


def evidence(kernel):
    covariance = SCALE**2 * matrix(kernel) + (NOISE**2 + JITTER) * np.eye(len(y))
    factor = np.linalg.cholesky(covariance)
    white = np.linalg.solve(factor, y)
    determinant = np.log(np.diag(factor)).sum()
    return -0.5 * white @ white - determinant - 0.5 * len(y) * math.log(2 * math.pi)


def shown(kernel):
    if isinstance(kernel, str):
        return kernel
    return f"{kernel[0]}({' '.join(sorted(shown(part) for part in kernel[1:]))})"


targets = {}
for depth in (1, 2, 3, 4):
    prior = masses(depth)
    assert abs(sum(prior.values()) - 1) < 1e-12
    log_reward = {kernel: math.log(mass) + evidence(kernel) for kernel, mass in prior.items()}
    most = max(log_reward.values())
    log_z = most + math.log(sum(math.exp(value - most) for value in log_reward.values()))
    best = sorted(log_reward, key=log_reward.get, reverse=True)[:10]
    targets[depth] = {
        "kernels": len(prior),
        "log_z": log_z,
        "best": {shown(kernel): math.exp(log_reward[kernel] - log_z) for kernel in best},
        "prior": {shown(kernel): prior[kernel] for kernel in best},
    }

pathlib.Path("tests/golden/kernel_targets.json").write_text(
    json.dumps(
        {
            "command": "python tools/golden/kernel_targets.py",
            "versions": {"python": platform.python_version(), "numpy": np.__version__},
            "targets": targets,
        },
        indent=1,
    )
    + "\n"
)
