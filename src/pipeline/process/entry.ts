/** Generated entries: the main module of a stage's process, which imports its code statically. */
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sha256 } from "../../base/digest.ts";
import { writeAtomic } from "../../base/atomic.ts";
import { readRegularText } from "../../base/regular_file.ts";
import type { ProjectLayout, SluiceHome } from "../project/project.ts";

/** Function that an entry calls with its imports. */
const starts = {
  host: "hostStage",
  check: "checkStages",
  describe: "describeStage",
  answer: "answerAsks",
} as const;

/** Modules that a stage's process imports. */
export interface EntryModules {
  /**
   * `host` runs stages, `check` checks them; `describe` prints the declaration of the only kind, `answer` asks the only
   * module's default export.
   */
  readonly purpose: keyof typeof starts;
  /** Absolute path of the module of each kind, by the key that the job names it with. */
  readonly kinds: Readonly<Record<string, string>>;
  /** Absolute paths of plug-ins. */
  readonly plugins: readonly string[];
  /** Absolute paths of modules that stages may import by a name made at run time. */
  readonly beside?: readonly string[];
}

/**
 * Writes the entry of a process, unless the same file is there, and returns its path. Every import
 * is static, so the process needs no permission to read its own code.
 */
export function writeEntry(layout: ProjectLayout, home: SluiceHome, modules: EntryModules): string {
  const text = entryText(home, modules);
  const path = join(layout.entries, `${sha256(text).slice(0, 32)}.mts`);
  if (!holds(path, text)) writeAtomic(path, text);
  return path;
}

/** An entry that stands in no file: nothing is written. */
export function entryUrl(home: SluiceHome, modules: EntryModules): string {
  return `data:text/javascript,${encodeURIComponent(entryText(home, modules))}`;
}

/** Checks the content of a file whose name is its digest: others may have written there. */
function holds(path: string, text: string): boolean {
  const info = existsSync(path) ? lstatSync(path) : undefined;
  if (!info?.isFile()) return false;
  return readRegularText(path) === text;
}

function entryText(
  home: SluiceHome,
  { purpose, kinds, plugins, beside = [] }: EntryModules,
): string {
  const kindKeys = Object.keys(kinds).sort();
  const pluginPaths = [...new Set(plugins)].sort();
  const start = starts[purpose];
  return [
    "// Written by Sluice: the main module of a stage's process.",
    `import { ${start} } from ${literal(url(home.host))};`,
    ...kindKeys.map((key, i) => `import * as kind${i} from ${literal(url(kinds[key]))};`),
    ...pluginPaths.map((path, i) => `import * as plugin${i} from ${literal(url(path))};`),
    ...beside.map((path) => `import ${literal(url(path))};`),
    `await ${start}({`,
    `  kinds: { ${kindKeys.map((key, i) => `${literal(key)}: kind${i}`).join(", ")} },`,
    `  plugins: { ${pluginPaths.map((path, i) => `${literal(path)}: plugin${i}`).join(", ")} },`,
    "});",
    "",
  ].join("\n");
}

const literal = (text: string): string => JSON.stringify(text);
const url = (path: string): string => pathToFileURL(path).href;
