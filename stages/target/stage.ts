/** Runs the stage kind `target`: judges, executor and null program become a reward. */
import { datasetToJson } from "../../src/base/dataset.ts";
import { InputError, inputError } from "../../src/base/diagnostic.ts";
import { elpdLooJudge } from "../../src/engine/score/reward.ts";
import { executorNames } from "../../src/executor/front_ends/mod.ts";
import { defineStage } from "../../src/pipeline/contract/stage.ts";
import type { Dataset } from "../../src/base/dataset.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { writesFreely } from "../../src/gfn/environments/free_tokens.ts";
import type { OracleRecord } from "../../src/oracle/oracle.ts";
import type { OracleTerm, RewardTerm, TextTarget } from "../ports/values.ts";
import { authorOf, requireUnseenRows } from "./author.ts";
import declaration from "./mod.ts";
import { unboundedReward } from "./unbounded_reward.ts";

export default defineStage({
  ...declaration,
  async run(context, inputs, params) {
    const { environment, data: given } = inputs;
    const { oracleTerms } = await import("./oracle_terms.ts");
    const oracles = oracleTerms(params.log_reward, (inputs as WiredOracles)[oraclePath] ?? {});
    const judges = params.log_reward.filter((one) => "judge" in one);
    if (judges.length === 0) return { target: textTarget(environment, oracles, given) };
    if (!given) throw withoutData(judges[0].judge);
    const { checkAgainstData } = await import("../grammar/check_programs.ts");
    const { resolveJudge } = await import("../judge/judges.ts");
    const { resolveExecutor } = await import("./own_executor.ts");
    const { nullReward } = await import("./null_reward.ts");
    const ownExecutor = resolveExecutor(params.executor, context);
    const { requireTimeJudges, timedData } = await import("./time.ts");
    const { data, ...timed } = timedData(given, params);
    if (!ownExecutor && !writesFreely(environment)) {
      checkAgainstData(environment, data, { rows: params.rows, ...timed });
    }
    const judged = judges.map(({ judge, weight }) => ({
      judge: resolveJudge(judge, context),
      weight,
    }));
    requireTimeJudges(judged.map(({ judge }) => judge), timed.time !== undefined);
    const author = authorOf(params.author, environment, inputs.prompts?.prompts);
    requireUnseenRows(author, judged.map(({ judge }) => judge), data);
    const blind = judged.find(({ judge }) => judge.needsHoldout && !data.holdout);
    if (blind) {
      throw inputError(
        "data/holdout",
        `Cannot judge by ${blind.judge.name}: the data set withholds no rows`,
        undefined,
        "set holdout = { share = 0.2 } in the stage that reads the data",
      );
    }
    const unbounded = unboundedReward(data, judged.map(({ judge }) => judge.name));
    if (unbounded) throw unbounded;
    const { unitsOf } = await import("../../src/engine/score/units.ts");
    const { diagnostics } = timed.time ? { diagnostics: [] } : unitsOf(data, params.unit);
    if (diagnostics.some(({ severity }) => severity === "error")) throw new InputError(diagnostics);
    for (const { message, hint } of diagnostics) context.log(`warning: ${message}; ${hint}`);
    const { target_mcse: targetMcse, max_mcse: maxMcse, ...rest } = params.schedule;
    const { max_gradients: maxGradients, ...counts } = rest;
    const unit = params.unit === undefined ? {} : { unit: params.unit };
    const rows = params.rows === "ordered" ? { rows: params.rows } : {};
    const options = { ...counts, targetMcse, maxMcse, maxGradients, ...unit, ...rows, ...timed };
    const terms: RewardTerm[] = judged.map(({ judge, weight }) => ({
      judge: judge.name,
      version: judge.version,
      weight,
    }));
    const executor = ownExecutor?.name ?? params.executor;
    const host = ownExecutor ? executorNames[0] : executor;
    const request = { dataset: datasetToJson(data), executor: host, schedule: options };
    const { logReward, elpd } = await nullReward(context, request, judged, data);
    context.log(`null program: ELPD ${elpd.toFixed(2)}; a failed program gets that less margin`);
    const failure = { logReward: logReward - params.failure_margin };
    const rule = { terms: judged, failure };
    const asked = oracles.length > 0 && { oracles };
    const common = {
      environment,
      ...asked,
      dataset: data,
      executor,
      ownExecutor,
      schedule: options,
    };
    return { target: { ...common, terms, rule, nullElpd: elpd } };
  },
});

/** Where the live values of wires in terms are found. */
const oraclePath = "log_reward.*.oracle";

interface WiredOracles {
  readonly [oraclePath]?: Readonly<Record<string, OracleRecord>>;
}

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
