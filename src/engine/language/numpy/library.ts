/** Functions of NumPy, PyMC and PyTensor on whole arrays, by module and name. */
import type { ArrayFunction } from "./array_function.ts";
import { arange, asArray, eye, filled, filledLike, linspace } from "./creation.ts";
import { choleskyFactor, solveTriangular } from "./factors.ts";
import { concatenate, stack, tableStack } from "./joining.ts";
import { outer, product } from "./products.ts";
import { statsFunctions } from "./numpy_functions.ts";
import {
  broadcastToFunction,
  diag,
  diff,
  expandDims,
  expandPacked,
  flatten,
  repeat,
  reshape,
  squeeze,
  tile,
  transposeFunction,
  triangle,
} from "./rearranging.ts";
import { counted, logic, logSumExp, moments, reduction, scan, softmax } from "./reductions.ts";

/** Functions that NumPy and PyTensor share. */
const shared: Readonly<Record<string, ArrayFunction>> = {
  sum: reduction("sum", counted),
  prod: reduction("prod", counted),
  max: reduction("max", (x) => x.dtype),
  min: reduction("min", (x) => x.dtype),
  amax: reduction("max", (x) => x.dtype),
  amin: reduction("min", (x) => x.dtype),
  any: logic("max"),
  all: logic("min"),
  mean: moments("mean"),
  var: moments("var"),
  std: moments("std"),
  cumsum: scan("cumsum"),
  cumprod: scan("cumprod"),
  dot: product(true),
  matmul: product(false),
  outer,
  stack,
  concatenate,
  hstack: tableStack("hstack"),
  vstack: tableStack("vstack"),
  column_stack: tableStack("column_stack"),
  zeros: filled(0),
  ones: filled(1),
  empty: filled(0),
  full: filled("fill_value"),
  zeros_like: filledLike(0),
  ones_like: filledLike(1),
  empty_like: filledLike(0),
  full_like: filledLike("fill_value"),
  reshape,
  flatten,
  ravel: flatten,
  expand_dims: expandDims,
  squeeze,
  transpose: transposeFunction,
  broadcast_to: broadcastToFunction,
  repeat,
  tile,
  diff,
  diag,
  eye,
  identity: eye,
  tril: triangle(true),
  triu: triangle(false),
  arange,
  linspace,
};

const tensorOnly: Readonly<Record<string, ArrayFunction>> = {
  as_tensor: asArray(true),
  as_tensor_variable: asArray(true),
  constant: asArray(true),
  softmax: softmax(false),
  log_softmax: softmax(true),
  expand_packed_triangular: expandPacked,
};

/** Functions of arrays of each module by name; NumPy's own stand in `numpy_functions.ts`. */
export const arrayFunctions: Readonly<Record<string, Readonly<Record<string, ArrayFunction>>>> = {
  pm: { expand_packed_triangular: expandPacked },
  np: { ...shared, array: asArray(false), asarray: asArray(false), atleast_1d: asArray(false) },
  pt: { ...shared, ...tensorOnly, logsumexp: logSumExp(false) },
  "pm.math": { ...shared, ...tensorOnly, logsumexp: logSumExp(true) },
  "pt.linalg": { cholesky: choleskyFactor, solve_triangular: solveTriangular },
  "pt.special": { softmax: softmax(false), log_softmax: softmax(true) },
  stats: statsFunctions,
  special: { logsumexp: logSumExp(false), softmax: softmax(false), log_softmax: softmax(true) },
};

/** Names of these tables that `pm.math` of PyMC 5.28 does not have. */
export const notInPymcMath: ReadonlySet<string> = new Set([
  "any",
  "all",
  "var",
  "std",
  "hstack",
  "vstack",
  "column_stack",
  "empty",
  "reshape",
  "ravel",
  "expand_dims",
  "squeeze",
  "transpose",
  "repeat",
  "tile",
  "diag",
  "eye",
  "identity",
  "tril",
  "triu",
  "arange",
  "linspace",
  "amax",
  "amin",
  "outer",
  "as_tensor_variable",
]);
