/** Stage kind `judge`: log rewards of every state, and a row for every new opinion. */
import { inputError } from "../../src/base/diagnostic.ts";
import { sha256 } from "../../src/base/digest.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { Execution } from "../../src/engine/score/execution/mod.ts";
import type { TerminalObject, Trajectory } from "../../src/gfn/environments/mod.ts";
import { judgeObjects, type ObjectJudgement } from "../common/judge_objects.ts";
import { oracleJudgementRows } from "../common/oracle_rewards.ts";
import { bytesJson, jsonBytes } from "../ports/json_codec.ts";
import { PromptTargets } from "../common/prompt_targets.ts";
import { judgementRows, trajectoryRow } from "../common/trajectory_rows.ts";
import { wantedPrefixes, type WantedStates } from "../common/wanted_states.ts";
import type {
  ExecutedTrajectories,
  LogRewards,
  SampledTrajectories,
  Target,
} from "../ports/values.ts";

interface JudgeInputs {
  readonly executions?: ExecutedTrajectories;
  readonly trajectories?: SampledTrajectories;
  readonly target?: Target;
  readonly targets?: Readonly<Record<string, Target>>;
}

/** A complete prefix, and what came of executing it where programs are executed. */
interface JudgedState {
  readonly object: TerminalObject;
  readonly execution?: Execution;
}

/**
 * Judges trajectories. A judge is a pure function, so its opinion of a program is written down the
 * first time only; the programs judged so far are part of a checkpoint.
 */
export class Judging {
  #known = new Set<string>();

  /** @param states Those that oracles alone reward. */
  constructor(readonly states?: WantedStates) {}

  async run(
    context: StageContext,
    inputs: JudgeInputs,
  ): Promise<{ readonly log_reward: LogRewards }> {
    const targets = new PromptTargets(inputs, "judge");
    targets.requireInformed((inputs.executions ?? inputs.trajectories)?.shown);
    const { trajectories, states } = judgedStates(inputs, targets.all[0], this.states);
    const opinions: ObjectJudgement[][] = new Array(trajectories.length);
    for (const [target, places] of targets.groups(trajectories)) {
      const own = await opinionsOf(context, target, places.map((place) => states[place]));
      places.forEach((place, i) => opinions[place] = own[i]);
    }
    this.#record(context, trajectories, targets, opinions.map((row) => row[row.length - 1]));
    const values = opinions.map((row) => Float64Array.from(row, (one) => one.logReward));
    return { log_reward: { values } };
  }

  save(): Promise<Uint8Array> {
    return Promise.resolve(jsonBytes([...this.#known]));
  }

  load(bytes: Uint8Array): Promise<void> {
    this.#known = new Set(bytesJson<string[]>(bytes));
    return Promise.resolve();
  }

  #record(
    context: StageContext,
    trajectories: readonly Trajectory[],
    targets: PromptTargets,
    ends: readonly ObjectJudgement[],
  ): void {
    context.rows(
      "trajectory",
      trajectories.map((one, i) => trajectoryRow(context, one, i, ends[i].logReward)),
    );
    const fresh = trajectories.flatMap((one, i) => this.#isNew(one, targets) ? [{ one, i }] : []);
    context.rows(
      "judgement",
      fresh.flatMap(({ one, i }) => {
        const { oracles } = ends[i];
        const target = targets.of(one.prompt);
        const asked = oracles ? oracleJudgementRows(target.oracles!, one.text, i, oracles) : [];
        return [...judgementRows(target, one, i, ends[i]), ...asked];
      }),
    );
    context.metric("mean_log_reward", mean(ends.map((one) => one.logReward)));
    context.metric("failed", ends.filter((one) => one.failed).length);
    context.metric("raised", ends.filter((one) => one.raised).length);
  }

  /** Equal programs have one opinion of each target. */
  #isNew({ text, prompt }: Trajectory, targets: PromptTargets): boolean {
    const place = targets.areByPrompt ? `${targets.all.indexOf(targets.of(prompt))} ` : "";
    const key = `${place}${sha256(text)}`;
    const fresh = !this.#known.has(key);
    this.#known.add(key);
    return fresh;
  }
}

/** Judgements of a target on every state, `[trajectories][states]`. */
async function opinionsOf(
  context: StageContext,
  target: Target,
  states: readonly (readonly JudgedState[])[],
): Promise<ObjectJudgement[][]> {
  const all = [...new Map(states.flat().map((state) => [state.object.text, state])).values()];
  const executions = target.dataset && all.map(({ execution }) => execution!);
  const objects = all.map(({ object }) => object);
  const judged = await judgeObjects(context, target, objects, executions, "training");
  const byText = new Map(objects.map(({ text }, i) => [text, judged[i]]));
  return states.map((row) => row.map(({ object }) => byText.get(object.text)!));
}

/** Every complete prefix of every trajectory, with its execution where programs are executed. */
function judgedStates(
  { executions, trajectories }: JudgeInputs,
  target: Target,
  wanted: WantedStates | undefined,
): {
  readonly trajectories: readonly Trajectory[];
  readonly states: readonly (readonly JudgedState[])[];
} {
  if (target.dataset && executions) return executions;
  if (!target.dataset && trajectories) {
    const { environment, trajectories: all } = trajectories;
    const states = all.map(({ actions }) => wantedPrefixes(environment, actions, wanted));
    return { trajectories: all, states };
  }
  const [inputs, why] = target.dataset
    ? ['executions = "execute.executions"', "judges look at executions"]
    : ['trajectories = "sample.trajectories"', "texts alone are rewarded, and nothing is executed"];
  const message = `Cannot judge: the target's ${why}, and that is not wired`;
  throw inputError("judge/wiring", message, undefined, `write ${inputs} among the inputs of judge`);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
