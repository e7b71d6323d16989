/** Findings on entries that a memo does not accept or cannot read, reported once of each kind. */

import { keyOfProject } from "../../base/seal.ts";

/** Counts since the memo was opened. */
export interface Findings {
  /** Lines that were torn, altered, forged, or do not add up. */
  damaged: number;
  /** Entries by the key that sealed them, of keys that are not trusted. */
  readonly foreign: Map<string, number>;
  /** Files of a newer format. */
  newer: number;
  /** Findings that were reported. */
  readonly noted: Set<string>;
}

/** Reports findings that were not reported yet. */
export function noteFindings(
  { damaged, foreign, newer, noted }: Findings,
  say: (line: string) => void,
  ofProject: boolean,
): void {
  const once = (what: string, line: string) => {
    if (noted.has(what)) return;
    noted.add(what);
    say(line);
  };
  if (ofProject) once("project", keyOfProject);
  if (damaged > 0) {
    once("damaged", "the memo has lines that are torn, altered or do not add up: executed again");
  }
  if (newer > 0) {
    once("newer", "the memo has files of a newer Sluice: their programs are executed again");
  }
  for (const key of foreign.keys()) {
    once(key, `the memo has scores of key ${key}: executed again; sluice trust add believes them`);
  }
}
