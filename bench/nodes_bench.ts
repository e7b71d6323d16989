/** Bench of more machines, on one: nodes are control groups, and CPU seconds are counted. */
import { join } from "node:path";
import { ControlGroup } from "./commands/control_group.ts";
import { madeRows } from "./rank_bench.ts";

const home = new URL("..", import.meta.url).pathname;

/**
 * `deno task bench nodes assist [TERMS]`: CPU seconds of a ranking of 2^TERMS regressions on one node,
 * and of each of three nodes, two of which assist; nodes with a core of their own take that long.
 *
 * `deno task bench nodes sweep [POINTS] [SLOTS] [SECONDS]`: CPU seconds a point of a sweep whose one
 * stage waits so many seconds, by as many workers as there are slots, and the time against the ideal.
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

/** Starts Sluice in a project, as a process with all its own in a control group. */
function start(group: ControlGroup, root: string, args: readonly string[]): Deno.ChildProcess {
  const config = ["--quiet", "--allow-all", "--config", join(home, "deno.json")];
  const sluice = [Deno.execPath(), "run", ...config, join(home, "src/cli/main.ts"), ...args];
  const [program, ...words] = group.within(sluice);
  const silent = { stdout: "null", stderr: "null" } as const;
  return new Deno.Command(program, { args: words, cwd: root, ...silent }).spawn();
}

/** CPU seconds of each node: of one that ranks, and of so many that assist it. */
async function secondsOfNodes(root: string, terms: number, assistants: number): Promise<number[]> {
  const project = await Deno.makeTempDir({ dir: root });
  Deno.writeTextFileSync(join(project, "deno.json"), "{}");
  Deno.writeTextFileSync(join(project, "made.csv"), madeRows(terms));
  const formula = `y ~ ${Array.from({ length: terms }, (_, j) => `[x${j + 1}]`).join(" + ")}`;
  const asked = ["made.csv", "--response", "y", "--formula", formula, "--families", "normal"];
  const nodes = Array.from({ length: 1 + assistants }, () => ControlGroup.make());
  const helping = nodes.slice(1).map((node) => start(node, project, ["assist", "--workers", "1"]));
  const rank = ["rank", ...asked, "--workers", "1", "--quiet"];
  const { code } = await start(nodes[0], project, rank).status;
  const seconds = nodes.map((node) => node.seconds);
  for (const one of helping) one.kill("SIGTERM");
  await Promise.all(helping.map(({ status }) => status));
  for (const node of nodes) node.remove();
  if (code !== 0) throw new Error(`the ranking ended with ${code}`);
  return seconds;
}

async function benchAssistants(root: string, terms: number): Promise<void> {
  const [alone] = await secondsOfNodes(root, terms, 0);
  const helped = await secondsOfNodes(root, terms, 2);
  const text = (seconds: readonly number[]) => seconds.map((one) => one.toFixed(1)).join(", ");
  console.log(
    `${2 ** terms} programs: ${text([alone])} CPU s on one node; on three ${text(helped)}, ` +
      `the longest ${ratio(alone, Math.max(...helped))} shorter`,
  );
}

const ratio = (a: number, b: number) => `${(a / b).toFixed(2)} times`;

const waits = `import { defineStage, z } from "sluice/stage";
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
  const made = ControlGroup.make();
  await start(made, root, ["sweep", "p.toml", "--set", `stages.a.n=1..${points}`]).status;
  made.remove();
  const nodes = Array.from({ length: slots }, () => ControlGroup.make());
  const working = nodes.map((node) => start(node, root, ["sweep", "work", "p-1"]).status);
  const ended = await Promise.all(working);
  if (ended.some(({ code }) => code !== 0)) throw new Error("a worker failed");
  const seconds = nodes.reduce((sum, node) => sum + node.seconds, 0);
  for (const node of nodes) node.remove();
  const ideal = wait * Math.ceil(points / slots);
  console.log(
    `${points} points of ${wait} s on ${slots} slots: ${(seconds / points).toFixed(2)} CPU s a ` +
      `point, starts included; with a core for each slot ${
        ratio(ideal + seconds / slots, ideal)
      } the ideal`,
  );
}
