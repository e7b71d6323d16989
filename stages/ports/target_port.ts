/** Targets as artifacts: environment, data, judges by name, and the constant of a failed program. */
import { datasetArtifact, datasetFromJson, type DatasetJson } from "../../src/base/dataset.ts";
import type { DecodeContext } from "../../src/pipeline/contract/mod.ts";
import type { Schedule } from "../../src/engine/score/execution/mod.ts";
import { builtInJudges, isJudge, type Judge } from "../../src/engine/score/judges/mod.ts";
import {
  type ExecutorDefinition,
  isExecutorDefinition,
} from "../../src/executor/define_executor.ts";
import { builtInExecutors } from "../../src/executor/front_ends/mod.ts";
import {
  environmentFromJson,
  type EnvironmentJson,
  environmentToJson,
} from "./environment_port.ts";
import type { Author } from "./author.ts";
import type { OracleTerm, RewardTerm, Target } from "./values.ts";

/** What a target's artifact holds; no path of any machine. */
export type TargetJson = ProgramTargetJson | TextTargetJson;

interface TextTargetJson {
  readonly environment: EnvironmentJson;
  readonly oracles: readonly OracleTerm[];
  readonly dataset?: undefined;
}

interface ProgramTargetJson {
  readonly environment: EnvironmentJson;
  readonly oracles?: readonly OracleTerm[];
  readonly author?: Author;
  readonly dataset: DatasetJson;
  readonly executor: string;
  readonly schedule: Schedule;
  readonly terms: readonly RewardTerm[];
  readonly failureLogReward: number;
  readonly nullElpd: number;
}

export function targetToJson(target: Target): TargetJson {
  const { oracles } = target;
  const environment = environmentToJson(target.environment);
  if (!target.dataset) return { environment, oracles: target.oracles };
  return {
    environment,
    ...(oracles && { oracles }),
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
  const { oracles } = json;
  if (!json.dataset) return { environment, oracles: json.oracles };
  const judges = [...builtInJudges.values(), ...[...context.plugins.values()].filter(isJudge)];
  const terms = json.terms.map((term) => ({ judge: findJudge(judges, term), weight: term.weight }));
  return {
    environment,
    ...(oracles && { oracles }),
    ...(json.author && { author: json.author }),
    dataset: datasetFromJson(json.dataset),
    executor: json.executor,
    ownExecutor: findExecutor(json.executor, context),
    schedule: json.schedule,
    terms: json.terms,
    rule: { terms, failure: { logReward: json.failureLogReward } },
    nullElpd: json.nullElpd,
  };
}

/** The executor of the user's that a target names; none if it names a built-in one. */
function findExecutor(name: string, { plugins }: DecodeContext): ExecutorDefinition | undefined {
  if (builtInExecutors.has(name)) return undefined;
  const found = [...plugins.values()].filter(isExecutorDefinition).find((one) => one.name === name);
  if (found) return found;
  throw new TypeError(`internal: the executor "${name}" was not loaded`);
}

function findJudge(judges: readonly Judge[], { judge, version }: RewardTerm): Judge {
  const found = judges.find((one) => one.name === judge && one.version === version);
  if (found) return found;
  throw new TypeError(`internal: the judge "${judge}" (version ${version}) was not loaded`);
}
