/** Scores random linear-Gaussian programs, and holds them against brute force. */
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { bruteElpd } from "./brute_force.ts";
import { randomProgram } from "./random_programs.ts";

/** A random program's score beside its exact value. */
export interface Trial {
  readonly seed: number;
  readonly name: string;
  readonly method: string;
  readonly exact: number;
  readonly elpd: number;
  readonly mcse: number;
  /** Description of the fault, if there is one. */
  readonly fault?: string;
  /** Milliseconds. */
  readonly took: number;
}

/** Errors that are reported, and nats beside them, within which an estimate has to be. */
const mostErrors = 4;
const slack = 0.02;

/** One program of the torture set. */
export function trial(seed: number): Trial {
  const { name, text, data, y, vector } = randomProgram(seed);
  const exact = bruteElpd(y, vector);
  const begun = performance.now();
  const { score, diagnostics } = scoreNow(text, data, { ...defaultSchedule, rows: "ordered" });
  const took = performance.now() - begun;
  const shared = { seed, name, exact, took };
  if (!score) {
    const fault = diagnostics.map(({ message }) => message).join("; ");
    return { ...shared, method: "none", elpd: NaN, mcse: NaN, fault };
  }
  const { elpdLoo: elpd, mcse, looMethod: method, unresolved } = score;
  const away = Math.abs(elpd - exact);
  const far = !(away <= mostErrors * mcse + slack) ? `${away.toFixed(3)} nats away` : undefined;
  const fault = unresolved.length > 0 ? `${unresolved.length} rows unresolved` : far;
  return { ...shared, method, elpd, mcse, ...(fault && { fault }) };
}
