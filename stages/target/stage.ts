/** Runs the stage kind `target`: judges, executor and null program become a reward. */
import { datasetToJson } from "../../src/base/dataset.ts";
import { InputError, inputError } from "../../src/base/diagnostic.ts";
import { elpdLooJudge, settledJudgeNames } from "../../src/engine/score/judges/mod.ts";
import { executorNames } from "../../src/executor/front_ends/mod.ts";
import type { z } from "../../src/base/zod.ts";
import {
  defineStage,
  type ExecutionRequest,
  type StageContext,
} from "../../src/pipeline/contract/mod.ts";
import type { Dataset } from "../../src/base/dataset.ts";
import { type Environment, writesFreely } from "../../src/gfn/environments/mod.ts";
import type { OracleTerm, ProgramTarget, Prompts, TextTarget } from "../ports/values.ts";
import { nullReward, type WeightedJudges } from "./null_reward.ts";
import { atParameter } from "../common/at_parameter.ts";
import { checkingHere } from "../common/checked_here.ts";
import { authorOf, requireUnseenRows } from "./author.ts";
import declaration from "./mod.ts";
import { evidenceFor } from "./evidence.ts";
import { chargeOf, withLiterals } from "./literals.ts";
import {
  criticsOf,
  type JudgedTerm,
  leastOfTexts,
  requireOwnNames,
  settledOf,
  type SettledTerm,
  type WiredOracles,
  writtenTerms,
} from "./settled_terms.ts";
import { unboundedReward } from "./unbounded_reward.ts";

export default defineStage({
  ...declaration,
  async run(context, inputs, params) {
    const joined = await joinTarget(context, inputs as TargetInputs, params);
    if (!("request" in joined)) return { target: joined };
    const { request, target, judged } = joined;
    const { logReward, elpd } = await nullReward(context, request, judged, target.dataset);
    context.log(`null program: ELPD ${elpd.toFixed(2)}; a failed program gets that less margin`);
    const least = leastOfTexts(judged);
    const failure = { logReward: logReward + least - params.failure_margin };
    return { target: { ...target, rule: { terms: judged, failure }, nullElpd: elpd } };
  },
  async check({ context, inputs, unknown, params }) {
    const { environment, data, prompts } = inputs;
    const oracles = params.log_reward.some((one) => !("judge" in one));
    if (oracles) {
      const { tryTemplates } = await import("./oracle_terms.ts");
      await tryTemplates(params.log_reward, environment);
    }
    if (!environment || unknown.has("data") || unknown.has("prompts") || oracles) return {};
    const here = checkingHere(context);
    const joined = await joinTarget(here, { environment, data, prompts }, params);
    if (!("request" in joined)) return { target: joined };
    const rule = { terms: joined.judged, failure: { logReward: -Infinity } };
    return { target: { ...joined.target, rule, nullElpd: NaN } };
  },
});

type TargetParams = z.output<typeof declaration.params>;

/** Inputs of a target. */
interface TargetInputs extends WiredOracles {
  readonly environment: Environment;
  readonly data?: Dataset;
  readonly prompts?: Prompts;
}

/** A target of programs without the reward of its null program. */
interface Joined {
  readonly target: Omit<ProgramTarget, "rule" | "nullElpd">;
  readonly judged: WeightedJudges;
  /** How programs are executed. */
  readonly request: Omit<ExecutionRequest, "programs">;
}

/** Checks environment, data, judges and executor against one another. @throws InputError. */
async function joinTarget(
  context: StageContext,
  inputs: TargetInputs,
  params: TargetParams,
): Promise<Joined | TextTarget> {
  const { environment, data: given } = inputs;
  const { oracleTerms } = await import("./oracle_terms.ts");
  const oracles = oracleTerms(params.log_reward, inputs[oraclePath] ?? {});
  const judges = params.log_reward.filter((one) => "judge" in one);
  if (judges.length === 0) return textTarget(environment, oracles, given);
  const named = await atParameter(["log_reward"], () => judgesOf(context, judges));
  const critics = criticsOf(inputs, named);
  if (!given) return judgedTexts({ environment, oracles, ...critics }, named, params);
  const { executorName, resolveExecutor } = await import("./own_executor.ts");
  const executorAsked = executorName(params.executor);
  const ownExecutor = await atParameter(
    ["executor"],
    () => resolveExecutor(executorAsked, context),
  );
  const { timedData } = await import("./time.ts");
  const { confirmingData } = await import("./confirm.ts");
  const shown = (inputs.prompts?.prompts ?? []).length > 0;
  const kept = await atParameter(
    ["confirm"],
    () => confirmingData(given, params, environment, shown),
  );
  const { data: ordered, ...timed } = await atParameter(["time"], () => timedData(kept, params));
  const data = kept.confirm ? { ...ordered, confirm: kept.confirm } : ordered;
  const judged = await atParameter(
    ["log_reward"],
    async () => {
      const { requireTimeJudges } = await import("./time.ts");
      requireTimeJudges(named.map(({ judge }) => judge), timed.time !== undefined);
      return withLiterals(params.literals, environment, named);
    },
  );
  const author = authorOf(params.author, environment, inputs.prompts?.prompts);
  requireUnseenRows(author, judged.map(({ judge }) => judge), data);
  requireRewardable(data, judged);
  if (!timed.time) await atParameter(["unit"], () => chooseUnit(context, data, params.unit));
  const { target_mcse: targetMcse, max_mcse: maxMcse, ...rest } = params.schedule;
  const { max_gradients: maxGradients, ...counts } = rest;
  const unit = params.unit === undefined ? {} : { unit: params.unit };
  const rows = params.rows === "ordered" ? { rows: params.rows } : {};
  const limits = { ...counts, targetMcse, maxMcse, maxGradients };
  const schedule = {
    ...limits,
    ...unit,
    ...rows,
    ...timed,
    ...chargeOf(judged),
    ...evidenceFor(judged),
  };
  if (!ownExecutor && !writesFreely(environment)) {
    const { checkAgainstData } = await import("../grammar/check_programs.ts");
    await checkAgainstData(context, environment, { dataset: data, schedule });
  }
  const terms = writtenTerms(judged, named);
  const executor = ownExecutor?.name ?? executorAsked;
  const host = ownExecutor ? executorNames[0] : executor;
  const request = { dataset: datasetToJson(data), executor: host, schedule };
  const asked = oracles.length > 0 && { oracles };
  const known = author === "informed" && { author };
  const common = { environment, ...asked, ...critics, ...known, dataset: data };
  const how = { executor, ownExecutor, schedule, terms };
  return { target: { ...common, ...how }, judged, request };
}

async function judgesOf(
  context: StageContext,
  terms: readonly (SettledTerm | { readonly judge: string; readonly weight: number })[],
): Promise<JudgedTerm[]> {
  const { resolveJudge } = await import("../judge/judges.ts");
  const judged = terms.map((term) =>
    isSettled(term)
      ? settledOf(term)
      : { judge: resolveJudge(term.judge, context), weight: term.weight }
  );
  requireOwnNames(judged);
  return judged;
}

function isSettled(term: { readonly judge: string }): term is SettledTerm {
  return settledJudgeNames.some((name) => name === term.judge);
}

/** A target of texts that judges reward, without data. @throws InputError if a judge needs some. */
function judgedTexts(
  target: TextTarget,
  judged: readonly JudgedTerm[],
  { failure_margin: margin }: TargetParams,
): TextTarget {
  const blind = judged.find(({ judge }) => judge.uses === "execution");
  if (blind) throw withoutData(blind.judge.name);
  const failure = { logReward: leastOfTexts(judged) - margin };
  return { ...target, terms: writtenTerms(judged, judged), rule: { terms: judged, failure } };
}

/** @throws InputError where withheld rows are wanted and none are, or a reward has no bound. */
function requireRewardable(data: Dataset, judged: WeightedJudges): void {
  const blind = judged.find(({ judge }) => judge.needsHoldout && !data.holdout);
  if (blind) {
    const message = `Cannot judge by ${blind.judge.name}: the data set withholds no rows`;
    const hint = "set holdout = { share = 0.2 } in the stage that reads the data";
    throw inputError("data/holdout", message, undefined, hint);
  }
  const unbounded = unboundedReward(data, judged.map(({ judge }) => judge.name));
  if (unbounded) throw unbounded;
}

/** Warns where the data leave open what is left out at once. @throws InputError. */
async function chooseUnit(
  context: StageContext,
  data: Dataset,
  unit: TargetParams["unit"],
): Promise<void> {
  const { unitsOf } = await import("../../src/engine/score/execution/mod.ts");
  const { diagnostics } = unitsOf(data, unit);
  if (diagnostics.some(({ severity }) => severity === "error")) throw new InputError(diagnostics);
  for (const { message, hint } of diagnostics) context.log(`${message}; ${hint}`, "warning");
}

/** Where the live values of wires in terms of oracles are found. */
const oraclePath = "log_reward.*.oracle";

/** @throws InputError if data are wired that nothing is judged by. */
function textTarget(
  environment: Environment,
  oracles: readonly OracleTerm[],
  data: Dataset | undefined,
): TextTarget {
  if (!data) return { environment, oracles };
  const message =
    "Cannot make a target of oracles alone with data: nothing would be judged by them";
  const hint = `leave out data, or add { judge = "${elpdLooJudge.name}" } to log_reward`;
  throw inputError("target/data", message, undefined, hint);
}

function withoutData(judge: string) {
  const message = `Cannot judge by ${judge}: no data set is wired`;
  return inputError("target/data", message, undefined, 'write data = "…" among the inputs');
}
