/** Whether the stages of a loop can run as far ahead as its `staleness` asks. */
import type { Span } from "../../base/span.ts";
import type { Findings } from "./findings.ts";
import type { ResolvedLoop } from "./resolved.ts";
import { readsState, stagesAhead } from "./stages_ahead.ts";

/** Adds what is wrong with the staleness of a loop to `findings`. */
export function checkStaleness(
  name: string,
  loop: ResolvedLoop,
  span: Span | undefined,
  findings: Findings,
): void {
  const { staleness, steps, stages } = loop;
  const what = `Cannot read stage "${name}": staleness is ${staleness}, but`;
  if (staleness >= steps) {
    const message = `${what} the loop has ${steps} ${steps === 1 ? "step" : "steps"}`;
    const hint = `no batch of it can be that old: set staleness to ${steps - 1} or less`;
    findings.add("pipeline/staleness", message, span, hint);
  }
  const ahead = stagesAhead(loop);
  if (staleness === 0 || stages.some((one) => ahead.has(one.name) && readsState(one))) return;
  const message = `${what} no stage that reads the loop's state comes before what changes it`;
  const hint =
    'leave it out, or wire a stage of kind sample to policy = "state.policy", and learn to it';
  findings.add("pipeline/staleness", message, span, hint);
}
