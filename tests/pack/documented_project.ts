/** The repository that docs/from_another_repository.md describes, written into an empty folder. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const page = new URL("../../docs/from_another_repository.md", import.meta.url);

/** Files of the page: a line with the path in backquotes and a colon, then a block of code. */
export function documentedFiles(): ReadonlyMap<string, string> {
  const text = readFileSync(page, "utf8");
  const blocks = text.matchAll(/^`([^`\n]+)`:\n\n```[^\n]*\n(.*?)^```$/gms);
  return new Map([...blocks].map(([, path, content]) => [path, content]));
}

/** Writes the files and returns their paths. */
export function writeDocumentedProject(folder: string): string[] {
  const files = documentedFiles();
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return [...files.keys()].sort();
}

/** How a command ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  /** Both streams, for messages of failed assertions. */
  readonly all: string;
}

/** Runs a command in a folder, without colours, and waits for its end. */
export function runIn(folder: string, command: string, ...args: string[]): Ended {
  const env = { NO_COLOR: "1", npm_config_update_notifier: "false" };
  const { code, ...output } = new Deno.Command(command, { args, cwd: folder, env }).outputSync();
  const [stdout, stderr] = [output.stdout, output.stderr].map((b) => new TextDecoder().decode(b));
  return { code, stdout, all: `${command} ${args.join(" ")}\n${stdout}\n${stderr}` };
}
