"""A space of models, counted: the answer to its questions."""

import json
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import numpy as np
import pandas as pd

from ._data import file_of
from ._process import call
from ._runs import Run
from ._score import listed, named
from ._show import bar, card, percent, table


@dataclass(frozen=True)
class Answer:
    """Answer of a space of models; probabilities lie between 0 and 1.

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
        """A row for every answer: prior and target probability, `lo` and `hi` 90 % over bootstraps of
        the rows, `whole_lo` and `whole_hi` wider by what the rows alone cannot tell. Where programs
        without a score could change it, target is missing, and `lo` and `hi` bound it."""
        return pd.DataFrame([
            {"question": asked["question"], **one}
            for asked in self.answer["questions"] for one in asked["answers"]
        ])

    @property
    def effects(self):
        """A row for every term: its effect averaged over the models that have it; that of a level of a
        category is against another level."""
        return pd.DataFrame(self.answer["effects"])

    @property
    def run(self):
        """The run that scored the programs: `answer.run.query(sql)` asks its tables."""
        return Run(self.answer["run"]["run_id"])

    def best(self, top=5):
        """The likeliest models, a row for each: answers by question, the model as a formula where it is
        among the ten of `answer`, its share of the scored, and the program's text."""
        kept = self.run.query(
            "select answers, log_reward, program from candidate order by log_reward desc, idx")
        weight = np.exp(kept.log_reward - kept.log_reward.max())
        answers = pd.DataFrame([_parsed(one) for one in kept.answers],
                               columns=[one["question"] for one in self.answer["questions"]])
        formulas = {tuple(one["answers"]): one["model"] for one in self.answer["likeliest"]}
        models = [formulas.get(tuple(_parsed(one))) for one in kept.answers]
        target = weight / weight.sum()
        return answers.assign(model=models, target=target, program=kept.program).head(top)

    def __str__(self):
        return "\n".join(self.sentences)

    def _repr_html_(self):
        asked = [_question(one) for one in self.answer["questions"]]
        asked += [_effects(self.answer["effects"])] if self.answer["effects"] else []
        words = "".join(f"<li>{escape(text)}</li>" for text in self.sentences)
        title = f"{self.programs:,} programs, {self.models:,} models"
        return card(title, f"<ul>{words}</ul>", *asked)


def rank(data, formula=None, *, response=None, space=None, families=None, curves=None, period=None,
         levels=None, category=None, budget=None, resolution=None, missing=None, na=None, frequency=None,
         group=None, time=None, unit=None, workers=None, progress=True):
    """Scores every program of a space and answers, without learning.

    data: a DataFrame, the path of a data file, or the path of a pipeline (`.toml`).
    formula: terms with brackets around what is in question; all columns, if left out.
    response: the response; the left side of the formula, if left out.
    space: kind of models, "growth" or "survival"; "regression", if left out.
    families, curves: names of distributions, and of curves where a space has them.
    period: of the season of a time series, in steps of its time.
    levels: words of an ordered response from least to most, or both values of an event, that where
    it happened last.
    category: names of columns whose numbers are names; those of a frame with the dtype category,
    and texts, are so by themselves, with the order of their levels.
    na: words of the data for a missing value; frequency: the column that says how many equal rows
    each row stands for.
    The others are flags of `sluice rank`. Scores are kept under the working folder, in `.sluice` and
    `runs`: the same call again is answered from there, and Ctrl-C answers from what is scored.
    Of `mvbind(a, b) ~ x` it is a list of answers, one for each response.
    """
    options = {"formula": formula, "response": response or _left(formula), "space": space,
               "families": listed(families), "curves": listed(curves), "period": period,
               "levels": listed(levels), "category": listed(category), "budget": budget,
               "resolution": resolution, "missing": missing, "na": listed(na), "frequency": frequency,
               "group": group, "time": time, "unit": unit, "workers": workers}
    is_pipeline = isinstance(data, (str, Path)) and str(data).endswith(".toml")
    what = data if is_pipeline else file_of(data, Path(".sluice") / "python")
    printed = call(["rank", what, *named(options), "--json"], progress=progress, accept=(0, 130))
    answer = json.loads(printed)
    return [_answer(one) for one in answer] if isinstance(answer, list) else _answer(answer)


def _answer(answer):
    return Answer(answer["programs"], answer["models"], answer["sentences"], answer)


def _left(formula):
    """The response that a formula names, where it is a name and nothing else."""
    name = (formula or "").split("~")[0].split("|")[0].strip()
    return name if name.isidentifier() else None


def _parsed(answers):
    return json.loads(answers) if isinstance(answers, str) else answers


def _question(asked):
    rows = [[one["answer"], percent(one["prior"]), _target(one), _interval(one),
             bar(one["target"] or 0)] for one in asked["answers"]]
    return table([asked["question"], "prior", "target", "90 %", ""], rows)


def _target(one):
    """Bounds where programs without a score could change it."""
    if not one["scored"]:
        return "not scored"
    if one["target"] is None:
        return f"{percent(one['lo'])} … {percent(one['hi'])}"
    return percent(one["target"])


def _interval(one):
    """Rewards that are no sum over rows have none."""
    return "" if one["whole_lo"] is None else f"{percent(one['whole_lo'])} … {percent(one['whole_hi'])}"


def _effects(effects):
    heads = ["against"] if any(one["against"] for one in effects) else []
    ratios = [name for name in dict.fromkeys(
        one["ratio"]["name"] for one in effects if one["ratio"])]
    rows = [[one["term"], *[one["against"] or "" for _ in heads], f"{one['mean']:.3g}",
             f"{one['lo']:.3g} … {one['hi']:.3g}", *_ratio(one, ratios), _share(one)]
            for one in effects]
    return table(["effect", *heads, "mean", "90 %", *[" or ".join(ratios)][:len(ratios)],
                  "target share"], rows)


def _share(one):
    """Unknown where programs without a score could change it."""
    return "–" if one["share"] is None else percent(one["share"])


def _ratio(one, ratios):
    """The exponential of an effect, in a table that has such."""
    own = one["ratio"]
    if not ratios:
        return []
    return [f"{own['mean']:.3g} ({own['lo']:.3g} … {own['hi']:.3g})" if own else ""]
