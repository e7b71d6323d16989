/** Posteriors of the terms that a grammar names, in the likeliest programs. */
import { exp, logSumExp } from "../../src/numerics/math/mod.ts";
import type { Execution } from "../../src/engine/score/execution/mod.ts";
import type { TerminalObject } from "../../src/gfn/environments/mod.ts";
import type { GrammarMeaning } from "../../src/gfn/grammar/mod.ts";
import type { Row, StageContext } from "../../src/pipeline/contract/mod.ts";
import { executePrograms } from "../common/execute_programs.ts";
import type { ProgramTarget } from "../ports/values.ts";

/** Share of the target whose programs are summarised, and how many of them at most. */
const likeliest = { share: 0.95, most: 40 };

/** A model with a score, and the program that stands for it. */
export interface ScoredProgram {
  /** As in the table `candidate`. */
  readonly index: number;
  readonly object: TerminalObject;
  readonly logReward: number;
}

/**
 * Has the likeliest programs summarised, for which chains are drawn, and writes an event of kind
 * `effect` for every term that one of them has as a single number. Nothing, if the grammar names none.
 */
export async function describeEffects(
  context: StageContext,
  target: ProgramTarget,
  meaning: GrammarMeaning,
  scored: readonly ScoredProgram[],
): Promise<void> {
  if (Object.keys(meaning.effects).length === 0 || scored.length === 0) return;
  const chosen = likeliestOf(scored);
  const schedule = { ...target.schedule, summaries: true } as const;
  const executions = await executePrograms(context, { ...target, schedule }, {
    programs: chosen.map(({ object }) => object.text),
    purpose: "evaluation",
  });
  const rows = chosen.flatMap(({ index }, i) => effectRows(index, executions[i], meaning));
  context.rows("event", rows);
  const without = chosen.flatMap((program, i) => isDrawn(executions[i]) ? [] : [{ program, i }]);
  if (without.length === 0) return;
  const share = Math.round(100 * heldBy(without.map(({ program }) => program), scored));
  const { diagnostics } = executions[without[0].i];
  const reason = diagnostics.findLast(({ severity }) => severity === "warning");
  context.log(
    `effects leave out ${without.length} of the ${chosen.length} likeliest models, with ${share} % of ` +
      `the target, for which no posterior was drawn${reason ? `: ${reason.message}` : ""}`,
    "warning",
  );
}

function isDrawn({ score }: Execution): boolean {
  return score !== undefined && Object.keys(score.params).length > 0;
}

/** Programs by falling reward, until they hold the share. */
export function likeliestOf(scored: readonly ScoredProgram[]): ScoredProgram[] {
  const order = [...scored].sort((a, b) => b.logReward - a.logReward || a.index - b.index);
  const weights = order.map(({ logReward }) => exp(logReward - order[0].logReward));
  const total = weights.reduce((sum, one) => sum + one, 0);
  let held = 0;
  const enough = weights.findIndex((one) => (held += one) >= likeliest.share * total);
  return order.slice(0, Math.min(likeliest.most, enough + 1));
}

/** Share of the target that some programs hold among others. */
export function heldBy(
  some: readonly Pick<ScoredProgram, "logReward">[],
  all: readonly Pick<ScoredProgram, "logReward">[],
): number {
  const logs = (of: typeof some) => logSumExp(Float64Array.from(of, ({ logReward }) => logReward));
  return exp(logs(some) - logs(all));
}

function effectRows(idx: number, { score }: Execution, meaning: GrammarMeaning): Row[] {
  return Object.entries(meaning.effects).flatMap(([term, variable]) => {
    const one = score?.params?.[variable];
    if (one?.mean.length !== 1) return [];
    const { mean: [mean], sd: [sd], q05: [q05], q95: [q95] } = one;
    const detail = { idx, term, mean, sd, q05, q95, ...wordsOf(term, meaning) };
    return [{ level: "info", kind: "effect", message: term, detail }];
  });
}

/** How reports read an effect, as far as the grammar defines it. */
function wordsOf(term: string, { against, at, ratios }: GrammarMeaning) {
  return {
    ...(Object.hasOwn(against, term) && { against: against[term] }),
    ...(Object.hasOwn(at, term) && { at: at[term] }),
    ...(Object.hasOwn(ratios, term) && { ratio: ratios[term] }),
  };
}
