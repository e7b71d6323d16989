"""Random restarts of hill climbing: python3 hill_climbing.py TARGET.json OUT.jsonl [SEEDS]"""

import random
import sys

from harness import Task


def climb(task, rng):
    """Flips one predictor at a time, in random order, while that is better."""
    here = rng.getrandbits(task.terms)
    value = task.ask(here)
    improved = True
    while improved and value is not None:
        improved = False
        for j in rng.sample(range(task.terms), task.terms):
            found = task.ask(here ^ 1 << j)
            if found is None:
                return
            if found > value:
                here, value, improved = here ^ 1 << j, found, True
                break


if __name__ == "__main__":
    target, out, seeds = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 10
    for seed in range(seeds):
        task, rng = Task(target), random.Random(seed)
        tries = 0
        while task.left() > 0 and tries < 100 * task.budget:
            climb(task, rng)
            tries += 1
        task.finish(out, "hill climbing, random restarts (Python)", seed)
