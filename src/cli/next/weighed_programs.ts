/** The programs of a run with their share of the target and their answers, as `next` weighs them. */
import { normalised } from "../../answers/weights.ts";
import { inputError } from "../../base/diagnostic.ts";
import type { Ask } from "../../report/rows.ts";

/** A program that may be true. */
export interface WeighedProgram {
  readonly text: string;
  /** Its share of the target among those that are kept. */
  readonly weight: number;
  /** Its answers, by question. */
  readonly answers: Readonly<Record<string, string>>;
}

/** Programs, likeliest first, and what of the target they hold. */
export interface WeighedSpace {
  readonly programs: readonly WeighedProgram[];
  /** Share of the target that they hold together. */
  readonly held: number;
  readonly questions: readonly string[];
}

/** Share of the target beyond which programs are left out. */
const enough = 0.995;

/**
 * The likeliest programs of a run that scored a space.
 *
 * @param most programs at most.
 * @throws InputError `next/none` if the run scored none.
 */
export async function weighedPrograms(ask: Ask, run: string, most: number): Promise<WeighedSpace> {
  const rows = await ask(`
    select program, answers, log_reward from candidate
    where log_reward is not null and stage = (select min(stage) from candidate)
    order by log_reward desc, idx`);
  const [space] = await ask(`
    select detail from event where kind = 'space' and step = 0 order by stage limit 1`);
  if (rows.length === 0 || !space) {
    const hint = "rank a file or a pipeline: sluice next FILE --formula …";
    throw inputError("next/none", `Run ${run} has scored no space of programs`, undefined, hint);
  }
  const detail = parsed(space.detail) as { questions: { question: string }[] };
  const questions = detail.questions.map(({ question }) => question);
  const shares = [...normalised(rows.map(({ log_reward }) => Number(log_reward)))];
  const kept = countUntil(shares, enough, most);
  const held = shares.slice(0, kept).reduce((a, b) => a + b, 0);
  const programs = rows.slice(0, kept).map((row, k) => {
    const answers = parsed(row.answers) as string[];
    const named = questions.map((question, q) => [question, answers[q]]);
    return {
      text: String(row.program),
      weight: shares[k] / held,
      answers: Object.fromEntries(named),
    };
  });
  return { programs, held, questions };
}

function parsed(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}

function countUntil(shares: readonly number[], enough: number, most: number): number {
  let [count, sum] = [0, 0];
  while (count < Math.min(most, shares.length) && sum < enough) sum += shares[count++];
  return count;
}
