"""Densities of programs with pm.gp at random points, covariance matrices, and extracted graphs.

Run `python tools/golden/gaussian_processes.py` from the repository's root.
"""

import json
import os
import pathlib
import platform
import sys

os.environ["PYTENSOR_FLAGS"] = "cxx="

import numpy as np
import pymc as pm
import pytensor

HEAD = "import numpy as np\nimport pymc as pm\n\nwith pm.Model() as model:\n"
SCALES = 'ell = pm.InverseGamma("ell", 5, 5)\neta = pm.HalfNormal("eta", 2)\n'
NOISE = 's = pm.HalfNormal("s", 1)\n'
ROWS = 'pm.Normal("y", f, s, observed=data["y"])'
ONE = 'data["x"][:, None]'
TWO = 'np.column_stack([data["x"], data["z"]])'

rng = np.random.default_rng(20)
N = 7
data = {
    "x": np.round(np.sort(rng.uniform(-2, 3, N)), 3),
    "z": np.round(rng.normal(0, 1, N), 3),
    "y": np.round(rng.normal(0, 1, N), 3),
}

COVARIANCES = {
    "ExpQuad": (1, "pm.gp.cov.ExpQuad(1, ls=0.7)"),
    "ExpQuad by its inverse": (1, "pm.gp.cov.ExpQuad(1, ls_inv=1.3)"),
    "ExpQuad of two columns": (2, "pm.gp.cov.ExpQuad(2, ls=[0.7, 1.9])"),
    "ExpQuad with one scale for two columns": (2, "pm.gp.cov.ExpQuad(2, ls=0.9)"),
    "ExpQuad of the second column": (2, "pm.gp.cov.ExpQuad(2, ls=0.7, active_dims=[1])"),
    "Matern52": (1, "pm.gp.cov.Matern52(1, 0.7)"),
    "Matern32": (2, "pm.gp.cov.Matern32(2, ls=np.array([0.7, 0.4]))"),
    "Matern12": (1, "pm.gp.cov.Matern12(1, ls=0.7)"),
    "Exponential": (1, "pm.gp.cov.Exponential(1, ls=0.7)"),
    "RatQuad": (1, "pm.gp.cov.RatQuad(1, alpha=0.4, ls=0.7)"),
    "Periodic": (1, "pm.gp.cov.Periodic(1, period=1.4, ls=0.7)"),
    "Periodic of two columns": (2, "pm.gp.cov.Periodic(2, period=1.4, ls=[0.7, 0.3])"),
    "Cosine": (1, "pm.gp.cov.Cosine(1, ls=0.7)"),
    "Linear": (2, "pm.gp.cov.Linear(2, c=0.3)"),
    "Linear of the first column": (2, "pm.gp.cov.Linear(2, c=0.3, active_dims=[0])"),
    "Polynomial": (1, "pm.gp.cov.Polynomial(1, c=0.3, d=2, offset=0.6)"),
    "a sum": (1, "pm.gp.cov.ExpQuad(1, ls=1) + pm.gp.cov.Constant(0.4) + pm.gp.cov.WhiteNoise(0.2)"),
    "a product": (1, "1.5**2 * pm.gp.cov.Periodic(1, 1.1, ls=1) * pm.gp.cov.Matern32(1, ls=3)"),
    "a sum with a number": (1, "pm.gp.cov.ExpQuad(1, ls=1) * 2.5 + 0.3"),
    "a power": (1, "pm.gp.cov.Matern52(1, ls=1) ** 2"),
    "columns apart": (
        2,
        "pm.gp.cov.ExpQuad(2, ls=1, active_dims=[0]) * pm.gp.cov.Matern12(2, ls=2, active_dims=[1])",
    ),
}

PROGRAMS = {
    "Latent": SCALES
    + NOISE
    + f"gp = pm.gp.Latent(cov_func=eta**2 * pm.gp.cov.Matern52(1, ls=ell))\n"
    + f'f = gp.prior("f", X={ONE})\n'
    + ROWS,
    "Latent, centred": SCALES
    + NOISE
    + f"gp = pm.gp.Latent(cov_func=eta**2 * pm.gp.cov.ExpQuad(1, ls=ell))\n"
    + f'f = gp.prior("f", X={ONE}, reparameterize=False)\n'
    + ROWS,
    "Latent, another jitter": SCALES
    + NOISE
    + "mean = pm.gp.mean.Constant(0.7)\n"
    + f"gp = pm.gp.Latent(mean_func=mean, cov_func=eta * pm.gp.cov.Matern12(1, ls=ell))\n"
    + f'f = gp.prior("f", X={ONE}, jitter=1e-3)\n'
    + ROWS,
    "Latent of two columns": SCALES
    + NOISE
    + 'ls = pm.Gamma("ls", 2, 1, shape=2)\n'
    + "mean = pm.gp.mean.Linear(coeffs=[0.3, -0.2], intercept=ell)\n"
    + f"gp = pm.gp.Latent(mean_func=mean, cov_func=eta**2 * pm.gp.cov.ExpQuad(2, ls=ls))\n"
    + f'f = gp.prior("f", X={TWO})\n'
    + ROWS,
    "two added": SCALES
    + NOISE
    + "slow = pm.gp.Latent(cov_func=pm.gp.cov.ExpQuad(1, ls=ell))\n"
    + "often = pm.gp.Latent(cov_func=eta**2 * pm.gp.cov.Periodic(1, period=1.2, ls=0.5))\n"
    + f'f = (slow + often).prior("f", X={ONE})\n'
    + ROWS,
    "Latent with Student noise": SCALES
    + "gp = pm.gp.Latent(cov_func=eta**2 * pm.gp.cov.RatQuad(1, alpha=0.8, ls=ell))\n"
    + f'f = gp.prior("f", X={ONE})\n'
    + 'pm.StudentT("y", nu=4, mu=f, sigma=1, observed=data["y"])',
    "Marginal": SCALES
    + NOISE
    + "gp = pm.gp.Marginal(cov_func=eta**2 * pm.gp.cov.ExpQuad(1, ls=ell))\n"
    + f'gp.marginal_likelihood("y", X={ONE}, y=data["y"], sigma=s)',
    "Marginal with a slope": SCALES
    + NOISE
    + 'b = pm.Normal("b", 0, 1)\n'
    + "mean = pm.gp.mean.Linear(b, 0.5) + pm.gp.mean.Constant(2)\n"
    + "noise = pm.gp.cov.WhiteNoise(s) + 0.2 * pm.gp.cov.Exponential(1, ls=ell)\n"
    + "gp = pm.gp.Marginal(mean_func=mean, cov_func=eta**2 * pm.gp.cov.ExpQuad(1, ls=ell))\n"
    + f'gp.marginal_likelihood("y", {ONE}, data["y"], sigma=noise)',
    "HSGP": SCALES
    + NOISE
    + "gp = pm.gp.HSGP(m=[5], c=1.5, cov_func=eta**2 * pm.gp.cov.ExpQuad(1, ls=ell))\n"
    + f'f = gp.prior("f", X={ONE})\n'
    + ROWS,
    "HSGP, centred, a box": SCALES
    + NOISE
    + "cov = eta**2 * pm.gp.cov.Matern52(1, ls=ell)\n"
    + 'gp = pm.gp.HSGP(m=[4], L=[6.0], drop_first=True, parametrization="centered", cov_func=cov)\n'
    + f'f = gp.prior("f", X={ONE})\n'
    + ROWS,
    "HSGP of two columns": SCALES
    + NOISE
    + "cov = eta**2 * pm.gp.cov.Matern32(2, ls=[1.0, 0.6])\n"
    + "gp = pm.gp.HSGP(m=[3, 4], c=2.0, cov_func=cov)\n"
    + f'f = gp.prior("f", X={TWO})\n'
    + ROWS,
    "HSGP, linearised": SCALES
    + NOISE
    + "cov = eta**2 * (pm.gp.cov.ExpQuad(1, ls=ell) + pm.gp.cov.Matern52(1, ls=0.4))\n"
    + "gp = pm.gp.HSGP(m=[6], c=1.3, cov_func=cov)\n"
    + f"phi, sqrt_psd = gp.prior_linearized(X={ONE})\n"
    + 'beta = pm.Normal("beta", 0, 1, shape=gp.n_basis_vectors)\n'
    + 'f = pm.Deterministic("f", phi @ (beta * sqrt_psd))\n'
    + ROWS,
}


def covariance(columns, text):
    x = data["x"][:, None] if columns == 1 else np.column_stack([data["x"], data["z"]])
    cov = eval(text, {"pm": pm, "np": np})
    return {
        "columns": columns,
        "text": text,
        "matrix": np.asarray(cov(x).eval()).ravel().tolist(),
    }


def program(body):
    text = HEAD + "".join(f"    {line}\n" for line in body.split("\n"))
    scope = {"data": data}
    exec(text, scope)
    model = scope["model"]
    logp = model.compile_logp(jacobian=True)
    points = []
    for _ in range(3):
        start = model.initial_point()
        point = {name: rng.normal(0, 0.7, np.shape(value)) for name, value in start.items()}
        inputs = {name: np.asarray(value).ravel().tolist() for name, value in point.items()}
        points.append({"unconstrained": inputs, "logp": float(logp(point))})
    return {"text": text, "points": points}


def graph(extract, watched, calls, text):
    """The graph that the front end through PyMC reads."""
    columns = {
        name: {"type": "real", "shape": [N], "values": values.tolist()}
        for name, values in data.items()
    }
    job = {"program": text, "response": "y", "columns": columns}
    return extract.graph(job, data["y"].tolist(), watched, calls)


def graphs(names, programs):
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "src/engine/language/graph_import"))
    import extract

    watched, calls = extract.Watched(), extract.watch_distributions()
    return {name: graph(extract, watched, calls, programs[name]["text"]) for name in names}


def main():
    programs = {name: program(body) for name, body in PROGRAMS.items()}
    result = {
        "made": "python tools/golden/gaussian_processes.py",
        "versions": {
            "pymc": pm.__version__,
            "pytensor": pytensor.__version__,
            "python": platform.python_version(),
        },
        "data": {name: values.tolist() for name, values in data.items()},
        "covariances": {name: covariance(*given) for name, given in COVARIANCES.items()},
        "programs": programs,
        "graphs": graphs(("Latent", "Latent, centred", "Marginal", "HSGP"), programs),
    }
    with open("tests/golden/gaussian_processes.json", "w") as file:
        json.dump(result, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
