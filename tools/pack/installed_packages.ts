/** The npm packages that the compiled package needs, as npm installs them on this machine. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Deno comes as a package of Python; TensorFlow.js is an option, and as large as all the rest. */
const left = ["deno", "@deno", "@tensorflow", "@webgpu", ".bin", ".package-lock.json"];
const unread = /\.(map|d\.[cm]?ts|md|markdown)$/i;

/**
 * Files of `node_modules` by their path in it, without types, source maps and pages.
 *
 * @param files The package; its package.json is what is installed.
 * @throws Error if npm fails.
 */
export function installedPackages(
  files: ReadonlyMap<string, Uint8Array>,
): Map<string, Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-wheel-"));
  try {
    writeFileSync(join(folder, "package.json"), files.get("package.json")!);
    install(folder);
    return filesOf(join(folder, "node_modules"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function install(cwd: string): void {
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--silent"];
  const args = ["install", "--prefer-offline", ...flags];
  const { success, stderr } = new Deno.Command("npm", { args, cwd }).outputSync();
  if (!success) throw new Error(`npm install failed: ${new TextDecoder().decode(stderr)}`);
}

function filesOf(folder: string): Map<string, Uint8Array> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !left.includes(path.split("/", 1)[0]) && !unread.test(path));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path))]));
}
