/** PyTensor's `pt.linalg`: Cholesky factors, and triangular systems of equations. */
import type { GraphBuilder } from "../ir/builder.ts";
import { describeShape } from "../ir/shape.ts";
import { type CallSite, numberOf, shapeOf } from "../interpreter/arrays.ts";
import { transpose } from "../interpreter/linear_algebra.ts";
import type { NumericValue, Value } from "../interpreter/values.ts";
import { arrayArgument, type ArrayFunction, type Bound, flagArgument } from "./array_function.ts";

function squareMatrix(site: CallSite, bound: Bound, name: string): NumericValue | undefined {
  const x = arrayArgument(site, bound, name);
  if (!x) return undefined;
  const shape = shapeOf(site.checking, x);
  if (shape.length === 2 && shape[0] === shape[1]) return x;
  const found = describeShape(shape);
  const message = `Cannot call ${site.text}: wanted a square matrix, found ${found}`;
  return void site.checking.error("shapes/square", message, site.place);
}

function tensor(x: NumericValue, node: NumericValue["node"]): NumericValue {
  return { ...x, node, dtype: "float", origin: "tensor" };
}

/** `pt.linalg.cholesky(x)`: the lower factor, or its transpose with `lower=False`. */
export const choleskyFactor: ArrayFunction = {
  names: ["x"],
  required: 1,
  keywordOnly: ["lower"],
  ignored: ["check_finite", "overwrite_a", "on_error"],
  apply: (site, bound) => {
    const x = squareMatrix(site, bound, "x");
    if (!x) return undefined;
    site.checking.multiply(shapeOf(site.checking, x)[0] ** 3 / 3, site.place);
    const lower = tensor(x, site.checking.graph.cholesky(x.node));
    return flagArgument(site, bound, "lower", true)
      ? lower
      : transpose(site.checking, lower, site.place);
  },
};

/** `pt.linalg.solve_triangular(a, b, trans=0, lower=False)` for vectors and matrices b. */
export const solveTriangular: ArrayFunction = {
  names: ["a", "b"],
  required: 2,
  keywordOnly: ["trans", "lower"],
  ignored: ["check_finite", "b_ndim"],
  apply: (site, bound) => {
    const a = squareMatrix(site, bound, "a");
    const b = a && arrayArgument(site, bound, "b");
    if (!a || !b) return undefined;
    const shape = shapeOf(site.checking, b);
    const n = shapeOf(site.checking, a)[0];
    if (shape.length < 1 || shape.length > 2 || shape[0] !== n) {
      const message = `Cannot call ${site.text}: ${describeShape([n, n])} and ` +
        `${describeShape(shape)} do not fit`;
      return void site.checking.error("shapes/matmul", message, site.place);
    }
    const isLower = flagArgument(site, bound, "lower", false);
    const factor = isLower ? a : transpose(site.checking, a, site.place);
    const turned = isTransposed(site, bound.get("trans")?.value) !== !isLower;
    const { graph: g } = site.checking;
    return tensor(b, solved(g, factor.node, b.node, turned));
  },
};

function solved(g: GraphBuilder, factor: number, b: number, turned: boolean): number {
  const shape = g.shapeOf(b);
  const columns = shape.length === 1 ? g.reshape(b, [shape[0], 1]) : b;
  return g.reshape(g.solve(factor, columns, turned), shape);
}

/** `"T"`, 1 and 2 stand for the transpose. */
function isTransposed(site: CallSite, trans: Value | undefined): boolean {
  if (trans?.kind === "text") return trans.value !== "N";
  return (numberOf(site.checking, trans) ?? 0) !== 0;
}
