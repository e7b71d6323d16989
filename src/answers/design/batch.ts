/** Batches of rows of the largest joint information, chosen one after the other. */
import type { RandomStream } from "../../base/random.ts";
import { log } from "../../numerics/math/mod.ts";
import { errorOfMean, mean } from "./information.ts";
import type { ProgramOutcomes } from "./program_outcomes.ts";

/** A row of a batch. */
export interface BatchStep {
  /** The candidate. */
  readonly row: number;
  /** Nats that it adds to those before it. */
  readonly adds: number;
  /** Its Monte Carlo error. */
  readonly error: number;
  /** Nats of all so far. */
  readonly joint: number;
}

/** Outcomes of earlier rows that are simulated. A round number: errors of a tenth of the spread. */
const futures = 96;

/**
 * Rows chosen greedily: each adds most information, expected over the outcomes of those before it (Krause and Guestrin
 * 2005: within 1 − 1/e of the best batch where outcomes are independent given the quantity of interest).
 *
 * @param answers index of each program's answer, the quantity of interest; programs and parameters if left out.
 * @param weights of the grid `[rows, points]`.
 */
export function greedyBatch(
  programs: readonly ProgramOutcomes[],
  weights: Float64Array,
  rows: number,
  size: number,
  random: RandomStream,
  answers?: ArrayLike<number>,
): readonly BatchStep[] {
  const points = weights.length / rows;
  let worlds = [priorWorld(programs)];
  const steps: BatchStep[] = [];
  const taken = new Set<number>();
  while (steps.length < Math.min(size, rows)) {
    const gains = Array.from(
      { length: rows },
      (_, row) =>
        taken.has(row)
          ? undefined
          : worlds.map((world) => gainAt(programs, world, row, weights, points, answers)),
    );
    const means = gains.map((own) => own ? mean(own) : -Infinity);
    const row = means.indexOf(Math.max(...means));
    const own = gains[row]!;
    const before = steps.at(-1)?.joint ?? 0;
    steps.push({
      row,
      adds: means[row],
      error: own.length < 2 ? 0 : errorOfMean(own),
      joint: before + means[row],
    });
    taken.add(row);
    if (steps.length === 1) worlds = Array.from({ length: futures }, () => worlds[0]);
    worlds = worlds.map((world) => observed(programs, world, row, points, weights, random));
  }
  return steps;
}

/** Probabilities of each draw of each program, given simulated outcomes `[programs][draws]`. */
type World = readonly Float64Array[];

function priorWorld(programs: readonly ProgramOutcomes[]): World {
  return programs.map(({ weight, draws }) => new Float64Array(draws).fill(weight / draws));
}

/** The world after an outcome of a row, drawn from its predictive distribution. */
function observed(
  programs: readonly ProgramOutcomes[],
  world: World,
  row: number,
  points: number,
  weights: Float64Array,
  random: RandomStream,
): World {
  const { mixture } = mixturesAt(programs, world, row, weights, points);
  let left = random.uniform() * mixture.reduce((a, b) => a + b, 0);
  let point = 0;
  while (point + 1 < points && left > mixture[point]) left -= mixture[point++];
  const next = world.map((own, m) => {
    const { draws, densities } = programs[m];
    return own.map((share, s) => share * densities[(row * draws + s) * points + point]);
  });
  const total = next.reduce((sum, own) => own.reduce((a, b) => a + b, sum), 0);
  return total > 0 ? next.map((own) => own.map((share) => share / total)) : world;
}

/** Masses of a row's outcomes, by program and of all. */
function mixturesAt(
  programs: readonly ProgramOutcomes[],
  world: World,
  row: number,
  weights: Float64Array,
  points: number,
) {
  const mixture = new Float64Array(points);
  const parts = programs.map(({ draws, densities }, m) => {
    const part = new Float64Array(points);
    for (let s = 0; s < draws; s++) {
      const share = world[m][s];
      if (!(share > negligible)) continue;
      const at = (row * draws + s) * points;
      for (let k = 0; k < points; k++) part[k] += share * densities[at + k];
    }
    for (let k = 0; k < points; k++) mixture[k] += part[k] *= weights[row * points + k];
    return part;
  });
  return { mixture, parts };
}

/** A probability that counts for none. */
const negligible = 1e-9;

/** Information of a row in one world. */
function gainAt(
  programs: readonly ProgramOutcomes[],
  world: World,
  row: number,
  weights: Float64Array,
  points: number,
  answers?: ArrayLike<number>,
): number {
  const { mixture, parts } = mixturesAt(programs, world, row, weights, points);
  if (!answers) {
    return entropyOf(mixture, row, weights, points) - noise(programs, world, row, weights, points);
  }
  const count = 1 + Math.max(...Array.from(answers));
  const joint = Array.from({ length: count }, () => new Float64Array(points));
  parts.forEach((part, m) => part.forEach((mass, k) => joint[answers[m]][k] += mass));
  return joint.reduce((sum, own) => {
    const share = own.reduce((a, b) => a + b, 0);
    return own.reduce(
      (all, mass, k) => mass > 0 ? all + mass * log(mass / (share * mixture[k])) : all,
      sum,
    );
  }, 0);
}

function entropyOf(masses: Float64Array, row: number, weights: Float64Array, points: number) {
  return masses.reduce(
    (sum, mass, k) => mass > 0 ? sum - mass * log(mass / weights[row * points + k]) : sum,
    0,
  );
}

/** Entropy that is left when program and draw are known. */
function noise(
  programs: readonly ProgramOutcomes[],
  world: World,
  row: number,
  weights: Float64Array,
  points: number,
): number {
  let sum = 0;
  programs.forEach(({ draws, densities }, m) => {
    for (let s = 0; s < draws; s++) {
      const share = world[m][s];
      if (!(share > negligible)) continue;
      const at = (row * draws + s) * points;
      for (let k = 0; k < points; k++) {
        const density = densities[at + k];
        if (density > 0) sum -= share * weights[row * points + k] * density * log(density);
      }
    }
  });
  return sum;
}
