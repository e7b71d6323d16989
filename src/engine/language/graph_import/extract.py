"""Prints the graph of the PyMC model that a program builds, as JSON: the macro language is Python.

Loops, classes and helper functions have vanished by then. Distributions are recorded as the program
called them (class, positional and keyword arguments), tensors as nodes: constants, parameters,
elementwise operations, reductions, and flat indices for whatever only moves elements about.
Nothing in the output is trusted: the reader checks every node.
"""

import functools
import json
import os
import pathlib
import sys
import sysconfig
import tempfile
import traceback


# No compiler is needed to build a graph, and nothing of it outlives this process. Libraries want to
# keep something all the same: where nothing can be written, PyTensor and Matplotlib get a folder
# that passes their checks, and what is written while they are imported is dropped.
kept = {}
try:
    os.environ["PYTENSOR_FLAGS"] = f"cxx=,base_compiledir={tempfile.gettempdir()}"
except FileNotFoundError:
    unused = f"{sysconfig.get_paths()['purelib']}/pytensor/compile"
    os.environ["PYTENSOR_FLAGS"] = f"cxx=,compiledir={unused}"
    os.environ["MPLCONFIGDIR"] = unused
    for name in ("mkdir", "write_text", "replace"):
        kept[name] = getattr(pathlib.Path, name)
        setattr(pathlib.Path, name, lambda *args, **kwargs: None)

import arviz
import numpy as np
import pandas as pd
import pymc as pm
import pytensor
import pytensor.tensor as pt
from pytensor.compile.sharedvalue import SharedVariable
from pytensor.graph.basic import Constant, Variable
from pytensor.tensor import elemwise
from pytensor.tensor.random.op import RandomVariable
from pytensor.tensor.shape import Reshape  # not by `pytensor.tensor.shape`: that is the function

for name, method in kept.items():
    setattr(pathlib.Path, name, method)

pytensor.config.traceback__limit = 24  # so that what a program made is found among its callers
FORMAT = 1
PROGRAM_BYTES = 64 * 1024  # as the engine's own reader
sys.setrecursionlimit(20_000)


class Unsupported(Exception):
    """The program is valid, and says something that the engine's graph cannot hold."""

    def __init__(self, what, rule=None, line=None, hint=None):
        super().__init__(what)
        self.rule = rule
        self.line = line
        self.hint = hint


def unsupported(reason):
    """The printed form of a program that the graph cannot hold."""
    return {"format": FORMAT, "unsupported": str(reason)[:250], "rule": reason.rule,
            "line": reason.line, "hint": reason.hint}


CUSTOM = {"CustomDist", "DensityDist", "Simulator", "Interpolated", "SimulatorRV", "InterpolatedRV"}
MINIBATCH = "MinibatchRandomVariable"


class Calls:
    """Remembers with which arguments each random variable was asked for."""

    def __init__(self):
        self.by_variable = {}

    def record(self, variable, kind, args, kwargs):
        """The outermost call that made a variable ends last, and is the one that counts."""
        if isinstance(variable, Variable):
            self.by_variable[id(variable)] = (variable, kind, args, kwargs)

    def watch_dist(self, cls):
        """Wraps `cls.dist`, and remembers the arguments of each distribution."""
        original = cls.__dict__["dist"].__func__

        @functools.wraps(original)
        def dist(kind, *args, **kwargs):
            made = original(kind, *args, **kwargs)
            first = made[0] if isinstance(made, tuple) else made
            self.record(first, kind.__name__, args, dict(kwargs))
            return made

        cls.dist = classmethod(dist)

    def watch_new(self, cls):
        """Wraps the making of a named variable by a class that only stands for another one."""
        original = cls.__dict__["__new__"].__func__

        @functools.wraps(original)
        def new(kind, name, *args, **kwargs):
            made = original(kind, name, *args, **kwargs)
            self.record(pm.modelcontext(None)[name], kind.__name__, args, dict(kwargs))
            return made

        cls.__new__ = new


def watch_distributions():
    """Wraps every distribution of PyMC; returns the record that fills as a program runs."""
    calls, seen = Calls(), set()
    for value in list(vars(pm.distributions).values()):
        for cls in value.__mro__ if isinstance(value, type) else ():
            if cls in seen or cls.__module__.split(".")[0] != "pymc":
                continue
            seen.add(cls)
            if isinstance(cls.__dict__.get("dist"), classmethod):
                calls.watch_dist(cls)
            if "__new__" in cls.__dict__ and not issubclass(cls, pm.Distribution):
                if "dist" in cls.__dict__:
                    calls.watch_new(cls)
    return calls


ELEMENTWISE = {
    "Abs": "abs", "Ceil": "ceil", "Cos": "cos", "Erf": "erf", "Erfc": "erfc", "Exp": "exp",
    "Expm1": "expm1", "Floor": "floor", "Log": "log", "Log1p": "log1p", "Neg": "neg",
    "Sgn": "sign", "Sign": "sign", "Sigmoid": "sigmoid", "Sin": "sin", "Softplus": "softplus", "Sqrt": "sqrt",
    "Tanh": "tanh", "GammaLn": "lgamma", "Psi": "digamma", "RoundHalfToEven": "round",
    "ArcTan": "atan", "IsNan": "is_nan", "Sub": "sub", "TrueDiv": "div", "Pow": "pow", "Mod": "mod",
    "LT": "lt", "LE": "le", "GT": "gt", "GE": "ge", "EQ": "eq", "NEQ": "ne",
    "Switch": "where",
}
CHAINED = {
    "Add": "add", "Mul": "mul", "Maximum": "maximum", "ScalarMaximum": "maximum",
    "Minimum": "minimum", "ScalarMinimum": "minimum", "AND": "and", "OR": "or",
}
TRANSPARENT = {"Cast", "Identity", "SpecifyShape", "ViewOp", "TensorFromScalar", "ScalarFromTensor",
               "CheckAndRaise", "Assert", "CheckParameterValue", "DeepCopyOp", "Unbroadcast"}
STRUCTURAL = {"DimShuffle", "ExpandDims", "Squeeze", "Subtensor", "AdvancedSubtensor",
              "AdvancedSubtensor1", "Reshape", "ExtractDiag", "Transpose", "BroadcastTo",
              "Alloc", "Join", "MakeVector", "IncSubtensor", "AdvancedIncSubtensor",
              "AdvancedIncSubtensor1", "Repeat", "AllocDiag", "Second", "Split"}
OPTIONS = {"shape", "size", "dims", "rng", "observed", "initval", "transform", "default_transform",
           "total_size", "compute_corr", "store_in_trace", "model", "compute_p"}
REDUCE = {"Sum": "sum", "Prod": "prod", "Max": "max", "Min": "min"}


class Composer:
    """Formulas for functions that the graph has no operation for, as the engine itself writes them."""

    def __init__(self, extraction):
        self.extraction = extraction

    def number(self, value):
        return self.extraction.constant(float(value))

    def of(self, op, *args):
        shapes = [self.extraction.nodes[arg]["shape"] for arg in args]
        return self.extraction.add(op, args, np.broadcast_shapes(*shapes))

    def half(self, x):
        return self.of("mul", self.number(0.5), x)

    def hyperbolic(self, op, x):
        return self.half(self.of(op, self.of("exp", x), self.of("exp", self.of("neg", x))))

    def arcsin(self, x):
        one = self.number(1)
        root = self.of("sqrt", self.of("mul", self.of("sub", one, x), self.of("add", one, x)))
        return self.of("mul", self.number(2), self.of("atan", self.of("div", x, self.of("add", one, root))))

    def arccos(self, x):
        one = self.number(1)
        ratio = self.of("div", self.of("sub", one, x), self.of("add", one, x))
        return self.of("mul", self.number(2), self.of("atan", self.of("sqrt", ratio)))

    def arcsinh(self, x):
        one, size = self.number(1), self.of("abs", x)
        square = self.of("mul", size, size)
        rest = self.of("div", square, self.of("add", one, self.of("sqrt", self.of("add", square, one))))
        return self.of("mul", self.of("sign", x), self.of("log1p", self.of("add", size, rest)))

    def arccosh(self, x):
        one = self.number(1)
        root = self.of("sqrt", self.of("mul", self.of("sub", x, one), self.of("add", x, one)))
        return self.of("log", self.of("add", x, root))

    def arctanh(self, x):
        return self.half(self.of("sub", self.of("log1p", x), self.of("log1p", self.of("neg", x))))


COMPOSED = {
    "Tan": lambda c, x: c.of("div", c.of("sin", x), c.of("cos", x)),
    "Sinh": lambda c, x: c.hyperbolic("sub", x),
    "Cosh": lambda c, x: c.hyperbolic("add", x),
    "ArcSin": Composer.arcsin, "ArcCos": Composer.arccos,
    "ArcSinh": Composer.arcsinh, "ArcCosh": Composer.arccosh, "ArcTanh": Composer.arctanh,
    "Log2": lambda c, x: c.of("div", c.of("log", x), c.number(np.log(2))),
    "Log10": lambda c, x: c.of("div", c.of("log", x), c.number(np.log(10))),
    "Exp2": lambda c, x: c.of("exp", c.of("mul", c.number(np.log(2)), x)),
    "Deg2Rad": lambda c, x: c.of("mul", x, c.number(np.pi / 180)),
    "Rad2Deg": lambda c, x: c.of("mul", x, c.number(180 / np.pi)),
    "XOR": lambda c, x, y: c.of("ne", x, y),
}

# Operations that the graph does not have, and a remedy for each.
INSTEAD = {
    "Scan": "write the steps as arrays, with pt.cumsum, or in a for loop of Python",
    "MatrixInverse": "write pm.MvNormal with cov=, chol= or tau=, or pt.linalg.cholesky",
    "MatrixPinv": "write pm.MvNormal with cov=, chol= or tau=",
    "Det": "write pm.MvNormal: its density has the determinant",
    "SLogDet": "write pm.MvNormal: its density has the determinant",
    "Solve": "write pm.MvNormal with cov=, or pt.linalg.solve_triangular of a Cholesky factor",
    "Eigh": "compute it with NumPy where the matrix is data",
    "SVD": "compute it with NumPy where the matrix is data",
    "Argmax": "write a smooth weight: pt.special.softmax",
    "Sort": "write transform=pm.distributions.transforms.ordered",
    "ArgSort": "write transform=pm.distributions.transforms.ordered",
    "Gamma": "write pt.exp(pt.gammaln(x))",
    "Erfcx": "write pt.erfc",
    "Erfinv": "write pm.math.probit",
}


class Extraction:
    """Nodes of one model."""

    def __init__(self, model, calls):
        self.model = model
        self.calls = calls.by_variable
        self.nodes = []
        self.known = {}
        self.samples = {}
        self.parameters = {rv: i for i, rv in enumerate(model.free_RVs)}

    # -- values with which shapes and indices are found ---------------------------------------

    def sample(self, variable):
        """A number array of the right shape; exact where no random variable is involved."""
        if variable not in self.samples:
            self.samples[variable] = self.compute_sample(variable)
        return self.samples[variable]

    def compute_sample(self, variable):
        if isinstance(variable, Constant):
            return variable.data
        if isinstance(variable, SharedVariable):
            return variable.get_value(borrow=True)
        if variable in self.parameters or is_random(variable):
            return np.ones(self.shape_of_random(variable), dtype=variable.dtype)
        owner = variable.owner
        inputs = [self.sample(x) for x in owner.inputs]
        storage = [[None] for _ in owner.outputs]
        with np.errstate(all="ignore"):
            owner.op.perform(owner, inputs, storage)
        return storage[owner.outputs.index(variable)][0]

    def shape_of_random(self, variable):
        static = variable.type.shape
        if all(extent is not None for extent in static):
            return static
        return tuple(int(n) for n in variable.shape.eval())

    # -- nodes -----------------------------------------------------------------------------------

    def add(self, op, args=(), shape=(), **more):
        self.nodes.append({"op": op, "args": list(args), "shape": [int(n) for n in shape], **more})
        return len(self.nodes) - 1

    def node(self, variable):
        if variable not in self.known:
            self.known[variable] = self.make(variable)
        return self.known[variable]

    def make(self, variable):
        if variable in self.parameters:
            shape = self.shape_of_random(variable)
            return self.add("parameter", (), shape, parameter=self.parameters[variable])
        if isinstance(variable, (Constant, SharedVariable)):
            return self.constant(self.sample(variable))
        if is_random(variable):
            raise Unsupported(f"a random variable without a name inside of an expression: {variable}")
        return self.operation(variable)

    def constant(self, values):
        array = np.asarray(values)
        if array.dtype.kind not in "fiub":
            raise Unsupported(f"a constant of type {array.dtype}")
        return self.add("constant", (), array.shape, values=numbers(array))

    def operation(self, variable):
        owner = variable.owner
        op = owner.op
        name = type(op).__name__
        if isinstance(op, elemwise.Elemwise):
            return self.elementwise(variable, op.scalar_op)
        if name == "Blockwise":
            return self.blockwise(variable, op)
        if name in TRANSPARENT or name.startswith("CheckParameter"):
            return self.node(owner.inputs[0])
        if name in REDUCE:
            return self.reduction(variable, REDUCE[name], op.axis)
        if name == "CumOp":
            kind = "cumsum" if op.mode == "add" else "cumprod"
            if op.axis is None:
                raise Unsupported("a cumulative operation without an axis")
            return self.add(kind, [self.node(owner.inputs[0])], self.shape(variable), axis=op.axis)
        if name in ("Softmax", "LogSoftmax"):
            return self.softmax(variable, name == "LogSoftmax", op.axis)
        if name == "Dot":
            return self.dot(variable, *owner.inputs)
        if name in STRUCTURAL or isinstance(op, Reshape):
            return self.moved(variable)
        if not self.depends_on_parameters(variable):
            return self.constant(self.sample(variable))
        raise self.lacking(variable, f"the operation {name}", name)

    def lacking(self, variable, what, name):
        """The refusal of a PyTensor operation: its name, the line that made it, what to write instead."""
        line = line_of(variable)
        where = f" in line {line}" if line else ""
        return Unsupported(f"{what} of PyTensor{where} has no translation", None, line, INSTEAD.get(name))

    def shape(self, variable):
        return np.shape(self.sample(variable))

    def depends_on_parameters(self, variable):
        pending, seen = [variable], set()
        while pending:
            v = pending.pop()
            if v in self.parameters or is_random(v):
                return True
            if v in seen or v.owner is None or type(v.owner.op).__name__ in ("Shape", "Shape_i"):
                continue
            seen.add(v)
            pending.extend(v.owner.inputs)
        return False

    def elementwise(self, variable, scalar_op):
        name = type(scalar_op).__name__
        inputs = variable.owner.inputs
        shape = self.shape(variable)
        if name in TRANSPARENT:
            return self.node(inputs[0])
        if name == "Second":
            return self.moved(variable)
        args = [self.node(x) for x in inputs]
        if name in ELEMENTWISE:
            return self.add(ELEMENTWISE[name], args, shape)
        if name in CHAINED:
            return self.chain(CHAINED[name], args)
        if name == "Sqr":
            return self.add("mul", [args[0], args[0]], shape)
        if name == "Reciprocal":
            return self.add("div", [self.constant(1.0), args[0]], shape)
        if name == "Clip":
            lower, upper = (self.is_infinite(x) for x in inputs[1:])
            raised = args[0] if lower else self.chain("maximum", args[:2])
            return raised if upper else self.chain("minimum", [raised, args[2]])
        if name == "IntDiv":
            return self.add("floor", [self.add("div", args, shape)], shape)
        if name == "Invert" and inputs[0].dtype == "bool":
            return self.add("not", args, shape)
        if name == "Log1mexp":
            inner = self.add("exp", args, shape)
            return self.add("log1p", [self.add("neg", [inner], shape)], shape)
        if name in COMPOSED:
            return COMPOSED[name](Composer(self), *args)
        if not self.depends_on_parameters(variable):
            return self.constant(self.sample(variable))
        raise self.lacking(variable, f"the function {name}", name)

    def is_infinite(self, variable):
        return not self.depends_on_parameters(variable) and bool(np.all(np.isinf(self.sample(variable))))

    def chain(self, op, args):
        whole = args[0]
        for arg in args[1:]:
            shape = np.broadcast_shapes(self.nodes[whole]["shape"], self.nodes[arg]["shape"])
            whole = self.add(op, [whole, arg], shape)
        return whole

    def reduction(self, variable, kind, axis):
        x = variable.owner.inputs[0]
        axes = list(range(x.ndim)) if axis is None else [axis] if isinstance(axis, int) else list(axis)
        if not axes:
            return self.node(x)
        return self.add(kind, [self.node(x)], self.shape(variable), axes=sorted(a % x.ndim for a in axes))

    def softmax(self, variable, logarithm, axis):
        x = variable.owner.inputs[0]
        name = "log_softmax" if logarithm else "softmax"
        if axis is None and x.ndim > 1:
            raise Unsupported(f"{name} over all axes")
        return self.add(name, [self.node(x)], self.shape(variable), axis=(axis or 0) % x.ndim)

    def dot(self, variable, a, b):
        left, right = self.node(a), self.node(b)
        sa, sb = self.shape(a), self.shape(b)
        if len(sa) == 1:
            sa = (1, *sa)
            left = self.add("reshape", [left], sa)
        if len(sb) == 1:
            sb = (*sb, 1)
            right = self.add("reshape", [right], sb)
        product = self.add("matmul", [left, right], (sa[0], sb[1]))
        return self.add("reshape", [product], self.shape(variable))

    def blockwise(self, variable, op):
        core = type(op.core_op).__name__
        inputs = variable.owner.inputs
        if core == "SolveTriangular" and variable.ndim == 1:
            return self.solved_vector(variable, op.core_op.lower)
        if variable.ndim != 2 and core != "Dot":
            raise self.lacking(variable, f"{core} on {variable.ndim} axes", core)
        if core == "Cholesky":
            return self.add("cholesky", [self.node(inputs[0])], self.shape(variable))
        if core == "SolveTriangular" and op.core_op.b_ndim == 2:
            factor, right = [self.node(x) for x in inputs]
            lower = op.core_op.lower
            factor = factor if lower else self.transposed(factor, self.shape(inputs[0])[0])
            return self.add("solve", [factor, right], self.shape(variable), transposed=not lower)
        if core == "Dot" and all(x.ndim == 2 for x in inputs):
            return self.dot(variable, *inputs)
        raise self.lacking(variable, f"the operation {core}", core)

    def solved_vector(self, variable, lower):
        factor, right = [self.node(x) for x in variable.owner.inputs]
        (n,) = self.shape(variable)
        factor = factor if lower else self.transposed(factor, n)
        column = self.add("reshape", [right], (n, 1))
        solved = self.add("solve", [factor, column], (n, 1), transposed=not lower)
        return self.add("reshape", [solved], (n,))

    def transposed(self, node, n):
        index = np.arange(n * n).reshape(n, n).T.ravel()
        return self.add("gather", [node], (n, n), index=[int(i) for i in index])

    def moved(self, variable):
        """An operation that only moves elements: it is run on their numbers."""
        owner = variable.owner
        if "IncSubtensor" in type(owner.op).__name__ and not owner.op.set_instead_of_inc:
            return self.incremented(variable)
        moving = self.moving_inputs(owner)
        inputs, offset, args = [], 0, []
        for i, x in enumerate(owner.inputs):
            if i not in moving:
                inputs.append(self.sample(x))
                continue
            shape = self.shape(x)
            size = int(np.prod(shape, dtype=int))
            if self.is_zero(x):
                inputs.append(np.zeros(shape))
                continue
            inputs.append(np.arange(offset + 1, offset + size + 1, dtype="float64").reshape(shape))
            args.append(self.node(x))
            offset += size
        # Elements count from 1, so that zeros of the operation's own are told apart: −1 stands for them.
        index = self.run_on_numbers(variable, inputs) - 1
        if not args:
            return self.constant(self.sample(variable))
        source = args[0] if len(args) == 1 else self.add("join", args, (offset,))
        return self.add("gather", [source], np.shape(index), index=[int(i) for i in np.ravel(index)])

    def incremented(self, variable):
        """`x[i] += y`: x plus the elements of y among zeros; no place may be hit twice."""
        owner = variable.owner
        shape = self.shape(variable)
        value = owner.inputs[1]
        hits = np.zeros(shape)
        inputs = [hits, np.ones(self.shape(value)), *(self.sample(x) for x in owner.inputs[2:])]
        if np.any(self.run_on_numbers(variable, inputs) > 1):
            raise self.lacking(variable, "inc_subtensor that adds twice to one place", "IncSubtensor")
        size = int(np.prod(self.shape(value), dtype=int))
        places = np.arange(1, size + 1, dtype="float64").reshape(self.shape(value))
        index = self.run_on_numbers(variable, [np.zeros(shape), places, *inputs[2:]]) - 1
        spread = self.add("gather", [self.node(value)], shape, index=[int(i) for i in np.ravel(index)])
        return self.add("add", [self.node(owner.inputs[0]), spread], shape)

    def is_zero(self, variable):
        """Zeros that other elements are written into need no node."""
        return not self.depends_on_parameters(variable) and not np.any(self.sample(variable))

    def run_on_numbers(self, variable, inputs):
        """The operation on these numbers; only exact if it does not compute with them."""
        owner = variable.owner
        typed = [pt.as_tensor(x) if isinstance(x, np.ndarray) and x.dtype == "float64" else old
                 for x, old in zip(inputs, owner.inputs)]
        again = owner.op.make_node(*typed)
        storage = [[None] for _ in again.outputs]
        owner.op.perform(again, inputs, storage)
        return storage[owner.outputs.index(variable)][0]

    def moving_inputs(self, owner):
        """Which inputs hold elements that are moved; the others say where."""
        name = type(owner.op).__name__
        count = len(owner.inputs)
        if name == "Elemwise":
            return [1]
        if name == "Join":
            return list(range(1, count))
        if name == "MakeVector":
            return list(range(count))
        if "IncSubtensor" in name:
            return [0, 1]
        return [0]

    # -- distributions ----------------------------------------------------------------------------------

    def distribution(self, variable):
        if id(variable) not in self.calls:
            raise Unsupported(f"the distribution of {variable}")
        _, name, args, kwargs = self.calls[id(variable)]
        kwargs = {k: v for k, v in kwargs.items() if k not in OPTIONS and v is not None}
        shape = [int(n) for n in self.shape_of_random(variable)]
        return {
            "pymc": name,
            "args": [self.argument(x) for x in args],
            "kwargs": {k: self.argument(v) for k, v in kwargs.items()},
            "shape": shape,
        }

    def argument(self, value):
        if value is None:
            return {"kind": "none"}
        if isinstance(value, (bool, np.bool_)):
            return {"kind": "boolean", "value": bool(value)}
        if isinstance(value, str):
            return {"kind": "text", "value": value}
        if isinstance(value, Variable) and id(value) in self.calls and value not in self.parameters:
            return {"kind": "distribution", "distribution": self.distribution(value)}
        if isinstance(value, (list, tuple)) and any(is_random(v) and v not in self.parameters for v in value if isinstance(v, Variable)):
            return {"kind": "list", "items": [self.argument(v) for v in value]}
        return {"kind": "node", "node": self.node(pt.as_tensor(value))}

    def refuse_tricks(self):
        """Parts that move a score without explaining the data, by the name of the rule that forbids them."""
        model = self.model
        for rv in model.basic_RVs:
            called = self.calls[id(rv)][1] if id(rv) in self.calls else ""
            if called in CUSTOM or called.startswith("CustomDist"):
                raise Unsupported(f"pm.{called}", "lh/custom-density")
            if type(rv.owner.op).__name__ == MINIBATCH:
                raise Unsupported(f"total_size= of {rv.name}: every row counts once", "lh/rescaled-likelihood")
        if model.potentials:
            raise Unsupported("pm.Potential", "lh/potential")
        observed = len(model.observed_RVs)
        if observed != 1:
            rule = "lh/duplicate-observation" if observed > 1 else "lh/unobserved"
            raise Unsupported(f"{observed} observed variables; wanted one", rule)

    def everything(self):
        model = self.model
        self.refuse_tricks()
        parameters = [
            {
                "name": rv.name,
                "distribution": self.distribution(rv),
                "transform": transform_name(model.rvs_to_transforms[rv]),
                "dims": list(model.named_vars_to_dims.get(rv.name) or []),
            }
            for rv in model.free_RVs
        ]
        observed = model.observed_RVs[0]
        value = model.rvs_to_values[observed]
        likelihood = {
            "name": observed.name,
            "distribution": self.distribution(observed),
            "value": numbers(np.asarray(self.sample(value))),
        }
        deterministics = []
        for d in model.deterministics:
            try:
                dims = list(model.named_vars_to_dims.get(d.name) or [])
                deterministics.append({"name": d.name, "node": self.node(d), "dims": dims})
            except Unsupported:
                continue  # it is reported with the draws, and is no part of the density
        return {
            "format": FORMAT,
            "parameters": parameters,
            "likelihood": likelihood,
            "deterministics": deterministics,
            "nodes": self.nodes,
        }


def line_of(variable):
    """The line of the program that made a variable, or one that it is computed from; if that is known."""
    pending, seen = [variable], set()
    while pending and len(seen) < 50:
        v = pending.pop(0)
        if v in seen:
            continue
        seen.add(v)
        lines = [line for file, line in frames_of(getattr(v.tag, "trace", None)) if file == "program.py"]
        if lines:
            return lines[-1]
        if v.owner is not None:
            pending.extend(v.owner.inputs)
    return None


def frames_of(trace):
    """Files and lines of a trace, which is a stack or a list of stacks."""
    if not isinstance(trace, (list, tuple)):
        return []
    if len(trace) >= 2 and isinstance(trace[0], str) and isinstance(trace[1], int):
        return [(trace[0], trace[1])]
    return [frame for part in trace for frame in frames_of(part)]


def is_random(variable):
    owner = getattr(variable, "owner", None)
    if owner is None:
        return False
    return isinstance(owner.op, RandomVariable) or type(owner.op).__mro__[1].__name__ in (
        "SymbolicRandomVariable", "MeasurableOpMixin",
    ) or any(base.__name__ == "SymbolicRandomVariable" for base in type(owner.op).__mro__)


def transform_name(transform):
    return None if transform is None else type(transform).__name__


def numbers(array):
    """Numbers that JSON can hold; the others as text."""
    return [float(x) if np.isfinite(x) else str(float(x)) for x in np.ravel(array).astype("float64")]


class Watched:
    """Remembers every model that a program opens."""

    def __init__(self):
        self.models = []
        original = pm.Model.__init__
        models = self.models

        def __init__(model, *args, **kwargs):
            original(model, *args, **kwargs)
            models.append(model)

        pm.Model.__init__ = __init__


def run_program(text, data, watched, calls):
    """Runs the program's text; the model is the only one that it opened."""
    watched.models.clear()
    calls.by_variable.clear()
    if len(text.encode()) > PROGRAM_BYTES:
        raise SyntaxError(f"more than {PROGRAM_BYTES} bytes")
    if "\0" in text:  # a ValueError of compile() before Python 3.11.4
        raise SyntaxError("source code string cannot contain null bytes")
    for reader in READERS:
        setattr(pd, reader, lambda *args, **kwargs: frame_of(data))
    names = {"__name__": "__main__", "pm": pm, "np": np, "pt": pt, "data": data}
    exec(compile(text, "program.py", "exec"), names)
    if not watched.models and callable(names.get("gen_model")):
        names["gen_model"](frame_of(data))
    if len(watched.models) != 1:
        if not watched.models:
            raise Unsupported("it has no model: write `with pm.Model() as model:`", "names/no-model")
        raise Unsupported(f"{len(watched.models)} models; wanted one", "lh/second-model")
    return watched.models[0]


READERS = ("read_csv", "read_table", "read_json", "read_parquet", "read_excel", "read_feather")


class Column(np.ndarray):
    """A column of `data`: an array with what programs ask a column of a data frame for."""

    labels = None

    def __array_finalize__(self, source):
        self.labels = getattr(source, "labels", None) if np.shape(source) == self.shape else None

    @property
    def values(self):
        return np.asarray(self)

    @property
    def series(self):
        return NamedCodes(np.asarray(self)).with_labels(self.labels)

    def to_numpy(self, *args, **kwargs):
        return np.asarray(self)

    def __getattr__(self, name):
        if name in ("unique", "nunique", "factorize", "map", "replace", "cat", "median", "quantile",
                    "value_counts", "isin", "index", "codes", "categories"):
            return getattr(self.series, name)
        raise AttributeError(name)

    def astype(self, kind, *args, **kwargs):
        return self.series.astype(kind) if kind == "category" else np.asarray(self).astype(kind, *args, **kwargs)


class NamedCodes(pd.Series):
    """Codes of categories that know their names: numbers in arithmetic, names where a file has names."""

    _metadata = ["labels"]
    labels = None

    @property
    def _constructor(self):
        return pd.Series

    def with_labels(self, labels):
        self.labels = labels
        return self

    def named(self):
        return pd.Series([self.labels[int(code)] for code in self]) if self.labels else pd.Series(self)

    def map(self, table, *args, **kwargs):
        return self.named().map(table, *args, **kwargs)

    def replace(self, table, *args, **kwargs):
        return self.named().replace(table, *args, **kwargs)

    def factorize(self, *args, **kwargs):
        return self.named().factorize(*args, **kwargs)

    def astype(self, kind, *args, **kwargs):
        if isinstance(kind, str) and kind == "category":
            return self.named().astype("category")
        return pd.Series(self).astype(kind, *args, **kwargs)

    def __eq__(self, other):
        return self.named() == other if isinstance(other, str) else pd.Series(self) == other

    def __ne__(self, other):
        return ~(self == other) if isinstance(other, str) else pd.Series(self) != other

    __hash__ = None


class Frame(pd.DataFrame):
    """A data frame whose columns of categories know their names."""

    _metadata = ["labels"]
    labels = {}

    @property
    def _constructor(self):
        return Frame

    def __getitem__(self, key):
        found = super().__getitem__(key)
        names = self.labels.get(key) if isinstance(key, str) else None
        return NamedCodes(found).with_labels(names) if names and isinstance(found, pd.Series) else found

    def __getattr__(self, name):
        if not name.startswith("_") and name in self.labels and name in self.columns:
            return self[name]
        return super().__getattr__(name)


class Columns(dict):
    """The columns by name, as `data["x"]`, `data.x` and `data[["x", "z"]]`."""

    def __getitem__(self, key):
        if isinstance(key, list):
            return np.column_stack([np.asarray(dict.__getitem__(self, one)) for one in key])
        return dict.__getitem__(self, key)

    def __getattr__(self, name):
        if name in self:
            return self[name]
        if name in ("shape", "columns", "index", "iloc", "loc", "dropna", "reset_index", "describe"):
            return getattr(frame_of(self), name)
        raise AttributeError(name)


def frame_of(data):
    """The argument of `gen_model` and of readers of files: a frame where all columns have one length."""
    lengths = {np.shape(array) for array in data.values()}
    if len(lengths) != 1 or len(*lengths) != 1:
        return data
    frame = Frame({name: np.array(array) for name, array in data.items()})
    frame.labels = {name: array.labels for name, array in data.items() if getattr(array, "labels", None)}
    return frame


class Nothing:
    """The result of inference here: each of its attributes and calls is such a result again."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key):
        return self

    def __call__(self, *args, **kwargs):
        return self


INFERENCE = ("sample", "sample_prior_predictive", "sample_posterior_predictive", "fit", "find_MAP",
             "compute_log_likelihood", "loo", "waic", "summary", "plot_trace")


def restore_old_names():
    """Names that PyMC has dropped and programs still use; and inference, which is the host's."""
    for old in ("MutableData", "ConstantData"):
        if not hasattr(pm, old):
            setattr(pm, old, pm.Data)
    if not hasattr(pm.math, "square"):
        pm.math.square = pt.square
    for name in INFERENCE:
        setattr(pm, name, Nothing())
    for name in dir(arviz):
        if callable(getattr(arviz, name)) and not isinstance(getattr(arviz, name), type):
            setattr(arviz, name, Nothing())


def data_of(job, response, masked):
    """Arrays by name; the response and what is masked are placeholders, the predictors real and read-only."""
    data = Columns()
    for name, column in job["columns"].items():
        values = response if name == job["response"] else masked.get(name, column.get("values"))
        array = np.asarray(values, dtype=float)
        whole = name != job["response"] or column["type"] != "real"
        if whole and np.all(array == np.floor(array)):
            array = array.astype(int)  # as a reader of files would
        array = array.reshape(column["shape"]).view(Column)
        array.labels = column.get("categories")
        array.flags.writeable = False
        data[name] = array.item() if array.ndim == 0 else array
    return data


def failure(error):
    """A Python exception as the program's own: its class, its text, and its line there."""
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == "program.py"]
    syntax = isinstance(error, SyntaxError)
    if syntax and error.filename == "program.py":
        lines.append(error.lineno)
    return {
        "kind": "syntax" if syntax else "exception",
        "line": lines[-1] if lines else None,
        "message": f"{type(error).__name__}: {str(error) or UNSAID.get(type(error), '')}"[:500],
    }


# Python reports no cause here: its parser takes deep nesting for a lack of memory.
UNSAID = {MemoryError: "nested too deeply, or too large"}


def graph(job, response, masked, watched, calls):
    """The graph of the program on one placeholder."""
    model = run_program(job["program"], data_of(job, response, masked), watched, calls)
    return Extraction(model, calls).everything()


def reordered(job, watched, calls):
    """The graph where the rows stand in another order, or why there is none; none if no order is asked for."""
    other = job.get("reordered")
    if other is None:
        return {}
    try:
        made = graph(
            {**job, "columns": other["columns"]}, other["placeholder"], other.get("masked", {}), watched, calls
        )
        return {"reordered": {"graph": made}}
    except Unsupported as reason:
        return {"reordered": {"failed": str(reason)[:250]}}
    except Exception as error:
        return {"reordered": {"failed": failure(error)["message"][:250]}}


def main():
    """Reads one job from standard input; writes one line of JSON and ends."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    job = json.load(sys.stdin)
    restore_old_names()
    watched, calls = Watched(), watch_distributions()
    try:
        masked = job.get("masked", [{} for _ in job["placeholders"]])
        graphs = [
            graph(job, response, shown, watched, calls) for response, shown in zip(job["placeholders"], masked)
        ]
        result = {"format": FORMAT, "graphs": graphs, **reordered(job, watched, calls)}
    except Unsupported as reason:
        result = unsupported(reason)
    except Exception as error:
        result = {"format": FORMAT, "failed": failure(error)}
    json.dump(result, out)
    out.close()


if __name__ == "__main__":
    main()
