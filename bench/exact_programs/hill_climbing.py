"""Random restarts of hill climbing: python3 hill_climbing.py TARGET OUT.jsonl [SEEDS]"""

import random
import sys
from collections import defaultdict

from harness import Task


def neighbourhood(task):
    """From x to those near it: one predictor flipped; one choice taken away, added or exchanged."""
    if task.terms:
        return lambda x: [x ^ 1 << j for j in range(task.terms)]
    without = defaultdict(list)  # programs by their choices, and by all but one of them
    for row, choices in enumerate(task.choices):
        for key in keys(choices):
            without[key].append(row)
    return lambda x: list({row for key in keys(task.choices[x]) for row in without[key]} - {x})


def keys(choices):
    some = sorted(choices)
    return {tuple(some), *(tuple(some[:i] + some[i + 1 :]) for i in range(len(some)))}


def climb(task, near, rng):
    """Goes to the first better neighbour, in random order, until there is none."""
    here = rng.randrange(task.size)
    value, improved = task.ask(here), True
    while improved and value is not None:
        improved = False
        for x in rng.sample(around := near(here), len(around)):
            found = task.ask(x)
            if found is None:
                return
            if found > value:
                here, value, improved = x, found, True
                break


if __name__ == "__main__":
    target, out, seeds = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 10
    for seed in range(seeds):
        task, rng = Task(target), random.Random(seed)
        near, tries = neighbourhood(task), 0
        while task.left() > 0 and tries < 100 * task.budget:
            climb(task, near, rng)
            tries += 1
        task.finish(out, "hill climbing, random restarts (Python)", seed)
