"""Numbers that pandas 3.1.1, NumPy 2.4.6, SciPy 1.17.1, patsy 1.0.3 and scikit-learn 1.9.1 give for preparations of a frame.

python3 tools/golden/pandas_frames.py > tests/golden/pandas_frames.json
"""

import io
import json
import sys

import numpy as np
import pandas as pd
import patsy
from scipy import stats
from sklearn.preprocessing import LabelEncoder, MinMaxScaler, StandardScaler

CSV = """g,h,x,z,day,w,ts,eu,y
north,a,1.5,3,2021-03-01,2.5,2021-03-01 10:00,03/04/2021,0.4
south,b,2.25,1,2021-03-04,,2021-03-02 10:00,05/04/2021,1.3
east,a,0.5,4,2021-02-11,1.5,2021-03-04 07:20,04/06/2021,0.9
north,b,4.75,1,2021-12-31,3.5,2021-03-05 23:59,07/02/2021,2.1
south,a,3.5,5,2020-02-29,,2021-03-06 03:10,09/09/2021,1.7
east,b,2.0,9,2021-03-08,0.5,2021-03-07 03:10,11/03/2021,0.2
north,a,6.25,2,2021-07-04,4.0,2021-03-08 17:40,03/04/2021,2.8
south,b,1.0,6,2022-01-01,1.0,2021-03-09 17:40,01/02/2021,1.1
"""

CASES = [
    'm = df.groupby("g", as_index=False)["x"].mean().rename(columns={"x": "mx"})\ndf = df.merge(m, on="g", how="left")\nv = (df["x"] - df["mx"]).values',
    'm = df.groupby("g").agg(mx=("x", "mean"), n=("z", "size")).reset_index()\nv = df.merge(m, on="g")[["mx", "n"]].values',
    'm = df.groupby("g")[["x", "z"]].max()\nv = df.merge(m, left_on="g", right_index=True, how="left", suffixes=("", "_max"))["x_max"].values',
    'm = df.groupby(["g", "h"])["x"].sum().reset_index(name="s")\nv = df.merge(m, on=["g", "h"], how="left")["s"].values',
    't = pd.DataFrame(df["g"].unique(), columns=["name"])\nt["i"] = t.index\nv = pd.merge(df, t, left_on="g", right_on="name", how="left")["i"].values',
    't = pd.DataFrame({"g": ["east", "north", "south"], "size": [10.0, 20.0, 35.0]})\nv = pd.merge(df, t, on="g", how="left")["size"].values',
    'm = df.groupby("g")["x"].first().apply(np.log)\nv = m.loc[["south", "north", "east", "east", "north", "south", "north", "east"]].values',
    'm = df.groupby("g")["x"].median()\nv = df["g"].map(m).values',
    'm = df.groupby("g")["z"].nunique().to_dict()\nv = df["g"].map(m).values',
    'v = df.groupby("g")["x"].transform("first").values',
    'v = df.groupby(["g", "h"]).ngroup().values',
    's = pd.Series({"north": 3, "south": 1, "east": 2})\nv = df["g"].map(s).values',
    'v = df["g"].str.upper().eq("NORTH").astype(int).values',
    'v = df["g"].str.contains("th").astype(int).values',
    'v = df["g"].str.len().values',
    'k = df["g"] + "_" + df["h"]\nv = pd.factorize(k, sort=True)[0]',
    'k = df["g"].str.replace("north", "zzz")\nv = pd.Categorical(k).codes',
    'k = df["z"].astype(str) + df["h"]\nv = k.astype("category").cat.codes.values',
    'v = df["g"].apply(lambda q: len(q.split("t"))).values',
    'k = df["g"].map({"north": "up", "south": "down", "east": "side"})\nv = pd.Categorical(k, categories=["side", "up", "down"]).codes',
    'k = np.where(df["x"] > 2, "big", np.where(df["x"] > 1, "mid", "small"))\nv = pd.factorize(k, sort=True)[0]',
    'v = np.select([df["x"] > 3, df["x"] > 1.5], [10, df["z"]], default=-1)',
    'k = pd.cut(df["x"], bins=[0, 1, 4, 5, 7], labels=["a", "b", "c", "d"])\nv = k.cat.codes.values',
    'k = pd.cut(df["z"], bins=[0, 2, 100], labels=["few", "many"])\nv = (k == "many").astype(int).values',
    'k = pd.Categorical(df["g"], categories=["west", "south", "north", "east"], ordered=True)\nv = k.codes * len(k.categories)',
    'd = pd.to_datetime(df["day"])\nv = d.dt.month.values * 100 + d.dt.day.values',
    'd = pd.to_datetime(df["day"])\nv = (d - d.min()).dt.days.values',
    'd = pd.to_datetime(df["day"])\nv = d.dt.dayofweek.values + 10 * d.dt.quarter.values',
    'd = pd.to_datetime(df["day"])\nv = d.dt.dayofyear.values',
    'd = pd.to_datetime(df["day"])\nv = ((d - d.min()) / (d.max() - d.min())).values',
    'd = pd.to_datetime(df["day"])\nv = (d >= "2021-03-04").astype(int).values',
    'd = pd.to_datetime(df["day"])\nv = ((pd.Timestamp("2022-01-01") - d) / np.timedelta64(1, "D")).values',
    'k = pd.to_datetime(df["day"]).dt.day_name()\nv = pd.factorize(k, sort=True)[0]',
    'X = pd.get_dummies(df["g"], drop_first=True)\nv = X.columns.size * X["south"].astype(int).values',
    'X = pd.get_dummies(df[["x", "g"]], columns=["g"], drop_first=True, dtype=float)\nv = ((X - X.mean()) / X.std()).values',
    'X = pd.get_dummies(df["g"], prefix="p").astype(int)\nX["x"] = df["x"]\nv = X[["p_east", "x"]].values',
    'e = pd.get_dummies(df["h"], prefix="h", drop_first=True)\nq = pd.concat([df, e], axis=1)\nv = q[["x", "h_b"]].astype(float).values',
    'df[["x", "z"]] = (df[["x", "z"]] - df[["x", "z"]].mean()) / df[["x", "z"]].std()\nv = df[["z", "x"]].values',
    'df["big"] = 0\ndf.loc[df["x"] > 2, "big"] = 1\nv = df["big"].values',
    'df.columns = [c.upper() for c in df.columns]\nv = df["X"].values',
    'df = df.rename(columns=str.upper)\nv = df["Z"].values + df.X.values',
    'df.x = df.x * 2\nv = df["x"].values',
    't = df[["g", "h"]].drop_duplicates().reset_index(drop=True)\nv = np.repeat(len(t), 8)',
    't = df[["g", "x"]].drop_duplicates("g").set_index("g").loc[["east", "south"], "x"].values\nv = np.tile(t, 4)',
    'v = df["w"].fillna(df["w"].median()).values',
    'df["w"] = df["w"].fillna(df["w"].mean())\nv = ((df["w"] - df["w"].mean()) / df["w"].std()).values',
    'v = df[["x", "w"]].fillna(df[["x", "w"]].mean()).values',
    'v = df["w"].isna().astype(int).values',
    'f = df[["x", "z"]]\nv = f.sub(f.mean()).div(f.std()).values',
    'v = df["x"].sub(df["x"].mean()).mul(2).values',
    'k = df["g"].replace("south", "north")\nn = k.value_counts()\nv = k.map(n).values * n.iloc[0] + n.loc["east"]',
    'q = df.pop("z")\nv = q.values * 2 + df["x"].values',
    'v = df[["g", "h", "x", "z"]].select_dtypes(include="number").values',
    'v = df["x"].shift(1).fillna(0).values',
    'v = df["x"].diff().fillna(0).values',
    'v = df["x"].rolling(3, min_periods=1).mean().values',
    'v = df["x"].rolling(2).sum().fillna(-1).values',
    'v = stats.zscore(df["x"])',
    'v = StandardScaler().fit_transform(df[["x", "z"]])',
    's = MinMaxScaler()\nv = s.fit_transform(df[["x"]])',
    'v = LabelEncoder().fit_transform(df["g"])',
    'v = np.asarray(patsy.dmatrix("x * C(g)", df))',
    'v = np.asarray(patsy.dmatrix("0 + g + x:g", df))',
    'v = np.asarray(patsy.dmatrix("x + g * h", df))',
    'v = np.asarray(patsy.dmatrix("standardize(x) + np.log(z) + I(x**2) - 1", df))',
    'v = np.asarray(patsy.dmatrix("x:z + h:x", df))',
    'v = patsy.dmatrix("g:x", df, return_type="dataframe")["g[north]:x"].values',
    'v = df.groupby("g", sort=False).ngroup().values',
    'm = df.groupby("g", sort=False)["x"].mean()\nv = np.tile(m.values[:1], 8)',
    'v = df["g"].str.replace("north", "$&").eq("$&").astype(int).values',
    'd = pd.to_datetime(df["eu"], format="%d/%m/%Y")\nv = d.dt.month.values',
    'd = pd.to_datetime(df["eu"], dayfirst=True)\nv = d.dt.day.values',
    'd = pd.to_datetime(df["ts"])\nv = d.dt.hour.values * 100 + d.dt.minute.values',
    'd = pd.to_datetime(df["ts"])\nv = (d - pd.Timestamp("2021-02-01 17:40")).dt.days.values',
    'd = pd.to_datetime(df["ts"])\nv = (d - pd.Timestamp("2021-02-01 07:20")).dt.total_seconds().values',
    'd = pd.to_datetime(df["day"])\nv = ((d - d.min()) / pd.Timedelta(days=1, hours=12)).values',
    'd = pd.to_datetime(df["day"])\nv = ((d - d.min()) / pd.Timedelta(48, unit="h")).values',
    'd = pd.to_datetime(df["day"])\nv = ((d - d.min()) / pd.Timedelta(2, "W")).values',
    'k = pd.cut(df["x"], [0, 1, 3, 7], labels=["low", "high", "a"])\nv = df.groupby(k).ngroup().values',
    'k = pd.cut(df["x"], [0, 1, 3, 7], labels=["low", "high", "a"])\nv = LabelEncoder().fit_transform(k)',
    'k = pd.cut(df["x"], [0, 1, 3, 7], labels=["low", "high", "a"])\nv = np.unique(k, return_inverse=True)[1]',
    'k = pd.cut(df["x"], [0, 1, 3, 7], labels=["low", "high", "a"])\nv = k.astype(str).astype("category").cat.codes.values',
    'k = pd.cut(df["x"], [0, 1, 3, 7], labels=["low", "high", "a"])\nv = k.map({"low": "z", "high": "b", "a": "c"}).cat.codes.values',
    's = pd.Series({"north": 3, "south": 1, "east": 2})\nv = np.repeat(s.sort_index().values[0], 8)',
    'v = (df["x"] * 0.37).round(1).values',
    'v = ((df["x"] > 2) + (df["z"] > 2)).astype(int).values',
    'v = (df["g"] == df["h"]).astype(int).values',
    'v = df[["x", "z"]].apply(lambda c: c - c.mean()).values',
    'v = df[["x", "z"]].std(axis=1).values',
    'v = df["x"].to_numpy().std() * np.ones(8)',
    'v = df["g"].astype("category").cat.codes.std() * np.ones(8)',
    'v = np.where(df["x"] > 2, 1, 0).std() * np.ones(8)',
    'v = df["x"][df["z"] > 2].std() * np.ones(8)',
    'a = df.copy()\na["x"] = 0\nv = df["x"].values',
    'v = df["x"].apply(lambda q: f"{q:.1f}").astype(float).values',
    'v = df["z"].astype(str).astype(int).values',
    'v = df[["x", "z"]].sum().sum() * np.ones(8)',
    'v = df[["x", "z"]].std().std() * np.ones(8)',
    'v = df[["x", "z"]].var().values[1] * np.ones(8)',
    'm = df.groupby("z")["x"].std().fillna(0)\nv = m.loc[df["z"]].values',
    'm = df.groupby("g", sort=False)["x"].mean() * 2\nv = m.loc[df["g"]].values',
    'v = df["g"].map(np.log(df.groupby("g")["x"].mean()) - 1).values',
    'v = df["x"].clip(upper=3, lower=1).values',
    'v = df["x"].clip(upper=3).values - df["z"].clip(2).values',
    'e = LabelEncoder().fit(df["g"])\nv = e.transform(df["g"].replace("east", "south"))',
    'e = LabelEncoder().fit(df["z"])\nv = e.transform((df["z"] * 0 + 9).astype(int))',
    'k = df["g"].astype("category").map({"north": "a", "south": "c", "east": "b"})\nv = k.cat.codes.values',
]

found = []
for lines in CASES:
    names = {"df": pd.read_csv(io.StringIO(CSV)), "np": np, "pd": pd, "patsy": patsy, "stats": stats}
    names |= {"StandardScaler": StandardScaler, "MinMaxScaler": MinMaxScaler, "LabelEncoder": LabelEncoder}
    exec(lines, names)
    v = np.asarray(names["v"], dtype=float)
    assert np.isfinite(v).all(), lines
    found.append({"lines": lines, "shape": list(v.shape), "values": v.ravel().tolist()})
json.dump({"csv": CSV, "cases": found}, sys.stdout, indent=0)
