/** Simulation-based calibration: whether a simulator and a density are of one theory (Talts et al. 2018; Modrák et al. 2023). */
import { RandomStream } from "../../../base/random.ts";
import { log } from "../../../numerics/math/mod.ts";
import type { NewRows } from "../predictions.ts";
import { believe } from "./believe.ts";
import { type Calibration, calibrationOf, type Ranks } from "./ranks.ts";
import { TheoryRows } from "./rows.ts";
import type { Design, NamedDraws } from "./theory.ts";
import { simulateLatents, simulateRows } from "./simulate.ts";

/** Two programs that should be one theory: rows are simulated from one, inferred by the other. */
export interface TwoPrograms {
  /** Rows are simulated from it. */
  readonly simulator: string;
  /** The posterior is its. */
  readonly density: string;
}

/** How calibration is computed. */
export interface CalibrateOptions {
  /** Simulated transcripts; 200 see a likelihood that lacks a term. */
  readonly draws: number;
  /** The first of them, where others are ranked elsewhere; 0 if left out. */
  readonly first?: number;
  /** Of the random streams. */
  readonly key: readonly (string | number)[];
  /** Draws of each posterior. */
  readonly particles?: number;
}

/**
 * Draws latents and rows again and again, and ranks the latents among draws of the posterior given these rows, and
 * the log likelihood of the rows at the latents among those at the draws. Where simulator and density are of one
 * theory ranks are uniform; Kolmogorov's test measures how far they are from it. Yields after each transcript.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { calibrate } from "./calibrate.ts";
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mean = pm.Normal("mean", 0, 1)
 *     pm.Normal("y", mean, 1, observed=data["y"])
 * `;
 * const design = [{ name: "y", role: "response", type: "real" }] as const;
 * const at = { rows: 5, columns: new Map() };
 * const options = { draws: 20, key: ["seed"], particles: 100 };
 * const steps = calibrate({ simulator: text, density: text }, design, at, options);
 * let step = steps.next();
 * while (!step.done) step = steps.next();
 * assert(step.value.p > 1e-4); // simulator and density are one theory
 * ```
 *
 * @param at rows of every transcript.
 * @throws InputError if a program cannot be read or followed.
 */
export function* calibrate(
  programs: TwoPrograms,
  design: Design,
  at: NewRows,
  options: CalibrateOptions,
): Generator<void, Calibration> {
  return calibrationOf(yield* ranksOf(programs, design, at, options));
}

/**
 * The ranks of some transcripts: a transcript has the same ones whichever others are ranked beside it.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { ranksOf } from "./calibrate.ts";
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mean = pm.Normal("mean", 0, 1)
 *     pm.Normal("y", mean, 1, observed=data["y"])
 * `;
 * const design = [{ name: "y", role: "response", type: "real" }] as const;
 * const at = { rows: 5, columns: new Map() };
 * const options = { draws: 3, key: ["seed"], particles: 100 };
 * const steps = ranksOf({ simulator: text, density: text }, design, at, options);
 * let step = steps.next();
 * while (!step.done) step = steps.next();
 * assert.equal(step.value.get("mean")!.length, 3);
 * ```
 */
export function* ranksOf(
  { simulator, density }: TwoPrograms,
  design: Design,
  at: NewRows,
  { draws, first = 0, key, particles = 200 }: CalibrateOptions,
): Generator<void, Ranks> {
  const ranks = new Map<string, number[]>();
  for (let k = first; k < first + draws; k++) {
    const own = [...key, k];
    const random = new RandomStream(...own, "ties");
    const latents = simulateLatents(simulator, design, 1, own, at);
    const response = simulateRows(simulator, design, latents, at, own);
    if (!response.every(Number.isFinite)) continue;
    const { latents: drawn } = believe(density, design, { ...at, response }, {
      particles,
      key: own,
    });
    const truth = { ...latents, ...only(latents, drawn.names) };
    for (const [name, value, others] of quantities(density, design, at, response, truth, drawn)) {
      ranks.set(name, [...ranks.get(name) ?? [], rankOf(value, others, random)]);
    }
    yield;
  }
  return ranks;
}

/** Latents that the density has too. */
function only({ names, parameters }: NamedDraws, wanted: readonly string[]) {
  return { names: wanted, parameters: wanted.map((name) => parameters[names.indexOf(name)]) };
}

/** Each latent with its draws, and the log likelihood. */
function* quantities(
  density: string,
  design: Design,
  at: NewRows,
  response: Float64Array,
  truth: NamedDraws,
  drawn: NamedDraws,
): Generator<[string, number, Float64Array]> {
  const { names, draws, parameters } = drawn;
  for (const [k, name] of names.entries()) {
    const size = parameters[k].length / draws;
    for (let i = 0; i < size; i++) {
      const others = Float64Array.from({ length: draws }, (_, s) => parameters[k][s * size + i]);
      yield [size === 1 ? name : `${name}[${i}]`, truth.parameters[k][i], others];
    }
  }
  const likelihood = (latents: NamedDraws) =>
    logLikelihoods(density, design, at, response, latents);
  yield ["log likelihood", likelihood(truth)[0], likelihood(drawn)];
}

function logLikelihoods(
  density: string,
  design: Design,
  at: NewRows,
  response: Float64Array,
  latents: NamedDraws,
): Float64Array {
  const { draws } = latents;
  const outcomes = { points: 1, values: response };
  const densities = new TheoryRows(density, design, latents, at).densities(outcomes);
  return Float64Array.from({ length: draws }, (_, s) => {
    let sum = 0;
    for (let row = 0; row < at.rows; row++) sum += log(densities[row * draws + s]);
    return sum;
  });
}

/** Share of draws below a value, itself among them; ties are broken at random. */
function rankOf(value: number, others: Float64Array, random: RandomStream): number {
  let [below, ties] = [0, 0];
  for (const one of others) {
    if (one < value) below++;
    else if (one === value) ties++;
  }
  return (below + (ties + 1) * random.uniform()) / (others.length + 1);
}
