"""Values and shapes that NumPy gives expressions on data; the checker must fold them to the same.

Run: python tools/golden/numpy_expressions.py > tests/golden/numpy_expressions.json
"""

import json
import sys

import numpy as np

data = {
    "age": np.array([1.0, 2.5, 6.0, 3.5, 2.5]),
    "dose": np.array([4, 1, 3, 1, 2]),
    "site": np.array([0, 2, 1, 1, 0]),
    "X": np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.5], [7.0, -8.0, 9.0], [0.5, 1.5, 2.5], [3.0, 1.0, 2.0]]),
    "k": 3,
}

expressions = """
data["age"] / data["dose"]
data["dose"] // 2
data["age"] // 0.7
data["dose"] % 3
-data["age"] % 4
data["dose"] ** 2
2 ** data["dose"]
data["age"] ** 0.5
-data["dose"] ** 2
abs(data["age"] - 3)
(data["age"] > 2) * 1.0
(data["age"] > 2) + (data["dose"] == 1) * 2
((data["age"] > 2) & (data["dose"] == 1)) * 1
((data["age"] > 5) | (data["dose"] == 1)) * 1
(~(data["age"] > 2)) * 1
data["age"][:, None] - data["dose"][None, :]
data["age"][:, np.newaxis] * np.array([1, 2, 3])
data["age"][1:4]
data["age"][::-1]
data["age"][-1]
data["age"][-3:]
data["age"][::2]
data["age"][4:0:-2]
data["age"][data["site"]]
data["age"][data["age"] > 2]
data["age"][[0, 3, -1]]
data["X"][1]
data["X"][:, 1]
data["X"][1:3, ::2]
data["X"][-1, -1]
data["X"][[0, 2], [1, 2]]
data["X"][[0, 2]]
data["X"][:, [2, 0]]
data["X"][data["site"], data["site"]]
data["X"][data["site"][:, None], np.arange(3)]
data["X"][data["age"] > 2]
data["X"][data["X"] > 2]
data["X"][..., 0]
data["X"][None]
data["X"][0, :, None]
data["X"][[0, 1], :, None][:, 1]
data["X"][:, None, [0, 2]]
data["X"].T
data["X"].T[1]
data["X"] @ np.array([1.0, -1.0, 2.0])
data["age"] @ data["X"]
data["X"] @ data["X"].T
data["age"] @ data["dose"]
np.dot(data["X"], np.ones(3))
np.dot(data["age"], 2)
np.matmul(data["X"].T, data["X"])
np.outer(data["age"], data["dose"])
data["X"].reshape(3, 5)
data["X"].reshape((-1,))
data["X"].reshape(-1, 1)
data["X"].flatten()
np.ravel(data["X"])
np.reshape(data["age"], (5, 1))
data["X"].sum()
data["X"].sum(axis=0)
data["X"].sum(1)
data["X"].mean(axis=-1, keepdims=True)
np.mean(data["X"], axis=0)
np.std(data["age"])
np.std(data["age"], ddof=1)
np.var(data["X"], axis=1, ddof=1)
np.asarray(data["age"]).std()
np.median(data["age"])
np.median(data["X"], axis=0)
np.quantile(data["age"], 0.3)
np.quantile(data["age"], [0.1, 0.5, 0.9])
np.percentile(data["X"], 25, axis=1)
np.max(data["age"]) - np.min(data["age"])
np.ptp(data["age"])
np.prod(data["dose"])
np.prod(data["X"], axis=1)
np.cumsum(data["age"])
np.cumsum(data["X"])
np.cumsum(data["X"], axis=0)
np.cumprod(data["dose"])
np.diff(data["age"])
np.diff(data["X"], axis=0)
np.diff(data["age"], n=2)
np.where(data["age"] > 2, data["age"], 0)
np.where(data["X"] > 2, 1, data["X"])
np.where(data["age"] > 2)[0]
np.unique(data["site"])
np.unique(data["age"], return_inverse=True)[1]
np.unique(data["age"], return_counts=True)[1]
np.sort(data["age"])
np.argsort(data["age"], kind="stable")
np.argmax(data["age"])
np.argmin(data["X"], axis=1)
np.concatenate([data["age"], data["dose"]])
np.concatenate([data["X"], data["X"]], axis=1)
np.concatenate((data["X"], data["X"][:2]))
np.stack([data["age"], data["dose"]])
np.stack([data["age"], data["dose"]], axis=1)
np.stack([data["X"], data["X"] * 2], axis=-1)
np.column_stack([data["age"], data["dose"]])
np.column_stack((np.ones(5), data["X"]))
np.vstack([data["age"], data["dose"]])
np.hstack([data["age"], data["dose"]])
np.hstack([data["X"], data["age"][:, None]])
np.array([data["age"], data["dose"]])
np.array([[1, 2], [3, 4]]) @ np.array([1, 1])
np.clip(data["age"], 2, 3)
np.isnan(data["age"]) * 1
np.searchsorted(np.array([1.0, 2.5, 3.0]), data["age"])
np.searchsorted([1.0, 2.5, 3.0], data["age"], side="right")
np.digitize(data["age"], [2.0, 3.0])
np.repeat(data["age"], 2)
np.repeat([1, 2, 3], [1, 0, 2])
np.repeat(data["X"], 2, axis=1)
np.tile(data["age"], 2)
np.tile(data["X"], (2, 1))
np.tile(data["age"], (2, 2))
np.eye(3)
np.diag([1, 2, 3])
np.diag(data["X"][:3])
np.tril(data["X"][:3])
np.triu(data["X"][:3], 1)
np.zeros(3)
np.ones((2, 3))
np.full(3, 2.5)
np.full((2, 2), [1, 2])
np.zeros_like(data["age"])
np.ones_like(data["X"])
np.arange(5)
np.arange(1, 4)
np.arange(0, 1, 0.25)
np.arange(5, 0, -2)
np.linspace(0, 1, 5)
np.linspace(2, 3, num=1)
np.broadcast_to(data["age"], (2, 5))
np.expand_dims(data["age"], 0)
np.expand_dims(data["X"], -1)
np.squeeze(data["age"][:, None])
np.transpose(data["X"])
np.flip(data["age"])
np.bincount(data["site"])
np.bincount(data["site"], minlength=6)
np.isin(data["dose"], [1, 4]) * 1
np.count_nonzero(data["age"] > 2)
np.average(data["age"], weights=data["dose"])
np.average(data["X"], axis=0)
np.meshgrid([1, 2, 3], [4, 5])[0]
np.meshgrid([1, 2, 3], [4, 5], indexing="ij")[1]
np.any(data["age"] > 5) * 1
np.all(data["X"] > 0, axis=1) * 1
np.linalg.cholesky(np.array([[4.0, 2.0], [2.0, 3.0]]))
np.linalg.inv(np.array([[4.0, 2.0], [1.0, 3.0]]))
np.exp(data["age"] / 3)
np.log(data["age"])
np.log1p(data["dose"])
np.log2(data["dose"])
np.log10(data["age"])
np.sqrt(data["dose"])
np.square(data["dose"])
np.sin(data["age"])
np.cos(data["X"])
np.tanh(data["age"])
np.maximum(data["age"], data["dose"])
np.minimum(data["age"], 3)
np.power(data["age"], 2)
np.sign(data["X"] - 2)
np.floor(data["age"])
np.ceil(data["age"])
np.round(data["age"])
np.around([0.5, 1.5, 2.5, -0.5])
np.abs(data["X"] - 2)
np.logical_and(data["age"] > 2, data["dose"] > 1) * 1
np.logical_not(data["age"] > 2) * 1
np.float64(3) / 2
np.int64(7) // 2
data["age"].astype(int)
(data["age"] - 4).astype(int)
data["age"].astype("float64")
(data["age"] > 2).astype(int)
data["age"].max()
data["age"].min() + data["dose"].sum()
data["age"].mean()
data["age"].argmax()
data["X"].shape[1] * 1.0
len(data["X"])
data["X"].size
data["X"].ndim
data["k"] * 2
np.ones(data["k"])
7 // 2 + 7 % 3 + (-7) // 2 + (-7) % 3
7.5 // 2
2 ** 10 / 3
2 ** -1
True + True
int(3.9) + int(-3.9)
float(3) / 2
round(2.5) + round(3.5)
round(2.345, 2)
sum([1, 2, 3])
sum(x ** 2 for x in range(4))
max(3, 1, 2) - min([3, 1, 2])
[i * j for i in range(3) for j in range(3) if i != j]
[x for x in data["age"]]
[[i + j for j in range(2)] for i in range(3)]
{"a": 1, "b": 2}["b"]
{k: v for k, v in zip(["a", "b"], [1, 2])}["a"]
(lambda x, y=2: x * y)(3)
(lambda *a: sum(a))(1, 2, 3)
[3, 1, 2][-1]
(1, 2, 3)[1:]
list(range(5, 0, -2))
[i for i, v in enumerate([5, 6, 7])]
sorted([3, 1, 2])
list(reversed([1, 2, 3]))
1 if data["k"] > 2 else 0
(data["k"] > 2 and 5) or 6
1 < 2 < 3
0 or 4
3 in [1, 2, 3]
[1, 2] + [3]
[0] * 3
len("abc")
data["X"][:, 0] * 2 + data["age"]
(data["X"] - data["X"].mean(axis=0)) / data["X"].std(axis=0)
data["age"][np.argsort(data["dose"], kind="stable")]
np.array([1, 2, 3])[np.array([True, False, True])]
np.array([1.5, 2.5])[np.array([[0, 1], [1, 0]])]
np.array([1, 2, 3], dtype=float) / 2
np.arange(6).reshape(2, 3)
np.arange(6).reshape(2, 3)[1, ::-1]
np.arange(24).reshape(2, 3, 4)[:, [0, 2], 1]
np.arange(24).reshape(2, 3, 4)[[0, 1], :, [0, 1]]
np.arange(24).reshape(2, 3, 4)[0, ..., 2]
np.arange(24).reshape(2, 3, 4).sum(axis=(0, 2))
np.arange(24).reshape(2, 3, 4).T.shape
np.nonzero(data["site"])[0]
np.arcsin(data["age"] / 7)
np.arcsin(np.array([-1.0, -1e-9, 0.0, 0.999999, 1.0]))
np.arccos(data["age"] / 7)
np.arccos(np.array([-1.0, -0.5, 0.0, 0.999999, 1.0]))
np.arctan(data["X"])
np.arctan2(data["X"][:, 2] - 2.5, data["X"][:, 1] - 1.5)
np.arctan2(np.array([0.0, 0.0, 1.0, -1.0, -2.0, 2.0]), np.array([1.0, -1.0, 0.0, 0.0, -2.0, -2.0]))
np.arcsinh(np.array([-50.0, -1e-9, 0.0, 0.3, 1e6]))
np.arccosh(data["age"])
np.arctanh(np.array([-0.9, -1e-9, 0.0, 0.3]))
np.deg2rad(data["age"]) + np.radians(data["dose"])
np.rad2deg(data["age"]) + np.degrees(data["dose"])
np.linspace(0, 1, 5, endpoint=False)
np.linspace(2, 1, num=1, endpoint=False)
np.c_[np.ones(5), data["age"], data["X"]]
np.c_[data["age"]]
np.r_[0, data["age"], [1, 2]]
np.r_[data["X"], data["X"][:2]]
np.zeros(3, dtype=int) + np.ones(3, int)
np.full(2, 1.5, dtype="float")
np.zeros_like(data["dose"]) + 1
np.vander(data["dose"], 3)
np.vander(data["age"], 2, increasing=True)
""".strip().split("\n")

rows = []
for text in expressions:
    value = np.asarray(eval(text, {"np": np, "data": data}))
    rows.append({"text": text, "shape": list(value.shape), "values": [float(x) for x in value.ravel()]})

json.dump(
    {
        "version": f"NumPy {np.__version__}, CPython {sys.version.split()[0]}",
        "command": "python tools/golden/numpy_expressions.py > tests/golden/numpy_expressions.json",
        "data": {key: {"shape": list(np.shape(v)), "values": np.ravel(v).tolist()} for key, v in data.items()},
        "expressions": rows,
    },
    sys.stdout,
    indent=1,
)
