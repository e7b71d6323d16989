/** Facts that a row of `evaluation` must state: which measure it is, and of which policy or baseline. */
import { isSubjectKind, subjectKinds } from "../../base/measure_subject.ts";
import type { Row } from "./row.ts";

/** @throws TypeError (`internal:`) if the facts are incomplete. */
export function checkEvaluation({ measure, subject_kind, subject }: Row): void {
  const isWhole = typeof measure === "string" && typeof subject === "string" &&
    isSubjectKind(subject_kind);
  if (isWhole) return;
  const wanted = `measure, subject and subject_kind (${subjectKinds.join(", ")})`;
  const found = JSON.stringify({ measure, subject_kind, subject });
  throw new TypeError(`internal: table "evaluation": wanted ${wanted}, found ${found}`);
}
