/** Arguments that name a pipeline: `PIPELINE [@overlay.toml …] [--set path=value …]`. */
import type { StageKindDeclaration } from "../pipeline/read/declaration.ts";
import type { ResolvedPipeline } from "../pipeline/read/resolved.ts";
import type { SluiceHome } from "../pipeline/contract/project.ts";

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
  const { resolvePipeline } = await import("../pipeline/read/resolve.ts");
  const { builtInKinds } = await import("../../stages/mod.ts");
  const { findSluiceHome, projectRootOf } = await import("../pipeline/contract/project.ts");
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
  const { describeKind } = await import("../pipeline/process/describe.ts");
  const { ModuleGraphs } = await import("../pipeline/process/module_graph.ts");
  const { denoInfo } = await import("../pipeline/process/process.ts");
  const { createLayout, projectLayout } = await import("../pipeline/contract/project.ts");
  const layout = projectLayout(projectRoot);
  createLayout(layout);
  return await describeKind(file, {
    layout,
    home,
    graphs: new ModuleGraphs(layout, home, denoInfo),
  });
}
