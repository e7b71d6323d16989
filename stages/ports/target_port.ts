/** Targets as artifacts: environment, data, judges by name, and the constant of a failed program. */
import { datasetArtifact, datasetFromJson, type DatasetJson } from "../../src/base/dataset.ts";
import type { DecodeContext } from "../../src/pipeline/contract/mod.ts";
import type { Schedule } from "../../src/engine/score/execution/mod.ts";
import {
  builtInJudges,
  isJudge,
  type Judge,
  type RewardRule,
  settledJudge,
} from "../../src/engine/score/judges/mod.ts";
import {
  type ExecutorDefinition,
  isExecutorDefinition,
} from "../../src/executor/define_executor.ts";
import { builtInExecutor } from "../../src/executor/front_ends/mod.ts";
import {
  environmentFromJson,
  type EnvironmentJson,
  environmentToJson,
} from "./environment_port.ts";
import type { Author } from "./author.ts";
import type { OracleTerm, RewardTerm, Target } from "./values.ts";

/** Content of a target's artifact, without paths of any machine. */
export type TargetJson = ProgramTargetJson | TextTargetJson;

interface TextTargetJson {
  readonly environment: EnvironmentJson;
  readonly oracles: readonly OracleTerm[];
  readonly critics?: Target["critics"];
  readonly terms?: readonly RewardTerm[];
  readonly failureLogReward?: number;
  readonly dataset?: undefined;
}

interface ProgramTargetJson {
  readonly environment: EnvironmentJson;
  readonly oracles?: readonly OracleTerm[];
  readonly critics?: Target["critics"];
  readonly author?: Author;
  readonly dataset: DatasetJson;
  readonly executor: string;
  readonly schedule: Schedule;
  readonly terms: readonly RewardTerm[];
  readonly failureLogReward: number;
  readonly nullElpd: number;
}

export function targetToJson(target: Target): TargetJson {
  const { oracles, critics } = target;
  const environment = environmentToJson(target.environment);
  const asked = critics && { critics };
  if (!target.dataset) {
    const { oracles, terms, rule } = target;
    const judged = terms && rule && { terms, failureLogReward: rule.failure.logReward };
    return { environment, oracles, ...asked, ...judged };
  }
  return {
    environment,
    ...(oracles && { oracles }),
    ...asked,
    ...(target.author && { author: target.author }),
    dataset: datasetArtifact(target.dataset),
    executor: target.executor,
    schedule: target.schedule,
    terms: target.terms,
    failureLogReward: target.rule.failure.logReward,
    nullElpd: target.nullElpd,
  };
}

/** @throws internal, if a judge is neither built in nor among the pipeline's plug-ins. */
export async function targetFromJson(json: TargetJson, context: DecodeContext): Promise<Target> {
  const environment = await environmentFromJson(json.environment, context);
  const { oracles, critics } = json;
  const asked = critics && { critics };
  const judges = [...builtInJudges.values(), ...[...context.plugins.values()].filter(isJudge)];
  const live = (json.terms ?? []).map((term) => {
    return { judge: findJudge(judges, term), weight: term.weight };
  });
  if (!json.dataset) {
    const { oracles, terms, failureLogReward } = json;
    const judged = terms && { terms, rule: ruleOf(live, failureLogReward!) };
    return { environment, oracles, ...asked, ...judged };
  }
  return {
    environment,
    ...(oracles && { oracles }),
    ...asked,
    ...(json.author && { author: json.author }),
    dataset: datasetFromJson(json.dataset),
    executor: json.executor,
    ownExecutor: findExecutor(json.executor, context),
    schedule: json.schedule,
    terms: json.terms,
    rule: ruleOf(live, json.failureLogReward),
    nullElpd: json.nullElpd,
  };
}

/** The executor of the user's that a target names; none if it names a built-in one. */
function findExecutor(name: string, { plugins }: DecodeContext): ExecutorDefinition | undefined {
  if (builtInExecutor(name)) return undefined;
  const found = [...plugins.values()].filter(isExecutorDefinition).find((one) => one.name === name);
  if (found) return found;
  throw new TypeError(`internal: the executor "${name}" was not loaded`);
}

function ruleOf(terms: RewardRule["terms"], logReward: number): RewardRule {
  return { terms, failure: { logReward } };
}

function findJudge(judges: readonly Judge[], { judge, version, settings }: RewardTerm): Judge {
  const made = settings && settledJudge(judge, settings);
  if (made?.version === version) return made;
  const found = judges.find((one) => one.name === judge && one.version === version);
  if (found) return found;
  throw new TypeError(`internal: the judge "${judge}" (version ${version}) was not loaded`);
}
