/** Stage kind `integrity`: checks on the best programs that hold of honest ones. */
import { makeDataset } from "../../src/base/dataset.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import {
  type Execution,
  importanceTolerance,
  type LikelihoodCheck,
  massTolerance,
  permutedRows,
} from "../../src/engine/score/execution/mod.ts";
import type { CheckedLikelihood } from "../../src/executor/checks.ts";
import { type JudgedProgram, logRewardOf } from "../../src/engine/score/judges/mod.ts";
import { checkLikelihoods } from "../common/check_programs.ts";
import { enumerateUpTo, executeAll } from "../evaluation/enumerated.ts";
import { evaluationRows } from "../evaluation/evaluation_rows.ts";
import { type Measure, measuresOf } from "../evaluation/measure.ts";
import { policySubject } from "../evaluation/subjects.ts";
import type { Evaluation, ProgramTarget, TrainedPolicy } from "../ports/values.ts";

/** Parameters of the stage kind. */
export interface IntegrityParams {
  readonly top: number;
  readonly samples: number;
  readonly enumerate_at_most: number;
  readonly parameter_draws: number;
}

interface Ranked {
  readonly object: JudgedProgram;
  readonly execution: Execution;
  readonly logReward: number;
}

/** How many combined standard errors an ELPD may move when the rows change places. */
const permutationTolerance = 4;

/** Checks the best programs, and writes measures and an event for each that does not hold. */
export async function checkIntegrity(
  context: StageContext,
  { policy, target }: { readonly policy: TrainedPolicy; readonly target: ProgramTarget },
  params: IntegrityParams,
): Promise<{ readonly evaluation: Evaluation }> {
  const best = await bestPrograms(context, policy, target, params);
  const { rows, time } = target.schedule;
  const moved = rows === "ordered" || time
    ? best.map(() => undefined)
    : await permutationZ(context, target, best);
  const texts = best.map(({ object }) => object.text);
  const checks = await checkLikelihoods(context, texts, params.parameter_draws, target);
  warnOfUnread(context, checks);
  for (const [k, { object }] of best.entries()) {
    for (const message of violations(checks[k], moved[k])) {
      const text = `${message}: ${object.text.slice(0, 2000)}`;
      context.rows("event", [{ level: "warning", kind: "integrity", message: text }]);
      context.log(`a program among the best ${message}`, "warning");
    }
  }
  const measures = integrityMeasures(checks, moved);
  context.rows("evaluation", evaluationRows(measures, policy, best.length));
  return { evaluation: { measures } };
}

/** Warns of programs that the native engine cannot read: they have no likelihood that it could integrate. */
function warnOfUnread(context: StageContext, checks: readonly CheckedLikelihood[]): void {
  const unread = checks.filter(({ kind }) => kind === "unread").length;
  if (unread === 0) return;
  const message = `${unread} of the best ${checks.length} programs cannot be read by the native ` +
    "engine: whether their likelihoods are distributions was not checked";
  context.rows("event", [{ level: "warning", kind: "integrity", message }]);
  context.log(message, "warning");
}

/** Programs with a score and the largest log rewards: of all, or of those that the policy samples. */
async function bestPrograms(
  context: StageContext,
  { policy }: TrainedPolicy,
  target: ProgramTarget,
  { top, samples, enumerate_at_most: most }: IntegrityParams,
): Promise<Ranked[]> {
  const { environment } = target;
  let objects: readonly JudgedProgram[] | undefined = enumerateUpTo(environment, most);
  if (!objects) {
    const random = context.random("integrity");
    const behaviour = { count: samples, epsilon: 0, temperature: 1, random };
    const sampled = await policy.sample(environment, behaviour);
    objects = [...new Map(sampled.map((one) => [one.text, one])).values()];
  }
  const executions = await executeAll(context, target, objects);
  // Critics say nothing of likelihoods.
  const terms = target.rule.terms.filter(({ judge }) => (judge.questions ?? []).length === 0);
  const ranked = objects.map((object, i) => {
    const rule = { ...target.rule, terms };
    const { logReward } = logRewardOf(rule, executions[i], object, target.dataset);
    return { object, execution: executions[i], logReward };
  });
  return ranked.filter(({ execution }) => execution.score !== undefined)
    .sort((a, b) => b.logReward - a.logReward).slice(0, top);
}

/** By how many standard errors each ELPD-LOO moves when the rows change places. */
async function permutationZ(
  context: StageContext,
  target: ProgramTarget,
  best: readonly Ranked[],
): Promise<(number | undefined)[]> {
  const { name, columns, dropped } = target.dataset;
  const dataset = permutedRows(makeDataset(name, columns, dropped), ["integrity"]);
  const again = await executeAll(
    context,
    { ...target, dataset },
    best.map(({ object }) => object),
    { purpose: "check" },
  );
  return best.map(({ execution }, k) => {
    const [own, other] = [execution.score!, again[k].score];
    if (!other) return undefined;
    const error = Math.sqrt(own.mcse * own.mcse + other.mcse * other.mcse);
    return Math.abs(own.elpdLoo - other.elpdLoo) / Math.max(error, 1e-6);
  });
}

function violations(checked: CheckedLikelihood, moved: number | undefined): string[] {
  const found: string[] = [];
  const check = likelihoodOf(checked);
  if (checked.kind === "undecided") {
    found.push("could not be checked: its likelihood took more time or memory than a worker has");
  }
  if (check && check.notShown > 0) {
    found.push(
      `has a likelihood whose mass is not shown to be 1 (${check.notShown} of ` +
        `${check.distributions} distributions have too many peaks, or too large counts, to be integrated)`,
    );
  }
  const isBroken = check &&
    (check.massError > massTolerance || (check.importanceZ ?? 0) > importanceTolerance);
  if (check && isBroken) {
    const z = check.importanceZ?.toFixed(1) ?? "none";
    found.push(`has a likelihood that is no distribution (mass off by ${check.massError}, z ${z})`);
  }
  if (moved !== undefined && moved > permutationTolerance) {
    found.push(`depends on the order of the rows (ELPD moves by ${moved.toFixed(1)} errors)`);
  }
  return found;
}

function likelihoodOf(checked: CheckedLikelihood): LikelihoodCheck | undefined {
  return checked.kind === "checked" ? checked.check : undefined;
}

function integrityMeasures(
  checks: readonly CheckedLikelihood[],
  moved: readonly (number | undefined)[],
): Measure[] {
  const done = checks.map(likelihoodOf).filter((one) => one !== undefined);
  const z = done.flatMap(({ importanceZ }) => importanceZ ?? []);
  const movedBy = moved.filter((one) => one !== undefined);
  const broken = checks.filter((one, k) => violations(one, moved[k]).length > 0).length;
  const measure = (value: number, n: number, method: string) => ({ value, mcse: 0, n, method });
  return measuresOf(policySubject, {
    integrity_programs: measure(checks.length, checks.length, "best programs"),
    integrity_violations: measure(broken, checks.length, "best programs"),
    integrity_mass_error: measure(
      largest(done.map((one) => one.massError)),
      done.length,
      "quadrature",
    ),
    integrity_importance_z: measure(largest(z), z.length, "importance sampling"),
    integrity_permutation_z: measure(largest(movedBy), movedBy.length, "permuted rows"),
  });
}

function largest(values: readonly number[]): number {
  return values.reduce((most, one) => Math.max(most, one), 0);
}
