/** Whether the digits of constants are charged: where an author writes numbers that no prior weighs. */
import { type Environment, writesFreely } from "../../src/gfn/environments/mod.ts";
import type { GrammarSpec } from "../../src/gfn/grammar/mod.ts";
import { literalsJudge, logPriorJudge } from "../../src/engine/score/judges/mod.ts";
import { filesSpace } from "../program_files/files_space.ts";
import type { WeightedJudges } from "./null_reward.ts";

/**
 * The judges of a target, with the charge for literals where it is asked for, or where nothing is said and the author
 * writes numbers: a language model, programs in files, an environment of one's own, a grammar that spells digits without
 * a prior.
 */
export function withLiterals(
  asked: boolean | undefined,
  environment: Pick<Environment, "kind" | "spec" | "written">,
  judged: WeightedJudges,
): WeightedJudges {
  if (judged.some(({ judge }) => judge === literalsJudge)) return judged;
  const hasPrior = judged.some(({ judge }) => judge === logPriorJudge);
  const charges = asked ?? writesNumbers(environment, hasPrior);
  return charges ? [...judged, { judge: literalsJudge, weight: 1 }] : judged;
}

/** Rows by which the engine charges for digits: those that the reward reads. */
export function chargeOf(judged: WeightedJudges): { readonly literals?: "scored" | "all" } {
  if (!judged.some(({ judge }) => judge.needsLiterals)) return {};
  return { literals: judged.some(({ judge }) => judge.needsHoldout) ? "all" : "scored" };
}

function writesNumbers(
  environment: Pick<Environment, "kind" | "spec" | "written">,
  hasPrior: boolean,
): boolean {
  if (writesFreely(environment)) return true;
  const { kind, spec } = environment.written?.of ?? environment;
  if (kind === "custom") return true;
  if (kind !== "grammar") return false;
  const grammar = spec as GrammarSpec;
  return grammar.name === filesSpace || !hasPrior && spellsDigits(grammar);
}

/** Numerals among the productions of one hole from which it spells numbers. */
const fewestNumerals = 8;

function spellsDigits({ holes }: GrammarSpec): boolean {
  return holes.some(({ productions }) =>
    productions.filter(({ text }) => /^[\d.]+$/.test(text.trim())).length >= fewestNumerals
  );
}
