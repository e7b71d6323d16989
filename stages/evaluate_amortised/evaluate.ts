/** Measures of a policy and of three rivals on each held-out data set, then over strata; the file with its card. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { Subject } from "../../src/base/measure_subject.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import {
  type AnswerMeasures,
  calibrationError,
  type DataSets,
  distanceFromUniform,
  likeness,
  logAnswers,
  makeDetector,
  measureAnswer,
  members,
  promptOf,
  type QuestionSpace,
  questionSpaces,
  type QuestionsSpec,
  rankedAt,
  type RegressionFamily,
  type ScoredData,
  scoredFamilies,
  scoreProgram,
  spaceOf,
  type TruthRank,
  truthRank,
  writeAmortised,
} from "../../src/gfn/train/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { evaluationRows } from "../evaluation/evaluation_rows.ts";
import { exactly, type Measure, measuresOf } from "../evaluation/measure.ts";
import { policySubject, searchSubject, uniformSubject } from "../evaluation/subjects.ts";
import type { Evaluation, TrainedPolicy } from "../ports/values.ts";

interface Inputs {
  readonly policy: TrainedPolicy;
  readonly datasets: DataSets;
  readonly questions: Environment;
}

/** Bounds between strata. */
interface Strata {
  readonly rows: readonly number[];
  readonly explained: readonly number[];
}

/** One subject's answer about a data set. */
interface Told {
  readonly data: ScoredData;
  readonly subject: Subject;
  readonly measures: AnswerMeasures;
  /** Rank of the program that made the data; undefined of tables that were not simulated. */
  readonly truth?: TruthRank;
  /** Whether the detector lets it pass. */
  readonly isLike: boolean;
}

/** @throws InputError without held-out data sets, or for a policy of another kind. */
export async function evaluateAmortised(
  context: StageContext,
  { policy: trained, datasets, questions }: Inputs,
  strata: Strata,
): Promise<{ readonly file: Uint8Array; readonly evaluation: Evaluation }> {
  if (datasets.heldOut.length === 0) throw nothingHeldOut();
  const space = spaceOf(questions);
  const detector = makeDetector(
    datasets.training.map((data) => space.detected(promptOf(data, space))),
  );
  const told: Told[] = [];
  let asked = 0;
  for (const data of datasets.heldOut) {
    const isLike = likeness(detector, space.detected(promptOf(data, space))).isLike;
    for (const [subject, logs] of await answersOf(trained, questions, data)) {
      const measures = measureAnswer(
        data.programs,
        logs,
        data.logRewards,
        space.answers(data.rows.columns.length),
        space.marks,
      );
      const truth = data.truth === undefined
        ? undefined
        : truthRank(data.programs, logs, data.truth);
      told.push({ data, subject, measures, isLike, ...(truth && { truth }) });
    }
    context.progress({ "data sets": `${++asked}/${datasets.heldOut.length}` });
  }
  const each = told.filter(({ subject }) => !isCounting(subject)).flatMap(
    ({ data: { id }, subject, measures }) => {
      const { tv, inclusionError, klTargetPolicy } = measures;
      const some = { tv, inclusion_error: inclusionError, kl_target_policy: klTargetPolicy };
      return quantities(subject, some).map((one) => ({ ...one, group: id }));
    },
  );
  const drawn = told.filter(({ data }) => data.truth !== undefined);
  const simulated = drawn.length > 0 ? drawn : told;
  const measures = [...over(simulated), ...ofStrata(simulated, strata, space), ...each];
  context.rows("evaluation", evaluationRows(measures, trained, datasets.heldOut.length));
  say(context, measures);
  const own = over(simulated).filter(({ subject: { name }, measure }) => {
    return name === policySubject.name && !ofTruthNames.has(measure);
  });
  const figures = Object.fromEntries(
    own.map(({ measure, value }) => [measure, Number(value.toPrecision(4))]),
  );
  const file = await writeAmortised(trained.policy, {
    space: datasets.space,
    families: scoredFamilies(datasets.space, familyOf(datasets)),
    most_predictors: (questions.spec as Partial<QuestionsSpec>).predictors ?? 1,
    simulation: datasets.simulation,
    trained: {
      data_sets: datasets.training.length,
      visits: trained.trajectories,
      rewards: trained.distinctEvaluations,
    },
    figures,
    detector,
  });
  return { file, evaluation: { measures } };
}

/** Family of simulated regressions. */
function familyOf({ simulation }: DataSets): RegressionFamily | undefined {
  return "family" in simulation ? simulation.family : undefined;
}

/** Log shares of the scored programs by the policy, uniform choice, what it began with, and labels alone. */
async function answersOf(
  { policy }: TrainedPolicy,
  questions: Environment,
  data: ScoredData,
): Promise<(readonly [Subject, ArrayLike<number>])[]> {
  const space = spaceOf(questions);
  const begun = space.begun(promptOf(data, space), data.programs);
  const common = [
    [searchSubject("counting"), data.logRewards],
    [policySubject, await logAnswers(policy, questions, data)],
    [uniformSubject, data.programs.map(() => 0)],
  ] as const;
  if (space === questionSpaces.growth) return [...common, [searchSubject("straightened"), begun]];
  const evidence = Float64Array.from(data.programs, (bits) => {
    return scoreProgram(data.rows, members(bits)).logEvidence;
  });
  const first = searchSubject(data.rows.family ? "straightened" : "aicc");
  return [...common, [first, begun], [searchSubject("labels"), evidence]];
}

/** Figures over data sets, by subject. */
function over(told: readonly Told[]): Measure[] {
  const bySubject = Map.groupBy(told, ({ subject }) => subject.name);
  return [...bySubject.values()].flatMap((some) => {
    const tv = some.map(({ measures }) => measures.tv);
    const pairs = some.flatMap(({ measures: { inclusion: [own, wanted] } }) =>
      [...own].map((one, j) => [one, wanted[j]] as const)
    );
    const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    const ofTruths = truthsOf(some);
    if (isCounting(some[0].subject)) return quantities(some[0].subject, ofTruths, some.length);
    return quantities(some[0].subject, {
      tv_median: rankedAt(tv, 0.5),
      tv_p90: rankedAt(tv, 0.9),
      inclusion_error: mean(some.map(({ measures }) => measures.inclusionError)),
      calibration_error: calibrationError(pairs),
      kl_target_policy: mean(some.map(({ measures }) => measures.klTargetPolicy)),
      ...ofTruths,
      ...(some[0].subject === policySubject && {
        passed_share: mean(some.map(({ isLike }) => isLike ? 1 : 0)),
      }),
    }, some.length);
  });
}

const isCounting = ({ name }: Subject) => name === "counting";

/** Measures of what made the data, which a card does not state: shares of a target are no posterior. */
const ofTruthNames: ReadonlySet<string> = new Set(["truth_in_90", "sbc_distance"]);

/** Simulation-based calibration, where the programs that made the data are known. */
function truthsOf(some: readonly Told[]): Record<string, number> {
  const ranks = some.flatMap(({ truth }) => truth ?? []);
  if (ranks.length === 0) return {};
  return {
    truth_in_90: ranks.filter(({ isIn90 }) => isIn90).length / ranks.length,
    sbc_distance: distanceFromUniform(ranks.map(({ rank }) => rank)),
  };
}

function quantities(subject: Subject, values: Readonly<Record<string, number>>, n?: number) {
  const all = Object.entries(values).map(([name, value]) => {
    return [name, { ...exactly(value), ...(n !== undefined && { n }) }];
  });
  return measuresOf(subject, Object.fromEntries(all));
}

/** The policy's median and 90 % quantile within strata of rows, explained share and predictors. */
function ofStrata(
  told: readonly Told[],
  { rows, explained }: Strata,
  space: QuestionSpace,
): Measure[] {
  const own = told.filter(({ subject }) => subject === policySubject);
  const of: readonly (readonly [string, (one: Told) => string])[] = [
    ["rows", ({ data }) => between(data.rows.rows, rows)],
    ["explained", ({ data }) => between(space.explained(promptOf(data, space)), explained)],
    ["predictors", ({ data }) => `${data.rows.columns.length}`],
  ];
  return of.flatMap(([name, stratumOf]) =>
    [...Map.groupBy(own, stratumOf)].sort(([a], [b]) => a < b ? -1 : 1).flatMap(([stratum, some]) =>
      over(some).map((one) => ({ ...one, group: `${name} ${stratum}` }))
    )
  );
}

function between(value: number, bounds: readonly number[]): string {
  const above = bounds.findIndex((bound) => value < bound);
  if (above === 0) return `below ${bounds[0]}`;
  const last = bounds.at(-1);
  return above < 0 ? `from ${last ?? 0}` : `${bounds[above - 1]} to ${bounds[above]}`;
}

function say(context: StageContext, measures: readonly Measure[]): void {
  const value = (name: string, of: string) =>
    measures.find(({ measure, subject, group }) => {
      return measure === name && subject.name === of && group === undefined;
    })?.value.toFixed(3);
  const rivals = ["uniform", "labels", "aicc", "straightened"].flatMap((of) => {
    const median = value("tv_median", of);
    return median === undefined ? [] : [`${of} ${median}`];
  });
  context.log(
    `median TV ${value("tv_median", "policy")}, error of inclusion ` +
      `${value("inclusion_error", "policy")}; median TV of ${rivals.join(", ")}`,
  );
}

function nothingHeldOut(): Error {
  const message = "Cannot evaluate the policy: no data sets are held out";
  return inputError("amortised/held-out", message, undefined, "write held_out = 300 in simulate");
}
