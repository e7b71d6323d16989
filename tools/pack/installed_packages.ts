/** Installs the npm packages that the compiled package needs, in the versions and integrities of deno.lock. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DenoLock, lockedPackages, overridesOf, requireLocked } from "./locked_packages.ts";
import { isLicence } from "./notice.ts";

/** Deno comes as a package of Python; TensorFlow.js is an option, and as large as all the rest. */
const left = ["deno", "@deno", "@tensorflow", "@webgpu", ".bin", ".package-lock.json"];
const unread = /\.(map|d\.[cm]?ts|md|markdown)$/i;

/**
 * Files of `node_modules` by their path in it, without types, source maps and pages, but with licences.
 *
 * @param files The package; its package.json is what is installed.
 * @param lock The text of deno.lock.
 * @throws Error if npm fails, or installs a package that the lock does not pin.
 */
export function installedPackages(
  files: ReadonlyMap<string, Uint8Array>,
  lock: string,
): Map<string, Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-wheel-"));
  try {
    const locked = lockedPackages(JSON.parse(lock) as DenoLock);
    const own = JSON.parse(new TextDecoder().decode(files.get("package.json")!));
    const overrides = overridesOf(
      locked,
      Object.keys({ ...own.dependencies, ...own.optionalDependencies }),
    );
    writeFileSync(join(folder, "package.json"), JSON.stringify({ ...own, overrides }));
    install(folder);
    requireLocked(
      JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")),
      locked,
      left,
    );
    return filesOf(join(folder, "node_modules"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function install(cwd: string): void {
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  const args = ["install", "--prefer-offline", ...flags];
  const { success, stderr } = new Deno.Command("npm", { args, cwd }).outputSync();
  if (!success) throw new Error(`npm install failed: ${new TextDecoder().decode(stderr)}`);
}

function filesOf(folder: string): Map<string, Uint8Array> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) =>
      !left.includes(path.split("/", 1)[0]) && (isLicence(path) || !unread.test(path))
    );
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path))]));
}
