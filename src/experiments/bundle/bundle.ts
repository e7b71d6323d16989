/** Bundles a run into one file, and opens it in another project: tables, pipeline, answer, logs, artifacts if asked. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { explainWrites } from "../../base/atomic.ts";
import { inputError } from "../../base/diagnostic.ts";
import { sha256 } from "../../base/digest.ts";
import { isRecord } from "../../base/record.ts";
import { ObjectStore } from "../../pipeline/store/mod.ts";
import { runFolder } from "../../pipeline/store/sql/mod.ts";
import { tar, type TarEntry, untar } from "./tar.ts";

/** File that lists the others. */
const manifest = "bundle.json";

/** Manifest of a bundle. */
interface Manifest {
  readonly format: 1;
  readonly run: string;
  /** Path in the bundle to the SHA-256 of its bytes. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * The bytes of a bundle: a gzipped tar, the same for the same run.
 *
 * @param artifacts adds artifacts of its stages, such as policies.
 * @throws InputError `bundle/artifact` if one of these is no longer there.
 */
export function bundleOf(root: string, run: string, artifacts = false): Uint8Array {
  const files = [
    ...filesOf(runFolder(root, run), "run"),
    ...artifacts ? artifactsOf(root, run) : [],
  ];
  const digests = Object.fromEntries(files.map(({ path, bytes }) => [path, sha256(bytes)]));
  const own: Manifest = { format: 1, run, files: digests };
  const bytes = new TextEncoder().encode(`${JSON.stringify(own, null, 2)}\n`);
  return gzipSync(tar([{ path: manifest, bytes }, ...files]));
}

function filesOf(folder: string, path: string): TarEntry[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory, isFile }) => {
    const [own, inside] = [join(folder, name), `${path}/${name}`];
    if (isDirectory) return filesOf(own, inside);
    return isFile ? [{ path: inside, bytes: Deno.readFileSync(own) }] : [];
  });
}

function artifactsOf(root: string, run: string): TarEntry[] {
  const objects = new ObjectStore(root);
  const { stages } = JSON.parse(Deno.readTextFileSync(join(runFolder(root, run), "run.json")));
  const digests = new Set(
    (stages as { outputs?: Record<string, string> }[]).flatMap(({ outputs }) =>
      Object.values(outputs ?? {})
    ),
  );
  return [...digests].sort().map((digest) => {
    const found = objects.get(digest);
    if (found.kind === "found") return { path: `objects/${digest}`, bytes: found.bytes };
    const message = `Cannot bundle run ${run}: its artifact ${digest} is ${found.kind}`;
    throw inputError(
      "bundle/artifact",
      message,
      undefined,
      "leave --artifacts out, or run it again",
    );
  });
}

/**
 * Puts a bundle's run among those of a project, and its artifacts into the store. All files are checked against their digests
 * before any is written.
 *
 * @returns the id of the run.
 * @throws InputError `bundle/…` if the file is none, if a file in it is missing, unknown or altered, or if the project has
 * the run.
 */
export function openBundle(root: string, bytes: Uint8Array): string {
  const { run, files } = readBundle(bytes);
  const folder = runFolder(root, run);
  if (existsSync(folder)) {
    throw inputError("bundle/there", `Cannot open the bundle: ${folder} is there already`);
  }
  const objects = new ObjectStore(root);
  explainWrites(folder, () => {
    const fresh = join(root, ".sluice", `open-${run}`);
    for (const { path, bytes: own } of files) {
      if (path.startsWith("objects/")) objects.put(own);
      else write(join(fresh, path.slice("run/".length)), own);
    }
    Deno.mkdirSync(dirname(folder), { recursive: true });
    Deno.renameSync(fresh, folder);
  });
  return run;
}

function write(path: string, bytes: Uint8Array): void {
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeFileSync(path, bytes);
}

/** A path in a bundle: of a run's folder, or an artifact by its digest. */
const allowed = /^(run(\/[\w.-]*\w[\w.-]*){1,2}|objects\/[0-9a-f]{64})$/;

function readBundle(bytes: Uint8Array): { run: string; files: readonly TarEntry[] } {
  const entries = entriesOf(bytes);
  const { run, files } = manifestIn(entries);
  const others = entries.filter(({ path }) => path !== manifest);
  const strange = others.find(({ path }) => !allowed.test(path) || !Object.hasOwn(files, path));
  if (strange) {
    throw noBundle(`it holds ${JSON.stringify(strange.path)}, which is no file of a run`);
  }
  const altered = others.find(({ path, bytes: own }) => sha256(own) !== files[path]);
  if (altered) throw noBundle(`${altered.path} is not what it was`);
  const missing = Object.keys(files).find((path) => !others.some((one) => one.path === path));
  if (missing) throw noBundle(`${missing} is missing`);
  const forged = others.find(({ path }) =>
    path.startsWith("objects/") && !path.endsWith(files[path])
  );
  if (forged) throw noBundle(`${forged.path} has another digest than its name`);
  return { run, files: others };
}

function entriesOf(bytes: Uint8Array): TarEntry[] {
  try {
    return untar(gunzipSync(bytes));
  } catch (error) {
    throw noBundle((error as Error).message);
  }
}

function manifestIn(entries: readonly TarEntry[]): Manifest {
  const own = entries.find(({ path }) => path === manifest);
  const value: unknown = own && JSON.parse(new TextDecoder().decode(own.bytes));
  const isOne = isRecord(value) && value.format === 1 && isRecord(value.files) &&
    typeof value.run === "string" && /^[0-9A-Z]{26}$/.test(value.run);
  if (!isOne) throw noBundle(`${manifest} is missing, or of another format`);
  return value as unknown as Manifest;
}

function noBundle(why: string): Error {
  const message = `Cannot open the bundle: ${why}`;
  return inputError("bundle/file", message, undefined, "sluice bundle RUN writes one");
}
