"""Certificates of torchgfn's policies on the hypergrid 16 x 16, by `sluice.certify`, beside the truth.

By trajectory balance, a policy that learns (R0 = 0.1, the recipe `falling`) and one that keeps to a
corner (R0 = 0.001, the recipe `constant`). Log P of a cell is the mass that is pushed to it.

    torchgfn/bin/pip install dist/sluice-*.whl "pandas<3" "numpy<2" "zarr<3"
    torchgfn/bin/python bench/peers/torchgfn_certified.py
"""

import sluice
import torch
from gfn.samplers import Sampler
from torchgfn_hypergrid import pushed, rewards, trained

HEIGHT = 16


def certified(name, r0, recipe):
    env, pf, _ = trained("TB", 1, 2, HEIGHT, r0, 32000, 16, recipe, 0.0)
    mass, reward = pushed(env, pf, 2, HEIGHT), rewards(2, HEIGHT, r0)

    def sample(count, rng):
        torch.manual_seed(int(rng.integers(2**31)))
        walks = Sampler(estimator=pf).sample_trajectories(env, n=count, save_logprobs=False)
        return walks.terminating_states.tensor.numpy()

    place = lambda cells: torch.tensor(cells @ [HEIGHT, 1])
    found = sluice.certify(
        log_prob=lambda cells: mass[place(cells)].log(),
        sample=sample,
        log_reward=lambda cells: reward[place(cells)].log(),
        choices=[HEIGHT, HEIGHT],
        budget=200,
        seed="a reader's",
    )
    tv = 0.5 * (mass - reward / reward.sum()).abs().sum().item()
    print(f"{name}: {found.verdict}, total variation at least {found.tv_lower:.4f}, in truth {tv:.4f}; "
          f"rank correlation {found.rank_correlation:.3f}; {found.json['rewards']} rewards")


if __name__ == "__main__":
    torch.set_num_threads(1)
    certified("R0 = 0.1, falling rate", 0.1, "falling")
    certified("R0 = 0.001, constant rate", 0.001, "constant")
