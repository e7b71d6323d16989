/** Where the bundled engine worker lies, and the digest that stands for the engine. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { denoPath, moduleArgument } from "../base/deno_command.ts";
import { MissingPartError } from "../base/diagnostic.ts";
import { sha256 } from "../base/digest.ts";
import { engineEntries, engineSources, sourcesDigest } from "./engine_sources.ts";
import { readOwnFile } from "./own_file.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const home = join(here, "..", "..");

/** Name of a bundled engine: the digest of its sources and of the program that bundles them. */
const engineName = /^([0-9a-f]{64})\.js$/;

let known: string | undefined;

/**
 * Path of the bundled worker. A package brings it; a checkout bundles its sources when they are
 * first used, into `.sluice/engine` beside them, once for each state of the sources.
 *
 * @throws MissingPartError if there is no bundle and none can be made.
 */
export function workerPath(): string {
  return known ??= packagedEngine() ?? builtEngine();
}

/**
 * The digest of the engine's sources and bundler, from the name of its file; of another file, the
 * SHA-256 of its bytes. The engine's part of every memo key and fingerprint.
 *
 * @throws MissingPartError if there is no such file.
 */
export function engineDigest(file: string = workerPath()): string {
  const bytes = readOwnFile(file);
  return engineName.exec(basename(file))?.[1] ?? sha256(bytes);
}

/** Where a package keeps its engine. */
export const packagedFolder = "engine";

function packagedEngine(): string | undefined {
  const folder = join(here, packagedFolder);
  if (!existsSync(folder)) return undefined;
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  const found = names.find((name) => engineName.test(name));
  return found && join(folder, found);
}

function builtEngine(): string {
  const [entries, bundler] = [engineEntries(here), join(here, "bundle_engine.ts")];
  if (!entries.every(existsSync)) throw incomplete("neither the engine nor its sources are there");
  const sources = new Map([...engineSources(entries), [bundler, Deno.readTextFileSync(bundler)]]);
  const folder = join(home, ".sluice", "engine");
  const file = join(folder, `${sourcesDigest(sources, home)}.js`);
  if (!existsSync(file)) build(bundler, folder, file);
  return file;
}

/**
 * Bundling needs esbuild, which is a program, and a folder beside the sources, which need not lie in
 * the user's project: a process of its own may start the one and write the other, this one may not.
 */
function build(bundler: string, folder: string, file: string): void {
  const grants = ["--allow-read", `--allow-write=${folder}`, "--allow-env", "--allow-run"];
  const { success, stderr } = new Deno.Command(denoPath(), {
    args: ["run", "--no-prompt", "--quiet", ...grants, moduleArgument(bundler), file],
    cwd: home,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  }).outputSync();
  if (!success) throw incomplete(new TextDecoder().decode(stderr).trim().slice(0, 500));
}

function incomplete(reason: string): MissingPartError {
  return new MissingPartError(
    `Sluice is incomplete: cannot bundle the engine: ${reason}`,
    "run `deno install --frozen` in the checkout, or install Sluice again",
  );
}
