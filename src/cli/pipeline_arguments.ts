/** Arguments that name a pipeline: `PIPELINE [@overlay.toml …] [--set path=value …]`. */
import type { StageKindDeclaration } from "../runner/pipeline/declaration.ts";
import type { ResolvedPipeline } from "../runner/pipeline/resolved.ts";
import type { SluiceHome } from "../runner/project.ts";

/** A pipeline and what is laid over it. */
export interface PipelineArguments {
  readonly path: string;
  readonly overlays: readonly string[];
  readonly sets: readonly string[];
}

/** Collects a flag that may be given several times. */
export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...before ?? [], value];
}

/** Reads and checks the pipeline. @throws InputError with every finding. */
export async function readPipeline(args: PipelineArguments): Promise<ResolvedPipeline> {
  const { resolvePipeline } = await import("../runner/pipeline/resolve.ts");
  const { builtInKinds } = await import("../../stages/mod.ts");
  const { findSluiceHome, projectRootOf } = await import("../runner/project.ts");
  const home = findSluiceHome();
  const projectRoot = projectRootOf(args.path);
  const loadKind = (file: string) => describe(file, home, projectRoot);
  return await resolvePipeline({
    ...args,
    kinds: builtInKinds,
    loadKind,
    sluiceRoot: home.root,
  });
}

/** Reads the declaration of a user's kind, without importing it here. */
async function describe(
  file: string,
  home: SluiceHome,
  projectRoot: string,
): Promise<StageKindDeclaration> {
  const { describeKind } = await import("../runner/describe.ts");
  const { ModuleGraphs } = await import("../runner/module_graph.ts");
  const { denoInfo } = await import("../runner/process.ts");
  const { createLayout, projectLayout } = await import("../runner/project.ts");
  const layout = projectLayout(projectRoot);
  createLayout(layout);
  return await describeKind(file, {
    layout,
    home,
    graphs: new ModuleGraphs(layout, home, denoInfo),
  });
}
