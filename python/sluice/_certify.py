"""`sluice.certify`: how far a policy of any trainer is from its target, on spaces too large to count."""

import json
import subprocess
import tempfile
from dataclasses import dataclass, field
from html import escape
from operator import index

import numpy as np
import pandas as pd

from ._process import SluiceError, command
from ._show import card, table


@dataclass(frozen=True)
class Certificate:
    """Verdict on a policy, with its evidence; docs/certificates.md says what each word means.

    verdict: "exact" (every object was counted, `tv_lower` is the distance), "bounded" (off by at least
        `tv_lower`), "inconsistent", "consistent" or "unknown".
    reason: why, in a sentence.
    tv_lower: the total variation between policy and target is at least this.
    log_z_lower: log Z is at least this, in nats.
    rank_correlation: Spearman's, of log P and log R on objects that explorers found without asking the
        policy; None where they found too little.
    seed: hand it to `certify` to draw the same again.
    explorers: a DataFrame with a row for each search, with its findings that the policy misses.
    json: everything.
    """

    verdict: str
    reason: str
    tv_lower: float
    log_z_lower: float
    rank_correlation: float | None
    seed: str
    explorers: pd.DataFrame = field(repr=False)
    json: dict = field(repr=False)

    def _repr_html_(self):
        found = [[row["name"], str(row["evaluations"]), f"{100 * row['found_missed']:.1f} %"]
                 for row in self.json["explorers"]]
        said = (f"<p>{escape(self.reason)}</p><p>total variation at least {self.tv_lower:.3g} "
                f"({self.json['tv_lower_method']}); log Z at least {self.log_z_lower:.4g}</p>")
        return card(f"Certificate: {self.verdict}", said, table(["explorer", "asked", "found missed"], found))


def certify(log_prob, sample, log_reward, *, choices, least=None, budget=200, samples=1000,
            list_at_most=20_000, seed=None):
    """Certifies a policy that is known by three functions; no part of it leaves this process.

    Objects are sequences of whole numbers: at place k one of `choices[k]`, from 0 on. Subsets of 14
    columns are `choices=[2] * 14`; words of up to eight letters `choices=[26] * 8, least=1`. Objects are
    handed over as an int array `[objects, places]`, or as a list of tuples where `least` is set.

    log_prob(objects): `[objects]`, log P of each whole object in nats, summed over all ways to it; -inf
        where it is never made.
    sample(count, rng): so many objects drawn from the policy, by `rng`, a NumPy generator, or otherwise.
    log_reward(objects): `[objects]`, log R; -inf where it is 0. Asked for `budget` distinct objects at
        most, and for each of them once.
    samples: how many samples of the policy are looked at.
    list_at_most: spaces of at most so many objects are listed, and `log_prob` is asked for all of them.
    seed: a text of your own; drawn now if left out. Random numbers follow from it and the policy.

    Raises SluiceError where the three are not of one policy, and whatever the functions raise.
    """
    about = {"choices": [index(one) for one in choices], "budget": budget, "samples": samples,
             "list_at_most": list_at_most, **_if_given(least=least, seed=seed)}
    shape = _rows if least is None else _tuples
    answers = {
        "log_prob": lambda asked: {"values": _values("log_prob", log_prob, shape(asked["objects"]))},
        "log_reward": lambda asked: {"values": _values("log_reward", log_reward, shape(asked["objects"]))},
        "sample": lambda asked: {"objects": _objects(
            sample(asked["count"], np.random.default_rng(asked["seed"])))},
    }
    found = _talk(about, answers)
    keys = ("verdict", "reason", "tv_lower", "log_z_lower", "seed")
    return Certificate(**{key: found[key] for key in keys}, rank_correlation=found.get("rank_correlation"),
                       explorers=_frame(found["explorers"]), json=found)


def _frame(explorers):
    keys = ("name", "consults_policy", "evaluations", "reliable", "found_missed")
    return pd.DataFrame([{**{key: row[key] for key in keys}, "missed": row.get("missed", {}).get("value"),
                          "log_z": row.get("log_z", {}).get("value")} for row in explorers])


def _talk(about, answers):
    """Answers the questions of `sluice certify --stdio` until it has a certificate."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said, subprocess.Popen(
        command(["certify", "--stdio"]), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said,
        text=True, encoding="utf-8",
    ) as child:
        try:
            _write(child, about)
            for line in child.stdout:
                question = json.loads(line)
                if "certificate" in question:
                    return question["certificate"]
                _write(child, answers[question["ask"]](question))
            child.wait()
            said.seek(0)
            raise SluiceError(said.read().strip(), child.returncode)
        except BaseException:
            child.kill()
            raise


def _write(child, value):
    try:
        child.stdin.write(json.dumps(value) + "\n")
        child.stdin.flush()
    except BrokenPipeError:
        pass  # it has ended, and said why


def _values(name, function, objects):
    """Answer of a function as a list, with None for -inf."""
    answer = function(objects)
    values = np.asarray(answer.detach() if hasattr(answer, "detach") else answer, dtype=float)
    if values.shape != (len(objects),):
        raise ValueError(f"{name} answered an array of shape {values.shape} for {len(objects)} objects")
    if np.isnan(values).any() or (values == np.inf).any():
        raise ValueError(f"{name} answered nan or inf; -inf is log 0")
    return [None if value == -np.inf else value for value in values.tolist()]


def _objects(drawn):
    return [[int(index(one)) for one in (row.tolist() if hasattr(row, "tolist") else row)] for row in drawn]


def _rows(objects):
    return np.array(objects, dtype=np.int64)


def _tuples(objects):
    return [tuple(one) for one in objects]


def _if_given(**options):
    return {key: value for key, value in options.items() if value is not None}
