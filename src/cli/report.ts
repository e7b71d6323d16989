/** The report at the end of a run: programs, productions, divergences, and what to do next. */
import { printEstimates } from "./estimate_report.ts";
import { clip, number, percent, plainTable, tableWithTexts } from "./format.ts";
import { logPlot } from "./plot.ts";
import type { Terminal } from "./terminal.ts";

/** Runs one query on the database of the run and gives its rows. */
export type Ask = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Where the run is, as the last lines name it. */
export interface ReportPlace {
  readonly runId: string;
  readonly database: string;
  /** How Sluice is called here: `deno task sluice`, or `npx sluice`. */
  readonly command: string;
}

/** Prints what a run that evaluated a policy found; a run that did not gets the last lines only. */
export async function printReport(ask: Ask, place: ReportPlace, terminal: Terminal): Promise<void> {
  const stages = await ask("select distinct stage from enumeration order by stage");
  for (const { stage } of stages) {
    await printPrograms(ask, String(stage), terminal);
    await printReferences(ask, String(stage), terminal);
    await printInclusion(ask, String(stage), terminal);
    await printDivergences(ask, String(stage), terminal);
    await printAttribution(ask, String(stage), terminal);
  }
  await printEstimates(ask, terminal);
  await printCourse(ask, terminal);
  const [{ scored }] = await ask("select count(*) > 0 as scored from execution");
  printNext(place, terminal, scored === true && stages.length > 0);
}

function heading(terminal: Terminal, text: string): void {
  terminal.out(`\n${terminal.colour.bold(text)}`);
}

/** The ten programs with the most weight; Δ is the pointwise difference to the best. */
async function printPrograms(ask: Ask, stage: string, terminal: Terminal): Promise<void> {
  const rows = await ask(topPrograms(stage));
  if (rows.length === 0) return;
  heading(terminal, "Programs with the most weight");
  const table = rows.map((row, i) => [
    String(i + 1),
    number(row.elpd_loo as number, 4),
    i === 0 ? "" : number(row.difference as number, 2),
    i === 0 ? "" : number(row.difference_se as number, 2),
    percent(row.target as number),
    percent(row.policy as number),
  ]);
  const head = ["", "ELPD", "Δ", "±", "target", "policy"];
  const productions = rows.map(({ features }) => (features as string[]).join(" "));
  terminal.out(tableWithTexts(head, table, productions, terminal));
  heading(terminal, "The first of them");
  terminal.out(String(rows[0].text).trim());
}

function topPrograms(stage: string): string {
  return `with top as (
    select e.program as text, e.features, e.log_target, e.log_policy, x.elpd_loo, x.elpd_pointwise,
      row_number() over (order by e.log_target desc, e.idx) as place
    from enumeration e join execution x on x.program_sha256 = e.program_sha256
    where e.stage = ${quoted(stage)} and x.elpd_loo is not null
    order by place limit 10),
  best as (select elpd_pointwise as p from top where place = 1),
  compared as (
    select top.*, list_transform(list_zip(elpd_pointwise, best.p), lambda z: z[1] - z[2]) as d
    from top, best)
  select text, features, elpd_loo, exp(log_target) as target, exp(log_policy) as policy,
    list_sum(d) as difference, sqrt(len(d) * list_var_pop(d)) as difference_se
  from compared order by place`;
}

/** Published programs among all; Δ is the pointwise difference to the likeliest program. */
async function printReferences(ask: Ask, stage: string, terminal: Terminal): Promise<void> {
  const rows = await ask(
    `select message, detail from event where stage = ${quoted(stage)} and kind = 'reference'`,
  );
  if (rows.length === 0) return;
  heading(terminal, "Published programs among all");
  const table = rows.map(({ message, detail }) => {
    const known = detail as Readonly<Record<string, number>>;
    const scored = known.elpd_difference !== undefined;
    return [
      clip(String(message), 40),
      `${known.rank} of ${known.programs}`,
      scored ? number(known.elpd_loo, 4) : "failed",
      scored ? number(known.elpd_difference, 2) : "",
      scored ? number(known.elpd_difference_se, 2) : "",
      percent(known.target),
      percent(known.policy),
    ];
  });
  const head = ["", "rank", "ELPD", "Δ", "±", "target", "policy"];
  terminal.out(plainTable(head, table, [1, 2, 3, 4, 5, 6]));
}

/** The probability that a program has a production, where the data moved it the most. */
async function printInclusion(ask: Ask, stage: string, terminal: Terminal): Promise<void> {
  const rows = await ask(
    `select production, prior, target, policy from inclusion where stage = ${quoted(stage)}
     order by abs(target - prior) desc, production limit 16`,
  );
  if (rows.length === 0) return;
  heading(terminal, "Productions, by how much the data changed their probability");
  const table = rows.map(({ production, prior, target, policy }) => [
    String(production),
    percent(prior as number),
    percent(target as number),
    percent(policy as number),
    "█".repeat(Math.round(20 * (target as number))),
  ]);
  terminal.out(plainTable(["production", "prior", "target", "policy", ""], table, [1, 2, 3]));
}

const measures = [
  ["tv", "TV"],
  ["kl_target_policy", "KL(target‖policy)"],
  ["kl_policy_target", "KL(policy‖target)"],
  ["jsd", "JSD"],
  ["lost_mass", "lost mass"],
] as const;

const rowsInOrder = [
  "",
  "_sft",
  "_initial",
  "_prior",
  "_uniform",
  "_metropolis_hastings",
  "_sequential_monte_carlo",
  "_reinforce",
  "_ppo",
  "_grpo",
  "_floor",
  "_capacity",
  "_target_noise",
] as const;

/** Names of rows that are shorter than those of the measures. */
const shortNames: Readonly<Record<string, string>> = {
  _metropolis_hastings: "MH",
  _sequential_monte_carlo: "SMC",
  _target_noise: "noise",
  _reinforce: "REINFORCE",
  _ppo: "PPO",
  _grpo: "GRPO",
};

/** Divergences of the policy, and below it of what it is compared with. */
async function printDivergences(ask: Ask, stage: string, terminal: Terminal): Promise<void> {
  const rows = await ask(
    `select name, value from evaluation where stage = ${quoted(stage)} and step = 0`,
  );
  const found = new Map(rows.map(({ name, value }) => [String(name), value as number]));
  const used = rowsInOrder.filter((suffix) => found.has(`tv${suffix}`));
  heading(terminal, "Divergence from the target, counted over every program");
  const head = ["nats", ...measures.map(([, label]) => label)];
  const table = used.map((suffix) => [
    rowName(suffix),
    ...measures.map(([name]) => small(found.get(name + suffix))),
  ]);
  terminal.out(plainTable(head, table, head.map((_, i) => i).slice(1)));
  await printRemarks(ask, stage, terminal);
  const value = (name: string) => found.get(name) ?? NaN;
  const failed = found.has("failed_programs")
    ? `\n${value("failed_programs")} failed, ${value("raised_programs")} raised ` +
      `(${percent(value("raised_share"))} of the target), ` +
      `${value("above_target_mcse")} noisier than asked`
    : "";
  const error = found.has("log_z_error") ? `, learned ${signed(value("log_z_error"))}` : "";
  terminal.out(
    `${value("programs")} programs, ${number(value("effective_programs_target"), 3)} effective; ` +
      `log Z ${number(value("log_z"), 4)}${error}${failed}`,
  );
}

/** What puts the optimum of the policy's training elsewhere than the target. */
async function printRemarks(ask: Ask, stage: string, terminal: Terminal): Promise<void> {
  const rows = await ask(
    `select distinct message from event where stage = ${quoted(stage)}
     and kind = 'moves_optimum' order by message`,
  );
  for (const { message } of rows) terminal.out(`Mind: ${message}`);
}

function rowName(suffix: string): string {
  return suffix === "" ? "policy" : shortNames[suffix] ?? suffix.slice(1);
}

/** A divergence; what is below rounding error is zero. */
function small(value: number | undefined): string {
  return value !== undefined && Math.abs(value) < 1e-9 ? "0" : number(value, 3);
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${number(Math.abs(value), 2)}`;
}

async function printAttribution(ask: Ask, stage: string, terminal: Terminal): Promise<void> {
  const rows = await ask(
    `select text, kl_target_policy, share from attribution where stage = ${quoted(stage)}
     and step = 0 order by kl_target_policy desc limit 3`,
  );
  if (rows.length === 0) return;
  heading(terminal, "Where KL(target‖policy) arises");
  for (const { text, share } of rows) {
    const place = String(text) === "" ? "(at the start)" : String(text);
    terminal.out(clip(`${percent(share as number).padStart(7)}  after ${place}`, terminal.width));
  }
}

/** KL(target‖policy) against trajectories and distinct evaluations, as training went on. */
async function printCourse(ask: Ask, terminal: Terminal): Promise<void> {
  const rows = await ask(
    `select stage, step, trajectories, distinct_evaluations, value from evaluation
     where name = 'kl_target_policy' and step > 0 order by stage, step`,
  );
  for (const stage of new Set(rows.map((row) => row.stage))) {
    const course = rows.filter((row) => row.stage === stage);
    if (course.length < 2) continue;
    const plot = logPlot(course.map((row) => row.value as number), 5, 5);
    const [first, last] = [course[0], course[course.length - 1]];
    heading(terminal, `Course of KL(target‖policy) in ${stage}`);
    terminal.out(plot);
    const reach = `${count(first.trajectories)} … ${count(last.trajectories)} trajectories, ` +
      `${count(last.distinct_evaluations)} distinct programs executed for training`;
    terminal.out(`          ${reach}`);
  }
}

function count(value: unknown): string {
  return Number(value).toLocaleString("en");
}

/** How to go on; with `files`, the run has programs that can be written as files. */
function printNext(
  { runId, database, command }: ReportPlace,
  terminal: Terminal,
  files: boolean,
): void {
  const { colour } = terminal;
  terminal.out(`\nRun ${runId}; database ${database}`);
  const sql = "select distinct program, log_reward from trajectory order by 2 desc limit 5";
  terminal.out(`Ask it:  ${colour.cyan(`${command} query --run last "${sql}"`)}`);
  const write = `${command} programs last --top 10 --out best/`;
  if (files) terminal.out(`Files:   ${colour.cyan(write)}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
