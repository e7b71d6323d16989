/** Sluice in an empty project, as a process of its own: how long it takes, and the memory of all processes. */
import { cpSync } from "node:fs";
import { join } from "node:path";

const root = new URL("..", import.meta.url).pathname;

/** A folder with copies of what pipelines name. */
export async function emptyProject(): Promise<string> {
  const project = await Deno.makeTempDir({ prefix: "sluice-bench-" });
  copyProject(project, root);
  await Deno.writeTextFile(`${project}/deno.json`, "{}");
  return project;
}

/** Copies what pipelines name from a checkout. */
export function copyProject(project: string, home: string): void {
  for (const folder of ["pipelines", "configs", "grammars", "data", "schemas"]) {
    cpSync(join(home, folder), join(project, folder), { recursive: true });
  }
}

/** Starts the command line there. */
export function sluice(project: string, args: readonly string[]): Deno.ChildProcess {
  const grants = ["read", "write", "env", "sys", "run", "ffi"].map((name) => `--allow-${name}`);
  const flags = ["run", "--no-prompt", "--no-check", `--config=${root}deno.json`, ...grants];
  return new Deno.Command(Deno.execPath(), {
    args: [...flags, `${root}src/cli/main.ts`, ...args],
    cwd: project,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Resources that a run took. */
export interface Watched {
  readonly code: number;
  readonly seconds: number;
  /** Of all processes together. */
  readonly peakMib: number;
  /** Printed lines. */
  readonly lines: readonly { readonly text: string; readonly seconds: number }[];
}

/** Runs to its end, and looks at memory every quarter of a second. */
export async function watchedRun(project: string, args: readonly string[]): Promise<Watched> {
  const started = performance.now();
  const now = () => (performance.now() - started) / 1000;
  const child = sluice(project, args);
  let peakMib = 0;
  const timer = setInterval(async () => {
    peakMib = Math.max(peakMib, await treeMib(child.pid));
  }, 250);
  const lines: { readonly text: string; readonly seconds: number }[] = [];
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      for (const line of text.split("\n")) lines.push({ text: line, seconds: now() });
    }
  };
  await Promise.all([read(child.stdout), read(child.stderr)]);
  const { code } = await child.status;
  clearInterval(timer);
  return { code, seconds: now(), peakMib, lines };
}

/** Resident memory of a process and all its descendants; shared pages counted in each. */
async function treeMib(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-eo", "pid=,ppid=,rss="] }).output();
  const rows = new TextDecoder().decode(stdout).trim().split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const family = new Set([pid]);
  for (let grown = true; grown;) {
    const children = rows.filter(([id, parent]) => family.has(parent) && !family.has(id));
    grown = children.length > 0;
    for (const [id] of children) family.add(id);
  }
  const kib = rows.filter(([id]) => family.has(id)).reduce((sum, [, , rss]) => sum + rss, 0);
  return kib / 1024;
}
