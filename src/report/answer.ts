/** Makes the answer of a run from its database: posterior probabilities of answers from the scored programs. */
import { join } from "node:path";
import { printableJson } from "../base/printable.ts";
import { answerOf } from "../answers/answer.ts";
import { type Answer, type AnsweredQuestion, answerSchema } from "../answers/answer_schema.ts";
import { z95 } from "../answers/bootstraps.ts";
import { answerElpd } from "../answers/difference.ts";
import type { Confirmation } from "../answers/confirmation.ts";
import { middleOf } from "../answers/was_scored.ts";
import { normalised } from "../answers/weights.ts";
import type {
  AskedQuestion,
  PriorMove,
  ScoredEffect,
  ScoredSpace,
} from "../answers/scored_space.ts";
import { literal } from "../pipeline/basics/mod.ts";
import { type Ask, json, type Row } from "./rows.ts";

/** Questions and sizes of a space, as its event has them. */
interface SpaceDetail {
  readonly programs: number;
  readonly prior_weight: number;
  readonly searched?: number;
  readonly formula?: string;
  readonly questions: readonly {
    readonly question: string;
    readonly answers: readonly { readonly answer: string; readonly prior: number }[];
  }[];
}

/** A model's row of `candidate`. */
interface CandidateRow {
  readonly programs: number;
  readonly answers: readonly string[];
  readonly logPrior: number;
  readonly logReward: number | null;
  readonly raisedTo: number | null;
  readonly mcse: number;
  readonly parameters: number | null;
  readonly literals: number | null;
  readonly pointwise: ArrayLike<number> | null;
  readonly unit: string | null;
  readonly idx: number;
}

/** The posterior of a term in one program, as an event has it. */
interface EffectDetail {
  readonly idx: number;
  readonly term: string;
  readonly mean: number;
  readonly sd: number;
  /** Quantiles; rows of earlier versions have none, and their posteriors are taken to be normal. */
  readonly q05?: number;
  readonly q95?: number;
  readonly against?: string;
  readonly at?: string;
  readonly ratio?: string;
}

/** The answer of a run, or undefined if it scored no program of a space that was counted. */
export async function readAnswer(ask: Ask): Promise<Answer | undefined> {
  const [space] = await ask(spaceSql);
  if (!space) return undefined;
  const stage = String(space.stage);
  const rows = (await ask(candidateSql(stage))).map(candidateOf);
  const effects = (await ask(effectSql(stage))).map(({ detail }) => json(detail) as EffectDetail);
  const moves = (await ask(priorMoveSql(stage))).map(({ detail }) => json(detail) as PriorMove);
  const [found] = await ask(confirmationSql(stage));
  const confirmation = found?.detail ? json(found.detail) as Confirmation : undefined;
  const detail = json(space.detail) as SpaceDetail;
  const [{ tried }] = await ask(triedSql);
  const searched = Math.max(Number(tried), detail.searched ?? 0);
  const own = { searched, ...(confirmation && { confirmation }) };
  const scored = { ...spaceOf(detail, rows, effects), ...own };
  if (scored.logReward.length === 0) return undefined;
  const [run] = await ask("select run_id, pipeline, name, seed from run");
  const named = { run: { ...run, seed: Number(run.seed), stage } };
  return answerSchema.parse({ ...answerOf({ ...scored, priorMoves: moves }), ...named });
}

/** Contribution of each row, or group, to the log odds of the likeliest answer to a question against the next. */
interface DecidingUnits {
  readonly question: string;
  readonly answers: readonly [string, string];
  /** `[units]`, nats. */
  readonly nats: readonly number[];
}

/** The rows behind the answer to one question; undefined where nothing is known of rows. */
export async function readDeciding(
  ask: Ask,
  { run, questions }: Answer,
): Promise<DecidingUnits | undefined> {
  const asked = questionMovedMost(questions.filter(({ difference }) => difference !== null));
  if (!asked?.difference || !run) return undefined;
  const [space] = await ask(spaceSql);
  const rows = (await ask(candidateSql(run.stage))).map(candidateOf);
  const scored = spaceOf(json(space.detail) as SpaceDetail, rows, []);
  const { pointwise, rows: units, logReward } = scored;
  const own = scored.questions.find(({ question }) => question === asked.question);
  if (!pointwise || !own) return undefined;
  const { answer, other } = asked.difference;
  const weights = normalised(logReward);
  const [one, two] = [answer, other].map((name) => {
    const a = own.answers.findIndex((each) => each.answer === name);
    return answerElpd({ pointwise, rows: units }, weights, own.given, a);
  });
  const nats = [...one].map((value, i) => value - two[i]);
  return { question: asked.question, answers: [answer, other], nats };
}

/** The question whose probabilities the data moved the most, by total variation. */
export function questionMovedMost(
  questions: readonly AnsweredQuestion[],
): AnsweredQuestion | undefined {
  const moved = ({ answers }: AnsweredQuestion) =>
    answers.reduce((sum, one) => sum + Math.abs(middleOf(one) - one.prior), 0);
  return [...questions].sort((a, b) => moved(b) - moved(a))[0];
}

/** Writes `answer.json` into the folder of a run. */
export async function writeAnswer(answer: Answer, folder: string): Promise<void> {
  const text = printableJson(JSON.stringify(answer, null, 2));
  await Deno.writeTextFile(join(folder, "answer.json"), `${text}\n`);
}

/** Of several stages that scored a space the first by name; its name is no text of a user's. */
const spaceSql = `
  select stage, detail from event where kind = 'space' and step = 0 order by stage limit 1`;

/** Programs that the run tried: those that were sampled, and those that were scored one by one. */
const triedSql = `select count(distinct program) as tried from (
  select program from trajectory union all select program from candidate where status is not null)`;

function candidateSql(stage: string): string {
  return `
    select idx, programs, answers, log_prior, log_reward, raised_to, p_loo, literals, mcse, pointwise, unit from candidate
    where stage = ${literal(stage)} and step = 0 order by idx`;
}

function effectSql(stage: string): string {
  return `select detail from event
    where kind = 'effect' and stage = ${literal(stage)} and step = 0 order by detail->>'idx'`;
}

function priorMoveSql(stage: string): string {
  return `select detail from event
    where kind = 'prior_move' and stage = ${literal(stage)} and step = 0`;
}

function confirmationSql(stage: string): string {
  return `select detail from event
    where kind = 'confirmation' and stage = ${literal(stage)} and step = 0`;
}

function candidateOf(row: Row): CandidateRow {
  return {
    programs: Number(row.programs),
    answers: json(row.answers) as string[],
    logPrior: Number(row.log_prior),
    logReward: row.log_reward === null ? null : Number(row.log_reward),
    raisedTo: row.raised_to === null ? null : Number(row.raised_to),
    mcse: Number(row.mcse ?? 0),
    parameters: row.p_loo === null ? null : Number(row.p_loo),
    literals: row.literals === null ? null : Number(row.literals),
    pointwise: row.pointwise as ArrayLike<number> | null,
    unit: row.unit as string | null,
    idx: Number(row.idx),
  };
}

/** Scored programs as arrays; those without a score are counted. */
function spaceOf(
  detail: SpaceDetail,
  rows: readonly CandidateRow[],
  effects: readonly EffectDetail[],
): ScoredSpace {
  const scored = rows.filter(({ logReward }) => logReward !== null);
  const failed = rows.filter(({ logReward }) => logReward === null);
  const pointwise = pointwiseOf(scored);
  const numbers = (of: (row: CandidateRow) => number) => Float64Array.from(scored, of);
  return {
    programs: detail.programs,
    derivations: Int32Array.from(scored, ({ programs }) => programs),
    failed: failed.reduce((sum, { programs }) => sum + programs, 0),
    failedLogPrior: Float64Array.from(failed, ({ logPrior }) => logPrior),
    raisedTo: numbers(({ raisedTo }) => raisedTo ?? NaN),
    logPrior: numbers(({ logPrior }) => logPrior),
    priorWeight: detail.prior_weight,
    logReward: numbers(({ logReward }) => logReward!),
    mcse: numbers(({ mcse }) => mcse),
    ...(scored.every(({ parameters }) => parameters !== null) && {
      parameters: numbers(({ parameters }) => parameters!),
    }),
    ...(scored.every(({ literals }) => literals !== null) && {
      literals: numbers(({ literals }) => literals!),
    }),
    ...(detail.searched !== undefined && { searched: detail.searched }),
    rows: pointwise ? pointwise.length / scored.length : 0,
    ...(pointwise && { pointwise }),
    unit: scored[0]?.unit === "group" ? "group" : "row",
    questions: detail.questions.map((one, q) => questionOf(one, q, scored)),
    ...(detail.formula !== undefined && { formula: detail.formula }),
    effects: effectsOf(effects, scored),
  };
}

/** `[programs, rows]`, where every program has a value for every row. */
function pointwiseOf(scored: readonly CandidateRow[]): Float64Array | undefined {
  const rows = scored[0]?.pointwise?.length;
  if (!rows || scored.some(({ pointwise }) => pointwise?.length !== rows)) return undefined;
  const all = new Float64Array(scored.length * rows);
  scored.forEach(({ pointwise }, k) => all.set(pointwise!, k * rows));
  return all;
}

function questionOf(
  { question, answers }: SpaceDetail["questions"][number],
  q: number,
  scored: readonly CandidateRow[],
): AskedQuestion {
  const places = new Map(answers.map(({ answer }, a) => [answer, a]));
  const given = Int32Array.from(scored, (row) => places.get(row.answers[q])!);
  return { question, answers, given };
}

function effectsOf(
  effects: readonly EffectDetail[],
  scored: readonly CandidateRow[],
): ScoredEffect[] {
  const places = new Map(scored.map(({ idx }, k) => [idx, k]));
  return [...Map.groupBy(effects, ({ term }) => term)].map(([term, own]) => ({
    term,
    against: own[0].against ?? null,
    at: own[0].at ?? null,
    ratio: own[0].ratio ?? null,
    programs: Int32Array.from(own, ({ idx }) => places.get(idx)!),
    mean: Float64Array.from(own, ({ mean }) => mean),
    q05: Float64Array.from(own, ({ q05, mean, sd }) => q05 ?? mean - z95 * sd),
    q95: Float64Array.from(own, ({ q95, mean, sd }) => q95 ?? mean + z95 * sd),
  }));
}
