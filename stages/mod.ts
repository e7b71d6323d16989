/** The built-in stage kinds by name. */
import type { StageKind } from "../src/runner/stage.ts";
import bitSequence from "./bit_sequence.ts";
import conjugatePrograms from "./conjugate_programs.ts";
import dataset from "./dataset.ts";
import environment from "./environment.ts";
import evaluateKl from "./evaluate_kl.ts";
import expression from "./expression.ts";
import grammar from "./grammar.ts";
import hypergrid from "./hypergrid.ts";
import integrity from "./integrity.ts";
import judge from "./judge.ts";
import learn from "./learn.ts";
import numbers from "./numbers.ts";
import policy from "./policy.ts";
import sample from "./sample.ts";
import sandboxExecute from "./sandbox_execute.ts";
import sft from "./sft.ts";
import strings from "./strings.ts";
import target from "./target.ts";

const kinds: readonly StageKind[] = [
  dataset,
  grammar,
  hypergrid,
  bitSequence,
  expression,
  numbers,
  strings,
  conjugatePrograms,
  environment,
  target,
  policy,
  sft,
  sample,
  sandboxExecute,
  judge,
  learn,
  evaluateKl,
  integrity,
] as unknown as StageKind[];

/** Every built-in kind but `loop`, which the runner itself knows. */
export const builtInKinds: ReadonlyMap<string, StageKind> = new Map(
  kinds.map((kind) => [kind.kind, kind]),
);

/** The file that declares a built-in kind, as a URL. */
export function builtInKindFile(kind: string): string {
  const own = import.meta.url;
  return new URL(`./${kind}${own.slice(own.lastIndexOf("."))}`, own).href;
}
