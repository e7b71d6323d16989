/** Builds the job of a stage's process: stages to run, and the artifacts to start from. */
import type { ObjectStore } from "../store/objects.ts";
import type { Checkpoint } from "../store/checkpoints.ts";
import { outsideWires, paramsByPath, wireKey } from "./fingerprint.ts";
import type { ArtifactPart, LoopJob, StageJob, UnitJob } from "../process/messages.ts";
import { joinParts } from "../../base/join_parts.ts";
import type { ResolvedStage, Wires } from "../read/resolved.ts";
import { artifactsOf, nameInFile, sourceInRun } from "./instances.ts";
import { kindKey } from "./preparation.ts";

/** A job and its payload. */
interface BuiltJob {
  readonly job: StageJob;
  readonly payload: Uint8Array;
}

/** The job of a stage whose incoming artifacts are in the object store. */
export function buildJob(
  stage: ResolvedStage,
  seed: number,
  artifacts: ReadonlyMap<string, string>,
  objects: ObjectStore,
  resume?: Checkpoint,
): BuiltJob {
  const flowing = artifactsOf(stage, artifacts);
  const parts: ArtifactPart[] = [];
  const pieces: Uint8Array[] = [];
  for (
    const [key, type] of new Map(outsideWires(stage).map((wire) => [wireKey(wire), wire.type]))
  ) {
    const bytes = artifactBytes(key, flowing, objects);
    parts.push({ key, type, bytes: bytes.length });
    pieces.push(bytes);
  }
  if (resume) pieces.push(resume.payload);
  const job: StageJob = {
    name: nameInFile(stage),
    seed: stage.instance?.seed ?? seed,
    backend: backendOf(stage),
    unit: stage.loop ? undefined : unitJob(stage),
    loop: stage.loop && loopJob(stage),
    artifacts: parts,
    resume: resume && { step: resume.step, parts: resume.parts },
  };
  return { job, payload: joinParts(pieces) };
}

function artifactBytes(
  key: string,
  artifacts: ReadonlyMap<string, string>,
  objects: ObjectStore,
): Uint8Array {
  const digest = artifacts.get(key);
  if (!digest) throw new Error(`internal: no artifact at ${key}`);
  const read = objects.get(digest);
  if (read.kind !== "found") throw new Error(`the artifact of ${key} is ${read.kind}; run again`);
  return read.bytes;
}

function loopJob({ loop }: ResolvedStage): LoopJob {
  return { ...loop!, stages: loop!.stages.map(unitJob) };
}

function unitJob(unit: ResolvedStage): UnitJob {
  const { inputs, wired, every = 1 } = unit;
  return {
    name: nameInFile(unit),
    kind: kindKey(unit),
    params: paramsByPath(unit),
    inputs,
    wired,
    every,
  };
}

/** The tensor backend that the stage, or an inner stage of it, asks for. */
function backendOf(stage: ResolvedStage): string | undefined {
  for (const { rawParams } of [stage, ...stage.loop?.stages ?? []]) {
    if (typeof rawParams.backend === "string") return rawParams.backend;
  }
  return undefined;
}

/** All wires of a stage by what they are for: inputs, wired parameters, a loop's state. */
export function wiresOf(stage: ResolvedStage): Record<string, Wires> {
  const all = {
    inputs: stage.inputs,
    ...stage.wired,
    ...(stage.loop && { state: stage.loop.state }),
  };
  const inRun = (wires: Wires): Wires =>
    Object.fromEntries(
      Object.entries(wires).map((
        [name, wire],
      ) => [name, { ...wire, stage: sourceInRun(stage, wire.stage) }]),
    );
  return Object.fromEntries(Object.entries(all).map(([name, wires]) => [name, inRun(wires)]));
}
