/** Answers of a worker about theories: simulations, beliefs, and the information of rows that may be asked. */
import {
  aboutAnswers,
  aboutEffects,
  between,
  errorOfMean,
  isHeldBy,
  mean,
  type Nats,
  type OutcomeGrid,
  outcomeGrid,
  type ProgramOutcomes,
  rowOutcomes,
} from "../../answers/design/mod.ts";
import {
  type Belief,
  believe,
  type Design,
  type NamedDraws,
  ranksOf,
  type SeenRows,
  simulateLatents,
  simulateRows,
  TheoryRows,
} from "../../engine/score/mod.ts";
import type { NewRows } from "../../engine/score/mod.ts";
import { exp, joinNumbers, log } from "../../numerics/math/mod.ts";
import { finite, logMeans } from "./log_means.ts";
import { weightedMean, weightedMedian } from "./weighted_values.ts";
import type {
  AskBelief,
  AskDensities,
  AskLatents,
  AskResponses,
  BeliefJson,
  LatentsJson,
  NatsJson,
  RowsJson,
  SeenJson,
  TheoryAsk,
} from "./messages.ts";

/**
 * Answers step by step, so that the worker can look up from its work.
 *
 * @param text of the theory, where the request names none.
 * @throws InputError if a theory cannot be read or followed.
 */
export function* answerAboutTheories(text: string, ask: TheoryAsk): Generator<void, unknown> {
  switch (ask.op) {
    case "latents":
      return latentsOf(text, ask);
    case "responses":
      return responsesOf(text, ask);
    case "densities":
      return densitiesOf(text, ask);
    case "belief":
      return yield* beliefOf(ask);
    case "calibrate": {
      const { design, at, first, draws, key } = ask;
      const programs = { simulator: text, density: text };
      const ranks = yield* ranksOf(programs, design, rowsOf(at), { first, draws, key });
      return Object.fromEntries(ranks);
    }
  }
}

function latentsOf(text: string, { design, keys, at }: AskLatents): LatentsJson[] {
  const rows = rowsOf(at);
  return keys.map((key) => {
    const { names, draws, parameters } = simulateLatents(text, design, 1, key, rows);
    return { names, draws, parameters: parameters.map((values) => [...values]) };
  });
}

function responsesOf(text: string, { design, latents, at, key, copies }: AskResponses): number[] {
  const given = repeated(drawsOf(latents), copies);
  return [...simulateRows(text, design, given, rowsOf(at), key)];
}

function densitiesOf(text: string, { design, latents, at }: AskDensities): (number | null)[] {
  return logMeans(densitiesOfRows(text, design, drawsOf(latents), at), at.rows).map(finite);
}

/** p(response | row, draw) `[rows, draws]`. */
function densitiesOfRows(
  text: string,
  design: Design,
  latents: NamedDraws,
  at: SeenJson,
): Float32Array {
  const values = Float64Array.from(at.response);
  return new TheoryRows(text, design, latents, rowsOf(at)).densities({ points: 1, values });
}

/** A theory with what is known of it. */
interface Believed extends Belief {
  readonly text: string;
  readonly share: number;
}

function* beliefOf(ask: AskBelief): Generator<void, BeliefJson> {
  const { design, particles, key } = ask;
  const beliefs: Belief[] = [];
  for (const { text } of ask.theories) {
    const other = ask.candidates?.at ?? ask.predict ?? ask.judge;
    const seen = { ...seenOf(ask.seen), ...(other && { atFirst: rowsOf(other) }) };
    beliefs.push(believe(text, design, seen, { particles, key }));
    yield;
  }
  const logs = beliefs.map(({ logEvidence }, m) => logEvidence + log(ask.theories[m].prior));
  const shares = sharesOf(logs);
  const all = beliefs.map((belief, m) => ({
    ...belief,
    text: ask.theories[m].text,
    share: shares[m],
  }));
  const held = likeliest(all);
  const nats = ask.candidates &&
    (yield* natsOf(halves(held, ask.candidates.half), design, ask.candidates, key));
  return {
    theories: all.map(({ logEvidence, evidenceError, share }) => {
      return { log_evidence: finite(logEvidence), error: evidenceError, share };
    }),
    ...(nats && { nats }),
    ...(ask.predict && { predicted: predictedAt(held, design, ask.predict, key) }),
    ...(ask.judge && { log_densities: judgedAt(held, design, ask.judge) }),
    ...(ask.latents && latentDraws(all, ask.latents)),
    latents: meansOf(held[0]),
  };
}

/** Draws of latents that are shown: an answer by so many is as good as by all. */
const toldDraws = 200;

function latentDraws(
  all: readonly Believed[],
  names: readonly string[],
): Pick<BeliefJson, "latent_draws"> {
  const having = all.filter(({ latents }) => names.every((name) => latents.names.includes(name)));
  if (having.length === 0) return {};
  const { latents: { names: own, draws, parameters } } = having.reduce((a, b) =>
    b.share > a.share ? b : a
  );
  const some = names.map((name) => parameters[own.indexOf(name)]);
  const step = Math.max(1, Math.floor(draws / toldDraws));
  const count = Math.min(draws, toldDraws);
  const latent_draws = Array.from({ length: count }, (_, k) => {
    const s = k * step;
    return some.flatMap((values) => {
      const size = values.length / draws;
      return [...values.subarray(s * size, (s + 1) * size)];
    });
  });
  return { latent_draws };
}

/** Share of the theories beyond which others are left out: they move no nat by a hundredth. */
const enough = 0.999;

/** The most probable theories, most probable first. */
function likeliest(all: readonly Believed[]): readonly Believed[] {
  const sorted = all.toSorted((a, b) => b.share - a.share);
  let [count, sum] = [0, 0];
  while (count < sorted.length && sum < enough) sum += sorted[count++].share;
  return sorted.slice(0, count).map((one) => ({ ...one, share: one.share / sum }));
}

/** Each belief by one half of its particles, which stand in no order. */
function halves(held: readonly Believed[], half: 0 | 1): readonly Believed[] {
  return held.map((one) => ({ ...one, latents: halfOf(one.latents, half) }));
}

function halfOf({ names, draws, parameters }: NamedDraws, half: 0 | 1): NamedDraws {
  const middle = Math.floor(draws / 2);
  const [from, to] = half === 0 ? [0, middle] : [middle, draws];
  const own = parameters.map((values) => {
    const size = values.length / draws;
    return values.subarray(from * size, to * size);
  });
  return { names, draws: to - from, parameters: own };
}

/** Outcomes of a row at first, and at most; of whole numbers more are taken in steps. */
const [firstPoints, mostPoints] = [48, 96];
/** Whole numbers that are points of their own, for each point of others: a binomial number of 50 and what is around it. */
const countsPerPoint = 2;
/** Simulated outcomes of a row, where no grid holds them: one of each draw, or so many of a row among many. */
const [outerDraws, manyRows] = [160, 30];

function* natsOf(
  held: readonly Believed[],
  design: Design,
  { at, about, draws }: NonNullable<AskBelief["candidates"]>,
  key: AskBelief["key"],
): Generator<void, NatsJson[]> {
  const rows = rowsOf(at);
  const told = held.map(({ text, latents }) =>
    new TheoryRows(text, design, firstDraws(latents, draws), rows)
  );
  const predicted = joinNumbers(told.map((own, m) => own.simulate([...key, "grid", m])));
  const { type } = design.find(({ role }) => role === "response")!;
  const discrete = type !== "real";
  const count = Math.min(draws, held[0].latents.draws);
  const isAlone = about === "latents" && held.length === 1;
  for (let points = firstPoints;; points *= 2) {
    const grid = outcomeGrid(predicted, rows.rows, discrete, points, countsPerPoint * points);
    if (isAlone && isMissedByFew(told[0], grid, count)) {
      return simulatedNats(told[0], rows.rows, count, key);
    }
    const programs: ProgramOutcomes[] = [];
    for (const [m, { share }] of held.entries()) {
      const densities = finiteDraws(told[m].densities(grid), grid);
      const own = densities.length / rows.rows / grid.points;
      programs.push({ weight: share, answers: {}, draws: own, densities });
      yield;
    }
    if (programs.every(({ densities }) => isHeldBy(densities, grid))) {
      return Array.from({ length: rows.rows }, (_, row) => natsAt(programs, grid, row, about));
    }
    if (isAlone) return simulatedNats(told[0], rows.rows, count, key);
    if (points >= mostPoints) {
      return Array.from({ length: rows.rows }, (_, row) => natsAt(programs, grid, row, about));
    }
  }
}

/** Draws by which a grid is tried: if what it misses of these is too much of all, the others need not be asked. */
const triedDraws = 32;

function isMissedByFew(rows: TheoryRows, grid: OutcomeGrid, draws: number): boolean {
  if (draws <= triedDraws) return false;
  const densities = finiteDraws(rows.densities(grid, triedDraws), grid);
  return !isHeldBy(densities, grid, draws);
}

/** Densities without the draws at which the theory overflows. */
function finiteDraws(densities: Float32Array, { rows, points }: OutcomeGrid): Float32Array {
  if (!hasNaN(densities)) return densities;
  const draws = densities.length / rows / points;
  const kept = Array.from({ length: draws }, (_, s) => s).filter((s) => {
    for (let row = 0; row < rows; row++) {
      for (let k = 0; k < points; k++) {
        if (Number.isNaN(densities[(row * draws + s) * points + k])) return false;
      }
    }
    return true;
  });
  const out = new Float32Array(rows * kept.length * points);
  kept.forEach((s, at) => {
    for (let row = 0; row < rows; row++) {
      const from = (row * draws + s) * points;
      out.set(densities.subarray(from, from + points), (row * kept.length + at) * points);
    }
  });
  return out;
}

function hasNaN(numbers: Float32Array): boolean {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += numbers[i]; // of densities, which are not negative
  return Number.isNaN(sum);
}

/**
 * Information about latents by simulated outcomes, each from a draw of the latents: with that draw among those that are
 * averaged over it is too low, without it too high (Foster et al. 2020).
 */
function simulatedNats(
  told: TheoryRows,
  rows: number,
  draws: number,
  key: AskBelief["key"],
): NatsJson[] {
  const outer = rows > manyRows ? Math.min(outerDraws, draws) : draws;
  const drawn = told.simulate([...key, "outer"], outer);
  const values = new Float64Array(rows * outer);
  drawn.forEach((y, at) => {
    values[at % rows * outer + Math.floor(at / rows)] = Math.abs(y) < Infinity ? y : 0;
  });
  const densities = told.densities({ points: outer, values });
  return Array.from({ length: rows }, (_, row) => {
    const lows: number[] = [];
    const highs: number[] = [];
    for (let k = 0; k < outer; k++) {
      // A draw at which the theory overflows explains no outcome.
      const at = (s: number) => densities[(row * draws + s) * outer + k] || 0;
      let sum = 0;
      for (let s = 0; s < draws; s++) sum += at(s);
      const own = at(k);
      if (!(own > 0)) continue;
      lows.push(log(own * draws / sum));
      highs.push(log(own * (draws - 1) / Math.max(sum - own, own * leastShare)));
    }
    if (lows.length < 2) return { nats: 0, low: 0, high: 0 };
    return between(mean(lows), errorOfMean(lows), mean(highs), errorOfMean(highs));
  });
}

/** Of a simulated outcome's density, what others have at least: an upper bound has to end somewhere. */
const leastShare = 1e-3;

function firstDraws({ names, draws, parameters }: NamedDraws, most: number): NamedDraws {
  const kept = Math.min(draws, most);
  const own = parameters.map((values) => values.subarray(0, values.length / draws * kept));
  return { names, draws: kept, parameters: own };
}

function natsAt(
  programs: readonly ProgramOutcomes[],
  { points, weights }: OutcomeGrid,
  row: number,
  about: "latents" | "theories",
): Nats {
  const own = weights.subarray(row * points, (row + 1) * points);
  const outcomes = rowOutcomes(programs, row, own);
  return about === "theories" ? aboutAnswers(outcomes) : aboutEffects(outcomes);
}

function predictedAt(
  held: readonly Believed[],
  design: Design,
  at: RowsJson,
  key: AskBelief["key"],
) {
  const drawn = held.map(({ text, latents }, m) =>
    simulateRows(text, design, latents, rowsOf(at), [...key, "predict", m])
  );
  return Array.from({ length: at.rows }, (_, row) => {
    const parts = drawn.map((values, m) => {
      const count = values.length / at.rows;
      const own = Float64Array.from({ length: count }, (_, s) => values[s * at.rows + row]);
      return { values: own, weight: held[m].share / count };
    });
    return { mean: weightedMean(parts), median: weightedMedian(parts) };
  });
}

function judgedAt(held: readonly Believed[], design: Design, judge: SeenJson): (number | null)[] {
  const sums = new Float64Array(judge.rows);
  for (const { text, share, latents } of held) {
    const densities = densitiesOfRows(text, design, latents, judge);
    logMeans(densities, judge.rows).forEach((one, row) => sums[row] += share * exp(one));
  }
  return [...sums].map((sum) => finite(log(sum)));
}

function meansOf({ latents: { names, draws, parameters } }: Belief): BeliefJson["latents"] {
  return Object.fromEntries(names.map((name, k) => {
    const size = parameters[k].length / draws;
    const means = Array.from({ length: size }, (_, i) => {
      let sum = 0;
      for (let s = 0; s < draws; s++) sum += parameters[k][s * size + i];
      return sum / draws;
    });
    return [name, means];
  }));
}

function sharesOf(logs: readonly number[]): number[] {
  const top = Math.max(...logs);
  const weights = logs.map((one) => top > -Infinity ? exp(one - top) : 1);
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / total);
}

/** Each draw so many times, one after the other, so that distributions are computed once. */
function repeated({ names, draws, parameters }: NamedDraws, copies: number): NamedDraws {
  const own = parameters.map((values) => {
    const size = values.length / draws;
    const out = new Float64Array(values.length * copies);
    for (let at = 0; at < draws * copies; at++) {
      const draw = Math.floor(at / copies);
      out.set(values.subarray(draw * size, (draw + 1) * size), at * size);
    }
    return out;
  });
  return { names, draws: draws * copies, parameters: own };
}

function drawsOf({ names, draws, parameters }: LatentsJson): NamedDraws {
  return { names, draws, parameters: parameters.map((values) => Float64Array.from(values)) };
}

function rowsOf({ rows, columns }: RowsJson): NewRows {
  const own = Object.entries(columns).map(([name, values]) =>
    [name, Float64Array.from(values)] as const
  );
  return { rows, columns: new Map(own) };
}

function seenOf(seen: SeenJson): SeenRows {
  return { ...rowsOf(seen), response: Float64Array.from(seen.response) };
}
