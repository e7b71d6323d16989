/** Bench of more machines, on one: nodes are control groups with a share of a core. */
import { join } from "node:path";
import { madeRows } from "./rank_bench.ts";

const home = new URL("..", import.meta.url).pathname;
const cpu = "/sys/fs/cgroup/cpu";

/**
 * `deno task bench nodes assist [TERMS]`: programs a second of a ranking of 2^TERMS regressions on one
 * node, and with two assistants beside it, each node with .6 of a core.
 *
 * `deno task bench nodes sweep [POINTS] [SLOTS] [SECONDS]`: how long a sweep of points takes, whose one
 * stage waits so many seconds, against the ideal; and its CPU seconds a point.
 *
 * Needs root, and the first version of control groups.
 */
export async function benchNodes([what, ...args]: readonly string[]): Promise<void> {
  const root = Deno.realPathSync(await Deno.makeTempDir({ prefix: "sluice-nodes-" }));
  Deno.writeTextFileSync(join(root, "deno.json"), "{}");
  try {
    if (what === "sweep") await benchSweep(root, args.map(Number));
    else await benchAssistants(root, Number(args[0] ?? 11));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** A node: a command there has this share of one core, with all its processes. */
class Node {
  readonly #folder: string;

  constructor(name: string, cores: number) {
    this.#folder = join(cpu, `sluice-${Deno.pid}-${name}`);
    Deno.mkdirSync(this.#folder);
    Deno.writeTextFileSync(
      join(this.#folder, "cpu.cfs_quota_us"),
      `${Math.round(100_000 * cores)}`,
    );
  }

  start(root: string, args: readonly string[]): Deno.ChildProcess {
    const config = ["--quiet", "--allow-all", "--config", join(home, "deno.json")];
    const sluice = [Deno.execPath(), "run", ...config, join(home, "src/cli/main.ts")];
    const within = `echo $$ > ${this.#folder}/cgroup.procs; exec "$@"`;
    return new Deno.Command("sh", {
      args: ["-c", within, "sh", ...sluice, ...args],
      cwd: root,
      stdout: "null",
      stderr: "null",
    }).spawn();
  }

  remove(): void {
    Deno.removeSync(this.#folder);
  }
}

async function benchAssistants(root: string, terms: number): Promise<void> {
  const nodes = ["a", "b", "c"].map((name) => new Node(name, 0.6));
  const seconds = async (assistants: number) => {
    const project = await Deno.makeTempDir({ dir: root });
    Deno.writeTextFileSync(join(project, "deno.json"), "{}");
    Deno.writeTextFileSync(join(project, "made.csv"), madeRows(terms));
    const formula = `y ~ ${Array.from({ length: terms }, (_, j) => `[x${j + 1}]`).join(" + ")}`;
    const asked = ["made.csv", "--response", "y", "--formula", formula, "--families", "normal"];
    const helping = nodes.slice(1, 1 + assistants)
      .map((node) => node.start(project, ["assist", "--workers", "1"]));
    const from = performance.now();
    const run = nodes[0].start(project, ["rank", ...asked, "--workers", "1", "--quiet"]);
    const { code } = await run.status;
    const took = (performance.now() - from) / 1000;
    for (const one of helping) one.kill("SIGTERM");
    await Promise.all(helping.map(({ status }) => status));
    if (code !== 0) throw new Error(`the ranking ended with ${code}`);
    return took;
  };
  const [alone, helped] = [await seconds(0), await seconds(2)];
  const rate = (took: number) => `${(2 ** terms / took).toFixed(1)} programs a second`;
  console.log(`alone ${rate(alone)}, with two assistants ${rate(helped)}: ${ratio(alone, helped)}`);
  for (const node of nodes) node.remove();
}

const ratio = (a: number, b: number) => `${(a / b).toFixed(2)} times`;

const waits = `import { defineStage, z } from "sluice";
export default defineStage({
  kind: "waits", version: 1, description: "Waits.",
  params: z.strictObject({ n: z.int(), ms: z.int() }), inputs: {}, outputs: {},
  async run(_context, _inputs, { ms }) {
    await new Promise((done) => setTimeout(done, ms));
    return {};
  },
});
`;

async function benchSweep(root: string, [points = 100, slots = 8, wait = 1]: readonly number[]) {
  Deno.writeTextFileSync(join(root, "waits.ts"), waits);
  const stage = `[stages.a]\nkind = "./waits.ts"\nn = 0\nms = ${1000 * wait}\n`;
  Deno.writeTextFileSync(join(root, "p.toml"), `format = 1\nname = "p"\n${stage}`);
  const node = new Node("sweep", navigator.hardwareConcurrency);
  await node.start(root, ["sweep", "p.toml", "--set", `stages.a.n=1..${points}`]).status;
  const before = childSeconds();
  const from = performance.now();
  const { code } = await node.start(root, ["sweep", "work", "p-1", "--workers", `${slots}`]).status;
  const took = (performance.now() - from) / 1000;
  if (code !== 0) throw new Error(`the sweep ended with ${code}`);
  const ideal = wait * Math.ceil(points / slots);
  const each = (childSeconds() - before) / points;
  console.log(
    `${points} points of ${wait} s on ${slots} slots: ${took.toFixed(1)} s, ` +
      `${ratio(took, ideal)} the ideal; ${each.toFixed(2)} CPU s a point`,
  );
  node.remove();
}

/** CPU seconds of children that have ended (proc_pid_stat(5), fields 16 and 17). */
function childSeconds(): number {
  const stat = Deno.readTextFileSync("/proc/self/stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
