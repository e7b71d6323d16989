/** Scores every program of a space on one simulated data set, and what it expects of fresh rows. */
import { finish } from "../../../../src/engine/inference/mcmc/sample_chains.ts";
import { checkProgram } from "../../../../src/engine/language/pymc/check.ts";
import {
  defaultSchedule,
  type Schedule,
} from "../../../../src/engine/score/execution/execution.ts";
import { fitChecked, type SampledFit, withChains } from "../../../../src/engine/score/fit.ts";
import { holdoutAtDraws } from "../../../../src/engine/score/holdout.ts";
import { parameterDraws } from "../../../../src/engine/score/predictive.ts";
import { executionOf } from "../../../../src/engine/score/score.ts";
import { logSumExp } from "../../../../src/numerics/math/mod.ts";
import { grammarEnvironment } from "../../../../src/gfn/grammar/environment.ts";
import type { SpaceName } from "../../../../src/gfn/spaces/space_names.ts";
import { spaceGrammar } from "../../../../src/gfn/spaces/space.ts";
import { inTimeOrder } from "../../../../src/data/time_order.ts";
import { candidatesOf } from "../../../../stages/evaluation/candidates.ts";
import { processPointwise } from "./gaussian_process_rows.ts";
import { type FreshRows, type SimulatedSet, withFresh } from "./simulation.ts";
import { simulations } from "./simulations/mod.ts";

/** One program of a finished set. Nats. */
export interface ProgramRecord {
  /** One for each question. */
  readonly answers: readonly string[];
  readonly logPrior: number;
  /** `[rows]`, to four digits behind the point. */
  readonly pointwise: readonly number[];
  readonly mcse: number;
  readonly p: number;
  /** Expected log score of as many fresh rows as were judged, given the data; null where unknown. */
  readonly expected: number | null;
  /** The same from another seed of the engine, in a few sets. */
  readonly again?: number;
}

/** A finished data set, as a line of JSON. */
export interface SetRecord {
  readonly space: SpaceName;
  readonly set: number;
  readonly seed: number;
  readonly questions: readonly string[];
  /** One for each question. */
  readonly truth: readonly string[];
  readonly strong?: SimulatedSet["strong"];
  readonly absent?: SimulatedSet["absent"];
  readonly programs: readonly ProgramRecord[];
  /** Answers of the programs that have no score, and why. */
  readonly failed: readonly { readonly answers: readonly string[]; readonly why: string }[];
}

/** Every how many sets what is expected is computed again with another seed. */
const again = 25;

/** One data set of a space: all of its programs. */
export function scoreSet(space: SpaceName, set: number, seed: number): SetRecord {
  const { spec, simulate } = simulations[space];
  const simulated = simulate(set, seed);
  const { dataset, schedule } = judged(space, simulated);
  const environment = grammarEnvironment(spaceGrammar(dataset, spec));
  const { meaning, candidates } = candidatesOf(environment, [...environment.enumerate()]);
  const questions = meaning.questions.map(({ question }) => question);
  const programs: ProgramRecord[] = [];
  const failed: { readonly answers: readonly string[]; readonly why: string }[] = [];
  for (const { members: [{ text }], answers, logPrior } of candidates) {
    const fresh = simulated.fresh;
    const found = scoreProgram(text, { dataset, fresh, schedule });
    if (typeof found === "string") {
      failed.push({ answers, why: found });
      continue;
    }
    const other = fresh && set % again === 0
      ? scoreProgram(text, { dataset, fresh, schedule: { ...schedule, seed: 1 } })
      : undefined;
    programs.push({
      ...{ answers, logPrior, ...found },
      ...(other && typeof other !== "string" && { again: other.expected! }),
    });
  }
  const truth = questions.map((question) => simulated.truth[question]);
  const { strong, absent } = simulated;
  const said = { ...(strong && { strong }), ...(absent && { absent }) };
  return { space, set, seed, questions, truth, ...said, programs, failed };
}

/** Rows in order where they are judged by those before them, and with fresh rows where there are. */
function judged(space: SpaceName, { dataset, fresh }: SimulatedSet) {
  if (space === "time_series") {
    const { dataset: ordered, time } = inTimeOrder(dataset, { column: "month" });
    const schedule: Schedule = { ...defaultSchedule, rows: "ordered", time };
    return { dataset: ordered, schedule };
  }
  const whole = fresh && space !== "gaussian_process" ? withFresh(dataset, fresh) : dataset;
  const schedule: Schedule = { ...defaultSchedule, unit: "row" };
  return { dataset: whole, schedule };
}

interface Asked {
  readonly dataset: SimulatedSet["dataset"];
  readonly fresh?: FreshRows;
  readonly schedule: Schedule;
}

/** A program's score and what it expects; the reason where it has none. */
function scoreProgram(text: string, { dataset, fresh, schedule }: Asked) {
  const checked = checkProgram(text, dataset, undefined, schedule);
  if (!checked.ok) return checked.diagnostics[0].message;
  const fit = finish(fitChecked(checked.program, dataset, schedule));
  if (fit.kind === "failure") return fit.diagnostic.message;
  const { score, diagnostics } = executionOf(fit, schedule);
  if (!score) return diagnostics[0]?.message ?? "no score";
  const rounded = (value: number) => Math.round(value * 1e4) / 1e4;
  const pointwise = Array.from(score.rewardPointwise ?? score.elpdPointwise, rounded);
  const own = { pointwise, mcse: rounded(score.mcse), p: rounded(score.pLoo) };
  if (!fresh) return { ...own, expected: null };
  const sampled = finish(withChains(fit, schedule));
  if (sampled.kind === "failure") return sampled.diagnostic.message;
  const expected = pointwise.length * expectedOf(text, sampled, fresh);
  return { ...own, expected: rounded(expected) };
}

/** Mean log predictive density of a fresh row. */
function expectedOf(text: string, fit: SampledFit, fresh: FreshRows): number {
  const pointwise = fit.dataset.holdout
    ? Float64Array.from(holdoutAtDraws(fit)!, (own) => logSumExp(own) - Math.log(own.length))
    : processPointwise(text, drawsOf(fit), pointsOf(fit.dataset.columns), pointsOf(fresh.columns));
  return pointwise.reduce((sum, one, i) => sum + fresh.weights[i] * one, 0);
}

/** One draw in so many goes through the algebra of processes, whose work grows with cubes. */
const thinning = 3;

function drawsOf(fit: SampledFit) {
  const { draws, parameters } = parameterDraws(fit);
  const names = fit.program.parameters.map(({ name }) => name);
  return Array.from({ length: Math.floor(draws / thinning) }, (_, d) => {
    return new Map(names.map((name, k) => [name, parameters[k][d * thinning]]));
  });
}

function pointsOf(columns: FreshRows["columns"]) {
  const of = (role: string) => columns.find((one) => one.role === role)!.values;
  return { x: of("predictor"), y: of("response") };
}
