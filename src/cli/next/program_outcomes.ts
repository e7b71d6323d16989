/** Densities of outcomes of every program at candidate rows, each from a worker of its own. */
import type { Dataset } from "../../base/dataset.ts";
import { InputError } from "../../base/diagnostic.ts";
import {
  isHeldBy,
  type OutcomeGrid,
  outcomeGrid,
  type ProgramOutcomes,
} from "../../answers/design/mod.ts";
import type { Schedule } from "../../engine/score/execution/mod.ts";
import type { NewRows } from "../../engine/score/mod.ts";
import type { ExecutionOutcome } from "../../executor/worker_process.ts";
import type { SinglePrograms } from "../../executor/single_programs.ts";
import { joinNumbers } from "../../numerics/math/mod.ts";
import type { WeighedProgram } from "./weighed_programs.ts";

/** Outcomes at some rows, by program. */
export interface KnownOutcomes {
  readonly grid: OutcomeGrid;
  readonly programs: readonly ProgramOutcomes[];
  /** Indices of the programs that are in `programs`. */
  readonly kept: readonly number[];
  /** Why others are left out. */
  readonly left: readonly string[];
}

/** Outcomes of a row of a response that is not discrete, at first. Measured: twice as many move no nat by 10⁻⁴. */
const firstPoints = 48;
/** Points at most: components a fiftieth as wide as the predictions. */
const mostPoints = 384;

/**
 * Has each program fitted and asked for densities at a grid that the likeliest one's predictions make; where a program's
 * outcomes lie elsewhere, at one that its own predictions make as well.
 *
 * @param draws of each program's parameters at most.
 * @throws InputError `next/programs` if no program can be carried over to the rows.
 */
export async function outcomesOf(
  workers: SinglePrograms,
  programs: readonly WeighedProgram[],
  data: Dataset,
  rows: NewRows,
  draws: number,
): Promise<KnownOutcomes> {
  const asking = new Asking(workers, data, rows, draws);
  const left: string[] = [];
  const predicted = new Map<number, Float64Array>();
  for (let k = 0; k < programs.length && predicted.size === 0; k++) {
    const found = await asking.predictions(programs[k].text);
    if (typeof found === "string") left.push(`program ${k + 1} is left out: ${found}`);
    else predicted.set(k, found);
  }
  let kept = Array.from(programs.keys()).slice(left.length);
  for (let points = firstPoints;;) {
    const grid = asking.gridOf([...predicted.values()], points);
    const own = await densitiesOf(asking, programs, kept, grid, left);
    kept = own.map(({ k }) => k);
    const missed = own.filter(({ densities }) => !isHeldBy(densities, grid)).map(({ k }) => k);
    const beside = missed.filter((k) => !predicted.has(k));
    if (missed.length === 0 || beside.length === 0 && points >= mostPoints) {
      return { grid, programs: weighed(programs, own, grid), kept, left };
    }
    if (beside.length === 0) points *= 2;
    for (const k of beside) {
      const found = await asking.predictions(programs[k].text);
      predicted.set(k, typeof found === "string" ? new Float64Array(rows.rows) : found);
    }
  }
}

/** A program's place, and its densities. */
interface Own {
  readonly k: number;
  readonly densities: Float32Array;
}

/**
 * Densities of the programs that have some; why others have none goes to `left`.
 *
 * @throws InputError `next/programs` if none has any.
 */
async function densitiesOf(
  asking: Asking,
  programs: readonly WeighedProgram[],
  kept: readonly number[],
  grid: OutcomeGrid,
  left: string[],
): Promise<readonly Own[]> {
  const found = await Promise.all(kept.map((k) => asking.densities(programs[k].text, grid)));
  const own = found.flatMap((densities, i): Own[] => {
    if (typeof densities !== "string") return [{ k: kept[i], densities }];
    left.push(`program ${kept[i] + 1} is left out: ${densities}`);
    return [];
  });
  if (own.length === 0) throw noneLeft(left);
  return own;
}

/** Jobs about the same rows of the same data. */
class Asking {
  readonly #at: {
    readonly rows: number;
    readonly columns: Readonly<Record<string, readonly number[]>>;
  };

  constructor(
    readonly workers: SinglePrograms,
    readonly data: Dataset,
    { rows, columns }: NewRows,
    readonly draws: number,
  ) {
    const own = [...columns].map(([name, values]) => [name, [...values]] as const);
    this.#at = { rows, columns: Object.fromEntries(own) };
  }

  /** Predictive draws `[draws, rows]`, or why there are none. */
  async predictions(program: string): Promise<Float64Array | string> {
    const found = await this.workers.run(
      { program, wanted: { kind: "predictions", ...this.#at } },
      this.data,
    );
    return found.payload ? new Float64Array(found.payload.slice().buffer) : reasonOf(found);
  }

  /** Densities `[rows, draws, points]`, or why there are none. */
  async densities(
    program: string,
    { points, values }: OutcomeGrid,
  ): Promise<Float32Array | string> {
    const { draws } = this;
    const wanted = { kind: "outcomes", ...this.#at, points, values: [...values], draws } as const;
    const found = await this.workers.run({ program, wanted }, this.data);
    return found.payload ? new Float32Array(found.payload.slice().buffer) : reasonOf(found);
  }

  gridOf(predicted: readonly Float64Array[], points: number): OutcomeGrid {
    return outcomeGrid(joinNumbers(predicted), this.#at.rows, isDiscrete(this.data), points);
  }
}

function reasonOf({ execution }: ExecutionOutcome): string {
  const error = execution.diagnostics.find(({ severity }) => severity === "error");
  return error?.message ?? "it gave no draws";
}

function weighed(
  programs: readonly WeighedProgram[],
  own: readonly Own[],
  { rows, points }: OutcomeGrid,
): ProgramOutcomes[] {
  const total = own.reduce((sum, { k }) => sum + programs[k].weight, 0);
  return own.map(({ k, densities }) => ({
    weight: programs[k].weight / total,
    answers: programs[k].answers,
    draws: densities.length / rows / points,
    densities,
  }));
}

/** Schedule of the workers: enough draws for averages of densities. */
export function scheduleFor(schedule: Schedule, draws: number): Schedule {
  return { ...schedule, draws: Math.max(schedule.draws, Math.ceil(draws / schedule.chains)) };
}

function isDiscrete({ columns }: Dataset): boolean {
  const response = columns.find(({ role }) => role === "response");
  return response !== undefined && response.type !== "real";
}

function noneLeft(left: readonly string[]): InputError {
  const message = "Cannot choose: no program can predict the candidates";
  return new InputError([{ code: "next/programs", severity: "error", message, hint: left[0] }]);
}
