/** Stage kind `surrogate`: rounds of scoring, then a look at how often it was right. */
import { logSumExp } from "../../src/numerics/math/mod.ts";
import {
  activeSurrogate,
  calibrationOn,
  heldOutObjects,
  type PriorMean,
  RewardSurrogate,
  type ScoredObject,
} from "../../src/gfn/evaluation/mod.ts";
import type { Environment, TerminalObject } from "../../src/gfn/environments/mod.ts";
import type { RandomStream } from "../../src/base/random.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { inputError } from "../../src/base/diagnostic.ts";
import { atParameter } from "../common/at_parameter.ts";
import { enumerateUpTo } from "../evaluation/enumerated.ts";
import { RewardsAsked } from "../common/rewards_asked.ts";
import { scoredObjects } from "../common/scored_objects.ts";
import { subjectOf } from "../common/subject_of.ts";
import type { ScoredSet, Surrogate, Target } from "../ports/values.ts";

/** Parameters of the stage, as its schema gives them. */
export interface SurrogateParams {
  readonly budget: number;
  readonly first: number;
  readonly growth: number;
  readonly points: number;
  readonly choosing: number;
  readonly depth?: number;
  /** {@linkcode heldOutOf} the budget if left out. */
  readonly held_out?: number;
  readonly list_at_most: number;
  readonly mean?: "constant" | "policy";
  /** The file of a policy for many data sets. */
  readonly policy?: string;
}

interface SurrogateInputs {
  readonly target?: Target;
  readonly environment?: Environment;
  readonly scored?: ScoredSet;
}

const subjectCalled = { code: "surrogate/subject", cannot: "make a surrogate of" };

/** Objects that are scored at the end if nothing else is said: an eighth of the budget, at most 100. */
const heldOutOf = (budget: number) => Math.min(100, Math.floor(budget / 8));

/**
 * Nats that count as deep where all objects are scored, and where chains may go astray; as many
 * where log rewards are predicted, for predictions of objects of low reward need not be right.
 */
const defaultDepth = { listed: 15, walked: 60, foretold: 60 } as const;

/**
 * Spends the budget but for what is held out; then scores those, reports how many of their log
 * rewards were in the intervals of 90 %, and learns from them, too.
 *
 * @throws InputError unless exactly one of target and environment is wired.
 */
export async function learnRewards(
  context: StageContext,
  inputs: SurrogateInputs,
  params: SurrogateParams,
): Promise<{ readonly surrogate: Surrogate; readonly scored: ScoredSet }> {
  const environment = subjectOf(inputs, subjectCalled);
  const rewarded = { environment, ...(inputs.target && { target: inputs.target }) };
  const asked = new RewardsAsked(context, rewarded, "training");
  const objects = enumerateUpTo(environment, params.list_at_most);
  const random = context.random("surrogate");
  const given = scoredObjects(environment, inputs.scored);
  const { budget, held_out = heldOutOf(budget) } = params;
  const foretold = await foretoldMean(context, inputs, params, objects);
  const kind = foretold ? "foretold" : objects ? "listed" : "walked";
  const depth = params.depth ?? defaultDepth[kind];
  const { mean: _, ...numbers } = params;
  const options = {
    ...numbers,
    ...(foretold && { mean: foretold }),
    held_out,
    depth,
    environment,
    given,
    random,
    ...(objects && { objects }),
  };
  const learned = await activeSurrogate({
    ...options,
    budget: budget - held_out,
    ask: (some) => asked.ofAll(some),
    onRound: ({ round, asked: spent, expectedTv, logZ, coverage }) => {
      const numbers = { asked: spent, expected_tv: expectedTv, log_z: logZ };
      context.rows("event", [roundRow(round, { ...numbers, coverage })]);
      context.progress(numbers);
    },
  });
  const surrogate = await heldOut(context, learned, asked, options);
  const rows = surrogate.json.scored.map(([, actions, logReward]) => [actions, logReward] as const);
  return { surrogate: { environment, surrogate }, scored: { rows } };
}

/** Mean predicted by a policy; undefined without one, or where data are unlike those of its training. */
async function foretoldMean(
  context: StageContext,
  { target }: SurrogateInputs,
  { policy }: SurrogateParams,
  objects: readonly TerminalObject[] | undefined,
): Promise<PriorMean | undefined> {
  if (policy === undefined) return undefined;
  const { foretoldBy, policyAnswer, policyAt } = await import("../common/policy_answer.ts");
  const { candidatesOf } = await import("../evaluation/candidates.ts");
  if (!target?.dataset || !objects) throw notListed();
  return await atParameter(["policy"], async () => {
    const space = candidatesOf(target.environment, objects);
    const answer = policyAnswer(await policyAt(policy), target, space);
    if (answer.likeness.isLike) return foretoldBy(answer, space);
    context.log(`the policy is not used: ${answer.likeness.reasons.join("; ")}`, "warning");
    return undefined;
  });
}

function notListed(): Error {
  const message =
    "Cannot begin with a policy: it foretells programs of a target with data, which are listed";
  return inputError("surrogate/policy", message, undefined, "wire a target, or leave out mean");
}

function roundRow(round: number, numbers: Readonly<Record<string, number>>) {
  const finite = Object.entries(numbers).filter(([, value]) => Number.isFinite(value));
  const detail = { round, ...Object.fromEntries(finite) };
  return { level: "info", kind: "surrogate_round", message: `round ${round}`, detail };
}

/** Scores objects that it drew from its own belief, and compares; then they are known as well. */
async function heldOut(
  context: StageContext,
  surrogate: RewardSurrogate,
  asked: RewardsAsked,
  options: Omit<SurrogateParams, "mean"> & {
    readonly mean?: PriorMean;
    readonly held_out: number;
    readonly environment: Environment;
    readonly objects?: readonly TerminalObject[];
    readonly depth: number;
    readonly random: RandomStream;
  },
): Promise<RewardSurrogate> {
  const { environment, random } = options;
  const drawn = heldOutObjects(surrogate, options.held_out, options);
  if (drawn.length === 0) return surrogate;
  const rewards = await asked.ofAll(drawn);
  const found = calibrationOn(surrogate, drawn, rewards);
  const { errors, ...figures } = found;
  const detail = {
    ...figures,
    scored: surrogate.size,
    log_scored: logSumExp(surrogate.json.scored.map(([, , logReward]) => logReward)),
    factor: surrogate.calibration.factor,
  };
  const share = (100 * found.coverage).toFixed(0);
  const message = `${share} % of ${drawn.length} held-out log rewards lie in intervals of 90 %`;
  context.rows("event", [{ level: "info", kind: "surrogate_calibration", message, detail }]);
  context.log(message);
  const known: ScoredObject[] = scoredObjects(environment, {
    rows: surrogate.json.scored.map(
      ([, actions, logReward]) => [actions, logReward] as const,
    ),
  });
  const fresh = drawn.map((object, i) => ({ object, logReward: rewards[i] }));
  const all = [...known, ...fresh];
  return RewardSurrogate.fit(environment, all, options, random, surrogate, false, errors);
}
