/** Bench of runs that are looked at: the cost of queries, the page and exports for a training, and their delay. */
import { join } from "node:path";
import { query } from "../src/pipeline/store/query.ts";
import { serveWatch } from "../src/cli/watch/serve.ts";
import { ControlGroup } from "./commands/control_group.ts";

const home = new URL("..", import.meta.url).pathname;

/** A training is looked at by this, or told to export. */
interface Beside {
  /** Lines behind the pipeline. */
  readonly table?: string;
  /** Looks at the project until it is told to stop. */
  readonly look?: (root: string, stop: AbortSignal) => Promise<void>;
}

const beside: Readonly<Record<string, Beside>> = {
  "nothing": {},
  "nothing again": {},
  "a query a second": { look: askEverySecond },
  "sluice watch": { look: watchPage },
  "live export": { table: '\n[export]\ntensorboard = "logs"\n' },
};

/**
 * `deno task bench watched [steps] [times]`: CPU seconds of a training with all its processes, by a
 * control group, alone and looked at, in turn; then seconds by which a live query is behind the run.
 */
export async function benchWatched(
  [steps = "6000", times = "5"]: readonly string[],
): Promise<void> {
  const taken = new Map(Object.keys(beside).map((name) => [name, [] as number[]]));
  for (let time = 0; time < Number(times); time++) {
    for (const [name, one] of Object.entries(beside)) {
      taken.get(name)!.push(await inProject(one, Number(steps), secondsOf));
    }
  }
  const alone = Math.min(...taken.get("nothing")!);
  for (const [name, seconds] of taken) {
    const [least, most] = [Math.min(...seconds), Math.max(...seconds)];
    const more = 100 * (least / alone - 1);
    console.log(
      `${name}: ${least.toFixed(2)} to ${most.toFixed(2)} CPU s, least against least ${
        more.toFixed(1)
      } %`,
    );
  }
  const behind = await inProject({}, Number(steps), secondsBehind);
  behind.sort((a, b) => a - b);
  const [middle, most] = [behind[behind.length >> 1], behind.at(-1)!];
  console.log(
    `behind, of ${behind.length}: median ${middle.toFixed(2)} s, most ${most.toFixed(2)} s`,
  );
}

async function inProject<T>(
  { table = "", look }: Beside,
  steps: number,
  use: (root: string, look: Beside["look"]) => Promise<T>,
): Promise<T> {
  const root = Deno.realPathSync(await Deno.makeTempDir({ prefix: "sluice-watched-" }));
  try {
    const text = Deno.readTextFileSync(join(home, "docs/examples/small_grid.toml"))
      .replace("steps = 30", `steps = ${steps}`)
      .replace("checkpoint_every = 10", "checkpoint_every = 500");
    Deno.writeTextFileSync(join(root, "p.toml"), text + table);
    Deno.writeTextFileSync(join(root, "deno.json"), "{}");
    return await use(root, look);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function training(root: string, flags: readonly string[], group?: ControlGroup) {
  const config = ["--quiet", "--allow-all", "--config", join(home, "deno.json")];
  const command = [Deno.execPath(), "run", ...config, join(home, "src/cli/main.ts")]
    .concat(["run", "p.toml"], flags);
  const [program, ...args] = group ? group.within(command) : command;
  return new Deno.Command(program, { args, cwd: root, stdout: "piped", stderr: "null" }).spawn();
}

async function secondsOf(root: string, look: Beside["look"]): Promise<number> {
  const group = ControlGroup.make();
  try {
    const stop = new AbortController();
    const run = training(root, ["--quiet"], group);
    const looking = look?.(root, stop.signal);
    const { code } = await run.output();
    stop.abort();
    await looking;
    if (code !== 0) throw new Error(`the training ended with ${code}`);
    return group.seconds;
  } finally {
    group.remove();
  }
}

const sql = "select coalesce(max(step), 0) as step from metric";

/** The step that a live query sees; 0 before there is a run. */
async function stepSeen(root: string): Promise<number> {
  try {
    return Number((await query(root, sql, { run: "live" })).rows[0][0]);
  } catch {
    return 0;
  }
}

async function askEverySecond(root: string, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await stepSeen(root);
    await pause(1000);
  }
}

async function watchPage(root: string, stop: AbortSignal): Promise<void> {
  const watching = await serveWatch(root, { port: 0, token: crypto.randomUUID(), every: 1000 });
  const events = new URL("events?run=", watching.url);
  const live = await fetch(events, { signal: stop }).catch(() => undefined);
  const read = async () => {
    for await (const _ of live?.body ?? []) { /* as a browser does */ }
  };
  await read().catch(() => {});
  watching.close();
  await watching.ended;
}

/** How old the oldest step is that an answer lacks, when it is there. */
async function secondsBehind(root: string): Promise<number[]> {
  const run = training(root, ["--json"]);
  const at = new Map<number, number>();
  const reading = readSteps(run.stdout, at);
  const ended = run.status.then(() => true);
  const [found, took]: [number[], number[]] = [[], []];
  while (!await Promise.race([ended, pause(100).then(() => false)])) {
    const asked = performance.now();
    const seen = await stepSeen(root);
    const [answered, first] = [performance.now(), nextAfter(seen, at)];
    if (seen > 0) found.push(first === undefined ? 0 : Math.max(0, answered - first) / 1000);
    if (seen > 0) took.push((answered - asked) / 1000);
  }
  await reading;
  took.sort((a, b) => a - b);
  console.log(`${at.size} steps were told; an answer takes ${took[took.length >> 1].toFixed(2)} s`);
  return found;
}

/** When the first step was told that comes after another. */
function nextAfter(step: number, at: ReadonlyMap<number, number>): number | undefined {
  for (const [one, when] of at) if (one > step) return when;
  return undefined;
}

async function readSteps(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  at: Map<number, number>,
): Promise<void> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const { event, step } = JSON.parse(line);
      if (event === "loop.step") at.set(step, performance.now());
    }
  }
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((done) => setTimeout(done, milliseconds));
}
