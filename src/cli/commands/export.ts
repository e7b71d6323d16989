/** `sluice export`: writes results of a run as files for other tools. */
import { type Command, Option } from "@commander-js/extra-typings";
import { exportForms } from "../export_forms.ts";
import { inputError } from "../../base/diagnostic.ts";
import { realNumber, wholeNumber } from "../number_flags.ts";
import { requireWritable, writeOutput } from "../output_files.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";

const usage = `
Example:
  sluice export last --to tensorboard --out logs
  sluice export sft last --top 200 --out best.jsonl`;

const trackerUsage = `
tensorboard adds to a folder what is new since the last export, also of a run
that goes on ("live"); mlflow writes a file store, which "mlflow
migrate-filestore" moves into a database; csv and parquet are one table; dvc
writes plots and metrics; snakemake writes a job for each point of a sweep.

Tags are train/tb_loss, train/log_Z, train/log_pf_mean, train/log_reward_mean,
eval/kl_reverse, eval/tv, …
${usage}`;

const example = `
Each line is {"prompt": …, "completion": …, "log_reward": …}: an object that
the run sampled, once for each prompt that it answers, with the largest log
reward that it got. Fine-tuning
reads such files, and replay can take their rewards.
${usage}`;

export function addCommand(root: Command, session: Session): void {
  const parent = root.command("export")
    .description("export a run or a sweep to other tools")
    .enablePositionalOptions()
    .argument("[what]", 'run or sweep: its id, a prefix of it, "last" or "live"', "last")
    .addOption(
      new Option("--to <form>", "form of the numbers of a run or a sweep").choices(exportForms),
    )
    .option("--out <path>", "file or folder to write")
    .option("--slurm <file>", "cluster.toml, for the resources of a Snakefile")
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", trackerUsage)
    .action((what, options) => exportTo(what, options, session));
  parent.command("sweep")
    .description("export a sweep, like sluice export NAME")
    .argument("<sweep>", "name of the sweep")
    .addOption(
      new Option("--to <form>", "form of the export").choices(exportForms).makeOptionMandatory(),
    )
    .option("--out <path>", "file or folder to write")
    .option("--slurm <file>", "cluster.toml, for the resources of a Snakefile")
    .option("--project <dir>", "folder that holds sweeps/ and runs/")
    .addHelpText("after", "\nExample:\n  sluice export sweep dugongs-1 --to snakemake")
    .action((sweep, options) => exportTo(sweep, options, session));
  addSft(parent as unknown as Command, session);
  addAdapter(parent as unknown as Command, session);
  parent.commands.forEach((command) => command.exitOverride());
}

function addSft(parent: Command, session: Session): void {
  parent.command("sft")
    .description("export trajectories as examples for fine-tuning, best first")
    .argument("[run]", 'run: its id, a prefix of it, or "last"', "last")
    .requiredOption("--out <file>", "JSON Lines to write")
    .option("--top <n>", "most examples of each prompt", wholeNumber("--top", 1))
    .option("--at-least <nats>", "least log reward", realNumber("--at-least"))
    .option("--scored", "only programs with a score")
    .option("--prompt <text>", "prompt of completions that have none", "")
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async (run, { out, top, atLeast, scored, prompt, project }) => {
      const terminal = session.terminal();
      await requireWritable("--out", out);
      const root = projectHere(project);
      const found = await readSampled(root, run, { top, atLeast, scored: scored === true });
      const lines = found.map((one) => ({ ...one, prompt: one.prompt ?? prompt }));
      writeOutput(out, lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
      terminal.note(`${found.length} examples are in ${out}`);
    });
}

interface ExportFlags {
  readonly to?: (typeof exportForms)[number];
  readonly out?: string;
  readonly slurm?: string;
  readonly project?: string;
}

async function exportTo(
  what: string,
  { to, project, ...rest }: ExportFlags,
  session: Session,
): Promise<void> {
  if (to === undefined) {
    const hint = `say --to ${exportForms.join("|")}, or sluice export sft, sluice export adapter`;
    throw inputError("export/no-form", `Cannot export ${what}: no form is given`, undefined, hint);
  }
  const { exportRuns } = await import("../export_runs.ts");
  await exportRuns(projectHere(project), what, { to, ...rest }, session.terminal());
}

const adapterExample = `
The folder has adapter_model.safetensors and adapter_config.json, which PEFT and
vLLM read beside the model; with --merged model.safetensors, config.json, the
tokenizer and the chat template: a folder that vLLM serves as it is.

Example:
  sluice export adapter last --of train.policy --out my-adapter`;

function addAdapter(parent: Command, session: Session): void {
  parent.command("adapter")
    .description("export a language model's adapter as a folder for PEFT")
    .argument("[run]", 'run: its id, a prefix of it, or "last"', "last")
    .requiredOption("--of <stage.port>", "policy: an output of a stage of the run")
    .requiredOption("--out <folder>", "folder to write to")
    .option("--merged", "write the whole model, adapter merged")
    .option("--project <dir>", "folder that holds runs/ and .sluice/")
    .addHelpText("after", adapterExample)
    .action(async (run, { of, out, merged, project }) => {
      const terminal = session.terminal();
      await requireWritable("--out", out);
      const { adapterOf, inFolder } = await import("../export_adapter.ts");
      const trained = { root: projectHere(project), run, port: of };
      const files = inFolder(out, await adapterOf(trained, merged === true));
      for (const [path, bytes] of files) writeOutput(path, bytes);
      terminal.note(`${files.length} files are in ${out}`);
    });
}

interface Filter {
  readonly top?: number;
  readonly atLeast?: number;
  readonly scored: boolean;
}

interface Sampled {
  /** Prompt that it answers; null where there was none. */
  readonly prompt: string | null;
  readonly completion: string;
  readonly log_reward: number;
}

/** Two stages may call different prompts alike, and rows have the name alone. @throws InputError. */
async function requireOneText(
  ask: (sql: string) => Promise<{ readonly rows: readonly (readonly unknown[])[] }>,
): Promise<void> {
  const { rows } = await ask(
    "select id from prompt group by id having count(distinct text) > 1 order by id limit 1",
  );
  if (rows.length === 0) return;
  const message = `Cannot export answers: two prompts of the run are called "${rows[0][0]}"`;
  const hint = "give them names of their own in the pipeline, and run it again";
  throw inputError("export/prompts", message, undefined, hint);
}

/**
 * Distinct answers of all trajectories, by log reward; of equal ones the first text comes first. Log
 * rewards of answers to two prompts cannot be compared: each has its best, and programs are scored on
 * the data that their prompt is about, where it is about any that were scored on.
 */
async function readSampled(
  project: string,
  run: string,
  { top, atLeast, scored }: Filter,
): Promise<Sampled[]> {
  const { query } = await import("../../pipeline/store/sql/mod.ts");
  await requireOneText((sql) => query(project, sql, { run }));
  const isScored = `and exists (select 1 from execution e
    where e.program_sha256 = t.scored_sha256 and e.status = 'ok' and (a.data is null
      or e.data = a.data or a.data not in (select data from execution where data is not null)))`;
  const sql = `select a.text as prompt, t.program as completion, max(t.log_reward) as log_reward
    from trajectory t left join (
        select id, min(text) as text, min(data) as data from prompt group by id) a
      on a.id = t.prompt
    where t.program is not null ${scored ? isScored : ""}
    group by a.text, t.program
    ${atLeast === undefined ? "" : `having max(t.log_reward) >= ${atLeast}`}
    ${
    top === undefined ? "" : `qualify row_number() over (partition by a.text
      order by max(t.log_reward) desc, t.program) <= ${top}`
  }
    order by log_reward desc, prompt, completion`;
  const result = await query(project, sql, { run });
  if (result.rows.length > 0) return result.objects() as unknown as Sampled[];
  const message = `Run ${run} has no trajectories that pass`;
  const hint = "take another run, or lower --at-least";
  throw inputError("export/none", message, undefined, hint);
}
