"""A PyMC model that stands in memory, as a program's text and the data it was built from.

The graph is written out again; nothing is sampled. Arrays become columns by their values: those of
the data that were given, containers (`pm.Data`) by their own name, others by a name made up for
them. The text then takes the way of every other program: it is read, checked and scored in the
sandbox, and may look at the response once.
"""

import numpy as np

from ._families import FAMILIES, mixture

INDENT = "    "


class CannotWrite(ValueError):
    """The model holds something that its graph does not say in words of PyMC; give its text instead."""


def program_of(model, data=None):
    """The text of a program, and its data: a dictionary of arrays and numbers by name.

    model: a `pymc.Model` with one observed variable.
    data: a DataFrame or a dictionary; columns are found in the model by their values.

    Raises CannotWrite for what has no words.
    """
    return _Writer(model, data).program()


class _Writer:
    """Lines of one program, in the order in which the model was built."""

    def __init__(self, model, data):
        self.model = model
        self.given = _columns(data)
        self.used = {}
        self.lines = []
        self.words = {}
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
        head = ["import pymc as pm", "import pytensor.tensor as pt", "", f"with pm.Model({coords}) as model:"]
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
        self.words[id(rv)] = name = _identifier(rv.name, len(self.words))
        self.lines.append(f"{name} = {call}")

    # -- distributions ------------------------------------------------------------------------

    def _call(self, rv, more):
        kind, arguments = self._distribution(rv)
        said = [f"{key}={self._word(value)}" for key, value in arguments.items()]
        return f"pm.{kind}({', '.join([repr(rv.name), *said, *more])})"

    def _distribution(self, rv):
        op = rv.owner.op
        name = getattr(op, "name", None) or type(op).__name__
        if type(op).__name__ == "MixtureRV":
            return mixture(rv, op) or self._refuse(rv, "a mixture")
        if name not in FAMILIES:
            self._refuse(rv, f"the distribution {name}")
        return FAMILIES[name](*op.dist_params(rv.owner))

    def _refuse(self, variable, what):
        raise CannotWrite(
            f"{variable}: {what} cannot be written from the graph; "
            "give sluice.score the program's text, or the path of its file"
        )

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
        """An expression of Python; what is used again has a line of its own."""
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
            self._refuse(variable, f"the operation {type(op).__name__}")
        return write(self, op, variable.owner.inputs, variable)

    def _leaf(self, variable):
        value = variable.get_value() if hasattr(variable, "get_value") else getattr(variable, "data", None)
        if value is None:
            self._refuse(variable, "a variable without a value")
        array = np.asarray(value)
        if array.ndim == 0 or (array.size == 1 and not hasattr(variable, "get_value")):
            return _literal(array.item())
        if _holds(array, self.response):
            what = f'"{variable.name}"' if variable.name else f"an array ({variable})"
            raise CannotWrite(
                f"{what} is the response again, or a line over it: the model holds it twice; "
                "a predictor that says what is observed explains nothing: leave it out"
            )
        return self._column(array, variable.name)

    def _column(self, array, name):
        """`data["name"]` of the column with these values; one of another shape is a new one."""
        for known, values in {**self.used, **self.given}.items():
            if np.shape(values) == array.shape and np.array_equal(_numbers(values), array):
                self.used[known] = values
                return f'data["{known}"]'
        fresh = self._fresh(name)
        self.used[fresh] = array
        return f'data["{fresh}"]'

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
        return self._refuse(variable, f"the function {name}")

    def first(self, op, inputs, variable):
        return self._word(inputs[0])

    def dimshuffle(self, op, inputs, variable):
        """Axes that are dropped, then new ones; those at the front are what broadcasting adds."""
        order, kept = list(op.new_order), [one for one in op.new_order if one != "x"]
        if kept != sorted(kept):
            is_matrix = order == [1, 0]
            return f"{self._word(inputs[0])}.T" if is_matrix else self._refuse(variable, "a transposition")
        dropped = [":" if axis in kept else "0" for axis in range(inputs[0].ndim)]
        word = self._word(inputs[0]) + _index(dropped, "0")
        leading = next((at for at, one in enumerate(order) if one != "x"), len(order))
        return word + _index(["None" if one == "x" else ":" for one in order[leading:]], "None")

    def picked(self, op, inputs, variable):
        return f"{self._word(inputs[0])}[{self._word(inputs[1])}]"

    def sliced(self, op, inputs, variable):
        from pytensor.tensor.subtensor import indices_from_subtensor

        said = getattr(op, "idx_list", None)
        places = inputs[1:] if said is None else indices_from_subtensor(inputs[1:], said)
        return f"{self._word(inputs[0])}[{', '.join(map(self._place, places))}]"

    def _place(self, place):
        place = getattr(place, "data", place) if getattr(place, "ndim", None) is None else place
        if isinstance(place, slice):
            ends = (place.start, place.stop, place.step)
            return ":".join("" if one is None else self._place(one) for one in ends).removesuffix(":")
        if isinstance(place, (int, np.integer)):
            return str(int(place))
        return self._word(place)

    def reduced(self, op, inputs, variable):
        kinds = {"Sum": "sum", "Prod": "prod", "Max": "max", "Min": "min"}
        axes = "" if op.axis is None else f", axis={tuple(op.axis)!r}"
        return f"pt.{kinds[type(op).__name__]}({self._word(inputs[0])}{axes})"

    def product(self, op, inputs, variable):
        return f"pt.dot({self._word(inputs[0])}, {self._word(inputs[1])})"

    def blockwise(self, op, inputs, variable):
        if type(op.core_op).__name__ == "Dot":
            return self.product(op, inputs, variable)
        return self._refuse(variable, f"the operation {type(op.core_op).__name__}")

    def stacked(self, op, inputs, variable):
        return f"pt.stack([{', '.join(map(self._word, inputs))}])"

    def joined(self, op, inputs, variable):
        axis, *parts = inputs
        return f"pt.concatenate([{', '.join(map(self._word, parts))}], axis={int(axis.eval())})"

    def softmax(self, op, inputs, variable):
        return f"pt.special.softmax({self._word(inputs[0])}, axis={op.axis!r})"


INFIX = {"Add": "+", "Sub": "-", "Mul": "*", "TrueDiv": "/", "Pow": "**", "LT": "<", "LE": "<=",
         "GT": ">", "GE": ">=", "EQ": "==", "NEQ": "!="}
CALLED = {"Abs": "pt.abs", "Ceil": "pt.ceil", "Cos": "pt.cos", "Erf": "pt.erf", "Exp": "pt.exp",
          "Expm1": "pt.expm1", "Floor": "pt.floor", "Log": "pt.log", "Log1p": "pt.log1p", "Neg": "-",
          "Sign": "pt.sign", "Sigmoid": "pm.math.invlogit", "Sin": "pt.sin", "Softplus": "pt.softplus",
          "Sqrt": "pt.sqrt", "Tanh": "pt.tanh", "ScalarMaximum": "pt.maximum",
          "ScalarMinimum": "pt.minimum", "Maximum": "pt.maximum", "Minimum": "pt.minimum",
          "Switch": "pt.switch", "Clip": "pt.clip", "GammaLn": "pt.gammaln", "Log10": "pt.log10"}
OPERATIONS = {
    "Elemwise": _Writer.elementwise, "DimShuffle": _Writer.dimshuffle, "SpecifyShape": _Writer.first,
    "CheckParameterValue": _Writer.first, "ViewOp": _Writer.first, "TensorFromScalar": _Writer.first, "ScalarFromTensor": _Writer.first,
    "Squeeze": _Writer.dimshuffle, "ExpandDims": _Writer.dimshuffle,
    "AdvancedSubtensor1": _Writer.picked, "AdvancedSubtensor": _Writer.sliced,
    "Subtensor": _Writer.sliced, "Sum": _Writer.reduced, "Prod": _Writer.reduced,
    "Max": _Writer.reduced, "Min": _Writer.reduced, "Dot": _Writer.product,
    "Blockwise": _Writer.blockwise, "MakeVector": _Writer.stacked, "Join": _Writer.joined,
    "Softmax": _Writer.softmax,
}


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
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def _labels(values):
    return [one.item() if isinstance(one, np.generic) else one for one in values]


def _identifier(name, place):
    """A name of Python: what is no letter, digit or underscore goes."""
    plain = "".join(one if one.isascii() and (one.isalnum() or one == "_") else "_" for one in name or "")
    if not plain or plain[0].isdigit() or plain in ("data", "model", "pm", "pt", "np"):
        return f"v_{place}_{plain}"
    return plain
