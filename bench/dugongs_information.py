"""Exact nats of the queries that agents asked about dugongs, by quadrature, beside those that Sluice estimated.

    sluice query --run RUN --format csv "select stage, episode, t, query, observation, nats, nats_low,
      nats_high from turn where stage like 'dugongs%' order by stage, episode, t" > turns.csv
    python bench/dugongs_information.py turns.csv          # NumPy 2.3

Given the rate, asymptote and loss are normal in closed form; the rate is a grid of 4,001 points.
"""
import csv
import json
import sys
from collections import defaultdict

import numpy as np

RATE = np.linspace(-3, 4, 4001)
NOISE = 0.25**2


def design(age):
    return np.stack([np.ones(len(RATE)), -np.abs(RATE) ** age], 1)


def posterior(ages, lengths):
    """Weights of the rates, and mean and covariance of asymptote and loss at each."""
    log_weight = -0.5 * ((RATE - 0.4) / 0.5) ** 2
    mean = np.tile([2.0, 1.5], (len(RATE), 1))
    covariance = np.tile(np.diag([0.04, 0.25]), (len(RATE), 1, 1))
    for age, length in zip(ages, lengths):
        d = design(age)
        variance = np.einsum("ni,nij,nj->n", d, covariance, d) + NOISE
        error = length - (d * mean).sum(1)
        log_weight = log_weight - 0.5 * error**2 / variance - 0.5 * np.log(variance)
        moved = np.einsum("nij,nj->ni", covariance, d)
        mean = mean + moved * (error / variance)[:, None]
        covariance = covariance - np.einsum("ni,nj->nij", moved, moved) / variance[:, None, None]
    weight = np.exp(log_weight - log_weight.max())
    return weight / weight.sum(), mean, covariance


def information(age, ages, lengths):
    """Entropy of the next length less that of the noise; nats."""
    weight, mean, covariance = posterior(ages, lengths)
    d = design(age)
    at = (d * mean).sum(1)
    variance = np.einsum("ni,nij,nj->n", d, covariance, d) + NOISE
    kept = weight > 1e-12
    weight, at, variance = weight[kept], at[kept], variance[kept]
    centre = np.sum(weight * at)
    low, high = np.min(at - 8 * np.sqrt(variance)), np.max(at + 8 * np.sqrt(variance))
    u = np.linspace(np.arcsinh((low - centre) / 0.3), np.arcsinh((high - centre) / 0.3), 6001)
    y = centre + 0.3 * np.sinh(u)
    parts = zip(*(np.array_split(part, 20) for part in (weight, at, variance)))
    density = sum(
        (w / np.sqrt(2 * np.pi * v) * np.exp(-0.5 * (y[:, None] - m) ** 2 / v)).sum(1)
        for w, m, v in parts
    )
    entropy = np.where(density > 0, -density * np.log(np.maximum(density, 1e-300)), 0)
    step = 0.3 * np.cosh(u) * (u[1] - u[0])
    return (entropy * step).sum() - 0.5 * np.log(2 * np.pi * np.e * NOISE)


def main(path):
    episodes = defaultdict(list)
    for row in csv.DictReader(open(path)):
        episodes[row["stage"], int(row["episode"])].append(row)
    sums, held, count = defaultdict(list), 0, 0
    for (stage, _), rows in episodes.items():
        ages, lengths, nats, exact = [], [], 0.0, 0.0
        for row in rows:
            age = json.loads(row["query"])["age"]
            true = information(age, ages, lengths)
            nats, exact = nats + float(row["nats"]), exact + true
            held += float(row["nats_low"]) <= true <= float(row["nats_high"])
            count += 1
            ages.append(age)
            lengths.append(json.loads(row["observation"])[0]["length"])
        sums[stage].append((nats, exact))
    for stage, pairs in sums.items():
        nats, exact = np.array(pairs).T
        error = (nats - exact).std(ddof=1) / len(nats) ** 0.5
        print(f"{stage}: {nats.mean():.2f} nats, exact {exact.mean():.2f}, "
              f"difference {(nats - exact).mean():.2f} ± {error:.2f}")
    print(f"{held} of {count} intervals hold the exact value")


main(sys.argv[1])
