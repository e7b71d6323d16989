/** Packs Sluice for other repositories: `deno task pack` writes dist/sluice-<version>.tgz. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { compileModules } from "./pack/compile.ts";
import { packageFiles } from "./pack/files.ts";
import { importedPackages } from "./pack/imports.ts";
import { launchFlags, manifest, peersIn, readDenoConfig } from "./pack/manifest.ts";
import { tar } from "../src/experiments/bundle/tar.ts";

/** An npm tarball. */
export interface Tarball {
  /** `sluice-0.1.0.tgz`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Paths inside the package, sorted. */
  readonly paths: readonly string[];
}

/** All files of the package by their path in it, as an npm tarball and a Python wheel hold them. */
export function packedFiles(
  root: string,
  compile: typeof compileModules = compileModules,
): Map<string, Uint8Array> {
  const config = readDenoConfig(root);
  const { modules, plain } = packageFiles(root);
  const compiled = compile(root, modules);
  const packages = importedPackages(compiled.values());
  const files = new Map<string, string | Uint8Array>([...plain, ...compiled]);
  files.set("package.json", manifest(config, packages, (name) => peersIn(root, name)));
  files.set("bin/flags.json", JSON.stringify(launchFlags(config.tasks.sluice)) + "\n");
  const encoder = new TextEncoder();
  return new Map([...files].map(([path, content]) => [
    path,
    typeof content === "string" ? encoder.encode(content) : content,
  ]));
}

/** Whether a file of the package is a program that is started. */
export function isExecutable(path: string): boolean {
  return path === "bin/sluice.js" || /\/launch_\w+$/.test(path);
}

/** Makes the tarball of a checkout; the same checkout and Deno give the same bytes. */
export function pack(root: string, compile?: typeof compileModules): Tarball {
  const config = readDenoConfig(root);
  const files = packedFiles(root, compile);
  const entries = [...files].map(([path, bytes]) => ({
    path: `package/${path}`,
    bytes,
    executable: isExecutable(path),
  }));
  const bytes = gzipSync(tar(entries), { level: 9 });
  return { name: `${config.name}-${config.version}.tgz`, bytes, paths: [...files.keys()].sort() };
}

if (import.meta.main) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const { name, bytes, paths } = pack(root);
  Deno.mkdirSync(join(root, "dist"), { recursive: true });
  Deno.writeFileSync(join(root, "dist", name), bytes);
  console.log(`wrote dist/${name}: ${paths.length} files, ${Math.round(bytes.length / 1024)} KiB`);
}
