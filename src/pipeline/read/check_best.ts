/** Checks that the measure that selects a loop's best state is one of a stage of the loop. */
import { nearest } from "../../base/nearest.ts";
import type { Span } from "../../base/span.ts";
import { type Findings, suggest } from "./findings.ts";
import type { ResolvedLoop } from "./resolved.ts";

/** Adds what is wrong with `best` of a loop to `findings`. */
export function checkBest(
  name: string,
  { best, stages }: ResolvedLoop,
  span: Span | undefined,
  findings: Findings,
): void {
  if (!best) return;
  const [stage] = best.of.split(".");
  const known = stages.map((one) => one.name.slice(name.length + 1));
  if (known.includes(stage)) return;
  const message =
    `Cannot read stage "${name}": best is of "${best.of}", and no stage of the loop ` +
    `is called "${stage}"`;
  const hint = suggest(nearest(stage, known), "Its stages", known);
  findings.add("pipeline/best", message, span, hint);
}
