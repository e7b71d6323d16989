/** Instances: copies of the stages of a pipeline that differ, as between seeds; the others are shared. */
import type { ResolvedPipeline, ResolvedStage } from "../read/resolved.ts";
import { outsideWires, wireKey } from "./fingerprint.ts";

/** One of several variations of a pipeline's run. */
export interface Variation {
  /** Label of its stages: `2` makes `train[2]` of `train`. */
  readonly label: string;
  /** The stream key of everything random in it. */
  readonly seed: number;
}

/** The variations that `seeds` of a pipeline asks for; none if it asks for one. */
export function seedVariations({ seed, seeds = 1 }: ResolvedPipeline): readonly Variation[] {
  if (seeds === 1) return [];
  return Array.from({ length: seeds }, (_, i) => ({ label: `${i}`, seed: seed + i }));
}

/** True of a stage whose results depend on the seed by what it does itself. */
export function drawsRandom(stage: ResolvedStage): boolean {
  return [stage, ...stage.loop?.stages ?? []].some(({ declaration }) => declaration.random);
}

/**
 * The stages with one copy per variation for each stage that differs or depends on one that does. A
 * copy keeps the wires and inner names of its original: its results equal, bit by bit, those of
 * that stage in a pipeline of this variation alone.
 *
 * @param stages in topological order, which is kept.
 * @param differs whether a stage differs by itself.
 */
export function expandStages(
  stages: readonly ResolvedStage[],
  variations: readonly Variation[],
  differs: (stage: ResolvedStage) => boolean,
): readonly ResolvedStage[] {
  if (variations.length === 0) return stages;
  const copied = copiedStages(stages, differs);
  return stages.flatMap((stage) =>
    copied.has(stage.name) ? variations.map((one) => copyOf(stage, one, copied)) : [stage]
  );
}

function copiedStages(
  stages: readonly ResolvedStage[],
  differs: (stage: ResolvedStage) => boolean,
): ReadonlySet<string> {
  const copied = new Set<string>();
  for (const stage of stages) {
    const hangs = outsideWires(stage).some((wire) => copied.has(wire.stage));
    if (hangs || differs(stage)) copied.add(stage.name);
  }
  return copied;
}

function copyOf(
  stage: ResolvedStage,
  { label, seed }: Variation,
  copied: ReadonlySet<string>,
): ResolvedStage {
  const called = (name: string) => `${name}[${label}]`;
  const names = new Map([...copied].map((name) => [name, called(name)]));
  const { span, ...rest } = stage;
  return {
    ...rest,
    ...(span && { span }),
    name: called(stage.name),
    instance: { of: stage.name, label, seed, names },
  };
}

/** The name of a stage in the pipeline file, whatever copy of it this is. */
export function nameInFile({ instance, name }: ResolvedStage): string {
  return instance?.of ?? name;
}

/** A stage, or an inner one, by the name that the run has for it: `train[2].sample`. */
export function nameInRun({ instance, name }: ResolvedStage, inFile: string): string {
  if (!instance) return inFile;
  const isOwn = inFile === instance.of || inFile.startsWith(`${instance.of}.`);
  return isOwn ? `${name}${inFile.slice(instance.of.length)}` : inFile;
}

/** The stage of the run that a wire of this stage leads to. */
export function sourceInRun({ instance }: ResolvedStage, inFile: string): string {
  return instance?.names.get(inFile) ?? inFile;
}

/** Digests of what flows into a stage, by `stage.port` as its wires say it. */
export function artifactsOf(
  stage: ResolvedStage,
  artifacts: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (!stage.instance) return artifacts;
  const found = outsideWires(stage).flatMap((wire) => {
    const digest = artifacts.get(`${sourceInRun(stage, wire.stage)}.${wire.port}`);
    return digest === undefined ? [] : [[wireKey(wire), digest] as const];
  });
  return new Map(found);
}
