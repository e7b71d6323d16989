/** Makes the plan of a pipeline: prepares its stages, asks for consent, looks each up in the cache. */
import { higherDemand } from "../../base/sandbox_level.ts";
import { readTrust } from "../../base/trust.ts";
import { StageCache } from "../plan/cache.ts";
import { Checkpoints } from "../store/checkpoints.ts";
import { bringEarlier } from "../store/earlier_output.ts";
import { asksOf, describeAsks, requireConsent, type StageAsks } from "../plan/consent.ts";
import { continuations } from "../plan/continuation.ts";
import { History } from "../plan/history.ts";
import { drawsRandom, expandStages, nameInFile, seedVariations } from "../plan/instances.ts";
import { type PipelineLock, pipelineLock } from "../plan/lock_content.ts";
import type { PlannedStage } from "../plan/observer.ts";
import { type Considered, earlierArtifacts, type PlanContext, planStages } from "../plan/plan.ts";
import { type PreparedStage, prepareStages } from "../plan/preparation.ts";
import { requireFound, type Selection, selectStages } from "../plan/select.ts";
import { ModuleGraphs } from "../process/module_graph.ts";
import { denoInfo } from "../process/process.ts";
import { createLayout, findSluiceHome, projectLayout } from "../project/project.ts";
import type { ResolvedPipeline } from "../read/resolved.ts";
import { FingerprintStore } from "../store/fingerprints.ts";
import { ObjectStore } from "../store/objects.ts";
import type { RunOptions } from "./options.ts";

/** A plan, and what it was made with. */
export interface Planned {
  /** With a copy of each stage that differs between seeds. */
  readonly pipeline: ResolvedPipeline;
  readonly context: PlanContext;
  readonly objects: ObjectStore;
  readonly prepared: ReadonlyMap<string, PreparedStage>;
  readonly stages: readonly PlannedStage[];
  /** Findings about the cached stages. */
  readonly cached: ReadonlyMap<string, Considered>;
  readonly lock: PipelineLock;
}

/** The level of the sandbox that the pipeline demands, or its user, whichever is higher. */
function demandOf({ minimumLevel }: ResolvedPipeline, options: RunOptions) {
  return higherDemand(minimumLevel, options.minimumLevel);
}

/**
 * Prepares and plans all stages; nothing runs.
 *
 * @throws InputError if a module of a stage cannot be loaded, a stage lacks the user's consent, or a
 * selection cannot be had.
 */
export async function makePlan(pipeline: ResolvedPipeline, options: RunOptions): Promise<Planned> {
  const { projectRoot, builtInKindFile, home = findSluiceHome(), tensors = "wasm" } = options;
  const layout = projectLayout(projectRoot);
  const trustedFolders = readTrust().folders;
  createLayout(layout, trustedFolders);
  const objects = new ObjectStore(projectRoot, options.verify);
  const context: PlanContext = {
    layout,
    home,
    builtInKindFile,
    tensors,
    seed: pipeline.seed,
    trustedFolders,
    maxFileBytes: options.maxFileBytes,
    models: options.models,
    graphs: new ModuleGraphs(layout, home, denoInfo),
    cache: new StageCache(new FingerprintStore(projectRoot), objects),
    checkpoints: new Checkpoints(layout.checkpoints),
    history: new History(layout, pipeline.absolutePath),
    services: new Map(options.services?.map((service) => [service.name, service])),
    minimumLevel: demandOf(pipeline, options),
  };
  const once = await prepareStages(pipeline.stages, context);
  const asked = asksOf(pipeline.stages, layout, home, once, context.trustedFolders);
  await requireConsent(asked, options.consent); // before any file that a stage names is read
  const planning = { ...context, digests: new Map<string, string>() };
  const { expanded, wanted, forced } = selected(pipeline, options.select);
  const prepared = new Map(expanded.stages.map((stage) => {
    return [stage.name, { ...once.get(nameInFile(stage))!, stage }];
  }));
  for (const wire of earlierArtifacts(expanded.stages).keys()) {
    bringEarlier(projectRoot, wire, objects);
  }
  const continued = options.continueFrom &&
    continuations(projectRoot, expanded.stages, options.continueFrom);
  const looking = { ...planning, forced, continued };
  const { cached, stages: found } = planStages(expanded, prepared, looking);
  let lock: PipelineLock | undefined;
  requireFound(found, wanted);
  const stages = found.map((one) => withTouches(one, asked));
  const plan = { ...context, forced, continued };
  return {
    pipeline: expanded,
    context: plan,
    objects,
    prepared,
    get lock() {
      return lock ??= pipelineLock(pipeline, once, planning);
    },
    stages,
    cached,
  };
}

/** The stages of a pipeline that a selection keeps; checks are about all of them. */
function selected(pipeline: ResolvedPipeline, selection: Selection | undefined) {
  const all = withInstances(pipeline);
  const { kept, wanted, forced } = selectStages(all.stages, selection);
  const whole = kept.length === all.stages.length;
  const expanded = whole ? all : { ...all, stages: kept, checks: [] };
  return { expanded, wanted, forced };
}

function withInstances(pipeline: ResolvedPipeline): ResolvedPipeline {
  const variations = seedVariations(pipeline);
  if (variations.length === 0) return pipeline;
  return { ...pipeline, stages: expandStages(pipeline.stages, variations, drawsRandom) };
}

function withTouches(planned: PlannedStage, asked: readonly StageAsks[]): PlannedStage {
  const inFile = planned.stage.replace(/\[[^\]]*\]$/, "");
  const own = asked.filter(({ stage }) => `${stage}.`.startsWith(`${inFile}.`));
  const touches = [...new Set(own.map(describeAsks))].join(", ");
  return touches === "" ? planned : { ...planned, touches };
}
