/** Packs Sluice for Python: `deno task pack:python` writes dist/sluice-<version>-….whl. */
import { type Zippable, zipSync } from "fflate";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isExecutable, packedFiles } from "./pack.ts";
import type { compileModules } from "./pack/compile.ts";
import { installedPackages } from "./pack/installed_packages.ts";
import { type DenoConfig, readDenoConfig } from "./pack/manifest.ts";
import { noticeOf } from "./pack/notice.ts";
import { wheelMetadata, wheelTag } from "./pack/wheel_metadata.ts";

/** The package in the wheel: laid out as a checkout, with a configuration and its node_modules. */
const home = "sluice/_package";

/** A wheel (PEP 427): for one platform, since DuckDB is native code. */
export interface Wheel {
  /** `sluice-0.1.0-py3-none-manylinux_2_28_x86_64.whl`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Paths inside the wheel, sorted. */
  readonly paths: readonly string[];
}

/**
 * Makes the wheel of a checkout for the machine that it runs on: the Python sources, the compiled
 * package, and the npm packages that it needs, so that nothing is downloaded once it is installed.
 * Needs npm and its registry. The same checkout, packages and Deno give the same bytes.
 */
export function packPython(root: string, compile?: typeof compileModules): Wheel {
  const config = readDenoConfig(root);
  const own = packedFiles(root, compile);
  const packages = installedPackages(own, readFileSync(join(root, "deno.lock"), "utf8"));
  const info = `${config.name}-${config.version}.dist-info`;
  const files = new Map([
    ...pythonSources(root),
    ...below(home, own),
    [`${home}/deno.json`, bytesOf(configOf(config))] as const,
    ...below(`${home}/node_modules`, packages),
    ...below(info, metadataFiles(root, config)),
    [`${info}/licenses/NOTICE`, bytesOf(noticeOf(packages))] as const,
  ]);
  const record = `${info}/RECORD`;
  files.set(record, bytesOf(recordOf(files, record)));
  const tag = wheelTag(Deno.build);
  const paths = [...files.keys()].sort();
  return {
    name: `${config.name}-${config.version}-${tag}.whl`,
    bytes: zipped(files, paths),
    paths,
  };
}

function pythonSources(root: string): [string, Uint8Array][] {
  const folder = join(root, "python", "sluice");
  const names = readdirSync(folder).filter((name) => name.endsWith(".py"));
  return names.map((name) => [`sluice/${name}`, readFileSync(join(folder, name))]);
}

function metadataFiles(root: string, config: DenoConfig): Map<string, Uint8Array> {
  const readme = readFileSync(join(root, "python", "README.md"), "utf8");
  return new Map([
    ...Object.entries(wheelMetadata(config, readme)).map(([name, text]) =>
      [name, bytesOf(text)] as const
    ),
    ["licenses/LICENSE", readFileSync(join(root, "LICENSE"))],
  ]);
}

/** Configuration for Deno: packages lie in node_modules, and stages of one's own import `sluice` by name. */
function configOf({ exports, name }: DenoConfig): string {
  const doors = Object.entries(exports).map(([door, module]) => [
    door.replace(/^\./, name),
    module.replace(/\.ts$/, ".js"),
  ]);
  const json = { nodeModulesDir: "manual", lock: false, imports: Object.fromEntries(doors) };
  return JSON.stringify(json, undefined, 2) + "\n";
}

function below(folder: string, files: ReadonlyMap<string, Uint8Array>): [string, Uint8Array][] {
  return [...files].map(([path, bytes]) => [`${folder}/${path}`, bytes]);
}

/** A line a file: its path, digest and size; the record itself has neither (PEP 376). */
function recordOf(files: ReadonlyMap<string, Uint8Array>, own: string): string {
  const lines = [...files].sort().map(([path, bytes]) => {
    const digest = createHash("sha256").update(bytes).digest("base64url");
    return `${quoted(path)},sha256=${digest},${bytes.length}`;
  });
  return [...lines, `${own},,`, ""].join("\n");
}

function quoted(path: string): string {
  return path.includes(",") ? `"${path}"` : path;
}

/** Unix permissions stand in the upper half of what a ZIP archive calls external attributes. */
function zipped(files: ReadonlyMap<string, Uint8Array>, paths: readonly string[]): Uint8Array {
  const entries: Zippable = {};
  for (const path of paths) {
    const mode = isExecutable(path.replace(`${home}/`, "")) ? 0o100755 : 0o100644;
    entries[path] = [files.get(path)!, { attrs: mode << 16, os: 3, mtime: "1980-01-01T12:00:00" }];
  }
  return zipSync(entries, { level: 6 });
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

if (import.meta.main) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const { name, bytes, paths } = packPython(root);
  Deno.mkdirSync(join(root, "dist"), { recursive: true });
  Deno.writeFileSync(join(root, "dist", name), bytes);
  console.log(
    `wrote dist/${name}: ${paths.length} files, ${Math.round(bytes.length / 2 ** 20)} MiB`,
  );
}
