/** Kernels of a Gaussian process to a depth, rewarded by prior times marginal likelihood in closed form. */
import { exp, log, sin } from "../../src/numerics/math/elementary.ts";
import { cholesky, solveLower } from "../../src/numerics/math/linalg.ts";
import type { Environment, TerminalObject } from "../../src/gfn/environments/environment.ts";
import { grammarEnvironment } from "../../src/gfn/grammar/environment.ts";
import { readGrammar } from "../../src/gfn/grammar/read.ts";
import type { GrammarSpec } from "../../src/gfn/grammar/spec.ts";
import { parseTomlFile } from "../../src/pipeline/toml/parse.ts";
import { withOwnReward } from "./own_reward.ts";

const root = new URL("../../", import.meta.url);

/** Values fixed in the programs: scale, noise, mean, and the origin of time. */
const known = { scale: 10, noise: 0.4, mean: 355, origin: 1993 } as const;

/** Variance that `pm.gp.Marginal` adds to the diagonal. */
const JITTER = 1e-6;

const LOG_2_PI = 1.8378770664093453;

/**
 * The grammar of `grammars/kernels.toml`, made small: two lengths, two roughnesses, chains of two
 * operands, known scale and noise; 46,445 kernels to depth 4.
 *
 *     log R = log prior + log N(y; 355, 10² K + 0.4² I)
 *
 * on twelve years of CO2 (Rasmussen and Williams 2006, eq. 2.30). `tools/golden/kernel_targets.py`
 * has the same target from ordered derivations, by numpy.
 */
export function kernelsEnvironment(depth: number): Environment {
  const environment = grammarEnvironment(smallKernels(depth)) as Environment;
  const evidence = new Evidence();
  return withOwnReward(environment, (object) => object.logPrior + evidence.of(object));
}

function smallKernels(depth: number): GrammarSpec {
  const path = "grammars/kernels.toml";
  const spec = readGrammar(parseTomlFile(Deno.readTextFileSync(new URL(path, root)), path), path);
  const holes = spec.holes.map((hole) => ({
    ...hole,
    ...(hole.number && { number: { ...hole.number, bits: 1, stop: undefined } }),
    productions: hole.productions.map((one) => one.associative ? { ...one, operands: 2 } : one),
  }));
  const template = spec.template
    .replace(/pm\.HalfNormal\("scale", sigma=20\)/, `${known.scale}`)
    .replace(/pm\.HalfNormal\("noise", sigma=1\)/, `${known.noise}`);
  return { ...spec, template, holes, depth };
}

/** Covariances of operands are kept: kernels have most of them in common. */
class Evidence {
  readonly #times: Float64Array;
  readonly #values: Float64Array;
  readonly #operands = new Map<string, Float64Array>();

  constructor() {
    const lines = Deno.readTextFileSync(new URL("data/mauna_loa.csv", root)).trim().split("\n");
    const rows = lines.slice(1).map((line) => line.split(",").map(Number));
    this.#times = Float64Array.from(rows, ([year]) => year - known.origin);
    this.#values = Float64Array.from(rows, ([, co2]) => co2 - known.mean);
  }

  /** Log marginal likelihood of the kernel that a program has. */
  of({ text }: Pick<TerminalObject, "text">): number {
    const kernel = /scale\*\*2 \* (.*)/.exec(text)![1];
    const matrix = this.#matrix(kernel).map((one) => known.scale * known.scale * one);
    const n = this.#values.length;
    for (let i = 0; i < n; i++) matrix[i * n + i] += known.noise * known.noise + JITTER;
    if (!cholesky(matrix, n)) throw new Error(`internal: no covariance: ${kernel}`);
    const white = Float64Array.from(this.#values);
    solveLower(matrix, n, white);
    let value = -0.5 * n * LOG_2_PI;
    white.forEach((one, i) => value -= 0.5 * one * one + log(matrix[i * n + i]));
    return value;
  }

  /** `[rows × rows]`, of a text without scale. */
  #matrix(kernel: string): Float64Array {
    return kernel[0] === "(" ? this.#chain(kernel) : this.#leaf(kernel);
  }

  /** The same of an operand, which other kernels have too. */
  #operand(kernel: string): Float64Array {
    const found = this.#operands.get(kernel) ?? this.#matrix(kernel);
    this.#operands.set(kernel, found);
    return found;
  }

  #chain(kernel: string): Float64Array {
    const middle = operatorIn(kernel);
    const left = this.#operand(kernel.slice(1, middle - 1));
    const right = this.#operand(kernel.slice(middle + 2, -1));
    const isSum = kernel[middle] === "+";
    return left.map((one, i) => isSum ? one + right[i] : one * right[i]);
  }

  #leaf(kernel: string): Float64Array {
    const [, name, number] = /^pm\.gp\.cov\.(\w+)\(1, (?:period=1, )?\w+=([\d.]+)\)$/.exec(kernel)!;
    const covariance = leaves[name](Number(number));
    const n = this.#times.length;
    return Float64Array.from({ length: n * n }, (_, i) => {
      return covariance(this.#times[Math.floor(i / n)], this.#times[i % n]);
    });
  }
}

/** Place of the operator in the outermost pair of brackets. */
function operatorIn(kernel: string): number {
  let open = 0;
  for (let i = 0; i < kernel.length; i++) {
    if (kernel[i] === "(") open++;
    if (kernel[i] === ")") open--;
    if (open === 1 && (kernel[i] === "+" || kernel[i] === "*")) return i;
  }
  throw new Error(`internal: no operator in ${kernel}`);
}

/** By name, from a parameter to a covariance of two times. */
const leaves: Readonly<Record<string, (of: number) => (s: number, t: number) => number>> = {
  ExpQuad: (length) => (s, t) => exp(-0.5 * ((s - t) / length) ** 2),
  Periodic: (length) => (s, t) => exp(-0.5 * (sin(Math.PI * (s - t)) / length) ** 2),
  Linear: (c) => (s, t) => (s - c) * (t - c),
};
