/** An environment of free choices: a given number of actions at every place, then the exit. */
import type { RandomStream } from "../src/base/random.ts";
import { makeBatch } from "../src/gfn/trajectories/batch.ts";
import type { Environment, TerminalObject } from "../src/gfn/environments/environment.ts";
import type { Batch } from "../src/gfn/trajectories/trajectory.ts";

/** All but action 0, the exit, are legal until `length − 1` have been taken; then only the exit. */
export function choiceEnvironment(actions: number, length: number): Environment<number> {
  const free = new Uint8Array(actions).fill(1, 1);
  const last = Uint8Array.from({ length: actions }, (_, a) => a === 0 ? 1 : 0);
  const logPrior = new Float64Array(actions);
  return {
    kind: "bench",
    spec: null,
    digest: `bench ${actions} ${length}`,
    actionNames: Array.from({ length: actions }, (_, a) => `action ${a}`),
    exitAction: 0,
    maxActions: length,
    initialState: () => 0,
    legalActions: (t) => t === length - 1 ? last : free,
    step: (t) => t + 1,
    logPrior: () => logPrior,
    terminal: (): TerminalObject => ({ text: "", logPrior: 0, actions: [], features: [] }),
    enumerate: () => [],
  };
}

/** `B` uniform trajectories. */
export function randomBatch(
  environment: Environment<number>,
  B: number,
  random: RandomStream,
): Batch {
  const { actionNames, maxActions } = environment;
  const choice = () => 1 + random.below(actionNames.length - 1);
  const rows = Array.from({ length: B }, () => {
    return { actions: [...Array.from({ length: maxActions - 1 }, choice), 0] };
  });
  return makeBatch(environment, rows);
}
