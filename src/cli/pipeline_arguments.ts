/** Arguments that name a pipeline: `PIPELINE [@overlay.toml …] [--set path=value …]`. */
import type { ResolvedPipeline, SoundPipeline } from "../pipeline/read/mod.ts";
import type { Files } from "../pipeline/toml/mod.ts";

/** A pipeline and what is laid over it. */
export interface PipelineArguments {
  readonly path: string;
  readonly overlays: readonly string[];
  readonly sets: readonly string[];
  /** Replaces this machine's files. */
  readonly files?: Partial<Files>;
}

/** Collects a flag that may be given several times. */
export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...before ?? [], value];
}

/** Reads and checks the pipeline. @throws InputError with every finding. */
export async function readPipeline(args: PipelineArguments): Promise<ResolvedPipeline> {
  const { readPipeline } = await import("../pipeline/process/mod.ts");
  const { builtInKinds } = await import("../../stages/mod.ts");
  return await readPipeline({ ...args, kinds: builtInKinds });
}

/** Reads what can be read of the pipeline, with everything that is wrong with the rest. */
export async function readSound(args: PipelineArguments): Promise<SoundPipeline> {
  const { readSound } = await import("../pipeline/process/mod.ts");
  const { builtInKinds } = await import("../../stages/mod.ts");
  return await readSound({ ...args, kinds: builtInKinds });
}
