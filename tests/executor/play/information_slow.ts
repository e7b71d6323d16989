/** Information of queries against quadrature: discounting, whose theory has two latents, and the death process, with one. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { designOf, rowsJson } from "../../../src/executor/play/design.ts";
import { type InputRow, randomRow } from "../../../src/executor/play/draw_rows.ts";
import type { BeliefJson } from "../../../src/executor/theories/messages.ts";
import { localTheories, shippedExperiments } from "./local_theories.ts";

/** Abramowitz and Stegun 7.1.26 is too rough: the series and the continued fraction of erf. */
function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x);
  let [term, sum] = [x, x];
  for (let n = 1; Math.abs(term) > 1e-14; n++) {
    term *= -x * x / n;
    sum += term / (2 * n + 1);
  }
  return Math.abs(x) < 3 ? 2 / Math.sqrt(Math.PI) * sum : Math.sign(x) * (1 - tail(Math.abs(x)));
}

function tail(x: number): number {
  let fraction = 0;
  for (let n = 60; n >= 1; n--) fraction = n / 2 / (x + fraction);
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction);
}

/** log of n over y. */
function logChoose(n: number, y: number): number {
  let sum = 0;
  for (let k = 1; k <= y; k++) sum += Math.log((n - y + k) / k);
  return sum;
}

/** Midpoints of a lattice over the latents: a third of its steps moves no nat by 0.0001. */
interface Lattice {
  readonly points: readonly { readonly at: readonly number[]; readonly weight: number }[];
  /** Probability of each outcome. */
  readonly outcomes: (at: readonly number[], row: InputRow) => readonly number[];
}

const middles = (low: number, high: number, count: number) =>
  Array.from({ length: count }, (_, i) => low + (high - low) * (i + 0.5) / count);

/** Choices are steps where alpha is small, so that the lattice is fine along log k. */
const discounting: Lattice = {
  points: middles(-5, 5, 1000).flatMap((z) =>
    middles(0, 12, 80).map((alpha) => ({
      at: [Math.exp(-4.25 + 0.5 * z), alpha],
      weight: Math.exp(-z * z / 2 - alpha * alpha / 8),
    }))
  ),
  outcomes: ([k, alpha], { immediate, delayed, days }) => {
    const z = (delayed / (1 + k * days) - immediate) / alpha;
    const p = 0.01 + 0.98 * 0.5 * (1 + erf(z / Math.SQRT2));
    return [1 - p, p];
  },
};

const choices = Array.from({ length: 51 }, (_, y) => logChoose(50, y));
const deathProcess: Lattice = {
  points: middles(0, 2, 2000).map((rate) => ({
    at: [rate],
    weight: Math.exp(-0.5 * (rate - 1) ** 2),
  })),
  outcomes: ([rate], { time }) => {
    const log = Math.log(-Math.expm1(-rate * time));
    return choices.map((choice, y) => Math.exp(choice + y * log - (50 - y) * rate * time));
  },
};

const entropy = (all: readonly number[]) =>
  -all.reduce((sum, p) => p > 0 ? sum + p * Math.log(p) : sum, 0);

/** Nats that a query tells about the latents before any was asked. */
function exactNats({ points, outcomes }: Lattice, row: InputRow): number {
  let [mass, noise, mean] = [0, 0, [] as number[]];
  for (const { at, weight } of points) {
    const own = outcomes(at, row);
    if (mean.length === 0) mean = own.map(() => 0);
    mass += weight;
    noise += weight * entropy(own);
    own.forEach((p, y) => mean[y] += weight * p);
  }
  return entropy(mean.map((p) => p / mass)) - noise / mass;
}

/** Sets of draws: intervals of one set err together. */
const sets = 10;
/** Candidates that tell anything: of the others the mean over draws hangs on a few rare latents. */
const leastNats = 0.01;
const experiments = { discounting, death_process: deathProcess };

for (const [name, lattice] of Object.entries(experiments)) {
  const experiment = shippedExperiments().get(name)!;
  const at = (rows: readonly InputRow[]) => rowsJson(rows, experiment);
  const natsOf = async (
    rows: readonly InputRow[],
    draws: number,
    particles: number,
    key: string,
  ) => {
    const none = Object.fromEntries(Object.keys(at(rows).columns).map((one) => [one, []]));
    const { nats } = await localTheories.ask(experiment.program, {
      op: "belief",
      design: designOf(experiment),
      theories: [{ text: experiment.program, prior: 1 }],
      seen: { rows: 0, columns: none, response: [] },
      particles,
      key: [key],
      candidates: { at: at(rows), about: "latents", draws, half: 0 },
    }) as BeliefJson;
    return nats!;
  };

  Deno.test(`${name}: narrow intervals hold the information by quadrature for 90 of 100 candidates`, async () => {
    const random = new RandomStream("quadrature");
    const candidates: { readonly row: InputRow; readonly exact: number }[] = [];
    while (candidates.length < 100) {
      const row = randomRow(experiment, random);
      const exact = exactNats(lattice, row);
      if (exact >= leastNats) candidates.push({ row, exact });
    }
    const found: { readonly held: number; readonly narrow: number }[] = [];
    for (let k = 0; k < sets; k++) {
      const nats = await natsOf(candidates.map(({ row }) => row), 4096, 8192, `set ${k}`);
      const held = nats.filter(({ low, high }, i) =>
        low <= candidates[i].exact && candidates[i].exact <= high
      ).length;
      found.push({ held, narrow: nats.filter(({ low, high }) => high - low <= 0.05).length });
    }
    const total = (of: "held" | "narrow") => found.reduce((sum, one) => sum + one[of], 0) / sets;
    console.log(`${name}: held ${found.map(({ held }) => held).join(" ")} of 100`);
    assert.ok(total("held") >= 90, `${total("held")} hold it`);
    assert.ok(total("narrow") >= 90, `${total("narrow")} are narrow`);
  });

  Deno.test(`${name}: the query that is chosen tells as much as the best of a hundred, within 0.02 nats`, async () => {
    const losses = [];
    for (let k = 0; k < 10; k++) {
      const random = new RandomStream("regret", k);
      const candidates = Array.from({ length: 60 }, () => randomRow(experiment, random));
      const nats = await natsOf(candidates, 256, 1000, `regret ${k}`);
      const best = nats.reduce((top, one, i) => one.nats > nats[top].nats ? i : top, 0);
      const others = Array.from(
        { length: 100 },
        () => exactNats(lattice, randomRow(experiment, random)),
      );
      losses.push(Math.max(...others) - exactNats(lattice, candidates[best]));
    }
    const mean = losses.reduce((a, b) => a + b) / losses.length;
    console.log(`${name}: regret ${mean.toFixed(4)}, at most ${Math.max(...losses).toFixed(4)}`);
    assert.ok(mean <= 0.02, `${mean}`);
  });
}
