/** An outcome with a score of three rows, for tests of what is believed. */
import type { Score } from "../../src/engine/score/execution/execution.ts";
import type { ExecutionOutcome } from "../../src/executor/worker_process.ts";

/** Terms −1, −2 and −2.5, uncapped, with some fields replaced. */
export function scored(fields: Partial<Score>): ExecutionOutcome {
  const score: Score = {
    ...{ elpdLoo: -5.5, elpdReward: -5.5, elpdRaw: -5.5, looMethod: "psis", unit: "row" },
    ...{ se: 1, pLoo: 1, mcse: 0.01, elpdPointwise: [-1, -2, -2.5], paretoK: [0, 0, 0] },
    ...{ goodK: 0.7, exactRefits: [], unresolved: [], cappedPoints: 0, gradients: 10 },
    ...{ chains: 4, tune: 1, draws: 1, params: {} },
    ...fields,
  };
  const execution = { status: "ok", engine: "native", engineVersion: "1", score, diagnostics: [] };
  return { execution: execution as ExecutionOutcome["execution"], wallMs: 1, level: "L3" };
}
