/** Cuts a release: `deno task release` writes the tarball, the wheel, their digests and the notes into dist/release. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pack } from "./pack.ts";
import { readDenoConfig } from "./pack/manifest.ts";
import { packPython } from "./pack_python.ts";

/** State of the checkout and its tags that a release is made from. */
export interface ReleaseState {
  /** Of `deno.json`. */
  readonly version: string;
  readonly changelog: string;
  /** Output of `git status --porcelain`. */
  readonly changes: string;
  /** Tags of the commit that is packed. */
  readonly tags: readonly string[];
}

/** The section of a version in the changelog, without its heading; undefined if there is none. */
export function notesOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m);
  const section = sections.find((one) => one.startsWith(`[${version}]`));
  return section?.slice(section.indexOf("\n") + 1).trim();
}

/** Why this checkout is no release; empty if it is one. */
export function releaseFindings({ version, changelog, changes, tags }: ReleaseState): string[] {
  const waiting = notesOf(changelog, "Unreleased") ?? "";
  return [
    ...changes === "" ? [] : [`files are not committed:\n${changes}`],
    ...notesOf(changelog, version) ? [] : [`CHANGELOG.md has no notes of ${version}`],
    ...waiting === "" ? [] : ["CHANGELOG.md has unreleased notes: give them a version"],
    ...tags.includes(`v${version}`) ? [] : [`the commit has no tag: git tag -a v${version}`],
  ];
}

/** Lines as `sha256sum --check` reads them. */
export function digestLines(files: ReadonlyMap<string, Uint8Array>): string {
  const lines = [...files].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, bytes]) => `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`);
  return lines.join("");
}

function git(root: string, ...args: readonly string[]): string {
  const { stdout, success } = new Deno.Command("git", { args: [...args], cwd: root }).outputSync();
  if (!success) throw new Error(`git ${args.join(" ")} failed`);
  return new TextDecoder().decode(stdout).trim();
}

if (import.meta.main) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const { version } = readDenoConfig(root);
  const changelog = Deno.readTextFileSync(join(root, "CHANGELOG.md"));
  const state = { version, changelog, changes: git(root, "status", "--porcelain") };
  const tags = git(root, "tag", "--points-at", "HEAD").split("\n");
  const findings = releaseFindings({ ...state, tags });
  if (findings.length > 0) {
    console.error(`Cannot release ${version}: ${findings.join("; ")}`);
    Deno.exit(2);
  }
  const files = new Map([pack(root), packPython(root)].map(({ name, bytes }) => [name, bytes]));
  const folder = join(root, "dist", "release");
  Deno.mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of files) Deno.writeFileSync(join(folder, name), bytes);
  Deno.writeTextFileSync(join(folder, "SHA256SUMS"), digestLines(files));
  Deno.writeTextFileSync(join(folder, "NOTES.md"), notesOf(changelog, version)! + "\n");
  console.log(`wrote dist/release: ${[...files.keys()].join(", ")}, SHA256SUMS, NOTES.md`);
}
