"""A space of models, counted: the answer to its questions."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from ._data import file_of
from ._process import call
from ._score import named
from ._show import card, percent, table


@dataclass(frozen=True)
class Answer:
    """What a space of models answers; probabilities lie between 0 and 1.

    programs, models: how many there were.
    sentences: the answer in words.
    answer: everything, as `answer.json` holds it.
    """

    programs: int
    models: int
    sentences: list = field(repr=False)
    answer: dict = field(repr=False)

    @property
    def questions(self):
        """A row for every answer: prior and target probability, 90 % over bootstraps of the rows."""
        return pd.DataFrame([
            {"question": asked["question"], **one}
            for asked in self.answer["questions"] for one in asked["answers"]
        ])

    @property
    def effects(self):
        """A row for every term: its effect averaged over the models that have it."""
        return pd.DataFrame(self.answer["effects"])

    def __str__(self):
        return "\n".join(self.sentences)

    def _repr_html_(self):
        asked = [_question(one) for one in self.answer["questions"]]
        words = "".join(f"<li>{text}</li>" for text in map(_escape, self.sentences))
        title = f"{self.programs:,} programs, {self.models:,} models"
        return card(title, f"<ul>{words}</ul>", *asked)


def rank(data, formula=None, *, response=None, families=None, budget=None, resolution=None,
         missing=None, group=None, time=None, unit=None, workers=None, progress=True):
    """Scores every program of a space and answers, without learning.

    data: a DataFrame, the path of a data file, or the path of a pipeline (`.toml`).
    formula: terms with brackets around what is in question; all columns, if left out.
    response: the response; the left side of the formula, if left out.
    families: names of distributions.
    The others are flags of `sluice rank`. Scores are kept under the working folder, in `.sluice` and
    `runs`: the same call again is answered from there, and Ctrl-C answers from what is scored.
    """
    families = families if families is None or isinstance(families, str) else ",".join(families)
    options = {"formula": formula, "response": response or _left(formula), "families": families,
               "budget": budget, "resolution": resolution, "missing": missing, "group": group,
               "time": time, "unit": unit, "workers": workers}
    is_pipeline = isinstance(data, (str, Path)) and str(data).endswith(".toml")
    what = data if is_pipeline else file_of(data, Path(".sluice") / "python")
    printed = call(["rank", what, *named(options), "--json"], progress=progress, accept=(0, 130))
    answer = json.loads(printed)
    return Answer(answer["programs"], answer["models"], answer["sentences"], answer)


def _left(formula):
    """The response that a formula names, where it is a name and nothing else."""
    name = (formula or "").split("~")[0].strip()
    return name if name.isidentifier() else None


def _question(asked):
    rows = [[one["answer"], percent(one["prior"]), percent(one["target"]),
             f"{percent(one['lo'])} … {percent(one['hi'])}"] for one in asked["answers"]]
    return table([asked["question"], "prior", "target", "90 % of bootstraps"], rows)


def _escape(text):
    from html import escape

    return escape(text)
