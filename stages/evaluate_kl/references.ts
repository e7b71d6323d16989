/** Programs of the literature among all programs: their rank, and how much worse than the best. */
import { InputError } from "../../src/base/diagnostic.ts";
import { sha256 } from "../../src/base/digest.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import { actionsOfDerivation } from "../../src/gfn/grammar/mod.ts";
import { exp } from "../../src/numerics/math/mod.ts";
import type { Row, StageContext } from "../../src/pipeline/contract/mod.ts";
import type { Score } from "../../src/engine/score/execution/mod.ts";
import type { ScoredTarget } from "../evaluation/enumerated.ts";

/** A published program, by the names of its productions. */
export interface ReferenceParams {
  readonly name: string;
  readonly derivation: readonly string[];
}

/**
 * Ranks each reference by target among all programs, and compares its ELPD-LOO with that of the
 * likeliest program: the difference, its standard error over observations, its Monte Carlo error.
 * An event of kind `reference` for each, with these numbers as its detail.
 *
 * @throws InputError naming every reference that the environment cannot derive.
 */
export function describeReferences(
  context: StageContext,
  scored: ScoredTarget,
  logP: Float64Array,
  references: readonly ReferenceParams[],
): void {
  if (references.length === 0) return;
  const indices = indicesOf(scored, references);
  const rows = references.map(({ name }, k) => referenceRow(scored, logP, name, indices[k]));
  context.rows("event", rows);
}

function indicesOf(scored: ScoredTarget, references: readonly ReferenceParams[]): number[] {
  const places = new Map(scored.objects.map(({ actions }, i) => [actions.join(" "), i]));
  const derived = referenceActions(scored.environment, references);
  return derived.map((actions) => places.get(actions.join(" "))!);
}

/**
 * The actions of every reference.
 *
 * @throws InputError naming every reference that the environment cannot derive.
 */
export function referenceActions(
  environment: Environment,
  references: readonly ReferenceParams[],
): readonly (readonly number[])[] {
  const derived = references.map(({ name, derivation }) =>
    actionsOfDerivation(environment, derivation, name)
  );
  const findings = derived.flatMap((one, i) =>
    one.ok ? [] : [{ ...one.diagnostic, param: ["references", i, "derivation"] }]
  );
  if (findings.length > 0) throw new InputError(findings);
  return derived.flatMap((one) => one.ok ? [one.actions] : []);
}

function referenceRow(scored: ScoredTarget, logP: Float64Array, name: string, at: number): Row {
  const { logTarget, objects, executions } = scored;
  const best = logTarget.reduce((most, log, i) => log > logTarget[most] ? i : most, 0);
  const detail = {
    name,
    program: sha256(objects[at].text),
    rank: 1 + logTarget.filter((log) => log > logTarget[at]).length,
    programs: objects.length,
    target: exp(logTarget[at]),
    policy: exp(logP[at]),
    best: sha256(objects[best].text),
    ...difference(executions?.[at].score, executions?.[best].score),
  };
  return { level: "info", kind: "reference", message: name, detail };
}

/** How much less the first predicts than the second, with the errors of the difference. */
function difference(score: Score | undefined, best: Score | undefined): Record<string, number> {
  if (!score || !best) return {};
  const pointwise = score.elpdPointwise.map((one, i) => one - best.elpdPointwise[i]);
  const total = pointwise.reduce((sum, one) => sum + one, 0);
  const mean = total / pointwise.length;
  const squares = pointwise.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
  return {
    elpd_loo: score.elpdLoo,
    elpd_difference: total,
    elpd_difference_se: Math.sqrt(squares),
    elpd_difference_mcse: score === best
      ? 0
      : Math.sqrt(score.mcse * score.mcse + best.mcse * best.mcse),
  };
}
