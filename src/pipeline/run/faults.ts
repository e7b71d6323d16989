/** Why stages fail, in the words of the user's own files: diagnostics and exit statuses. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { StageFault } from "../process/messages.ts";
import { deniedAccess, lineToAdd } from "../process/permissions.ts";
import { locatedFinding } from "../read/locate_finding.ts";
import type { ResolvedStage } from "../read/resolved.ts";

/** A fault with what the user can do about it. */
export function explainFault(stage: ResolvedStage, fault: StageFault): StageFault {
  const denied = fault.name === "NotCapable" ? deniedAccess(fault.message) : undefined;
  if (!denied) return withPlaces(stage, fault);
  const unit = stage.loop?.stages.find(({ name }) => name === fault.stage) ?? stage;
  const what = denied.value === undefined ? "" : ` to ${JSON.stringify(denied.value)}`;
  const file = unit.kindPath ?? `the file of kind "${unit.kind}"`;
  const diagnostic: Diagnostic = {
    code: "permission/undeclared",
    severity: "error",
    message: `Cannot run stage "${unit.name}": it needs ${denied.permission} access${what}, ` +
      `which its kind does not declare`,
    span: unit.span,
    hint: `add ${lineToAdd(denied)} to the declaration in ${file}` +
      (denied.permission === "read" ? ", or name the file by a parameter of type filePath()" : ""),
  };
  return { ...fault, message: diagnostic.message, diagnostics: [diagnostic] };
}

/** Findings about a parameter, with the place where it is written. */
function withPlaces(stage: ResolvedStage, fault: StageFault): StageFault {
  if (!fault.diagnostics) return fault;
  const unit = stage.loop?.stages.find(({ name }) => name === fault.stage) ?? stage;
  return { ...fault, diagnostics: fault.diagnostics.map((one) => locatedFinding(one, unit)) };
}

/** A fault in one line. */
export function faultLine({ name, message, stage, step }: StageFault): string {
  const at = stage && step ? ` at step ${step} of ${stage}` : "";
  const kind = ["Error", "InputError", "NotCapable", "MissingPartError"].includes(name)
    ? ""
    : `${name}: `;
  return `${kind}${message}${at}`;
}

/** Exit status of a run with these faults: 3 a part is missing, 2 the input is wrong, else 1. */
export function exitStatus(faults: readonly StageFault[]): 0 | 1 | 2 | 3 {
  if (faults.length === 0) return 0;
  if (faults.every(({ remedy }) => remedy !== undefined)) return 3;
  return faults.every(({ name }) => name === "InputError") ? 2 : 1;
}
