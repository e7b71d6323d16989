/** Belief in a theory: draws of its latents given rows that were seen, and how probable these rows were. */
import { digestOf } from "../../../base/digest.ts";
import { RandomStream } from "../../../base/random.ts";
import type { PointwiseDensity } from "../../../numerics/math/mod.ts";
import { compileLogDensity } from "../../inference/density/compile.ts";
import { unconstrain } from "./unconstrain.ts";
import { priorDraws } from "../../inference/predict/draws.ts";
import { unconstrainedShape } from "../../language/distributions/transforms.ts";
import type { CheckedProgram } from "../../language/ir/program.ts";
import { sizeOf } from "../../language/ir/shape.ts";
import type { NewRows } from "../predictions.ts";
import { interleaved } from "../predictive.ts";
import { type Design, type NamedDraws, namesOf, theoryAt } from "./theory.ts";
import { type Population, withRow } from "./population.ts";
import { simulateLatents } from "./simulate.ts";

/** Rows that were seen, in their order, with their responses. */
export interface SeenRows extends NewRows {
  /** `[rows]`. */
  readonly response: Float64Array;
  /** Where the program is read before any row was seen: the first of these. */
  readonly atFirst?: NewRows;
}

/** How a belief is computed. */
export interface BeliefOptions {
  /** Draws of the latents. */
  readonly particles: number;
  /** Of the random stream. */
  readonly key: readonly (string | number)[];
}

/** Posterior of a theory's latents, as draws. */
export interface Belief {
  /** Equally likely draws of the latents. */
  readonly latents: NamedDraws;
  /** log p of the responses that were seen, nats. */
  readonly logEvidence: number;
  /** Its Monte Carlo standard error. */
  readonly evidenceError: number;
}

/**
 * Follows the posterior of a theory from its prior through the rows that were seen, one after the other. The same text,
 * rows and options give the same bits, whether populations of earlier rows are remembered or not.
 *
 * @throws InputError if the program cannot be read, or a prior has no inverse transform.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { believe } from "./believe.ts";
 * const theory = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mu = pm.Normal("mu", 0, 1)
 *     pm.Normal("y", mu, 1, observed=data["y"])
 * `;
 * const design = [{ name: "y", role: "response", type: "real" }] as const;
 * const seen = { rows: 1, columns: new Map(), response: Float64Array.of(2) };
 * const belief = believe(theory, design, seen, { particles: 2000, key: ["example"] });
 * const [mu] = belief.latents.parameters;
 * assert(Math.abs(mu.reduce((a, b) => a + b) / 2000 - 1) < 0.1); // the posterior is Normal(1, √½)
 * assert(Math.abs(belief.logEvidence + 2.2655) < 0.1); // log Normal(2; 0, √2)
 * ```
 */
export function believe(
  text: string,
  design: Design,
  seen: SeenRows,
  { particles, key }: BeliefOptions,
): Belief {
  if (seen.rows === 0) {
    const at = seen.atFirst && firstRows(seen.atFirst, 1);
    const latents = simulateLatents(text, design, particles, [...key, "belief"], at);
    return { latents, logEvidence: 0, evidenceError: 0 };
  }
  const keys = keysOf(text, design, seen, particles, key);
  const asked = lastAsked.get(text);
  if (asked?.key === keys[seen.rows]) return asked.belief;
  const belief = believed(text, design, seen, keys, { particles, key });
  if (lastAsked.size >= mostAsked) lastAsked.delete(lastAsked.keys().next().value!);
  lastAsked.set(text, { key: keys[seen.rows], belief });
  return belief;
}

/** The last belief in each theory: queries are weighed, asked and answered by the same. */
const lastAsked = new Map<string, { readonly key: string; readonly belief: Belief }>();
/** Theories of a stage, or some of them. */
const mostAsked = 128;

/** The digest of a population's inputs, after each number of rows. */
function keysOf(
  text: string,
  design: Design,
  seen: SeenRows,
  particles: number,
  key: readonly (string | number)[],
): readonly string[] {
  return Array.from({ length: seen.rows + 1 }, (_, rows) => {
    const { columns } = firstRows(seen, rows);
    const own = [...columns].map(([name, values]) => [name, [...values]]);
    const response = [...seen.response.subarray(0, rows)];
    return digestOf([text, design, own, response, particles, [...key]]);
  });
}

function believed(
  text: string,
  design: Design,
  seen: SeenRows,
  keys: readonly string[],
  options: BeliefOptions,
): Belief {
  const { known, read, density } = populationAt(text, design, seen, keys, options);
  const { population, places } = known;
  const positions = reordered(population, places, placesOf(read));
  return {
    latents: {
      names: namesOf(read),
      draws: population.count,
      parameters: constrained(density, positions, read, population.count),
    },
    logEvidence: population.logEvidence,
    evidenceError: Math.sqrt(population.variance),
  };
}

/** A population, and where the parameters are in its positions: no program, whose graph would be held with it. */
interface Known {
  readonly population: Population;
  readonly places: Places;
}

/** Places of parameters in a position, by name. */
type Places = ReadonlyMap<string, { readonly offset: number; readonly size: number }>;

/** Populations of this process, by the digest of their inputs; the oldest is evicted first. */
const remembered = new Map<string, Known>();
/** Numbers of all that are remembered, 64 MB: a hundred theories of a few latents, and the turns of a few episodes. */
const mostRemembered = 1 << 23;
let numbers = 0;

function populationAt(
  text: string,
  design: Design,
  seen: SeenRows,
  keys: readonly string[],
  { particles, key }: BeliefOptions,
) {
  let rows = seen.rows;
  while (rows > 0 && !remembered.has(keys[rows])) rows--;
  let known = remembered.get(keys[rows]) ?? fromPrior(text, design, seen, particles, key);
  let last: { read: CheckedProgram; density: PointwiseDensity } | undefined;
  for (let k = rows + 1; k <= seen.rows; k++) {
    last = readAt(text, design, seenUpTo(seen, k));
    const places = placesOf(last.read);
    const positions = reordered(known.population, known.places, places);
    const random = new RandomStream(...key, "belief", keys[k]);
    const population = withRow({ ...known.population, positions }, last.density, random);
    known = { population, places };
    remember(keys[k], known);
  }
  return { known, ...last ?? readAt(text, design, seen) };
}

function remember(key: string, known: Known): void {
  remembered.set(key, known);
  numbers += known.population.positions.length;
  for (const [old, { population }] of remembered) {
    if (numbers <= mostRemembered) return;
    remembered.delete(old);
    numbers -= population.positions.length;
  }
}

function readAt(text: string, design: Design, seen: SeenRows) {
  const { program, dataset } = theoryAt(text, design, seen, seen.response);
  return { read: program, density: compileLogDensity(program, dataset) };
}

/** Particles from the prior. */
function fromPrior(
  text: string,
  design: Design,
  seen: SeenRows,
  particles: number,
  key: readonly (string | number)[],
): Known {
  const { program, dataset } = theoryAt(text, design, firstRows(seen, 1));
  const drawn = priorDraws(program, dataset, particles, [...key, "belief", "latents"]);
  const { values, dimension } = unconstrain(program, dataset, drawn);
  const population = {
    positions: values,
    dimension,
    count: particles,
    logEvidence: 0,
    variance: 0,
  };
  return { population, places: placesOf(program) };
}

function firstRows({ columns }: NewRows, rows: number): NewRows {
  const own = [...columns].map(([name, values]) => [name, values.slice(0, rows)] as const);
  return { rows, columns: new Map(own) };
}

function seenUpTo(seen: SeenRows, rows: number): SeenRows {
  return { ...firstRows(seen, rows), response: seen.response.slice(0, rows) };
}

/** The positions in the order in which another reading of the program has its parameters. */
function reordered(
  { positions, dimension, count }: Population,
  old: Places,
  own: Places,
) {
  if ([...own].every(([name, { offset }]) => old.get(name)!.offset === offset)) return positions;
  const out = new Float64Array(positions.length);
  for (let s = 0; s < count; s++) {
    for (const [name, { offset, size }] of own) {
      const at = s * dimension + old.get(name)!.offset;
      out.set(positions.subarray(at, at + size), s * dimension + offset);
    }
  }
  return out;
}

function placesOf({ parameters }: CheckedProgram): Places {
  let end = 0;
  return new Map(parameters.map(({ name, shape, transform }) => {
    const size = sizeOf(unconstrainedShape(transform, shape));
    const offset = end;
    end += size;
    return [name, { offset, size }];
  }));
}

/** Values of the parameters at each position, each `[draws, …shape]`. */
function constrained(
  density: PointwiseDensity,
  positions: Float64Array,
  { parameters }: CheckedProgram,
  draws: number,
): Float64Array[] {
  const { dimension } = density;
  const row = new Float64Array(density.quantities.length);
  const columns = density.quantities.map(() => new Float64Array(draws));
  for (let s = 0; s < draws; s++) {
    density.constrain(positions, s * dimension, row, 0);
    columns.forEach((column, k) => column[s] = row[k]);
  }
  let at = 0;
  return parameters.map(({ shape }) => {
    const own = columns.slice(at, at += sizeOf(shape));
    return interleaved(own);
  });
}
