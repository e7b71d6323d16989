/** Whole commands in CPU seconds and memory, beside the commit before and beside Snakemake. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeMany } from "../tools/guard/cases.ts";

const here = fileURLToPath(new URL("..", import.meta.url));

/** What one command took: CPU of all processes that it waited for, memory of the largest. */
interface Taken {
  readonly cpu: number;
  readonly mib: number;
}

type Commands = Readonly<Record<string, readonly string[]>>;

/**
 * `commands [--stages n] [--before checkout] [--snakemake program]`: a checkout has its packages
 * installed; Snakemake comes from PyPI. Each is run in one folder of its own, in turn.
 */
export async function benchCommands(args: readonly string[]): Promise<void> {
  const option = (name: string) => args[args.indexOf(`--${name}`) + 1 || args.length];
  const stages = Number(option("stages") ?? 100);
  const [before, snakemake] = [option("before"), option("snakemake")];
  const columns: Record<string, Record<string, Taken>> = {};
  columns["this commit"] = await inFolder((folder) => takenBySluice(here, folder, stages));
  if (before) columns.before = await inFolder((folder) => takenBySluice(before, folder, stages));
  if (snakemake) {
    columns.Snakemake = await inFolder((folder) => takenBySnakemake(snakemake, folder, stages));
  }
  printTable(columns);
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "sluice-bench-" }));
  try {
    return await use(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

async function takenBySluice(home: string, folder: string, stages: number) {
  Deno.writeTextFileSync(join(folder, "deno.json"), "{}");
  writeMany(stages)(folder);
  const flags = ["-A", "--quiet", "--v8-flags=--max-semi-space-size=8"];
  const config = ["--config", join(home, "deno.json"), join(home, "src/cli/main.ts")];
  const sluice = [Deno.execPath(), "run", ...flags, ...config];
  const count = ["query", "select count(*) from run"];
  return await takenBy(folder, {
    "--version": [...sluice, "--version"],
    [`first run of ${stages} stages`]: [...sluice, "run", "many.toml"],
    "nothing to do": [...sluice, "run", "many.toml"],
    "a question about all runs": [...sluice, ...count],
  });
}

async function takenBySnakemake(snakemake: string, folder: string, stages: number) {
  writeMany(stages)(folder);
  const names = Array.from({ length: stages }, (_, i) => i);
  const rules = names.map((i) =>
    `rule s${i}:\n  input: "d${i}.csv"\n  output: "out/s${i}.csv"\n  shell: "cp {input} {output}"\n`
  );
  const all = `rule all:\n  input: expand("out/s{i}.csv", i=range(${stages}))\n`;
  Deno.writeTextFileSync(join(folder, "Snakefile"), all + rules.join(""));
  const run = [snakemake, `-c${navigator.hardwareConcurrency}`, "--quiet", "all"];
  return await takenBy(folder, {
    "--version": [snakemake, "--version"],
    [`first run of ${stages} stages`]: run,
    "nothing to do": run,
  });
}

async function takenBy(folder: string, commands: Commands): Promise<Record<string, Taken>> {
  const found: Record<string, Taken> = {};
  for (const [name, command] of Object.entries(commands)) found[name] = await take(command, folder);
  return found;
}

/** By GNU time, which adds up what children took. */
async function take(command: readonly string[], cwd: string): Promise<Taken> {
  const args = ["-q", "-f", "%U %S %M", "-o", join(cwd, "time.txt"), ...command];
  const env = { NO_COLOR: "1", XDG_CONFIG_HOME: join(cwd, ".config") };
  const { success, stderr } = await new Deno.Command("/usr/bin/time", { args, cwd, env }).output();
  if (!success) throw new Error(`${command.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  const [user, system, kib] = Deno.readTextFileSync(join(cwd, "time.txt")).split(" ").map(Number);
  return { cpu: user + system, mib: kib / 1024 };
}

function printTable(columns: Readonly<Record<string, Readonly<Record<string, Taken>>>>): void {
  const names = Object.keys(columns);
  const commands = Object.keys(columns[names[0]]);
  const cell = (taken?: Taken) =>
    taken ? `${taken.cpu.toFixed(2)} s, ${taken.mib.toFixed(0)} MiB` : "–";
  console.log(`| | ${names.join(" | ")} |\n|${"---|".repeat(names.length + 1)}`);
  for (const command of commands) {
    console.log(
      `| ${command} | ${names.map((name) => cell(columns[name][command])).join(" | ")} |`,
    );
  }
}
