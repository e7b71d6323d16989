"""A PyMC model that stands in memory, as a program's text and the data it was built from.

The graph is written out again; nothing is sampled. Arrays become columns by their values: those of
the data that were given, containers (`pm.Data`) by their own name, others by a name made up for
them. The text then takes the way of every other program: it is read, checked and scored in the
sandbox, and may look at the response once.
"""

import json
import keyword

import numpy as np

from ._compound import compound
from ._families import FAMILIES

INDENT = "    "
WAY_OUT = "give sluice.score the program's text, or the path of its file, with the data"
SHORT = 8
OF_RESULTS = ("log_likelihood", "log_prior", "lp", "elpd", "elpd_loo", "chain", "draw")


class CannotWrite(ValueError):
    """The model holds something that its graph does not say in words of PyMC; give its text instead."""


def program_of(model, data=None):
    """The text of a program, and its data: a dictionary of arrays and numbers by name.

    model: a `pymc.Model` with one observed variable.
    data: a DataFrame or a dictionary; columns are found in the model by their values.

    Raises CannotWrite for what has no words, and where PyMC finds another log density in the text than
    in the model: at its starting point, and near it.
    """
    text, used = _Writer(model, data).program()
    _hold(model, text, used)
    return text, used


def _hold(model, text, data):
    """Runs the text in PyMC, and holds transforms and log density against those of the model."""
    names = {"data": data}
    try:
        exec(text, names)
        again = names["model"]
        pairs = list(zip(model.free_RVs, again.free_RVs))
        own, written = (one.compile_logp(mode="FAST_COMPILE") for one in (model, again))
    except Exception as error:
        raise CannotWrite(f"the program written from the graph does not run: {error}; {WAY_OUT}") from error
    for of, to in pairs:
        kinds = [type(one.rvs_to_transforms.get(rv)).__name__ for one, rv in ((model, of), (again, to))]
        if kinds[0] != kinds[1]:
            raise CannotWrite(f"{of.name} has the transform {kinds[0]}, for which its graph has no word; {WAY_OUT}")
    values = list(zip(model.value_vars, again.value_vars))
    start = model.initial_point(random_seed=1)
    for step in (0.0, 0.01):
        point = {name: one + step if np.asarray(one).dtype.kind == "f" else one for name, one in start.items()}
        densities = own(point), written({to.name: point[of.name] for of, to in values})
        if not np.isclose(*densities, rtol=1e-8, atol=1e-8, equal_nan=True):
            raise CannotWrite(f"the program written from the graph has another log density; {WAY_OUT}")


class _Writer:
    """Lines of one program, in the order in which the model was built."""

    def __init__(self, model, data):
        self.model = model
        self.given = _columns(data)
        self.used = {}
        self.lines = []
        self.words = {}
        self.ranks = {}
        self.kept = []
        self.response = None
        self.coords = {}

    def program(self):
        observed = self._observed()
        self.response = self._observations(observed)
        for rv in self.model.free_RVs:
            self._line(rv, self._call(rv, self._shape(rv) + self._transform(rv)))
        response = self._column(self.response, observed.name)
        self._line(observed, self._call(observed, [f"observed={response}"]))
        coords = f"coords={self.coords!r}" if self.coords else ""
        head = ["import numpy as np", "import pymc as pm", "import pytensor.tensor as pt", "", f"with pm.Model({coords}) as model:"]
        return "\n".join([*head, *(INDENT + line for line in self.lines), ""]), self.used

    def _observed(self):
        found = self.model.observed_RVs
        if len(found) != 1:
            raise CannotWrite(f"the model observes {len(found)} variables; wanted one")
        if self.model.potentials:
            raise CannotWrite("the model has a pm.Potential, which no reward may hold")
        return found[0]

    def _observations(self, observed):
        value = self.model.rvs_to_values[observed]
        return np.asarray(value.get_value() if hasattr(value, "get_value") else value.eval())

    def _line(self, rv, call):
        self.words[id(rv)] = name = self._identifier(rv.name)
        is_tuple = call.startswith("pm.LKJCholeskyCov(")
        self.lines.append(f"{name}, {name}_corr, {name}_sd = {call}" if is_tuple else f"{name} = {call}")

    def _identifier(self, name):
        """A name of Python that no other variable has."""
        plain = _identifier(name, len(self.words))
        return plain if plain not in self.words.values() else f"v_{len(self.words)}_{plain}"

    # -- distributions ------------------------------------------------------------------------

    def _call(self, rv, more):
        kind, arguments = self._distribution(rv)
        own = [] if kind == "LKJCholeskyCov" else more
        name = f"{rv.name}_" if rv.name in OF_RESULTS else rv.name
        return f"pm.{kind}({', '.join([repr(name), *self._arguments(arguments), *own])})"

    def _arguments(self, arguments):
        """`mu=0` by name, those without a name first as they are."""
        words = {key: one if isinstance(one, str) else self._word(one) for key, one in arguments.items()}
        return [f"{key}={word}" if key else word for key, word in words.items()]

    def _dist(self, kind, arguments=None):
        """A component, `pm.Normal.dist(mu=0, sigma=1)`: of a variable, or of a kind with its arguments."""
        if arguments is None:
            kind, arguments = self._distribution(kind)
        return f"pm.{kind}.dist({', '.join(self._arguments(arguments))})"

    def _distribution(self, rv):
        op = rv.owner.op
        name = getattr(op, "name", None) or type(op).__name__
        made = compound(rv, self._dist)
        if made is None and name not in FAMILIES:
            self._refuse(rv, f"the distribution {name}")
        return made or FAMILIES[name](*op.dist_params(rv.owner))

    def _refuse(self, variable, what):
        raise CannotWrite(f"{variable}: {what} cannot be written from the graph; {WAY_OUT}")

    def _shape(self, rv):
        dims = self.model.named_vars_to_dims.get(rv.name)
        if dims and all(self.model.coords.get(dim) is not None for dim in dims):
            self.coords.update({dim: _labels(self.model.coords[dim]) for dim in dims})
            return [f"dims={tuple(dims)!r}"]
        shape = tuple(int(n) for n in rv.shape.eval())
        return [f"shape={shape!r}"] if shape else []

    def _transform(self, rv):
        transform = type(self.model.rvs_to_transforms.get(rv)).__name__
        return ["transform=pm.distributions.transforms.ordered"] if transform == "Ordered" else []

    # -- expressions --------------------------------------------------------------------------

    def _word(self, variable):
        """An expression of Python; a long one gets a name on a line of its own."""
        if id(variable) not in self.words:
            word = self._expression(variable)
            if variable.owner is not None and len(word) > 60:
                name = f"v{len(self.words)}"
                self.lines.append(f"{name} = {word}")
                word = name
            self.words[id(variable)] = word
            self.kept.append(variable)  # so that no other variable takes its identity
        return self.words[id(variable)]

    def _expression(self, variable):
        if variable.owner is None:
            return self._leaf(variable)
        op = variable.owner.op
        write = OPERATIONS.get(type(op).__name__)
        if write is None:
            return self._evaluated(variable, f"the operation {type(op).__name__}")
        return write(self, op, variable.owner.inputs, variable)

    def _evaluated(self, variable, what):
        """The value of an expression of numbers alone, or of shapes, as numbers."""
        from pytensor.graph.traversal import ancestors

        random = set(self.model.basic_RVs)
        is_shape = type(variable.owner.op).__name__ in ("Shape", "Shape_i")
        if not is_shape and any(one in random for one in ancestors([variable])):
            self._refuse(variable, what)
        return self._array(np.asarray(variable.eval()), variable.name)

    def _leaf(self, variable):
        value = variable.get_value() if hasattr(variable, "get_value") else getattr(variable, "data", None)
        if value is None:
            self._refuse(variable, "a variable without a value")
        array = np.asarray(value)
        if self._leaf_is_number(variable):
            return _literal(array.item())
        return self._array(array, variable.name)

    def _array(self, array, name):
        """A number or a short constant as it is, another as a column."""
        if array.ndim == 0:
            return _literal(array.item())
        if _holds(array, self.response):
            what = f'"{name}"' if name else f"an array {array.shape}"
            raise CannotWrite(
                f"{what} is the response again, or a line over it: the model holds it twice; "
                "a predictor that says what is observed explains nothing: leave it out"
            )
        is_short = array.ndim == 1 and array.size <= SHORT and len(array) != len(np.atleast_1d(self.response))
        if is_short and not name and array.dtype.kind in "biuf":
            return f"np.array([{', '.join(map(_literal, array.tolist()))}])"
        return self._column(array, name)

    def _column(self, array, name):
        """`data["name"]` of the column with these values; one of another shape is a new one."""
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise CannotWrite(f'"{name or "an array"}" of the model holds values that are no finite numbers')
        for known, values in {**self.used, **self.given}.items():
            if np.shape(values) == array.shape and np.array_equal(_numbers(values), array):
                self.used[known] = values
                return _quoted(known)
        fresh = self._fresh(name)
        self.used[fresh] = array
        return _quoted(fresh)

    def _fresh(self, name):
        taken = {**self.used, **self.given}
        wanted = [*([_identifier(name, 0)] if name else []), *(f"x{n}" for n in range(1, 1000))]
        return next(one for one in wanted if one not in taken)

    # -- operations ---------------------------------------------------------------------------

    def elementwise(self, op, inputs, variable):
        name = type(op.scalar_op).__name__
        words = [self._word(one) for one in inputs]
        if name in ("Cast", "Identity"):
            return words[0]
        if name in INFIX:
            return "(" + f" {INFIX[name]} ".join(words) + ")"
        if name in CALLED:
            return f"{CALLED[name]}({', '.join(words)})"
        if name == "Sqr":
            return f"({words[0]} ** 2)"
        if name == "Reciprocal":
            return f"(1 / {words[0]})"
        if name == "Second":
            return f"(pt.zeros_like({words[0]}) + {words[1]})"
        return self._evaluated(variable, f"the function {name}")

    def first(self, op, inputs, variable):
        return self._word(inputs[0])

    def dimshuffle(self, op, inputs, variable):
        """Axes that are dropped, then new ones; those at the front are what broadcasting adds."""
        order, kept = list(op.new_order), [one for one in op.new_order if one != "x"]
        if kept != sorted(kept):
            is_matrix = order == [1, 0]
            return f"{self._word(inputs[0])}.T" if is_matrix else self._refuse(variable, "a transposition")
        first = inputs[0].ndim - self._rank(inputs[0])
        dropped = [":" if axis in kept else "0" for axis in range(first, inputs[0].ndim)]
        word = self._word(inputs[0]) + _index(dropped, "0")
        return word + _index(["None" if one == "x" else ":" for one in order[_leading(op):]], "None")

    def _whole(self, variable):
        """An expression with the axes at its front, which joining, products and places do not add."""
        word, rank = self._word(variable), self._rank(variable)
        if rank == 0 < variable.ndim:
            return f"pt.full({(1,) * variable.ndim!r}, {word})"
        return word + _index(["None"] * (variable.ndim - rank) + [":"] * rank, "None")

    def _rank(self, variable):
        """How many axes a written expression has: those at the front that broadcasting adds are not written."""
        if id(variable) not in self.ranks:
            self.ranks[id(variable)] = self._rank_of(variable)
            self.kept.append(variable)
        return self.ranks[id(variable)]

    def _rank_of(self, variable):
        if variable.owner is None:
            return 0 if self._leaf_is_number(variable) else variable.ndim
        op, inputs = variable.owner.op, variable.owner.inputs
        kind = type(op).__name__
        if kind == "Elemwise":
            return max(map(self._rank, inputs), default=0)
        return variable.ndim - (_leading(op) if kind in ("DimShuffle", "ExpandDims") else 0)

    def _leaf_is_number(self, variable):
        return variable.ndim == 0 or (not hasattr(variable, "get_value") and np.size(variable.data) == 1)

    def picked(self, op, inputs, variable):
        return f"{self._based(inputs)}[{self._word(inputs[1])}]"

    def _based(self, inputs):
        """The indexed value; an array of numbers becomes a tensor if variables index it."""
        base, *places = inputs
        is_array = base.owner is None and any(one.owner is not None for one in places)
        return f"pt.as_tensor({self._word(base)})" if is_array else self._whole(base)

    def sliced(self, op, inputs, variable):
        from pytensor.tensor.subtensor import indices_from_subtensor

        if all(one.owner is None and hasattr(one, "data") for one in inputs):
            return self._array(np.asarray(variable.eval()), variable.name)
        said = getattr(op, "idx_list", None)
        places = inputs[1:] if said is None else indices_from_subtensor(inputs[1:], said)
        return f"{self._based(inputs)}[{', '.join(map(self._place, places))}]"

    def _place(self, place):
        if type(getattr(getattr(place, "owner", None), "op", None)).__name__ == "MakeSlice":
            place = slice(*place.owner.inputs)
        place = getattr(place, "data", place) if getattr(place, "ndim", None) is None else place
        if _is_none(place):
            return "None"
        if isinstance(place, slice):
            ends = (place.start, place.stop, place.step)
            return ":".join("" if _is_none(one) else self._place(one) for one in ends).removesuffix(":")
        if isinstance(place, (int, np.integer)):
            return str(int(place))
        return self._word(place)

    def reduced(self, op, inputs, variable):
        kinds = {"Sum": "sum", "Prod": "prod", "Max": "max", "Min": "min"}
        axes = "" if op.axis is None else f", axis={tuple(op.axis)!r}"
        return f"pt.{kinds[type(op).__name__]}({self._whole(inputs[0])}{axes})"

    def product(self, op, inputs, variable):
        return f"pt.dot({self._whole(inputs[0])}, {self._whole(inputs[1])})"

    def blockwise(self, op, inputs, variable):
        name = type(op.core_op).__name__
        if name == "Dot":
            return self.product(op, inputs, variable)
        if name == "Cholesky" and inputs[0].ndim == 2:
            return f"pt.linalg.cholesky({self._word(inputs[0])})"
        return self._refuse(variable, f"the operation {name}")

    def stacked(self, op, inputs, variable):
        return f"pt.stack([{', '.join(map(self._word, inputs))}])"

    def joined(self, op, inputs, variable):
        axis, *parts = inputs
        return f"pt.concatenate([{', '.join(map(self._whole, parts))}], axis={int(axis.eval())})"

    def allocated(self, op, inputs, variable):
        value, *shape = inputs
        return f"pt.full({tuple(int(one.eval()) for one in shape)!r}, {self._word(value)})"

    def reshaped(self, op, inputs, variable):
        value, shape = inputs
        return f"pt.reshape({self._whole(value)}, {tuple(int(one) for one in shape.eval())!r})"

    def identity(self, op, inputs, variable):
        n, m, k = (int(one.eval()) for one in inputs)
        return f"pt.eye({n})" if (m, k) == (n, 0) else self._refuse(variable, "a shifted diagonal")

    def replaced(self, op, inputs, variable):
        from pytensor.tensor.subtensor import indices_from_subtensor

        base, value, *rest = inputs
        places = ", ".join(map(self._place, indices_from_subtensor(rest, op.idx_list)))
        kind = "set" if op.set_instead_of_inc else "inc"
        return f"pt.{kind}_subtensor({self._whole(base)}[{places}], {self._word(value)})"

    def diagonal(self, op, inputs, variable):
        if inputs[0].ndim != 1 or op.offset != 0:
            self._refuse(variable, "a diagonal of several matrices")
        return f"pt.diag({self._whole(inputs[0])})"

    def accumulated(self, op, inputs, variable):
        kind = "sum" if op.mode == "add" else "prod"
        return f"pt.cum{kind}({self._whole(inputs[0])}, axis={op.axis!r})"

    def placed(self, op, inputs, variable):
        """A packed Cholesky factor put in its place; the name of its distribution means the matrix."""
        inner = getattr(inputs[1].owner, "op", None)
        if type(inner).__name__ != "_LKJCholeskyCovRV":
            self._refuse(variable, f"the operation {type(op).__name__}")
        return self._word(inputs[1])

    def softmax(self, op, inputs, variable):
        return f"pt.special.softmax({self._whole(inputs[0])}, axis={op.axis!r})"


INFIX = {"Add": "+", "Sub": "-", "Mul": "*", "TrueDiv": "/", "Pow": "**", "LT": "<", "LE": "<=",
         "GT": ">", "GE": ">=", "EQ": "==", "NEQ": "!="}
CALLED = {"Abs": "pt.abs", "Ceil": "pt.ceil", "Cos": "pt.cos", "Erf": "pt.erf", "Exp": "pt.exp",
          "Expm1": "pt.expm1", "Floor": "pt.floor", "Log": "pt.log", "Log1p": "pt.log1p", "Neg": "-",
          "Sign": "pt.sign", "Sigmoid": "pm.math.invlogit", "Sin": "pt.sin", "Softplus": "pt.softplus",
          "Sqrt": "pt.sqrt", "Tanh": "pt.tanh", "ScalarMaximum": "pt.maximum",
          "ScalarMinimum": "pt.minimum", "Maximum": "pt.maximum", "Minimum": "pt.minimum",
          "Switch": "pt.switch", "Clip": "pt.clip", "GammaLn": "pt.gammaln", "Log10": "pt.log10", "Erfc": "pt.erfc", "Log1mexp": "pt.log1mexp"}
OPERATIONS = {
    "Elemwise": _Writer.elementwise, "DimShuffle": _Writer.dimshuffle, "SpecifyShape": _Writer.first,
    "CheckParameterValue": _Writer.first, "ViewOp": _Writer.first, "TensorFromScalar": _Writer.first, "ScalarFromTensor": _Writer.first,
    "Squeeze": _Writer.dimshuffle, "ExpandDims": _Writer.dimshuffle,
    "AdvancedSubtensor1": _Writer.picked, "AdvancedSubtensor": _Writer.sliced,
    "Subtensor": _Writer.sliced, "Sum": _Writer.reduced, "Prod": _Writer.reduced,
    "Max": _Writer.reduced, "Min": _Writer.reduced, "Dot": _Writer.product,
    "Blockwise": _Writer.blockwise, "MakeVector": _Writer.stacked, "Join": _Writer.joined,
    "Softmax": _Writer.softmax, "Alloc": _Writer.allocated, "Reshape": _Writer.reshaped,
    "CumOp": _Writer.accumulated, "AllocDiag": _Writer.diagonal,
    "Eye": _Writer.identity, "IncSubtensor": _Writer.replaced, "AdvancedIncSubtensor": _Writer.placed,
}


def _quoted(column):
    """`data["name"]`: names of a file's columns are data, whatever they hold."""
    return f"data[{json.dumps(column, ensure_ascii=False)}]"


def _is_none(place):
    """A missing end of a slice, or a new axis: None itself, or PyTensor's constant of it."""
    return place is None or (not hasattr(place, "get_value") and getattr(place, "data", place) is None)


def _leading(op):
    """How many new axes stand at the front."""
    order = list(op.new_order)
    return next((at for at, one in enumerate(order) if one != "x"), len(order))


def _index(places, wanted):
    """`[:, None]`, or nothing where no place is `wanted`."""
    return f"[{', '.join(places)}]" if wanted in places else ""


def _columns(data):
    if data is None:
        return {}
    if not hasattr(data, "items"):
        raise TypeError(f"data is a {type(data).__name__}; beside a model wanted a DataFrame or a dictionary")
    return {str(name): np.asarray(values) for name, values in data.items()}


def _holds(array, response):
    """Whether an array, or a column of it, is an affine function of the response."""
    rows = response.shape[0] if response.ndim == 1 else 0
    if rows < 3 or array.ndim not in (1, 2) or array.shape[0] != rows or array.dtype.kind not in "biuf":
        return False
    y = response - response.mean()
    columns = array.reshape(rows, -1) - array.reshape(rows, -1).mean(axis=0)
    spread = np.sqrt((columns**2).sum(axis=0))
    varies = (spread > 0) & (np.sqrt((y**2).sum()) > 0)
    off = columns[:, varies] / spread[varies]
    return bool((1 - np.abs(off.T @ y) / np.sqrt((y**2).sum()) < 1e-12).any())


def _numbers(values):
    """Values as numbers; texts as what no number equals."""
    array = np.asarray(values)
    return array if array.dtype.kind in "biuf" else np.full(array.shape, np.nan)


def _literal(value):
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if abs(value) == np.inf:
        return "np.inf" if value > 0 else "-np.inf"
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def _labels(values):
    return [one.item() if isinstance(one, np.generic) else one for one in values]


def _identifier(name, place):
    """A name of Python: characters other than ASCII letters, digits and underscores become underscores."""
    plain = "".join(one if one.isascii() and (one.isalnum() or one == "_") else "_" for one in name or "")
    taken = keyword.iskeyword(plain) or plain in ("data", "model", "pm", "pt", "np")
    if not plain or plain[0].isdigit() or taken:
        return f"v_{place}_{plain}"
    return plain
