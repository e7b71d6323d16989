/** The commands that are measured, each group in a project of its own. */
import { join } from "node:path";
import { writeMany } from "../../tools/guard/cases.ts";
import { copyProject } from "../watched_run.ts";

/** A command by the name that the table has for it. */
export type Commands = readonly (readonly [name: string, args: readonly string[]])[];

/** Commands that follow one another in one folder. */
export interface Group {
  /** Writes what they need; `home` is a checkout. */
  readonly write: (folder: string, home: string) => void;
  /** Commands before those that are measured, in a checkout that can `record`, or cannot. */
  readonly before?: (records: boolean) => Commands;
  readonly commands: Commands;
}

const many = ["run", "many.toml"];
const main = ["run", "pipelines/dugongs.toml"];
const formula = "length ~ [age | log(age) | spline(age, 4)]";
const rank = ["rank", "data/dugongs.csv", "--response", "length", "--formula", formula];
const other = ["rank", "data/dugongs.csv", "--response", "age", "--formula", "age ~ length"];
const count = ["query", "select count(*) from run"];

/** Finished runs that questions are about. */
const finishedRuns = 200;

/** All groups by the name by which the command line asks for them. */
export function groups(stages: number): Readonly<Record<string, Group>> {
  return {
    start: { write: () => {}, commands: [["`--version`", ["--version"]]] },
    rank: {
      write: copyProject,
      before: () => [["the engine is bundled", other]],
      commands: [["README's `rank`", rank]],
    },
    main: {
      write: copyProject,
      commands: [["main job, empty cache", main], ["main job, again", main]],
    },
    stages: {
      write: writeMany(stages),
      commands: [
        [`first run of ${stages} stages`, many],
        [`nothing to do in ${stages} stages`, many],
      ],
    },
    runs: {
      write: writeMany(2),
      before: (records) => [
        ...Array.from({ length: finishedRuns }, (_, i) => {
          return [`run ${i}`, [...many, ...records && i > 0 ? ["--record"] : []]] as const;
        }),
        ["the index", count],
      ],
      commands: [
        [`\`query\` over ${finishedRuns} runs`, count],
        [`\`runs\` of ${finishedRuns}`, ["runs"]],
      ],
    },
  };
}

/** Rules of Snakemake that copy what the stages read. */
export function writeSnakefile(stages: number): (folder: string) => void {
  return (folder) => {
    writeMany(stages)(folder);
    const rules = Array.from(
      { length: stages },
      (_, i) =>
        `rule s${i}:\n  input: "d${i}.csv"\n  output: "out/s${i}.csv"\n` +
        `  shell: "cp {input} {output}"\n`,
    );
    const all = `rule all:\n  input: expand("out/s{i}.csv", i=range(${stages}))\n`;
    Deno.writeTextFileSync(join(folder, "Snakefile"), all + rules.join(""));
  };
}
