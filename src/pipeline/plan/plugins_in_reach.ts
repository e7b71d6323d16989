/** Which plug-ins a stage's process loads: its own, and those of the stages that feed it. */
import type { ResolvedStage, Wires } from "../read/resolved.ts";

/**
 * Paths of plug-in modules by name of the top-level stage. An artifact names a judge and does not
 * hold its code, so a reader of a target needs the judges that the target's stage named.
 *
 * @param stages In topological order.
 */
export function pluginsInReach(
  stages: readonly ResolvedStage[],
): ReadonlyMap<string, readonly string[]> {
  const reach = new Map<string, readonly string[]>();
  for (const stage of stages) {
    const own = unitsOf(stage).flatMap(({ modules }) => modules.map(({ path }) => path));
    const upstream = sourcesOf(stage).flatMap((name) => reach.get(name) ?? []);
    reach.set(stage.name, [...new Set([...own, ...upstream])].sort());
  }
  return reach;
}

function unitsOf(stage: ResolvedStage): readonly ResolvedStage[] {
  return [stage, ...stage.loop?.stages ?? []];
}

/** Top-level stages whose outputs flow in. */
function sourcesOf(stage: ResolvedStage): string[] {
  const wires: Wires[] = [stage.loop?.state ?? {}];
  for (const unit of unitsOf(stage)) wires.push(unit.inputs, ...Object.values(unit.wired));
  return wires.flatMap((all) => Object.values(all)).map((wire) => wire.stage);
}
