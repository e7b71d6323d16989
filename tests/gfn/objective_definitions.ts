/** Balance objectives once more, as their papers write them: double loops, one trajectory a time. */
import type { Batch, Scores } from "../../src/gfn/trajectories/trajectory.ts";
import type { Case } from "./objective_cases.ts";

const residuals: Record<string, (delta: number) => number> = {
  squared: (d) => d ** 2,
  log_cosh: (d) => Math.abs(d) > 300 ? Math.abs(d) - Math.LN2 : Math.log(Math.cosh(d)),
  huber: (d) => Math.abs(d) <= 1 ? d ** 2 / 2 : Math.abs(d) - 1 / 2,
  shifted_cosh: (d) => Math.exp(d) + Math.exp(-d) - 2,
  linex: (d) => Math.exp(d) - d - 1,
  linex_half: (d) => (Math.exp(d / 2) - d / 2 - 1) * 4,
};

/** Loss of one trajectory by the definition. */
export function definedLoss(
  [name, parameters]: Case,
  scores: Scores,
  batch: Batch,
  b: number,
  logZ: number,
): number {
  const g = residuals[parameters.residual_loss as string ?? "squared"];
  const lambda = parameters.lambda as number ?? 1;
  const at = (t: number) => b * batch.T + t;
  const n = batch.lengths[b];
  const logPb = scores.logPb ?? batch.logPb;
  const logR = (t: number) => batch.logReward[at(t)];
  const step = (t: number) => scores.logPf[at(t)] - (t === n - 1 ? 0 : logPb[at(t)]);
  const head = (t: number) => logZ + scores.logFlow[at(t)] - scores.logFlow[at(0)];
  const prior = (t: number) => {
    let sum = 0;
    for (let k = 0; k < t; k++) sum += batch.logPrior[at(k)];
    return sum;
  };
  const partial = (t: number) => {
    if (parameters.partial_reward === "prior") return prior(t);
    return batch.terminable[at(t)] ? logR(t) : 0;
  };
  const exact = (t: number) => logR(t) - scores.logExit[at(t)];
  const flows: Record<string, (t: number) => number> = {
    learned: head,
    exact: (t) => batch.terminable[at(t)] ? exact(t) : head(t),
    looking: (t) => head(t) + partial(t) - partial(0),
  };
  const residual = (flow: (t: number) => number, i: number, j: number) => {
    const end = j === n ? logR(n - 1) : flow(j);
    let delta = flow(i) - end;
    for (let k = i; k < j; k++) delta += step(k);
    return delta;
  };
  const pairs = (
    flow: (t: number) => number,
    last: number,
    weight: (i: number, j: number) => number,
  ) => {
    let [sum, total] = [0, 0];
    for (let i = 0; i < last; i++) {
      for (let j = i + 1; j <= last; j++) {
        sum += weight(i, j) * g(residual(flow, i, j));
        total += weight(i, j);
      }
    }
    return total === 0 ? 0 : sum / total;
  };
  const next = (i: number, j: number) => j === i + 1 ? 1 : 0;
  const power = (i: number, j: number) => lambda ** (j - i);
  const amongStops = () => {
    const stops = [0];
    for (let t = 1; t < n; t++) if (batch.terminable[at(t)]) stops.push(t);
    let [sum, total] = [0, 0];
    stops.forEach((i, k) =>
      stops.slice(k + 1).forEach((j, gap) => {
        sum += lambda ** (gap + 1) * g(residual(flows.exact, i, j));
        total += lambda ** (gap + 1);
      })
    );
    return total === 0 ? 0 : sum / total;
  };
  switch (name) {
    case "trajectory_balance":
      return g(residual(head, 0, n));
    case "relative_trajectory_balance": {
      const reward = logR(n - 1) - batch.objectLogPrior[b];
      let delta = logZ - reward / (parameters.beta as number ?? 1);
      for (let t = 0; t < n; t++) delta += scores.logPf[at(t)] - batch.logPrior[at(t)];
      return g(delta);
    }
    case "detailed_balance":
      return pairs(head, n, next);
    case "forward_looking_detailed_balance":
      return pairs(flows.looking, n, next);
    case "modified_detailed_balance":
      return pairs(exact, n - 1, next);
    case "weighted_detailed_balance":
      return pairs(head, n, (i, j) => next(i, j) / behind(batch, b, j));
    case "forward_looking_sub_trajectory_balance":
      return pairs(flows.looking, n, power);
    case "modified_sub_trajectory_balance":
      return amongStops();
    case "sub_trajectory_balance":
      return pairs(parameters.flow === "learned" ? head : flows.exact, n, power);
  }
  throw new Error(`no definition of ${name}: write its sum here, as its paper has it`);
}

/** Objects behind node j of a trajectory, by a walk over all ways; each counts P_B of its way. */
function behind(batch: Batch, b: number, j: number): number {
  const { environment, T, lengths } = batch;
  if (j === lengths[b]) return 1;
  let state = environment.initialState();
  for (let t = 0; t < j; t++) state = environment.step(state, batch.actions[b * T + t]);
  const visit = (state: unknown, share: number): number => {
    let sum = 0;
    environment.legalActions(state).forEach((legal, action) => {
      if (!legal) return;
      if (action === environment.exitAction) sum += share;
      else {
        const next = environment.step(state, action);
        const ways = environment.backward?.legalActions(next).reduce((n, x) => n + x, 0) ?? 1;
        sum += visit(next, share / ways);
      }
    });
    return sum;
  };
  return visit(state, 1);
}
