/** The plan: for each stage, whether it is cached, runs, goes on or waits, and why. */
import type { Json } from "../../base/canonical_json.ts";
import type { StageCache, StageResult } from "./cache.ts";
import type { Checkpoint, Checkpoints } from "../store/checkpoints.ts";
import { checkpointKey } from "../store/run_stages.ts";
import type { ChangedPart, FingerprintParts } from "./fingerprint.ts";
import { changedParts, fingerprintOf, outsideWires, wireKey } from "./fingerprint.ts";
import type { History } from "./history.ts";
import { nameInFile, sourceInRun } from "./instances.ts";
import type { PlannedStage } from "./observer.ts";
import type { ResolvedPipeline, ResolvedStage } from "../read/resolved.ts";
import type { PrepareContext, PreparedStage } from "./preparation.ts";
import { partsOf } from "./preparation.ts";

/** Where a plan looks. */
export interface PlanContext extends PrepareContext {
  readonly cache: StageCache;
  readonly checkpoints: Checkpoints;
  readonly history: History;
  /** Stages that are computed again, whatever the cache has. */
  readonly forced?: ReadonlySet<string>;
}

/** Decision on a stage whose inputs are known. */
type Decision =
  | { readonly kind: "cached"; readonly result: StageResult }
  | { readonly kind: "resume"; readonly checkpoint: Checkpoint }
  | { readonly kind: "run" };

/** A stage whose inputs are known, looked up. */
export interface Considered {
  readonly fingerprint: string;
  readonly parts: FingerprintParts;
  readonly decision: Decision;
  readonly reason: string;
  /** Something that the cache held was found damaged. */
  readonly damaged: boolean;
}

/** Looks a stage up whose incoming artifacts are known. */
export function consider(
  prepared: PreparedStage,
  artifacts: ReadonlyMap<string, string>,
  context: PlanContext,
  pipeline: Pick<ResolvedPipeline, "values"> = { values: [] },
): Considered {
  const { stage } = prepared;
  const parts = partsOf(prepared, artifacts, context);
  const fingerprint = fingerprintOf(parts);
  const isForced = context.forced?.has(stage.name) ?? false;
  const read = isForced ? { kind: "forced" } as const : context.cache.get(fingerprint);
  const damaged = read.kind === "damaged";
  const common = { fingerprint, parts, damaged };
  if (read.kind === "hit") {
    const reason = `as in run ${read.result.runId}`;
    return { ...common, decision: { kind: "cached", result: read.result }, reason };
  }
  const checkpoint = stage.loop &&
    context.checkpoints.latest(checkpointKey(stage.name, fingerprint), stage.loop.steps);
  if (checkpoint) {
    const reason = `goes on after step ${checkpoint.step} of ${stage.loop!.steps}`;
    return { ...common, decision: { kind: "resume", checkpoint }, reason };
  }
  return { ...common, decision: { kind: "run" }, reason: reasonOf() };

  function reasonOf(): string {
    if (read.kind === "forced") return "asked for by --force";
    if (read.kind === "damaged") return read.what;
    if (read.kind === "miss" && read.unbelieved) return read.unbelieved;
    const from = context.continued?.get(stage.name);
    if (from) return `goes on after step ${from.checkpoint.step} of run ${from.runId}`;
    return whyRun(stage, parts, fingerprint, context, pipeline);
  }
}

function whyRun(
  stage: ResolvedStage,
  parts: FingerprintParts,
  fingerprint: string,
  { history, services }: PlanContext,
  pipeline: Pick<ResolvedPipeline, "values">,
): string {
  const last = history.get(stage.name);
  if (!last) return "never done here";
  if (last.fingerprint === fingerprint) return "its record is gone";
  const changes = changedParts(last.parts, parts);
  return changes.map((change) => describeChange(stage, change, services, pipeline)).join("; ");
}

/** Changes of a stage that waits: all but what flows in, which is not known yet. */
function changedMeanwhile(
  prepared: PreparedStage,
  artifacts: ReadonlyMap<string, string>,
  context: PlanContext,
  pipeline: Pick<ResolvedPipeline, "values">,
): string {
  const { stage } = prepared;
  const last = context.history.get(stage.name);
  if (!last) return "";
  const parts = partsOf(prepared, artifacts, context);
  return changedParts(last.parts, parts)
    .filter(({ path }) => /(^|\.)params\./.test(path) || !/\.(artifact|stage)$/.test(path))
    .map((change) => `; ${describeChange(stage, change, context.services, pipeline)}`).join("");
}

/** One change in words, with the place where a parameter is written. */
function describeChange(
  stage: ResolvedStage,
  { path, before, now }: ChangedPart,
  services: PlanContext["services"],
  pipeline: Pick<ResolvedPipeline, "values">,
): string {
  if (path === "modules") return "its code changed";
  if (path.startsWith("continued.")) return "it began elsewhere";
  const service = /^services\.(.*)$/.exec(path);
  if (service) return `${services.get(service[1])?.title ?? service[1]} changed`;
  const { unit, part } = placeOf(stage, path);
  const input = /^(?:inputs|state|wired\.(?:.*\*\.)?[^.]*)\.(.*)\.artifact$/.exec(part);
  if (input) return `input "${unit}${input[1]}" changed`;
  const file = /^params\.(.*)\.content$/.exec(part);
  if (file) return `file "${unit}${file[1]}" changed`;
  const parameter = part.replace(/^params\./, "");
  const place = `stages.${nameInFile(stage)}.${unit && `stages.${unit}`}${parameter}`;
  const found = pipeline.values.find((value) => value.path === place);
  const where = found?.file && found.line ? ` (${found.file}:${found.line})` : "";
  return `${unit}${parameter} ${show(before)} -> ${show(now)}${where}`;
}

/** The inner stage that a part of a loop belongs to, as `sample.`, and the part within it. */
function placeOf(stage: ResolvedStage, path: string): { unit: string; part: string } {
  const inner = /^loop\.stages\.([0-9]+)\.(.*)$/.exec(path);
  if (!inner) return { unit: "", part: path.replace(/^loop\./, "") };
  const name = stage.loop?.stages[Number(inner[1])]?.name ?? "";
  return { unit: `${name.slice(stage.name.length + 1)}.`, part: inner[2] };
}

function show(value: Json | undefined): string {
  return value === undefined ? "(absent)" : JSON.stringify(value);
}

/** The plan of a pipeline, as far as it is known before anything ran. */
interface StagePlan {
  readonly stages: PlannedStage[];
  /** Findings about the cached stages: their inputs are known, so that they stay true. */
  readonly cached: ReadonlyMap<string, Considered>;
}

/** Plans all stages; nothing is written. */
export function planStages(
  pipeline: ResolvedPipeline,
  prepared: ReadonlyMap<string, PreparedStage>,
  context: PlanContext,
): StagePlan {
  const artifacts = earlierArtifacts(pipeline.stages);
  const open = new Set<string>();
  const cached = new Map<string, Considered>();
  const stages = pipeline.stages.map((stage): PlannedStage => {
    const waits = dependencies(stage).filter((name) => open.has(name));
    const secondsBefore = context.history.get(stage.name)?.seconds;
    const common = { stage: stage.name, kind: stage.kind, secondsBefore };
    if (waits.length > 0) {
      open.add(stage.name);
      const own = prepared.get(stage.name)!;
      const meanwhile = changedMeanwhile(own, artifacts, context, pipeline);
      return { ...common, state: "blocked", reason: `waits for ${waits.join(", ")}${meanwhile}` };
    }
    const found = consider(prepared.get(stage.name)!, artifacts, context, pipeline);
    const { fingerprint, reason, decision } = found;
    if (decision.kind === "cached") {
      addArtifacts(artifacts, stage.name, decision.result);
      cached.set(stage.name, found);
    } else open.add(stage.name);
    return { ...common, state: decision.kind, reason, fingerprint };
  });
  return { stages, cached };
}

/** Makes the outputs of a stage known by `stage.port`. */
export function addArtifacts(
  artifacts: Map<string, string>,
  stage: string,
  { outputs }: Pick<StageResult, "outputs">,
): void {
  for (const { port, digest } of outputs) artifacts.set(`${stage}.${port}`, digest);
}

/** Digests of the outputs of earlier runs that stages read, by `run:ID/stage.port`. */
export function earlierArtifacts(stages: readonly ResolvedStage[]): Map<string, string> {
  const wires = stages.flatMap(outsideWires).filter(({ digest }) => digest !== undefined);
  return new Map(wires.map((wire) => [wireKey(wire), wire.digest!]));
}

/** Top-level stages of the pipeline whose outputs a stage reads. */
export function dependencies(stage: ResolvedStage): string[] {
  const own = outsideWires(stage).filter(({ digest }) => digest === undefined);
  return [...new Set(own.map((wire) => sourceInRun(stage, wire.stage)))];
}
