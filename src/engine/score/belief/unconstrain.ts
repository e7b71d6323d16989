/** Positions of values on the unconstrained scale: the inverse of the transforms. */
import type { Dataset } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { log } from "../../../numerics/math/mod.ts";
import { diagonalOf, unconstrainedShape } from "../../language/distributions/transforms.ts";
import type { CheckedProgram, Transform } from "../../language/ir/program.ts";
import { broadcastIndex, type Shape, sizeOf } from "../../language/ir/shape.ts";
import { columnsOf, type ParameterDraws } from "../../inference/predict/draws.ts";
import { Interpreter } from "../../inference/predict/interpreter.ts";

/** Positions of draws, and where each parameter stands in them. */
interface Positions {
  /** `[draws, dimension]`. */
  readonly values: Float64Array;
  readonly dimension: number;
}

/**
 * The unconstrained vector of each draw of the parameters; summed-out variables have no part in it.
 *
 * @throws InputError `simulate/transform` if a parameter has a support that has no inverse here.
 */
export function unconstrain(
  program: CheckedProgram,
  dataset: Dataset,
  { draws, parameters }: ParameterDraws,
): Positions {
  const sizes = program.parameters.map((one) =>
    sizeOf(unconstrainedShape(one.transform, one.shape))
  );
  const dimension = sizes.reduce((a, b) => a + b, 0);
  const bounds = new Bounds(program, dataset);
  const values = new Float64Array(draws * dimension);
  for (let s = 0; s < draws; s++) {
    const own = program.parameters.map(({ shape }, k) => {
      const size = sizeOf(shape);
      return parameters[k].subarray(s * size, (s + 1) * size);
    });
    const ends = bounds.at(own);
    let at = s * dimension;
    program.parameters.forEach(({ name, shape, transform }, k) => {
      values.set(inverse(transform, own[k], shape, ends, name), at);
      at += sizes[k];
    });
  }
  return { values, dimension };
}

/** Ends of intervals by node. */
type Ends = (node: number) => { readonly shape: Shape; readonly values: Float64Array };

/** The bounds of intervals, which may depend on other parameters. */
class Bounds {
  readonly #interpreter: Interpreter;

  constructor({ nodes, parameters }: CheckedProgram, dataset: Dataset) {
    const targets = parameters.flatMap(({ transform }) => boundsOf(transform));
    this.#interpreter = new Interpreter(nodes, columnsOf(dataset), targets);
  }

  at(values: readonly Float64Array[]): Ends {
    values.forEach((own, k) => this.#interpreter.setParameter(k, own));
    this.#interpreter.run();
    return (node) => this.#interpreter.value(node);
  }
}

function boundsOf(transform: Transform): readonly number[] {
  if (transform.kind === "chain") return transform.parts.flatMap(boundsOf);
  return transform.kind === "interval" ? [transform.lower, transform.upper] : [];
}

function inverse(
  transform: Transform,
  value: Float64Array,
  shape: Shape,
  ends: Ends,
  name: string,
): Float64Array {
  const last = shape.at(-1) ?? 1;
  switch (transform.kind) {
    case "identity":
      return value;
    case "log":
      return value.map(log);
    case "logodds":
      return value.map((x) => log(x / (1 - x)));
    case "interval":
      return fromInterval(
        value,
        elements(ends(transform.lower), shape),
        elements(ends(transform.upper), shape),
      );
    case "ordered":
      return value.map((x, i) => i % last === 0 ? x : log(x - value[i - 1]));
    case "simplex":
      return fromSimplex(value, last);
    case "cholesky_factor": {
      const diagonal = new Set(diagonalOf(transform.n));
      return value.map((x, i) => diagonal.has(i % last) ? log(x) : x);
    }
    case "summed":
      return new Float64Array(0);
    case "chain": {
      const { parts } = transform;
      if (parts.every((part) => unconstrainedShape(part, shape).length === shape.length)) {
        return parts.reduceRight((x, part) => inverse(part, x, shape, ends, name), value);
      }
      break;
    }
  }
  throw inputError(
    "simulate/transform",
    `Cannot follow "${name}" from its prior: values of its kind (${transform.kind}) have no inverse here`,
    undefined,
    "write it with normal, positive, bounded, ordered or simplex variables",
  );
}

function elements({ shape, values }: ReturnType<Ends>, to: Shape): Float64Array {
  if (values.length === 1) return new Float64Array(sizeOf(to)).fill(values[0]);
  return Float64Array.from(broadcastIndex(shape, to), (i) => values[i]);
}

function fromInterval(value: Float64Array, lower: Float64Array, upper: Float64Array): Float64Array {
  return value.map((x, i) => {
    const [low, high] = [lower[i], upper[i]];
    if (low === -Infinity) return high === Infinity ? x : log(high - x);
    return high === Infinity ? log(x - low) : log((x - low) / (high - x));
  });
}

/** Logarithms less their mean over each row, but for the last. */
function fromSimplex(value: Float64Array, last: number): Float64Array {
  const rows = value.length / last;
  const out = new Float64Array(rows * (last - 1));
  for (let row = 0; row < rows; row++) {
    const logs = value.subarray(row * last, (row + 1) * last).map(log);
    const mean = logs.reduce((a, b) => a + b, 0) / last;
    for (let i = 0; i < last - 1; i++) out[row * (last - 1) + i] = logs[i] - mean;
  }
  return out;
}
