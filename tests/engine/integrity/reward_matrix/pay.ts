/** Pays one attack through one front end: a reward, a refusal, or no score. */
import type { Dataset } from "../../../../src/base/dataset.ts";
import type { LooMethod } from "../../../../src/engine/loo/elpd.ts";
import { finish } from "../../../../src/engine/inference/mcmc/sample_chains.ts";
import {
  defaultSchedule,
  type Execution,
  type Schedule,
} from "../../../../src/engine/score/execution/execution.ts";
import { scoreGraph } from "../../../../src/engine/score/score_graph.ts";
import { scoreNow } from "../../../../src/engine/score/score.ts";
import { PymcFrontEnd } from "../../../../src/executor/pymc/front_end.ts";
import { refusePython } from "../../../../src/executor/pymc/allowed_python.ts";
import type { Attack } from "./attack.ts";

/** An attack's reward or refusal. */
export interface Pay {
  readonly name: string;
  /** Code of the first error; left out where there is a reward. */
  readonly refused?: string;
  /** Nats. */
  readonly reward?: number;
  /** Monte Carlo standard error, nats. */
  readonly mcse?: number;
  /** Method of the leave-one-out estimate. */
  readonly method?: LooMethod;
}

/** A front end, by the name that the table has. */
export type Door = (attack: Attack, data: Dataset) => Promise<Execution>;

/** Sluice's own reader. */
export const native: Door = (attack, data) =>
  Promise.resolve(scoreNow(attack.text, data, scheduleOf(attack)));

function scheduleOf({ rows, maxGradients }: Attack): Schedule {
  return { ...defaultSchedule, ...(rows && { rows }), ...(maxGradients && { maxGradients }) };
}

/** Real PyMC in its sandbox; wants `sluice doctor --install-python`. */
export function throughPymc(root: string): Door {
  const frontEnd = new PymcFrontEnd({ root, slots: 2, refuse: refusePython });
  return async (attack, data) => {
    const { text } = attack;
    const result = await frontEnd.extract(text, data);
    if ("execution" in result) return result.execution;
    return finish(scoreGraph(result.graph, data, scheduleOf(attack), { text }));
  };
}

/** Scores an attack through a door, and returns its reward or refusal. */
export async function pay(attack: Attack, data: Dataset, door: Door): Promise<Pay> {
  const { score, diagnostics } = await door(attack, data);
  const name = attack.name;
  if (score) {
    return { name, reward: score.elpdReward, mcse: score.mcse, method: score.looMethod };
  }
  return { name, refused: diagnostics.find(({ severity }) => severity === "error")?.code ?? "?" };
}
