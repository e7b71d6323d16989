/** Whole commands in CPU seconds and memory, beside the commit before and beside Snakemake. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Commands, type Group, groups, writeSnakefile } from "./commands/cases.ts";
import { ControlGroup } from "./commands/control_group.ts";
import { Shares } from "./commands/shares.ts";
import { commandsTable, type Results, sharesTable, type Taken } from "./commands/table.ts";

const here = fileURLToPath(new URL("..", import.meta.url));
const kept = join(here, "bench", "results", "commands.json");

/**
 * `commands [GROUP …] [--stages n] [--before checkout] [--snakemake program]`: groups are start, rank,
 * main, stages and runs, all by default. A checkout has its packages installed; Snakemake comes from
 * PyPI. Each group is run in one folder of its own, in turn; its figures replace the old ones in
 * `bench/results/commands.json`.
 */
export async function benchCommands(args: readonly string[]): Promise<void> {
  const option = (name: string) => args[args.indexOf(`--${name}`) + 1 || args.length];
  const stages = Number(option("stages") ?? 100);
  const all = groups(stages);
  const asked = args.filter((arg) => arg in all);
  for (const name of asked.length > 0 ? asked : Object.keys(all)) {
    const group = all[name];
    await keep("this commit", await takenBySluice(here, group));
    const [before, snakemake] = [option("before"), option("snakemake")];
    if (before) await keep("before", await takenBySluice(before, group));
    if (snakemake && (name === "stages" || name === "start")) {
      await keep("Snakemake", await takenBySnakemake(snakemake, stages, group));
    }
  }
  const results = readResults();
  console.log(`${commandsTable(results)}\n\n${sharesTable(results, "main job, empty cache")}`);
}

function readResults(): Results {
  try {
    return JSON.parse(Deno.readTextFileSync(kept));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
}

/** Replaces what was measured before by what was measured now. */
function keep(column: string, taken: Readonly<Record<string, Taken>>): void {
  const results = readResults();
  const next = { ...results, [column]: { ...results[column], ...taken } };
  Deno.writeTextFileSync(kept, `${JSON.stringify(next, null, 2)}\n`);
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "sluice-bench-" }));
  try {
    return await use(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

async function takenBySluice(home: string, { write, before, commands }: Group) {
  const flags = ["-A", "--quiet", "--v8-flags=--max-semi-space-size=8"];
  const config = ["--config", join(home, "deno.json"), join(home, "src/cli/main.ts")];
  const sluice = [Deno.execPath(), "run", ...flags, ...config];
  return await inFolder(async (folder) => {
    Deno.writeTextFileSync(join(folder, "deno.json"), "{}");
    write(folder, home);
    for (const [, args] of before?.(await records(sluice)) ?? []) {
      await take([...sluice, ...args], folder);
    }
    return await takenBy(folder, commands.map(([name, args]) => [name, [...sluice, ...args]]));
  });
}

/** Whether a run of which nothing changed makes a run of its own only where it is told to. */
async function records([program, ...args]: readonly string[]): Promise<boolean> {
  const help = [...args, "run", "--help"];
  const { stdout } = await new Deno.Command(program, { args: help }).output();
  return new TextDecoder().decode(stdout).includes("--record");
}

async function takenBySnakemake(snakemake: string, stages: number, { commands }: Group) {
  const run = [snakemake, `-c${navigator.hardwareConcurrency}`, "--quiet", "all"];
  return await inFolder(async (folder) => {
    writeSnakefile(stages)(folder);
    const own = commands.map(([name, [first]]) => {
      return [name, first === "run" ? run : [snakemake, first]] as const;
    });
    return await takenBy(folder, own);
  });
}

async function takenBy(folder: string, commands: Commands): Promise<Record<string, Taken>> {
  const found: Record<string, Taken> = {};
  for (const [name, command] of commands) found[name] = await take(command, folder);
  return found;
}

/** Memory by GNU time, CPU seconds by a control group: not every process is waited for. */
async function take(command: readonly string[], cwd: string): Promise<Taken> {
  const group = ControlGroup.make();
  const timed = ["/usr/bin/time", "-q", "-f", "%M", "-o", join(cwd, "time.txt"), ...command];
  const [program, ...args] = group.within(timed);
  const env = { NO_COLOR: "1", XDG_CONFIG_HOME: join(cwd, ".config") };
  const shares = new Shares(group);
  const { success, stderr } = await new Deno.Command(program, { args, cwd, env }).output();
  const cpu = group.seconds;
  const spent = shares.end(cpu);
  group.remove();
  if (!success) throw new Error(`${command.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  const mib = Number(Deno.readTextFileSync(join(cwd, "time.txt"))) / 1024;
  return { cpu, mib, ...(Object.keys(spent).length > 2 && { shares: spent }) };
}
