/** Checks that stages bring by their kind, where the pipeline itself does not check what they measure. */
import { literal } from "../basics/sql_names.ts";
import type { StageGate } from "../contract/stage.ts";
import type { ResolvedCheck, ResolvedStage } from "./resolved.ts";

/**
 * A check for each stage whose kind has a gate. A check of the pipeline's own that reads the
 * measure states the wanted value, and replaces the gate.
 */
export function gatesOf(
  stages: readonly ResolvedStage[],
  checks: readonly ResolvedCheck[],
): ResolvedCheck[] {
  const all = stages.flatMap((stage) => [stage, ...stage.loop?.stages ?? []]);
  return all.flatMap(({ name, declaration: { gate } }) => {
    const isRead = gate && checks.some(({ sql }) => sql.includes(gate.measure));
    return gate && !isRead ? [checkOf(name, gate)] : [];
  });
}

/** Without a row nothing is known, so nothing passes. */
function checkOf(stage: string, { name, measure }: StageGate): ResolvedCheck {
  const sql = `select coalesce(max(value), 1) = 0 from evaluation
where measure = ${literal(measure)} and stage = ${literal(stage)}`;
  return { name: `${name} (${stage})`, sql };
}
