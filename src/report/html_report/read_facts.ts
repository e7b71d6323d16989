/** Reads the facts of the HTML report from the database of a run. */
import type { Answer } from "../../answers/answer_schema.ts";
import { wasScored } from "../../answers/mod.ts";
import { questionMovedMost, readDeciding } from "../answer.ts";
import { countedSql } from "../counted_sql.ts";
import { readReport } from "../report.ts";
import { type Ask, json, type Row } from "../rows.ts";
import type { AnswerProgram, BestProgram, DatabaseFacts, DrawnProgram, RunFacts } from "./facts.ts";

/** Programs that are shown with their code. */
const mostPrograms = 10;
/** Programs that stand for the target where the average over models is drawn. */
export const averageDraws = 24;

/** All facts from the database alone. */
export async function readDatabaseFacts(askAnew: Ask): Promise<DatabaseFacts> {
  const ask = askingOnce(askAnew);
  const report = await readReport(ask);
  const [run] = await ask("select * from run");
  const best = await readBest(ask);
  const deciding = report.answer && await readDeciding(ask, report.answer);
  return {
    run: runOf(run),
    params: new Map(
      (await ask("select path, value from param order by path"))
        .map(({ path, value }) => [String(path), value]),
    ),
    stages: (await ask(stageSql)).map((row) => ({
      stage: String(row.stage),
      kind: String(row.kind),
      status: String(row.status),
    })),
    report,
    best,
    drawn: best.length > 0 ? await readDrawn(ask) : [],
    byAnswer: report.answer ? await readByAnswer(ask, report.answer) : [],
    statuses: (await ask(statusSql)).map(({ status, programs }) => ({
      status: String(status),
      programs: Number(programs),
    })),
    warnings: (await ask(warningSql)).map(({ stage, level, message, times }) => ({
      stage: String(stage ?? ""),
      level: String(level),
      message: String(message),
      times: Number(times),
    })),
    ...(deciding && { deciding }),
  };
}

/** The answer and its rows are read from the same queries. */
function askingOnce(ask: Ask): Ask {
  const known = new Map<string, ReturnType<Ask>>();
  return (sql) => {
    const found = known.get(sql) ?? ask(sql);
    known.set(sql, found);
    return found;
  };
}

function runOf(row: Row): RunFacts {
  const started = row.started_at;
  const at = started instanceof Date ? started.toISOString() : String(started);
  return {
    runId: String(row.run_id),
    name: String(row.name),
    pipeline: String(row.pipeline),
    seed: Number(row.seed),
    status: String(row.status),
    startedAt: at.slice(0, 19).replace("T", " "),
    ...(typeof row.git_commit === "string" && { gitCommit: row.git_commit }),
    host: String(row.host ?? ""),
    versions: json(row.versions) as Record<string, string>,
    argv: json(row.argv) as string[],
  };
}

const stageSql = `select stage, kind, status from stage_run
  qualify row_number() over (partition by stage order by attempt desc) = 1 order by started_at, stage`;

const statusSql = `select status, count(distinct program_sha256) as programs from execution
  group by status order by programs desc, status`;

const warningSql = `select stage, level, message, count(*) as times from event
  where level in ('warning', 'error') and message is not null
  group by all order by level, stage, message limit 40`;

/** One execution of each program: one with a score, if there is any. */
const scoredSql = `(select * from execution qualify row_number() over (
    partition by program_sha256 order by elpd_loo is null, schedule) = 1)`;

/** Programs by canonical graph; twins are one, with the share of all. */
const graphSql = `
  select e.scored_sha256 as program_sha256, e.features, e.idx,
    sum(exp(e.log_target)) over graph as target,
    row_number() over (graph order by e.log_target desc, e.idx) as place
  from ${countedSql} e join ${scoredSql} x on x.program_sha256 = e.scored_sha256
  where x.elpd_loo is not null
  window graph as (partition by coalesce(x.canonical_hash, x.program_sha256))`;

async function readBest(ask: Ask): Promise<BestProgram[]> {
  const counted = await ask(`
    with graphs as (${graphSql}),
    answered as (
      select g.*, k.answers, case when json_array_length(k.answers) > 0 then k.answers::varchar
        else g.program_sha256 end as model
      from graphs g left join (
        select program_sha256, any_value(answers) as answers from candidate group by all) k
        on k.program_sha256 = g.program_sha256
      where g.place = 1),
    models as (
      select *, sum(target) over (partition by model) as model_target,
        row_number() over (partition by model order by target desc, idx) as place_in_model
      from answered),
    chosen as (
      select * from models where place_in_model = 1
      order by model_target desc, idx limit ${mostPrograms})
    select c.program_sha256, c.features, c.target, c.model_target, c.answers, ${scoreColumns}
    from chosen c join ${scoredSql} x on x.program_sha256 = c.program_sha256
    order by c.model_target desc, c.idx`);
  return counted.map(bestOf);
}

const scoreColumns = `x.program as text, x.elpd_loo, x.se, x.p_loo, coalesce(x.unit, 'row') as unit,
    x.loo_method, x.pareto_k, x.good_k, x.elpd_pointwise,
    coalesce(len(x.unresolved), 0)::integer as unresolved, x.canonical_hash, x.engine_version`;

function bestOf(row: Row): BestProgram {
  const numbers = (value: unknown) => [...(value as ArrayLike<number> | null ?? []) as number[]];
  const maybe = (value: unknown) => value === null ? null : Number(value);
  return {
    sha256: String(row.program_sha256),
    text: String(row.text),
    features: json(row.features) as string[],
    answers: row.answers === null ? [] : json(row.answers) as string[],
    target: Number(row.target),
    modelTarget: Number(row.model_target),
    elpd: Number(row.elpd_loo),
    se: maybe(row.se),
    pLoo: maybe(row.p_loo),
    unit: String(row.unit),
    method: row.loo_method as string | null,
    paretoK: numbers(row.pareto_k),
    goodK: maybe(row.good_k),
    pointwise: numbers(row.elpd_pointwise),
    unresolved: Number(row.unresolved),
    canonicalHash: row.canonical_hash as string | null,
    engineVersion: row.engine_version as string | null,
  };
}

/**
 * Systematic sampling (Madow 1949): programs in the order of their productions, each as often as a comb of
 * equal steps over their shares falls into its own. So every kind of program is there by its weight.
 */
async function readDrawn(ask: Ask): Promise<DrawnProgram[]> {
  const rows = await ask(`
    with graphs as (${graphSql}),
    sorted as (
      select program_sha256, idx, target / sum(target) over () as share,
        sum(target) over (order by features::varchar, idx rows unbounded preceding)
          / sum(target) over () as until
      from graphs where place = 1),
    drawn as (
      select *, floor(${averageDraws} * until + 0.5)
        - floor(${averageDraws} * (until - share) + 0.5) as draws from sorted)
    select p.text, d.draws from drawn d
      join (select sha256, any_value(text) as text from program group by all) p
        on p.sha256 = d.program_sha256
    where d.draws > 0 order by d.draws desc, d.idx`);
  return rows.map(({ text, draws }) => ({ text: String(text), draws: Number(draws) }));
}

/** Answers whose likeliest programs are drawn beside each other. */
const mostAnswers = 4;

async function readByAnswer(ask: Ask, { questions }: Answer): Promise<AnswerProgram[]> {
  const asked = questionMovedMost(questions.filter(({ answers }) => answers.length > 1));
  if (!asked) return [];
  const place = questions.indexOf(asked);
  const rows = await ask(`
    with best as (
      select answers->>${place} as answer, program_sha256 from candidate
      where log_reward is not null
      qualify row_number() over (partition by answers->>${place} order by log_reward desc, idx) = 1)
    select b.answer, p.text from best b
      join (select sha256, any_value(text) as text from program group by all) p
        on p.sha256 = b.program_sha256`);
  const texts = new Map(rows.map(({ answer, text }) => [String(answer), String(text)]));
  const likely = asked.answers.filter((one) => wasScored(one) && texts.has(one.answer));
  return likely.slice(0, mostAnswers).map(({ answer }) => ({ answer, text: texts.get(answer)! }));
}
