/** The covariance functions of `pm.gp.cov`, by name: their arguments and formulas. */
import { exp, lgamma, log } from "../../../../numerics/math/mod.ts";
import type { GraphBuilder } from "../../ir/builder.ts";
import type { NodeId } from "../../ir/node.ts";
import { type CovarianceParts, differences } from "./covariance.ts";
import { type Points, stridedColumn } from "./points.ts";

/** The numbers of a covariance function, and the columns that it reads. */
interface KernelArguments {
  readonly dims: readonly number[];
  /** By name: `ls`, `period`, `alpha`, `c`, `d`, `offset`. */
  readonly numbers: ReadonlyMap<string, NodeId>;
}

/** Added to squared distances below a root (PyMC 5.28). */
const leastSquare = 1e-12;

type Formula = (g: GraphBuilder, squares: NodeId, given: KernelArguments) => NodeId;
type Density = (g: GraphBuilder, squares: NodeId, dims: number, volume: NodeId) => NodeId;

/** One of a vector with an element for each column, or the number itself. */
function partOf(g: GraphBuilder, x: NodeId, k: number): NodeId {
  return g.shapeOf(x).length === 0 ? x : g.gather(x, Int32Array.of(k % g.shapeOf(x)[0]), []);
}

function hasParts(g: GraphBuilder, x: NodeId): boolean {
  return g.shapeOf(x).length > 0 && g.shapeOf(x)[0] > 1;
}

function total(g: GraphBuilder, terms: readonly NodeId[]): NodeId {
  return terms.reduce((sum, term) => g.add(sum, term));
}

/** Σ ((x_k − x'_k) / ls_k)². */
function scaledSquares(
  g: GraphBuilder,
  x: Points,
  others: Points | undefined,
  { dims, numbers }: KernelArguments,
): NodeId {
  const ls = numbers.get("ls")!;
  const squares = dims.map((k) => g.square(differences(g, x, others, k)));
  const inverse = (k: number) => g.div(g.scalar(1), g.square(partOf(g, ls, k)));
  if (!hasParts(g, ls)) return g.mul(total(g, squares), inverse(0));
  return total(g, squares.map((square, k) => g.mul(square, inverse(k))));
}

/** Σ (sin(π (x_k − x'_k) / period_k) / ls_k)². */
function periodicSquares(
  g: GraphBuilder,
  x: Points,
  others: Points | undefined,
  { dims, numbers }: KernelArguments,
): NodeId {
  const [period, ls] = [numbers.get("period")!, numbers.get("ls")!];
  return total(
    g,
    dims.map((column, k) => {
      const turns = g.mul(g.scalar(Math.PI), differences(g, x, others, column));
      return g.square(g.div(g.map("sin", g.div(turns, partOf(g, period, k))), partOf(g, ls, k)));
    }),
  );
}

function root(g: GraphBuilder, squares: NodeId): NodeId {
  return g.map("sqrt", g.add(squares, g.scalar(leastSquare)));
}

function fallen(g: GraphBuilder, factor: number, x: NodeId): NodeId {
  return g.exp(g.mul(g.scalar(-factor), x));
}

const normalShape: Formula = (g, squares) => fallen(g, 0.5, squares);

function matern(order: 3 | 5): Formula {
  return (g, squares) => {
    const r = root(g, squares);
    const scaled = g.mul(g.scalar(Math.sqrt(order)), r);
    const linear = g.add(g.scalar(1), scaled);
    const polynomial = order === 3 ? linear : g.add(linear, g.mul(g.scalar(5 / 3), g.square(r)));
    return g.mul(polynomial, fallen(g, 1, scaled));
  };
}

/** By name of those that look at scaled distances. */
const stationary: Readonly<Record<string, Formula>> = {
  ExpQuad: normalShape,
  Periodic: normalShape,
  Matern52: matern(5),
  Matern32: matern(3),
  Matern12: (g, squares) => fallen(g, 1, root(g, squares)),
  Exponential: (g, squares) => fallen(g, 0.5, root(g, squares)),
  Cosine: (g, squares) => g.map("cos", g.mul(g.scalar(2 * Math.PI), root(g, squares))),
  RatQuad: (g, squares, { numbers }) => {
    const alpha = numbers.get("alpha")!;
    const inner = g.add(g.scalar(1), g.div(g.mul(g.scalar(0.5), squares), alpha));
    return g.map("pow", inner, g.neg(alpha));
  },
};

/** Densities of the Matérn functions (Riutort-Mayol et al. 2022). */
function maternDensity(order: 3 | 5): Density {
  return (g, squares, dims, volume) => {
    const power = (dims + order) / 2;
    const below = (order === 3 ? 0.5 : 0.75) * Math.sqrt(Math.PI);
    const factor = exp(
      dims * log(2) + dims / 2 * log(Math.PI) + lgamma(power) + order / 2 * log(order),
    ) / below;
    const fall = g.map("pow", g.add(g.scalar(order), squares), g.scalar(-power));
    return g.mul(g.mul(g.scalar(factor), volume), fall);
  };
}

const densities: Readonly<Record<string, Density>> = {
  ExpQuad: (g, squares, dims, volume) =>
    g.mul(g.mul(g.scalar(exp(dims / 2 * log(2 * Math.PI))), volume), fallen(g, 0.5, squares)),
  Matern52: maternDensity(5),
  Matern32: maternDensity(3),
};

/** The density at squared frequencies `[m, dims]`: of Σ ls_k² ω_k², with Π ls_k before it. */
function spectralDensity(name: string, { numbers }: KernelArguments) {
  if (!Object.hasOwn(densities, name)) return undefined;
  const ls = numbers.get("ls")!;
  return (g: GraphBuilder, squares: Points): NodeId => {
    const scales = Array.from({ length: squares.columns }, (_, k) => partOf(g, ls, k));
    const scaled = total(
      g,
      scales.map((scale, k) => g.mul(stridedColumn(g, squares, k), g.square(scale))),
    );
    const volume = scales.reduce((product, scale) => g.mul(product, scale));
    return densities[name](g, scaled, squares.columns, volume);
  };
}

/** A function of distances, scaled by `ls`. */
function ofDistances(name: string, given: KernelArguments): CovarianceParts {
  const squares = name === "Periodic" ? periodicSquares : scaledSquares;
  const density = spectralDensity(name, given);
  return {
    full: (g, x, others) => stationary[name](g, squares(g, x, others, given), given),
    ...(density && { spectralDensity: density }),
  };
}

/** (x − c)(x' − c), summed over columns. */
function linear({ dims, numbers }: KernelArguments): CovarianceParts {
  const c = numbers.get("c")!;
  const centred = (g: GraphBuilder, x: Points, column: number, k: number) =>
    g.sub(stridedColumn(g, x, column), partOf(g, c, k));
  return {
    full(g, x, others = x) {
      return total(
        g,
        dims.map((column, k) => {
          const own = g.reshape(centred(g, x, column, k), [x.rows, 1]);
          return g.mul(own, g.reshape(centred(g, others, column, k), [1, others.rows]));
        }),
      );
    },
  };
}

function polynomial(given: KernelArguments): CovarianceParts {
  const { full } = linear(given);
  const [d, offset] = ["d", "offset"].map((name) => given.numbers.get(name)!);
  return {
    full: (g, x, others) => g.map("pow", g.add(full(g, x, others), offset), d),
  };
}

/** Arguments of a covariance function after the number of its columns. */
export interface KernelSignature {
  /** By position; `ls` and `ls_inv` stand for one another. */
  readonly names: readonly string[];
  readonly required: number;
  readonly make: (given: KernelArguments) => CovarianceParts;
}

function distances(name: string, before: readonly string[] = []): KernelSignature {
  return {
    names: [...before, "ls", "ls_inv"],
    required: before.length,
    make: (given) => ofDistances(name, given),
  };
}

/** Covariance functions that look at columns of their inputs. */
export const kernels: Readonly<Record<string, KernelSignature>> = {
  ExpQuad: distances("ExpQuad"),
  Matern52: distances("Matern52"),
  Matern32: distances("Matern32"),
  Matern12: distances("Matern12"),
  Exponential: distances("Exponential"),
  Cosine: distances("Cosine"),
  RatQuad: distances("RatQuad", ["alpha"]),
  Periodic: distances("Periodic", ["period"]),
  Linear: { names: ["c"], required: 1, make: linear },
  Polynomial: { names: ["c", "d", "offset"], required: 3, make: polynomial },
};
