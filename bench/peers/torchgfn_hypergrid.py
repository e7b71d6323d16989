"""torchgfn on the hypergrid of pipelines/benchmarks/hypergrid.toml: exact divergences and seconds.

Its own training loop and network (MLP 2 x 256, uniform backward policy, batches of 16), one JSON line
per objective and seed; the policy is pushed through the grid exactly. Two recipes: `constant`, that of
its examples, is Adam at 1e-3 (log Z 0.1 from 0), no exploration, gradients of norm 1; `falling`, that
of Sluice's pipelines, starts at 5e-3 and falls to 0 as a cosine, with log Z from the first batch,
gradients of norm 10, and a share epsilon of uniform choice if asked for.

    python -m venv torchgfn && torchgfn/bin/pip install torch==2.13.0 torchgfn==2.4.1
    torchgfn/bin/python bench/peers/torchgfn_hypergrid.py TB 0 1 2 3 4 --recipe falling --epsilon 0.1
"""

import argparse
import json
import math
import time
from importlib.metadata import version
from itertools import product

import torch
from gfn.estimators import DiscretePolicyEstimator, ScalarEstimator
from gfn.gflownet import DBGFlowNet, LogPartitionVarianceGFlowNet, SubTBGFlowNet, TBGFlowNet
from gfn.gym import HyperGrid
from gfn.preprocessors import KHotPreprocessor
from gfn.utils.modules import MLP, DiscreteUniform


def networks(env, preprocessor):
    def mlp(outputs, trunk=None):
        return MLP(preprocessor.output_dim, outputs, hidden_dim=256, n_hidden_layers=2, trunk=trunk)

    forward = mlp(env.n_actions)
    pf = DiscretePolicyEstimator(forward, env.n_actions, preprocessor=preprocessor)
    uniform = DiscreteUniform(env.n_actions - 1)
    pb = DiscretePolicyEstimator(uniform, env.n_actions, preprocessor=preprocessor, is_backward=True)
    flow = ScalarEstimator(mlp(1, forward.trunk), preprocessor=preprocessor)
    return pf, pb, flow


def gflownet(objective, pf, pb, flow):
    if objective == "TB":
        return TBGFlowNet(pf=pf, pb=pb, init_logZ=0.0)
    if objective == "DB":
        return DBGFlowNet(pf=pf, pb=pb, logF=flow)
    if objective == "SubTB":
        return SubTBGFlowNet(pf=pf, pb=pb, logF=flow, lamda=0.9, weighting="geometric_within")
    return LogPartitionVarianceGFlowNet(pf=pf, pb=pb)


def optimiser(model, rate):
    log_z = [p for n, p in model.named_parameters() if n.endswith("logZ")]
    others = [p for n, p in model.named_parameters() if not n.endswith("logZ")]
    groups = [{"params": others, "lr": rate}]
    return torch.optim.Adam(groups + ([{"params": log_z, "lr": 0.1}] if log_z else []))


def first_log_z(model, env, batch):
    """Log Z that leaves the first batch without residual on average, as Sluice starts it."""
    with torch.no_grad():
        first = model.sample_trajectories(env, n=batch, save_logprobs=True)
        return -model.get_scores(first, recalculate_all_logprobs=True).mean()


def rewards(ndim, height, r0, r1=0.5, r2=2.0):
    """R of every cell by exact integer comparisons, the last dimension fastest."""
    d = [abs(2 * x - (height - 1)) for x in range(height)]
    outer = [2 * a > height - 1 for a in d]
    thin = [6 * (height - 1) < 10 * a < 8 * (height - 1) for a in d]
    cells = product(range(height), repeat=ndim)
    bonus = lambda cell: r1 * all(outer[x] for x in cell) + r2 * all(thin[x] for x in cell)
    return torch.tensor([r0 + bonus(cell) for cell in cells], dtype=torch.float64)


def pushed(env, pf, ndim, height):
    """P of ending in each cell, by pushing mass from the initial state in f64."""
    cells = list(product(range(height), repeat=ndim))
    states = env.states_from_tensor(torch.tensor(cells))
    with torch.no_grad():
        probs = pf.to_probability_distribution(states, pf(states)).probs.double().tolist()
    visit = [0.0] * len(cells)
    visit[0] = 1.0
    for i, cell in enumerate(cells):  # Parents come first.
        for d in range(ndim):
            if cell[d] + 1 < height:
                visit[i + height ** (ndim - 1 - d)] += visit[i] * probs[i][d]
    ends = [mass * row[ndim] for mass, row in zip(visit, probs)]
    return torch.tensor(ends, dtype=torch.float64)


def trained(objective, seed, ndim, height, r0, trajectories, batch, recipe, epsilon):
    """The environment, its policy, and when training began."""
    torch.manual_seed(seed)
    env = HyperGrid(ndim, height, reward_fn_kwargs={"R0": r0, "R1": 0.5, "R2": 2.0}, validate_modes=False)
    preprocessor = KHotPreprocessor(height=height, ndim=ndim)
    pf, pb, flow = networks(env, preprocessor)
    model = gflownet(objective, pf, pb, flow)
    falling, steps = recipe == "falling", trajectories // batch
    adam = optimiser(model, 5e-3 if falling else 1e-3)
    course = lambda step: 0.5 * (1 + math.cos(math.pi * step / steps)) if falling else 1.0
    schedule = torch.optim.lr_scheduler.LambdaLR(adam, course)
    began = time.perf_counter(), time.process_time()
    if falling and objective == "TB":
        model.logZ.data = first_log_z(model, env, batch).to(model.logZ.dtype)
    explore = {"epsilon": epsilon} if epsilon > 0 else {}
    for _ in range(steps):
        sampled = model.sample_trajectories(env, n=batch, save_logprobs=not explore, **explore)
        adam.zero_grad()
        loss = model.loss_from_trajectories(env, sampled, recalculate_all_logprobs=bool(explore))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0 if falling else 1.0)
        adam.step()
        schedule.step()
    return env, pf, began


def run(objective, seed, ndim, height, r0, trajectories, batch, recipe, epsilon):
    about = (ndim, height, r0, trajectories, batch, recipe, epsilon)
    env, pf, (begin, cpu) = trained(objective, seed, *about)
    seconds, cpu_seconds = time.perf_counter() - begin, time.process_time() - cpu
    reward = rewards(ndim, height, r0)
    target, policy = reward / reward.sum(), pushed(env, pf, ndim, height)
    return {
        "program": f"torchgfn {version('torchgfn')}, torch {version('torch')}",
        "threads": torch.get_num_threads(),
        "objective": objective,
        "recipe": recipe,
        "epsilon": epsilon,
        "seed": seed,
        "r0": r0,
        "ndim": ndim,
        "height": height,
        "trajectories": trajectories,
        "tv": 0.5 * (target - policy).abs().sum().item(),
        "kl_target_policy": (target * (target / policy).log()).sum().item(),
        "mass": policy.sum().item(),
        "log_z": math.log(reward.sum().item()),
        "seconds": round(seconds, 2),
        "cpu_seconds": round(cpu_seconds, 2),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("objective", choices=["TB", "DB", "SubTB", "VarGrad"])
    parser.add_argument("seeds", nargs="+", type=int)
    parser.add_argument("--ndim", type=int, default=2)
    parser.add_argument("--height", type=int, default=16)
    parser.add_argument("--r0", type=float, default=0.1)
    parser.add_argument("--trajectories", type=int, default=32000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--recipe", choices=["constant", "falling"], default="constant")
    parser.add_argument("--epsilon", type=float, default=0.0)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    for seed in args.seeds:
        about = (args.ndim, args.height, args.r0, args.trajectories, args.batch)
        how = (args.recipe, args.epsilon)
        print(json.dumps(run(args.objective, seed, *about, *how)), flush=True)
