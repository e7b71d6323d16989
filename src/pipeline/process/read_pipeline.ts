/** Reads a pipeline with the kinds that it names by path: each is described in a process of its own. */
import { dirname, resolve } from "node:path";
import { liesOutside } from "../../base/regular_file.ts";
import type { StageSignature } from "../contract/stage.ts";
import type { SluiceHome } from "../project/project.ts";
import { createLayout, findSluiceHome, projectLayout, projectRootOf } from "../project/project.ts";
import type { StageKindDeclaration } from "../read/declaration.ts";
import type { ResolvedPipeline } from "../read/resolved.ts";
import { findEarlier } from "../store/earlier_output.ts";
import type { Files } from "../toml/files.ts";
import {
  type ResolveOptions,
  resolvePipeline,
  resolveSound,
  type SoundPipeline,
} from "../read/resolve.ts";

/** Pipeline file, changes laid over it, and kinds. */
export interface ReadPipelineOptions {
  /** The pipeline file, as messages call it. */
  readonly path: string;
  /** Files that are laid over it. */
  readonly overlays?: readonly string[];
  /** `path=value`, laid over all files. */
  readonly sets?: readonly string[];
  /** Kinds that stages may call by name; without them, a stage names its kind by path. */
  readonly kinds?: ReadonlyMap<string, StageSignature>;
  /** Replaces this machine's files, for a pipeline that is no file. */
  readonly files?: Partial<Files>;
}

/**
 * Reads and checks a pipeline; nothing is run but the declarations of kinds that a path names.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { InputError } from "../../base/diagnostic.ts";
 * import { readPipeline } from "./read_pipeline.ts";
 * const files = { readText: () => Promise.resolve('format = 1\n[stages.one]\nkind = "./gone.ts"\n') };
 * await assert.rejects(readPipeline({ path: "p.toml", files }), InputError);
 * ```
 *
 * @throws InputError with every finding.
 */
export async function readPipeline(options: ReadPipelineOptions): Promise<ResolvedPipeline> {
  return await resolvePipeline(resolveOptions(options));
}

/**
 * Reads the sound part of a pipeline, and reports the faults of the rest.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { readSound } from "./read_pipeline.ts";
 * const files = { readText: () => Promise.resolve('format = 1\n[stages.one]\nkind = "./gone.ts"\n') };
 * const { diagnostics } = await readSound({ path: "p.toml", files });
 * assert.match(diagnostics[0].message, /gone.ts/);
 * ```
 *
 * @throws InputError if it is not TOML, or a file that it uses is not there.
 */
export async function readSound(options: ReadPipelineOptions): Promise<SoundPipeline> {
  return await resolveSound(resolveOptions(options));
}

function resolveOptions(
  { path, overlays, sets, kinds = new Map(), files }: ReadPipelineOptions,
): ResolveOptions {
  const home = findSluiceHome();
  const loadKind = (file: string) => describe(file, home, projectRootOf(path));
  const earlier = (text: string) => findEarlier(projectRootOf(path), text);
  const isHidden = hiddenFrom(path, home.root);
  return { path, overlays, sets, kinds, loadKind, files, earlier, sluiceRoot: home.root, isHidden };
}

/**
 * Files outside of the project whose lines messages do not show: a pipeline of a stranger's may `use` a
 * key of the user's, or be a link to it. Files that the user names are shown where they are.
 */
function hiddenFrom(pipeline: string, sluiceRoot: string) {
  const folders = [projectRootOf(pipeline), dirname(resolve(pipeline)), sluiceRoot];
  const isLink = (path: string) => Deno.lstatSync(path).isSymlink;
  return (path: string, typed: boolean) => liesOutside(path, folders) && (!typed || isLink(path));
}

/** Loaded when a pipeline first names a kind by path. */
async function describe(
  file: string,
  home: SluiceHome,
  projectRoot: string,
): Promise<StageKindDeclaration> {
  const { describeKind } = await import("./describe.ts");
  const { ModuleGraphs } = await import("./module_graph.ts");
  const { denoInfo } = await import("./process.ts");
  const layout = projectLayout(projectRoot);
  createLayout(layout);
  return await describeKind(file, {
    layout,
    home,
    graphs: new ModuleGraphs(layout, home, denoInfo),
  });
}
