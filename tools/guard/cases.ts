/** Cases of the guard: commands that find everything done, in projects made for them. */
import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { smallFiles, smallRun, tinyOverlay } from "../../tests/cli/small_project.ts";
import { type Counts, countsOf } from "./counts.ts";

/** A command, and the project that it runs in. */
export interface Case {
  readonly name: string;
  /** Writes the project's files; `home` is Sluice's folder. */
  readonly write: (project: string, home: string) => void;
  /** Commands that ran before. */
  readonly before: readonly (readonly string[])[];
  readonly command: readonly string[];
}

const many = ["run", "many.toml"];

/** All cases, by what each stands for. */
export const cases: readonly Case[] = [
  {
    name: "second run of a small job",
    write: writeSmall,
    before: [smallRun],
    command: smallRun,
  },
  { name: "no-op of 100 stages", write: writeMany(100), before: [many], command: many },
  {
    name: "a question about two runs",
    write: writeMany(2),
    before: [many, [...many, "--record"], ["query", "select count(*) from run"]],
    command: ["query", "select count(*) from run"],
  },
];

/** Milliseconds until what was written counts as settled, and is known by its stamp. */
const settle = 2100;

/**
 * Counts a case with the Sluice in `home`.
 *
 * @param flags of Deno's for the command that counts: a test plants a fault by them.
 */
export async function countCase(
  { write, before, command }: Case,
  home: string,
  flags: readonly string[] = [],
): Promise<Counts> {
  const project = Deno.realPathSync(Deno.makeTempDirSync());
  const env = { NO_COLOR: "1", XDG_CONFIG_HOME: join(project, ".config") };
  const deno = [Deno.execPath(), "run", "-A", "--quiet", "--config", join(home, "deno.json")];
  const main = join(home, "src", "cli", "main.ts");
  try {
    Deno.writeTextFileSync(join(project, "deno.json"), "{}");
    write(project, home);
    // Once more before it counts: the first reading of a module fills Deno's cache.
    for (const args of [...before, command]) {
      if (args === command) await new Promise((resolve) => setTimeout(resolve, settle));
      const { success, stderr } = await new Deno.Command(deno[0], {
        args: [...deno.slice(1), main, ...args],
        ...{ cwd: project, env, stdin: "null" },
      }).output();
      if (!success) throw new Error(`${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
    }
    return await countsOf([...deno, ...flags, main, ...command], { project, home }, env);
  } finally {
    Deno.removeSync(project, { recursive: true });
  }
}

function writeSmall(project: string, home: string): void {
  for (const file of smallFiles) {
    Deno.mkdirSync(dirname(join(project, file)), { recursive: true });
    cpSync(join(home, file), join(project, file), { recursive: true });
  }
  Deno.writeTextFileSync(join(project, "tiny.toml"), tinyOverlay());
}

/** Stages that read a file each, and do nothing else. */
export function writeMany(count: number): (project: string) => void {
  return (project) => {
    const stages = Array.from({ length: count }, (_, i) => {
      Deno.writeTextFileSync(join(project, `d${i}.csv`), `x,y\n1,${i}.5\n2,4.5\n3,5.5\n`);
      return `\n[stages.s${i}]\nkind = "dataset"\npath = "d${i}.csv"\n` +
        'columns = { x = { role = "predictor" }, y = { role = "response" } }\n';
    });
    const text = `format = 1\nname = "many"\n${stages.join("")}`;
    Deno.writeTextFileSync(join(project, "many.toml"), text);
  };
}
