/** Many data sets with the log rewards of their programs, from which an amortised policy learns. */
import { decodeTensors, encodeTensors } from "../../base/safetensors.ts";
import { RandomStream } from "../../base/random.ts";
import { InputError, inputError } from "../../base/diagnostic.ts";
import { joinNumbers } from "../../numerics/math/mod.ts";
import { scoreProgram } from "./generalised/score_program.ts";
import { summariseData } from "./generalised/summarise_data.ts";
import { members } from "./normal_regressions.ts";
import { everyBegun, everyProgram } from "./program_summaries.ts";
import { type GrowthSimulation, growthSimulation } from "./growth/growth_simulation.ts";
import type { SpaceKind } from "./questions_kind.ts";
import { drawRows } from "./simulated.ts";
import { mostPredictors, type Simulation, simulation } from "./simulation.ts";
import { type RawRows, type StandardRows, standardRows } from "./standard_rows.ts";

/** One data set with the log rewards of its programs. */
export interface ScoredData {
  /** Names it in rows of `evaluation`: `simulated 17`, `swiss`. */
  readonly id: string;
  /** Predictors and response; of growth ages and sizes as they were measured. */
  readonly rows: StandardRows;
  /** `[scored]`: each program that was scored, by the bits of its predictors or its place in the vocabulary. */
  readonly programs: Int32Array;
  /** `[scored]`: their log rewards, nats, up to a constant of the data set. */
  readonly logRewards: Float64Array;
  /** The program that made it; undefined of tables that are not simulated. */
  readonly truth?: number;
}

/** Data sets that were drawn, and counts of useless draws. */
export interface DataSets {
  /** Space kind of their programs. */
  readonly space: SpaceKind;
  /** Settings by which they were drawn. */
  readonly simulation: Simulation | GrowthSimulation;
  /** Data sets to learn from. */
  readonly training: readonly ScoredData[];
  /** Kept from training. */
  readonly heldOut: readonly ScoredData[];
  /** Draws whose response overflowed. */
  readonly overflowed: number;
  /** Draws with a constant column or too few complete rows. */
  readonly unusable: number;
}

/** Number of data sets, and of programs that are scored of each. */
export interface DrawOptions {
  /** Settings by which they are drawn. */
  readonly simulation: Simulation;
  /** Number of data sets to learn from. */
  readonly training: number;
  /** Number of held-out data sets. */
  readonly heldOut: number;
  /**
   * Most programs that are scored of a data set to learn from; of more, half are the best by the initial
   * flows and the others random. Of held-out data sets all are scored.
   */
  readonly programs: number;
  /** Names the random streams. */
  readonly seed: string;
  /** Called after each data set. */
  readonly onDrawn?: (drawn: number) => void;
}

/** Draws of one data set until it is given up. */
const mostTries = 100;

/**
 * Draws data sets and scores their programs. Each data set has a stream of its own, so that more of
 * them begin with the same.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { simulation } from "./simulation.ts";
 * import { drawDataSets } from "./data_sets.ts";
 * const drawn = drawDataSets({
 *   simulation: simulation.parse({ rows: [20, 30], predictors: [2, 3] }),
 *   training: 2,
 *   heldOut: 1,
 *   programs: 8,
 *   seed: "seed 1",
 * });
 * assert.equal(drawn.training.length, 2);
 * ```
 *
 * @throws InputError `simulate/unusable` where a distribution gives nothing that can be used.
 */
export function drawDataSets(options: DrawOptions): DataSets {
  let [overflowed, unusable] = [0, 0];
  const draw = (kind: "training" | "held out", k: number): ScoredData => {
    const random = new RandomStream(options.seed, kind, k);
    for (let tries = 0; tries < mostTries; tries++) {
      const drawn = drawRows(options.simulation, random);
      const rows = usable(drawn);
      if (rows !== "overflowed" && rows !== "unusable") {
        const truth = drawn.effects.reduce((bits, one, j) => one === 0 ? bits : bits + 2 ** j, 0);
        const id = `${kind === "training" ? "training" : "simulated"} ${k + 1}`;
        const programs = kind === "training" ? options.programs : 2 ** mostPredictors;
        return { ...scoreData(id, rows, programs, random), truth };
      }
      if (rows === "overflowed") overflowed++;
      else unusable++;
    }
    const message = `Cannot simulate data sets: ${mostTries} draws had no response to explain`;
    const hint = "fewer missing cells, more rows, or predictors that are not all binary";
    throw inputError("simulate/unusable", message, undefined, hint);
  };
  let drawn = 0;
  const some = (kind: "training" | "held out", count: number) =>
    Array.from({ length: count }, (_, k) => {
      const one = draw(kind, k);
      options.onDrawn?.(++drawn);
      return one;
    });
  const [training, heldOut] = [
    some("training", options.training),
    some("held out", options.heldOut),
  ];
  const { simulation } = options;
  return { space: "regression", simulation, training, heldOut, overflowed, unusable };
}

function usable(drawn: RawRows): StandardRows | "overflowed" | "unusable" {
  const all = [...drawn.columns, drawn.y];
  const isOver = (one: number) => one === Infinity || one === -Infinity;
  if (all.some((column) => Array.from(column).some(isOver))) return "overflowed";
  try {
    const rows = standardRows(drawn);
    return rows.rows > drawn.columns.length / 2 + 3 ? rows : "unusable";
  } catch (error) {
    if (error instanceof InputError) return "unusable";
    throw error;
  }
}

/**
 * A data set with log rewards: of all programs, or of `most` of them.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { standardRows } from "./standard_rows.ts";
 * import { RandomStream } from "../../base/random.ts";
 * import { scoreData } from "./data_sets.ts";
 * const [x, z] = [[1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 4]].map((one) => Float64Array.from(one));
 * const rows = standardRows({ columns: [x, z], y: x.map((one, i) => 2 * one + (i % 2) / 4) });
 * const { programs } = scoreData("mine", rows, 16, new RandomStream("seed"));
 * assert.equal(programs.length, 4); // all of 2²
 * ```
 */
export function scoreData(
  id: string,
  rows: StandardRows,
  most: number,
  random: RandomStream,
): ScoredData {
  const all = 2 ** rows.columns.length;
  const programs = all <= most ? everyProgram(rows.columns.length) : some(rows, most, random);
  const logRewards = Float64Array.from(programs, (bits) => scoreProgram(rows, members(bits)).elpd);
  return { id, rows, programs, logRewards };
}

/** Distinct programs: half of them the best by the initial flows, the others random. */
function some(rows: StandardRows, most: number, random: RandomStream): Int32Array {
  const begun = everyBegun(summariseData(rows));
  const order = [...begun.keys()].sort((a, b) => begun[b] - begun[a] || a - b);
  const found = new Set(order.slice(0, most >> 1));
  while (found.size < most) found.add(random.below(begun.length));
  return Int32Array.from(found).sort();
}

/**
 * The bytes of an artifact: rows in single precision, log rewards in double.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { simulation } from "./simulation.ts";
 * import { decodeDataSets, drawDataSets, encodeDataSets } from "./data_sets.ts";
 * const drawn = drawDataSets({
 *   simulation: simulation.parse({ rows: [20, 30], predictors: [2, 3] }),
 *   training: 2,
 *   heldOut: 1,
 *   programs: 8,
 *   seed: "seed 1",
 * });
 * assert.equal(decodeDataSets(encodeDataSets(drawn)).heldOut.length, 1);
 * ```
 */
export function encodeDataSets(sets: DataSets): Uint8Array {
  const all = [...sets.training, ...sets.heldOut];
  const flat = (lists: readonly ArrayLike<number>[]) => lists.flatMap((list) => Array.from(list));
  const numbers = (name: string, values: Int32Array | Float32Array | Float64Array) => {
    return { name, shape: [values.length], values };
  };
  const tensors = [
    numbers("rows", Int32Array.from(all, ({ rows }) => rows.rows)),
    numbers("predictors", Int32Array.from(all, ({ rows }) => rows.columns.length)),
    numbers("scored", Int32Array.from(all, ({ programs }) => programs.length)),
    numbers("truth", Int32Array.from(all, ({ truth = -1 }) => truth)),
    numbers("values", joinNumbers(all.flatMap(({ rows: { columns, y } }) => [...columns, y]))),
    ...trialsOf(all).map((trials) => numbers("trials", trials)),
    numbers("programs", Int32Array.from(flat(all.map(({ programs }) => programs)))),
    numbers("log_rewards", joinNumbers(all.map(({ logRewards }) => logRewards))),
  ];
  const { overflowed, unusable, training } = sets;
  const about = { overflowed, unusable, training: training.length, ids: all.map(({ id }) => id) };
  return encodeTensors(tensors, {
    format: "sluice_datasets_1",
    space: sets.space,
    simulation: JSON.stringify(sets.simulation),
    about: JSON.stringify(about),
  });
}

/** Trials of all rows, 0 where a data set has none; undefined where no data set has any. */
function trialsOf(all: readonly ScoredData[]): Float64Array[] {
  if (!all.some(({ rows }) => rows.trials)) return [];
  return [joinNumbers(all.map(({ rows: { rows, trials } }) => trials ?? new Float64Array(rows)))];
}

/**
 * Reads the bytes of {@linkcode encodeDataSets}. @throws Error if the bytes are something else.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { decodeDataSets } from "./data_sets.ts";
 * assert.throws(() => decodeDataSets(Uint8Array.of(1, 2, 3)));
 * ```
 */
export function decodeDataSets(bytes: Uint8Array): DataSets {
  const { tensors, metadata } = decodeTensors(bytes);
  if (metadata.format !== "sluice_datasets_1") {
    throw new Error(`Cannot read data sets: format is ${metadata.format}, not sluice_datasets_1`);
  }
  const numbers = (name: string) => tensors.find((one) => one.name === name)!.values;
  const trials = tensors.find(({ name }) => name === "trials")?.values;
  const space = metadata.space as SpaceKind;
  const given = space === "growth" ? growthSimulation : simulation;
  const drawn = given.parse(JSON.parse(metadata.simulation));
  const family = "family" in drawn && drawn.family !== "normal" ? drawn.family : undefined;
  const [rows, predictors, counts, truth] = ["rows", "predictors", "scored", "truth"].map(numbers);
  const [values, programs, rewards] = ["values", "programs", "log_rewards"].map(numbers);
  const about = JSON.parse(metadata.about) as {
    readonly overflowed: number;
    readonly unusable: number;
    readonly training: number;
    readonly ids: readonly string[];
  };
  let [atValue, atProgram, atTrial] = [0, 0, 0];
  const all = about.ids.map((id, k): ScoredData => {
    const column = () => Float64Array.from(values.subarray(atValue, atValue += rows[k]));
    const columns = Array.from({ length: predictors[k] }, column);
    const begin = atProgram;
    atProgram += counts[k];
    const own = trials?.subarray(atTrial, atTrial += rows[k]);
    return {
      id,
      rows: {
        rows: rows[k],
        columns,
        y: column(),
        ...(family && { family }),
        ...(own && own[0] > 0 && { trials: Float64Array.from(own) }),
      },
      programs: Int32Array.from(programs.subarray(begin, atProgram)),
      logRewards: Float64Array.from(rewards.subarray(begin, atProgram)),
      ...(truth[k] >= 0 && { truth: truth[k] }),
    };
  });
  return {
    space,
    simulation: drawn,
    training: all.slice(0, about.training),
    heldOut: all.slice(about.training),
    overflowed: about.overflowed,
    unusable: about.unusable,
  };
}
