/** The pipeline that `sluice rank` runs: the stages that a target needs, and one that scores all of it. */
import { inputError } from "../../base/diagnostic.ts";
import type { ResolvedPipeline, ResolvedStage } from "../../pipeline/read/mod.ts";
import { type PipelineArguments, readPipeline } from "../pipeline_arguments.ts";

/** Budget from the command line. */
export interface RankBudget {
  readonly seconds?: number;
  readonly executions?: number;
  readonly atMost?: number;
  /** Programs that were tried before. */
  readonly searched?: number;
  /** A policy for many data sets, as a pipeline writes its path. */
  readonly policy?: string;
}

/** A pipeline to be ranked, and how the target is called if it has several. */
export interface RankedArguments extends PipelineArguments {
  readonly target?: string;
  readonly budget: RankBudget;
}

/**
 * Reads a pipeline, adds a stage of kind `rank` to its target, and leaves out every stage that the
 * target does not need, and the checks: those speak of what was trained.
 *
 * @throws InputError with every finding, or if the pipeline has no target, or several and none is
 * named.
 */
export async function rankedPipeline(args: RankedArguments): Promise<ResolvedPipeline> {
  const plain = await readPipeline(args);
  const target = targetOf(plain, args.target);
  const own = plain.stages.find(({ kind, inputs }) =>
    kind === "rank" && inputs.target?.stage === target
  );
  const name = own?.name ?? freeName(plain.stages.map((stage) => stage.name));
  const added = own
    ? []
    : [`stages.${name}.kind="rank"`, `stages.${name}.inputs.target="${target}"`];
  const sets = [...args.sets, ...added, ...budgetSets(name, args.budget)];
  const whole = sets.length > args.sets.length ? await readPipeline({ ...args, sets }) : plain;
  const stages = needed(whole.stages, name);
  const kept = new Set(stages.map((stage) => stage.name));
  const isKept = (path: string) => !path.startsWith("stages.") || kept.has(path.split(".")[1]);
  const values = whole.values.filter(({ path }) => isKept(path) && !path.startsWith("checks"));
  return { ...whole, stages, values, checks: [] };
}

function budgetSets(name: string, budget: RankBudget): string[] {
  return budgetEntries(budget).map(([key, value]) => `stages.${name}.${key}=${value}`);
}

/** Parameters of a stage of kind `rank` for a budget, as TOML. */
export function budgetEntries(
  { seconds, executions, atMost, searched, policy }: RankBudget,
): (readonly [key: string, value: string])[] {
  const path = policy === undefined ? undefined : JSON.stringify(policy);
  const values = { seconds, executions, at_most: atMost, searched, policy: path };
  return Object.entries(values).filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, `${value}`]);
}

/** The one stage that makes a target, or the one that was named. */
function targetOf({ stages, path }: ResolvedPipeline, asked: string | undefined): string {
  const targets = stages.filter(({ kind }) => kind === "target").map(({ name }) => name);
  if (asked !== undefined && targets.includes(asked)) return asked;
  if (asked === undefined && targets.length === 1) return targets[0];
  const found = targets.length === 0 ? "no stage of kind target" : `targets ${targets.join(", ")}`;
  const wanted = asked === undefined ? "one" : `"${asked}"`;
  const hint = targets.length > 1 ? "name one: --target NAME" : "see docs/stages.md";
  const message = `Cannot rank ${path}: it has ${found}, wanted ${wanted}`;
  throw inputError("rank/target", message, undefined, hint);
}

/** `rank`, or `rank_2` where a stage is called so. */
function freeName(taken: readonly string[]): string {
  let name = "rank";
  for (let i = 2; taken.includes(name); i++) name = `rank_${i}`;
  return name;
}

/** A stage and all that its inputs come from, in their order. */
function needed(stages: readonly ResolvedStage[], last: string): ResolvedStage[] {
  const wanted = new Set([last]);
  for (const { name, inputs, wired } of [...stages].reverse()) {
    if (!wanted.has(name)) continue;
    const wires = [inputs, ...Object.values(wired)].flatMap((one) => Object.values(one));
    for (const { stage } of wires) wanted.add(stage.split(".")[0]);
  }
  return stages.filter(({ name }) => wanted.has(name));
}
