/** Where a project and Sluice itself stand on disk: the folders of state, runs and own code. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { explainWrites } from "../../base/atomic.ts";
import { refuseLinksOutside } from "../../base/regular_file.ts";
import { readTrust } from "../../base/trust.ts";

/** The folders that a run reads and writes. All paths are absolute. */
export interface ProjectLayout {
  /** Folder of the nearest `deno.json` or `package.json` above the pipeline. */
  readonly root: string;
  /** `.sluice`: objects, fingerprints, locks, checkpoints, entries. */
  readonly state: string;
  /** `runs`: one folder per run. */
  readonly runs: string;
  /** `.sluice/entries`: modules that processes of stages run. */
  readonly entries: string;
  /** `.sluice/checkpoints`: states of loops that have not ended. */
  readonly checkpoints: string;
  /** Path of the cache of `deno info`, by entry. */
  readonly modules: string;
}

/** Sluice's own code on disk: a checkout, or an installed package. */
export interface SluiceHome {
  /** Folder with `deno.json` (checkout) or `package.json` (package). */
  readonly root: string;
  /** Configuration that children run under; absent in an installed package. */
  readonly config?: string;
  /** Module that every stage's process imports first. */
  readonly host: string;
}

const markers = ["deno.json", "deno.jsonc", "package.json"];

/**
 * The project of a pipeline: the folder of the nearest `deno.json`, `deno.jsonc` or `package.json`
 * above the file, else the working directory.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { projectRootOf } from "./project.ts";
 * const folder = Deno.makeTempDirSync();
 * Deno.writeTextFileSync(`${folder}/deno.json`, "{}");
 * assert.equal(projectRootOf(`${folder}/pipelines/a.toml`), folder);
 * Deno.removeSync(folder, { recursive: true });
 * ```
 */
export function projectRootOf(pipelineFile: string, workingDirectory: string = Deno.cwd()): string {
  return nearestWith(dirname(resolve(pipelineFile)), markers) ?? resolve(workingDirectory);
}

/**
 * The folders of a project; nothing is created.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { projectLayout } from "./project.ts";
 * assert.equal(projectLayout("/project").runs, "/project/runs");
 * ```
 */
export function projectLayout(root: string): ProjectLayout {
  const state = join(root, ".sluice");
  return {
    root,
    state,
    runs: join(root, "runs"),
    entries: join(state, "entries"),
    checkpoints: join(state, "checkpoints"),
    modules: join(state, "modules.json"),
  };
}

/**
 * Creates the folders of state and hides them from git.
 *
 * @throws InputError `file/link-outside` if `runs` or `.sluice` leads out of the project, to where
 * the user has not said that it may; `store/cannot-write` if the disk refuses.
 */
export function createLayout(layout: ProjectLayout, trustedFolders = readTrust().folders): void {
  for (const folder of [layout.state, layout.runs]) {
    refuseLinksOutside(folder, layout.root, trustedFolders);
  }
  explainWrites(layout.state, () => {
    const made = [layout.entries, layout.checkpoints];
    for (const folder of made) Deno.mkdirSync(folder, { recursive: true });
    const ignore = join(layout.state, ".gitignore");
    if (!existsSync(ignore)) Deno.writeTextFileSync(ignore, "*\n");
  });
}

/**
 * Finds Sluice's own code from this module's place.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { findSluiceHome } from "./project.ts";
 * assert(findSluiceHome().root.length > 0);
 * ```
 */
export function findSluiceHome(): SluiceHome {
  const here = fileURLToPath(import.meta.url);
  const folder = dirname(here);
  const root = nearestWith(folder, ["deno.json", "package.json"]);
  if (!root) {
    throw new Error("internal: Sluice's own folder has neither deno.json nor package.json");
  }
  const config = join(root, "deno.json");
  const extension = here.endsWith(".ts") ? "ts" : "js";
  return {
    root,
    config: existsSync(config) ? config : undefined,
    host: join(dirname(folder), "host", `main.${extension}`),
  };
}

/**
 * Flags of Deno for a process that runs Sluice's own code: its configuration and lock, if it has them.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { homeFlags } from "./project.ts";
 * assert(homeFlags().every((flag) => flag.startsWith("--")));
 * ```
 */
export function homeFlags(): string[] {
  const { config } = findSluiceHome();
  return config === undefined ? [] : [`--config=${config}`, "--frozen"];
}

function nearestWith(folder: string, names: readonly string[]): string | undefined {
  for (let at = folder;; at = dirname(at)) {
    if (names.some((name) => existsSync(join(at, name)))) return at;
    if (dirname(at) === at) return undefined;
  }
}
