"""Ceilings of the three experiments that draws from the prior do not follow: emotions, sources, predator and prey.

    python bench/experiments_particles.py 16 [NAME…]            # plays episodes: chosen and at random
    python bench/experiments_particles.py --turns turns.csv     # exact nats of queries that Sluice's agents asked

Emotions are exact: given its spread an emotion is a normal regression in closed form, and the spread is a grid. The
other two have particles (tempered, moved by random walks), and the entropy of a response is that of the particles'
densities with and without the particle that an outcome was drawn from. NumPy 2.4; shares nothing with Sluice.
"""
import csv
import json
import sys
from collections import defaultdict

import numpy as np

rng = np.random.default_rng(11)
CANDIDATES = 60


class Normals:
    """Entropy of a mean that is known by draws, with normal noise."""

    @staticmethod
    def nats(means, noise):
        means = means[np.isfinite(means) & (np.abs(means) < 1e9)]
        width = noise / 6
        cells, counts = np.unique(np.round(means / width).astype(np.int64), return_counts=True)
        drawn = np.round((means + noise * rng.normal(size=len(means))) / width).astype(np.int64)
        own = np.round(means / width).astype(np.int64)
        total = np.zeros(len(means))
        for step in range(-36, 37):
            at = np.searchsorted(cells, drawn + step)
            at = np.minimum(at, len(cells) - 1)
            total += np.where(cells[at] == drawn + step, counts[at], 0) * np.exp(-0.5 * (step / 6) ** 2)
        self = np.exp(-0.5 * ((drawn - own) / 6) ** 2)
        n = len(means)
        scale = noise * np.sqrt(2 * np.pi)
        low = -np.log(np.maximum(total, self) / n / scale).mean()
        high = -np.log(np.maximum(total - self, 1e-3 * self) / (n - 1) / scale).mean()
        known = 0.5 * np.log(2 * np.pi * np.e) + np.log(noise)
        return low - known, high - known


class Particles:
    """A posterior that is followed from row to row."""

    count, few = 4000, 1500

    def begin(self):
        self.th, self.asked, self.seen = self.prior(self.count), [], []

    def fit(self, th, x, y):
        """log likelihood of the rows of one query for each particle."""
        with np.errstate(all="ignore"):
            error = (y - self.means(th, x)) / self.noise
            log = -0.5 * (error**2).sum(1)
        return np.where(np.isfinite(log), log, -np.inf)

    def base(self, th):
        log = self.log_prior(th)
        if self.asked:
            log = log + self.fit_all(th)
        return log

    def fit_all(self, th):
        return sum(self.fit(th, x, y) for x, y in zip(self.asked, self.seen))

    def see(self, x, y):
        base, last, power = self.base(self.th), self.fit(self.th, x, y), 0.0
        while power < 1:
            worth = lambda p: (lambda w: w.sum() ** 2 / (w**2).sum())(np.exp((p - power) * (last - last.max())))
            low, high = power, 1.0
            if worth(1.0) < 0.5 * self.count:
                for _ in range(40):
                    middle = 0.5 * (low + high)
                    low, high = (middle, high) if worth(middle) >= 0.5 * self.count else (low, middle)
                high = max(low, power + 1e-9)
            w = np.exp((high - power) * (last - last.max()))
            w /= w.sum()
            power = high
            at = np.searchsorted(np.cumsum(w), (np.arange(self.count) + rng.random()) / self.count)
            at = np.minimum(at, self.count - 1)
            self.th, base, last = self.th[at], base[at], last[at]
            for _ in range(self.rounds):
                base, last = self.move(base, last, power, x, y)
        self.asked.append(x)
        self.seen.append(y)

    def move(self, base, last, power, x, y):
        n, d = self.th.shape
        a, b = rng.integers(n, size=(2, n))
        length = rng.choice([1.0, 0.5, 0.15], size=(n, 1)) * 2.38 / np.sqrt(2 * d)
        length = np.where(rng.random((n, 1)) < 0.1, 1.0, length)
        some = (rng.random((n, d)) < 0.5) | (rng.random((n, 1)) < 0.5)
        step = length * some * (self.th[a] - self.th[b] + 1e-6 * rng.normal(size=(n, d)))
        to = self.th + step
        other, own = self.base(to), self.fit(to, x, y)
        with np.errstate(invalid="ignore"):
            better = other + power * own - base - power * last
        take = np.log(rng.random(n)) < np.nan_to_num(better, nan=-np.inf)
        self.th = np.where(take[:, None], to, self.th)
        return np.where(take, other, base), np.where(take, own, last)

    def nats(self, xs, all_draws=False):
        th = self.th if all_draws else self.th[rng.permutation(self.count)[: self.few]]
        means = self.means_of(th, xs)  # [draws, queries, responses]
        bounds = np.array([[Normals.nats(means[:, q, r], self.noise) for r in range(means.shape[2])]
                           for q in range(means.shape[1])])
        return bounds.sum(1)

    def answer(self, xs):
        means = self.means_of(self.th, xs)
        drawn = means + self.noise * rng.normal(size=means.shape)
        return np.median(drawn, 0)


class Sources(Particles):
    name, noise, rounds = "location_finding", 0.5, 12

    def prior(self, n):
        return rng.normal(size=(n, 6))

    def log_prior(self, th):
        return -0.5 * (th**2).sum(1)

    def means_of(self, th, xs):
        mean = np.full((len(th), len(xs)), 0.1)
        for k in range(3):
            away = ((xs[None] - th[:, None, 2 * k: 2 * k + 2]) ** 2).sum(2)
            mean += 1 / (1e-4 + away)
        return mean[..., None]

    def means(self, th, x):
        return self.means_of(th, x[None])[:, 0]

    def ask(self, n):
        return rng.uniform(-3, 3, (n, 2))

    def question(self, n):
        return rng.normal(size=(n, 2)).clip(-3, 3)

    def query(self, said):
        return np.array([said["x"], said["y"]])

    def response(self, rows):
        return np.array([rows[0]["signal"]])


class Island(Particles):
    name, noise, rounds, count, few = "lotka_volterra", 0.29, 6, 2000, 800

    def prior(self, n):
        return np.array([0.1, 0.02, 0.4, 0.01]) + np.array([0.01, 0.01, 0.04, 0.001]) * rng.normal(size=(n, 4))

    def log_prior(self, th):
        z = (th - np.array([0.1, 0.02, 0.4, 0.01])) / np.array([0.01, 0.01, 0.04, 0.001])
        return -0.5 * (z**2).sum(1)

    def means_of(self, th, xs):
        h = (xs[:, 0] / 100)[None]
        a, b, g, d = (th[:, k: k + 1] for k in range(4))
        u, v = np.full((len(th), len(xs)), 40.0), np.full((len(th), len(xs)), 9.0)
        slope = lambda u, v: (u * (a - b * v), v * (d * u - g))
        with np.errstate(all="ignore"):
            for _ in range(100):
                a1, b1 = slope(u, v)
                a2, b2 = slope(u + 0.5 * h * a1, v + 0.5 * h * b1)
                a3, b3 = slope(u + 0.5 * h * a2, v + 0.5 * h * b2)
                a4, b4 = slope(u + h * a3, v + h * b3)
                u, v = u + h * (a1 + 2 * a2 + 2 * a3 + a4) / 6, v + h * (b1 + 2 * b2 + 2 * b3 + b4) / 6
        return np.stack([u, v], 2)

    def means(self, th, x):
        return self.means_of(th, x[None])[:, 0]

    def fit_all(self, th):
        with np.errstate(all="ignore"):
            error = (np.array(self.seen)[None] - self.means_of(th, np.array(self.asked))) / self.noise
            log = -0.5 * (error**2).sum((1, 2))
        return np.where(np.isfinite(log), log, -np.inf)

    def ask(self, n):
        return rng.uniform(0, 50, (n, 1)).round(1)

    def question(self, n):
        return (4 * rng.beta(2, 5, (n, 1))).round(1)

    def query(self, said):
        return np.array([said["time"]])

    def response(self, rows):
        return np.array([row["animals"] for row in sorted(rows, key=lambda row: row["predator"])])


class Emotions:
    name = "emotions"
    levels = ["happiness", "sadness", "anger", "surprise", "fear", "disgust", "contentment", "disappointment"]
    base = np.array([[4.5, 3.5, 1.7, 3.3, 1.4, 1.8, 3.7, 2], [.04, -.025, -.005, .02, 0, -.005, .03, -.03],
                     [.035, -.02, -.025, .01, 0, -.02, .02, -.045], [-.015, .025, .025, .035, .005, .02, -.01, .02]])
    spread = np.array([.1, .01, .01, .01])
    sigma = np.exp(np.linspace(np.log(1e-4), np.log(6), 300))

    def begin(self):
        n = len(self.sigma)
        log = np.log(self.sigma) - 0.5 * self.sigma**2
        self.log = np.tile(log, (8, 1))
        self.mean = np.tile(self.base.T[:, None], (1, n, 1))  # [8, sigma, 4]
        self.cov = np.tile(np.diag(self.spread**2), (8, n, 1, 1))

    def row(self, x):
        prizes, p = x[:3], np.array([x[3], x[4], 1 - x[3] - x[4]])
        win = prizes[int(x[5]) - 1]
        off = win - (p * prizes).sum()
        return np.array([1, win, off, abs(off)])

    def predicted(self, x):
        d = self.row(x)
        moved = self.cov @ d
        return d, moved, self.mean @ d, moved @ d + self.sigma**2

    def see(self, x, y):
        d, moved, at, variance = self.predicted(x)
        error = y[:, None] - at
        self.log = self.log - 0.5 * error**2 / variance - 0.5 * np.log(variance)
        self.mean = self.mean + moved * (error / variance)[..., None]
        self.cov = self.cov - moved[..., None] * moved[..., None, :] / variance[..., None, None]

    def weights(self):
        w = np.exp(self.log - self.log.max(1, keepdims=True))
        return w / w.sum(1, keepdims=True)

    def nats(self, xs, all_draws=False):
        w = self.weights()
        known = (w * np.log(self.sigma)).sum(1) + 0.5 * np.log(2 * np.pi * np.e)
        out = []
        for x in xs:
            _, _, at, variance = self.predicted(x)
            total = 0.0
            for e in range(8):
                kept = w[e] > 1e-10
                we, m, v = w[e][kept], at[e][kept], variance[e][kept]
                centre = (we * m).sum()
                reach = np.abs(m - centre).max() + 9 * np.sqrt(v.max())
                scale = np.sqrt(v.min())
                u = np.linspace(-1, 1, 2001 if all_draws else 301) * np.arcsinh(reach / scale)
                y = centre + scale * np.sinh(u)
                f = (we / np.sqrt(2 * np.pi * v) * np.exp(-0.5 * (y[:, None] - m) ** 2 / v)).sum(1)
                total += (scale * np.cosh(u) * (u[1] - u[0]) * -f * np.log(np.maximum(f, 1e-300))).sum() - known[e]
            out.append((total, total))
        return np.array(out)

    def ask(self, n):
        out = []
        while len(out) < n:
            p = rng.uniform(0, 1, 2).round(2)
            if p.sum() <= 1:
                out.append([*rng.uniform(0, 100, 3).round(2), *p, rng.integers(1, 4)])
        return np.array(out)

    question = ask

    def answer(self, xs):
        w = self.weights()
        out = np.zeros((len(xs), 8))
        for q, x in enumerate(xs):
            _, _, at, _ = self.predicted(x)
            out[q] = (w * at).sum(1)  # symmetric components that hardly differ: the median but for a trifle
        return out

    def truth(self):
        return self.base.T + self.spread * rng.normal(size=(8, 4)), np.abs(rng.normal(size=8))

    def draw(self, true, x):
        return true[0] @ self.row(x) + true[1] * rng.normal(size=8)

    def oracle(self, true, xs):
        return np.array([true[0] @ self.row(x) for x in xs])

    def query(self, said):
        return np.array([said[k] for k in ("prize_1", "prize_2", "prize_3", "p_1", "p_2", "won")])

    def response(self, rows):
        by = {row["emotion"]: row["rating"] for row in rows}
        return np.array([by[level] for level in self.levels])


def draw(e, true, x):
    return e.draw(true, x) if isinstance(e, Emotions) else e.means(true, x)[0] + e.noise * rng.normal(size=e.means(true, x).shape[1])


def world(e):
    """A true law that does not overflow at what is asked in the end."""
    while True:
        true = e.truth() if isinstance(e, Emotions) else e.prior(1)
        xs = e.question(10)
        oracle = e.oracle(true, xs) if isinstance(e, Emotions) else e.means_of(true, xs)[0]
        truths = np.array([draw(e, true, x) for x in xs])
        if (np.abs(oracle) < 1e9).all():
            return true, xs, oracle, truths


def play(e, chosen):
    true, xs, oracle, truths = world(e)
    e.begin()
    bounds = np.zeros(2)
    for _ in range(10):
        while True:
            rows = e.ask(CANDIDATES if chosen else 1)
            x = rows[e.nats(rows).mean(1).argmax()] if chosen else rows[0]
            y = draw(e, true, x)
            if (np.abs(y) < 1e9).all():
                break
        bounds += e.nats(x[None], True)[0]
        e.see(x, y)
    errors = [np.abs(a - truths).mean() for a in (e.answer(xs), oracle)]
    return [*bounds, *errors]


def episodes(count, names):
    for e in (Emotions(), Sources(), Island()):
        if names and e.name not in names:
            continue
        for chosen in (True, False):
            low, high, error, oracle = np.array([play(e, chosen) for _ in range(count)]).T
            f = lambda a: f"{a.mean():.4g} ± {a.std(ddof=1) / len(a) ** 0.5:.2g}"
            print(e.name, "chosen" if chosen else "random", "nats", f(0.5 * (low + high)),
                  f"(bounds {low.mean():.4g} and {high.mean():.4g})", "error", f(error), "oracle", f(oracle), flush=True)


def turns(path):
    played = defaultdict(list)
    for row in csv.DictReader(open(path)):
        played[row["stage"], row["seed"], int(row["episode"])].append(row)
    sums, held = defaultdict(list), defaultdict(list)
    for (stage, _, _), rows in played.items():
        e = next((e for e in (Emotions(), Sources(), Island()) if stage.startswith(e.name)), None)
        if e is None:
            continue
        e.begin()
        total = np.zeros(3)
        for row in rows:
            x, y = e.query(json.loads(row["query"])), e.response(json.loads(row["observation"]))
            low, high = e.nats(x[None], True)[0]
            total += float(row["nats"]), low, high
            held[stage].append(float(row["nats_low"]) <= high and low <= float(row["nats_high"]))
            e.see(x, y)
        sums[stage].append(total)
    for stage, all_sums in sums.items():
        nats, low, high = np.array(all_sums).T
        off = nats - 0.5 * (low + high)
        print(f"{stage}: {nats.mean():.2f} nats, here {0.5 * (low + high).mean():.2f} ({low.mean():.2f} … {high.mean():.2f}), "
              f"difference {off.mean():.2f} ± {off.std(ddof=1) / len(off) ** 0.5:.2f}; "
              f"{np.sum(held[stage])} of {len(held[stage])} intervals meet", flush=True)


if sys.argv[1] == "--turns":
    turns(sys.argv[2])
else:
    episodes(int(sys.argv[1]), sys.argv[2:])
