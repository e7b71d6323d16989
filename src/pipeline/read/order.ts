/** Puts the stages of each scope in topological order, and finds the cycles that prevent it. */
import { spanOfNode } from "../toml/located.ts";
import type { Scope, StageDraft } from "./draft.ts";
import type { Findings } from "./findings.ts";
import { allStages } from "./kinds.ts";
import type { Need, StageWires } from "./wiring.ts";

/**
 * The stages of a scope, each after those that it needs, otherwise in the order of the file.
 * Cycles go to `findings`, each once.
 */
export function orderStages(
  scope: Scope,
  wires: ReadonlyMap<StageDraft, StageWires>,
  findings: Findings,
): readonly StageDraft[] {
  const ordered: StageDraft[] = [];
  const done = new Set<StageDraft>();
  const visit = (stage: StageDraft, trail: readonly { stage: StageDraft; need?: Need }[]): void => {
    if (done.has(stage)) return;
    const start = trail.findIndex((step) => step.stage === stage);
    if (start >= 0) return reportCycle(trail.slice(start), findings);
    for (const need of needsWithin(stage, scope, wires)) {
      visit(need.target, [...trail, { stage, need }]);
    }
    done.add(stage);
    ordered.push(stage);
  };
  for (const stage of scope.stages.values()) visit(stage, []);
  return ordered;
}

/** Siblings that a stage, or any stage inside it, needs. */
function needsWithin(
  stage: StageDraft,
  scope: Scope,
  wires: ReadonlyMap<StageDraft, StageWires>,
): Need[] {
  const within = stage.loop ? [stage, ...allStages(stage.loop.scope)] : [stage];
  return within.flatMap((inner) => wires.get(inner)?.needs ?? [])
    .filter(({ target }) => target !== stage && scope.stages.get(target.shortName) === target);
}

function reportCycle(
  cycle: readonly { readonly stage: StageDraft; readonly need?: Need }[],
  findings: Findings,
): void {
  const names = [...cycle.map((step) => step.stage.name), cycle[0].stage.name];
  const message = `Cannot order the stages: each waits for the next: ${names.join(" → ")}`;
  const hint = "wire one of them to something else; a loop is the way to feed a result back";
  findings.add("pipeline/cycle", message, spanOfNode(cycle[0].need!.node), hint);
}
