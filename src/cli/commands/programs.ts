/** `sluice programs`: the winning programs of a run as files that run in PyMC, with their weights. */
import { join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { type Dataset, datasetFromJson } from "../../base/dataset.ts";
import { inputError } from "../../base/diagnostic.ts";
import { commandLine } from "../../base/command_name.ts";
import { csvText, dataFiles } from "../data_files.ts";
import { defaultSchedule } from "../../engine/score/execution/mod.ts";
import { graphOfRecord } from "../graph_of_record.ts";
import { number, percent, tableWithTexts } from "../../report/format.ts";
import type { Session } from "../session.ts";
import type { Terminal } from "../../report/terminal.ts";
import { wholeNumber } from "../number_flags.ts";
import { requireWritable, writeOutput } from "../output_files.ts";
import { projectHere } from "../project_here.ts";
import { countedSql } from "../../report/counted_sql.ts";
import { readRunData } from "../run_artifacts.ts";
import { shellWords } from "../../base/shell_words.ts";
import { standaloneProgram } from "../standalone_program.ts";

const example = `
The code of a file is canonical PyMC, printed from the graph that was scored and
read back to the same canonical hash; the author's text stands below it as a
comment. If that fails, the head of the file says so.

Example:
  sluice programs last --top 20 --out best/`;

/** Facts of the database about one of the winners. */
interface Winner {
  readonly text: string;
  readonly features: readonly string[];
  readonly target: number;
  /** Null where programs were ranked and no policy was evaluated. */
  readonly policy: number | null;
  readonly log_prior: number;
  readonly elpd_loo: number | null;
  readonly se: number | null;
  /** Unit left out at once: `row`, `group` or `future`. */
  readonly unit: string | null;
  readonly mcse: number | null;
  readonly canonical_hash: string | null;
}

export function addCommand(root: Command, session: Session): void {
  root.command("programs")
    .description("list the most probable programs, or write them as PyMC files")
    .argument("[run]", 'run: its id, a prefix of it, or "last"', "last")
    .option("--top <n>", "number of programs", wholeNumber("--top", 1), 10)
    .option(
      "--out <dir>",
      "folder for program-01.py …, the data and weights.csv",
    )
    .option("--json", "as JSON")
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async (run, { top, out, json, project }) => {
      const terminal = session.terminal();
      if (out) await requireWritable("--out", out);
      const projectRoot = projectHere(project);
      const winners = await readWinners(projectRoot, run, top);
      if (out) {
        const data = datasetFromJson((await readRunData(projectRoot, run)).data);
        const files = await writeFiles(out, winners, data, projectRoot);
        terminal.note(`${winners.length} programs, ${files} and weights.csv are in ${out}`);
        const first = shellWords(["python", join(out, "program-01.py")]);
        terminal.note(`next: ${first}   (needs pymc and arviz)`);
      } else if (json) {
        const shown = winners.map(({ canonical_hash: _, ...rest }) => rest);
        terminal.data(JSON.stringify(shown, null, 2));
      } else terminal.out(winnersTable(winners, terminal));
    });
}

async function readWinners(project: string, run: string, top: number): Promise<Winner[]> {
  const { query } = await import("../../pipeline/store/sql/mod.ts");
  const sql = `select e.program as text, e.features, exp(e.log_target) as target,
      exp(e.log_policy) as policy, e.log_prior, x.elpd_loo, x.se, x.mcse,
      x.unit, x.canonical_hash
    from ${countedSql} e
      left join execution x on x.program_sha256 = e.scored_sha256 and x.run_id = e.run_id
    order by e.log_target desc, e.idx limit ${top}`;
  const result = await query(project, sql, { run });
  if (result.rows.length > 0) return result.objects() as unknown as Winner[];
  const { rows: asked } = await query(project, "select id from prompt limit 1", { run });
  const hint = asked.length > 0
    ? `prompts are counted each for itself; ${
      commandLine(...bestAnswers(run))
    } writes the best answers`
    : "a pipeline with a stage of kind evaluate_kl or rank enumerates its programs";
  throw inputError("programs/none", `Run ${run} has not enumerated its programs`, undefined, hint);
}

/** Words of the command that writes the best answers to each prompt of a run. */
function bestAnswers(run: string): string[] {
  return ["export", "sft", run, "--top", "10", "--scored", "--out", "best.jsonl"];
}

function winnersTable(winners: readonly Winner[], terminal: Terminal): string {
  const rows = winners.map((winner, i) => [
    String(i + 1),
    number(winner.elpd_loo, 4),
    percent(winner.target),
    winner.policy === null ? "" : percent(winner.policy),
  ]);
  const productions = winners.map(({ features }) => features.join(" "));
  return tableWithTexts(["", "ELPD", "target", "policy"], rows, productions, terminal);
}

async function writeFiles(
  out: string,
  winners: readonly Winner[],
  data: Dataset,
  root: string,
): Promise<string> {
  const { SinglePrograms } = await import("../../executor/single_programs.ts");
  const programs = new SinglePrograms({ schedule: defaultSchedule, seconds: 600 });
  try {
    for (const [i, winner] of winners.entries()) {
      const name = `program-${String(i + 1).padStart(2, "0")}.py`;
      const graph = await graphOfRecord(winner.text, data, winner.canonical_hash, root, programs);
      writeOutput(join(out, name), standaloneProgram(winner, data, graph));
    }
  } finally {
    await programs.close();
  }
  const files = dataFiles(data);
  for (const [name, content] of files) writeOutput(join(out, name), content);
  writeOutput(join(out, "weights.csv"), weightsCsv(winners));
  return [...files.keys()].join(", ");
}

function weightsCsv(winners: readonly Winner[]): string {
  const head = "file,weight,policy,log_prior,elpd_loo,se,mcse,productions";
  const lines = winners.map((winner, i) => {
    const { target, policy, log_prior, elpd_loo, se, mcse, features } = winner;
    const file = `program-${String(i + 1).padStart(2, "0")}.py`;
    const cells = [file, target, policy, log_prior, elpd_loo, se, mcse];
    return [...cells.map((cell) => cell ?? ""), csvText(features.join(" "))].join(",");
  });
  return [head, ...lines].join("\n") + "\n";
}
