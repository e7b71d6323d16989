"""Distributions of PyMC that are made of others, as a kind and its arguments: variables, or texts of distributions.

`dist` of each function writes a component, as `pm.Normal.dist(mu=0, sigma=1)`; None where there are no words.
"""

from ._families import FAMILIES, mixture, shares_of


def compound(rv, dist):
    """Kind and arguments of a distribution whose random operation has other distributions inside."""
    write = COMPOUND.get(type(rv.owner.op).__name__)
    return write(rv.owner.op, rv.owner, dist) if write else None


def base_of(op, node):
    """Kind and arguments of what a truncated distribution truncates."""
    name = getattr(getattr(op, "base_rv_op", None), "name", None)
    return FAMILIES[name](*node.inputs[2:-2]) if name in FAMILIES else None


def _censored(op, node, dist):
    inner, lower, upper = op.dist_params(node)
    return "Censored", {"": dist(inner), "lower": lower, "upper": upper}


def _truncated(op, node, dist):
    base = base_of(op, node)
    lower, upper = node.inputs[-2:]
    return base and ("Truncated", {"": dist(*base), "lower": lower, "upper": upper})


def _mixture(op, node, dist):
    weights, *components = op.dist_params(node)
    known = mixture(weights, components)
    if known:
        return known
    texts = [dist(one) for one in components]
    return "Mixture", {"w": weights, "comp_dists": texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"}


def _hurdle(op, node, dist):
    weights, _, above = op.dist_params(node)
    shares = shares_of(weights)
    inner = above.owner.op
    truncated = type(inner).__name__ == "TruncatedRV"
    found = base_of(inner, above.owner) if truncated else FAMILIES[inner.name](*inner.dist_params(above.owner))
    return shares and found and (f"Hurdle{found[0]}", {"psi": shares[1], **found[1]})


def _zero_sum(op, node, dist):
    return "ZeroSumNormal", {"sigma": op.dist_params(node)[0], "n_zerosum_axes": f"{op.ndim_supp}"}


def _random_walk(op, node, dist):
    first, step, _ = op.dist_params(node)
    if type(step.owner.op).__name__ != "NormalRV":
        return None
    mu, sigma = step.owner.op.dist_params(step.owner)
    return "GaussianRandomWalk", {"mu": mu, "sigma": sigma, "init_dist": dist(first)}


def _autoregressive(op, node, dist):
    rho, sigma, first, _ = op.dist_params(node)
    return "AR", {"rho": rho, "sigma": sigma, "init_dist": dist(first), "constant": f"{op.constant_term}"}


def _lkj(op, node, dist):
    n, eta, sd = op.dist_params(node)
    return "LKJCholeskyCov", {"n": n, "eta": eta, "sd_dist": dist(sd)}


COMPOUND = {
    "CensoredRV": _censored, "TruncatedRV": _truncated, "MixtureRV": _mixture, "_HurdleRV": _hurdle,
    "ZeroSumNormalRV": _zero_sum, "RandomWalkRV": _random_walk, "AutoRegressiveRV": _autoregressive,
    "_LKJCholeskyCovRV": _lkj,
}
