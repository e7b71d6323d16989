/** Findings on a model's files: the attempt, the fault found, the form wanted, and the mend. */
import { type InputError, inputError } from "../../base/diagnostic.ts";

/** Fault of a model's file. */
interface ModelFault {
  /** The last part of the diagnostic's code: `model/truncated`. */
  readonly kind: string;
  /** The file. */
  readonly path: string;
  /** Contents found, and those wanted. */
  readonly problem: string;
  /** How to mend it. */
  readonly mend: string;
}

/** Returns the error of a fault. */
export function modelError({ kind, path, problem, mend }: ModelFault): InputError {
  return inputError(`model/${kind}`, `Cannot read model ${path}: ${problem}`, undefined, mend);
}

/** Remedy for files whose contents do not match their header. */
export const loadAgain = "the file is damaged or was not loaded to its end: get it again";
