/** Scores random programs with count, binary or Student responses, and holds them against quadrature. */
import { defaultSchedule } from "../../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../../src/engine/score/score.ts";
import { countProgram } from "./count_programs.ts";

/** A random count program's score beside its exact value. */
export interface CountTrial {
  readonly seed: number;
  readonly name: string;
  readonly method: string;
  readonly exact: number;
  readonly elpd: number;
  readonly mcse: number;
  /** The row that is furthest off, and by how much. */
  readonly worst: number;
  readonly away: number;
  /** Description of the fault, if there is one. */
  readonly fault?: string;
  /** Milliseconds that the score took. */
  readonly took: number;
}

/** Errors that are reported, and nats beside them, within which an estimate has to be. */
const mostErrors = 4;
const slack = 0.02;

/** One program of the torture set of counts. */
export function countTrial(seed: number): CountTrial {
  const { name, text, data, exact: quadrature } = countProgram(seed);
  const rows = quadrature();
  const exact = rows.reduce((a, b) => a + b, 0);
  const begun = performance.now();
  const { score, diagnostics } = scoreNow(text, data, { ...defaultSchedule, rows: "ordered" });
  const took = performance.now() - begun;
  const shared = { seed, name, exact, took };
  if (!score) {
    const fault = diagnostics.map(({ message }) => message).join("; ");
    return { ...shared, method: "none", elpd: NaN, mcse: NaN, worst: -1, away: NaN, fault };
  }
  const { elpdLoo: elpd, mcse, looMethod: method, elpdPointwise } = score;
  const each = elpdPointwise.map((one, i) => Math.abs(one - rows[i]));
  const worst = each.indexOf(Math.max(...each));
  const total = Math.abs(elpd - exact);
  const far = !(total <= mostErrors * mcse + slack);
  const fault = far ? `${total.toFixed(3)} nats away` : undefined;
  return { ...shared, method, elpd, mcse, worst, away: each[worst], ...(fault && { fault }) };
}
