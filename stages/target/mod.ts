/** Stage kind `target`: what is to be learnt, said once: R(program) on this data. */
import { z } from "zod";
import { datasetToJson } from "../../src/base/dataset.ts";
import { InputError, inputError } from "../../src/base/diagnostic.ts";
import { port, ports } from "../ports/mod.ts";
import type { RewardTerm } from "../ports/values.ts";
import { modulePath } from "../../src/pipeline/contract/path_param.ts";
import { defineStage } from "../../src/pipeline/contract/stage.ts";
import { builtInJudges } from "../../src/engine/score/judges/mod.ts";
import { executorNames } from "../../src/executor/front_ends/mod.ts";
import { defaultSchedule } from "../../src/engine/score/execution.ts";

const term = z.strictObject({
  judge: z.union([z.enum([...builtInJudges.keys()]), modulePath()])
    .describe("a built-in judge, or the path of a module made with defineJudge"),
  weight: z.number().default(1).describe("factor of the judge's log reward"),
});

const schedule = z.strictObject({
  chains: z.int().min(2).default(defaultSchedule.chains),
  tune: z.int().min(20).default(defaultSchedule.tune),
  draws: z.int().min(50).default(defaultSchedule.draws),
  target_mcse: z.number().positive().default(defaultSchedule.targetMcse)
    .describe("Monte Carlo standard error of ELPD-LOO, nats, above which drawing goes on"),
  max_mcse: z.number().positive().default(defaultSchedule.maxMcse)
    .describe("Monte Carlo standard error, nats, above which an estimate is no score"),
  max_gradients: z.int().positive().default(defaultSchedule.maxGradients)
    .describe("gradient evaluations after which a program has failed"),
  seed: z.int().min(0).default(0).describe("changes every random number of the engine"),
});

export default defineStage({
  kind: "target",
  version: 1,
  description: "Joins environment, data, executor and judges into what is to be learnt.",
  params: z.strictObject({
    executor: z.union([z.enum(executorNames), modulePath()]).default("native")
      .describe("what reads a program: a built-in executor, or a module made with defineExecutor"),
    log_reward: z.array(term).min(1).describe("weighted judges; their sum is the log reward"),
    schedule: schedule.prefault({}).describe("how long the sampler runs"),
    unit: z.enum(["row", "group"]).optional()
      .describe("what cross-validation leaves out at once; rows, with a warning, if not chosen"),
    failure_margin: z.number().min(0).default(5)
      .describe("nats by which a failed program is worse than the null program"),
  }),
  inputs: {
    environment: port(ports.environment, "whose programs are rewarded"),
    data: port(ports.dataset, "what they are to explain"),
  },
  outputs: { target: port(ports.target, "the target") },
  uses: ["executor"],
  async run(context, { environment, data }, params) {
    const { checkAgainstData } = await import("../grammar/check_programs.ts");
    const { resolveJudge } = await import("../judge/judges.ts");
    const { resolveExecutor } = await import("./own_executor.ts");
    const { nullReward } = await import("./null_reward.ts");
    const ownExecutor = resolveExecutor(params.executor, context);
    if (!ownExecutor) checkAgainstData(environment, data);
    const judged = params.log_reward.map(({ judge, weight }) => ({
      judge: resolveJudge(judge, context),
      weight,
    }));
    const blind = judged.find(({ judge }) => judge.needsHoldout && !data.holdout);
    if (blind) {
      throw inputError(
        "data/holdout",
        `Cannot judge by ${blind.judge.name}: the data set withholds no rows`,
        undefined,
        "set holdout = { share = 0.2 } in the stage that reads the data",
      );
    }
    const { unitsOf } = await import("../../src/engine/score/units.ts");
    const { diagnostics } = unitsOf(data, params.unit);
    if (diagnostics.some(({ severity }) => severity === "error")) throw new InputError(diagnostics);
    for (const { message, hint } of diagnostics) context.log(`warning: ${message}; ${hint}`);
    const { target_mcse: targetMcse, max_mcse: maxMcse, ...rest } = params.schedule;
    const { max_gradients: maxGradients, ...counts } = rest;
    const unit = params.unit === undefined ? {} : { unit: params.unit };
    const options = { ...counts, targetMcse, maxMcse, maxGradients, ...unit };
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
    const common = { environment, dataset: data, executor, ownExecutor, schedule: options };
    return { target: { ...common, terms, rule, nullElpd: elpd } };
  },
});
