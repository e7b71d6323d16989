/** Judges with settings among the terms of a target, and the least log reward of a text. */
import { inputError } from "../../src/base/diagnostic.ts";
import {
  builtInJudges,
  settledJudge,
  type SettledJudgeSpec,
} from "../../src/engine/score/judges/mod.ts";
import type { OracleRecord } from "../../src/oracle/oracle.ts";
import type { RewardTerm } from "../ports/values.ts";
import { criticPaths } from "./judge_terms.ts";
import type { WeightedJudges } from "./null_reward.ts";

/** A judge with settings, as a target writes it. */
export type SettledTerm = SettledJudgeSpec & { readonly name?: string; readonly weight: number };

/** A judge and its weight, and the settings of one that has some. */
export interface JudgedTerm {
  readonly judge: WeightedJudges[number]["judge"];
  readonly weight: number;
  readonly settings?: SettledJudgeSpec;
}

/** The judge that a term means. */
export function settledOf({ name, weight, ...settings }: SettledTerm): JudgedTerm {
  return { judge: settledJudge(name ?? settings.judge, settings), weight, settings };
}

/** @throws InputError if two judges have one name, where one of them can be given another. */
export function requireOwnNames(terms: readonly JudgedTerm[]): void {
  const twice = terms.find(({ judge: { name }, settings }, i) =>
    settings && (builtInJudges.has(name) ||
      terms.some((other, k) => k !== i && other.judge.name === name))
  );
  if (!twice) return;
  const message = `Cannot tell judges apart: another one is called "${twice.judge.name}", too`;
  throw inputError("target/names", message, undefined, 'write name = "…" in the term');
}

/** Terms as an artifact names them. */
export function writtenTerms(
  terms: WeightedJudges,
  asked: readonly JudgedTerm[],
): readonly RewardTerm[] {
  return terms.map(({ judge, weight }) => {
    const settings = asked.find((one) => one.judge === judge)?.settings;
    return { judge: judge.name, version: judge.version, weight, ...(settings && { settings }) };
  });
}

/** Σ of the least log rewards of judges of texts: a failed program has no more than that from them. */
export function leastOfTexts(terms: WeightedJudges): number {
  return terms.reduce((sum, { judge: { uses, bounds = [0, 1] }, weight }) => {
    return uses === "text" ? sum + Math.min(weight * bounds[0], weight * bounds[1]) : sum;
  }, 0);
}

/** Oracles by the wires as written, under each path of parameters that are wires. */
export type WiredOracles = {
  readonly [path in (typeof oraclePaths)[number]]?: Readonly<Record<string, OracleRecord>>;
};

const oraclePaths = ["log_reward.*.oracle", ...criticPaths] as const;

/** Oracles that answer the questions of judges, by the names of its stages; nothing where none asks. */
export function criticsOf(
  inputs: WiredOracles,
  judged: readonly JudgedTerm[],
): { readonly critics?: Readonly<Record<string, OracleRecord>> } {
  const asked = new Set(judged.flatMap(({ judge }) => judge.questions ?? []).map((q) => q.oracle));
  if (asked.size === 0) return {};
  const wired = oraclePaths.flatMap((path) => Object.entries(inputs[path] ?? {}));
  return { critics: Object.fromEntries(wired.filter(([name]) => asked.has(name))) };
}
