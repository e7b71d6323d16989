/** Rewards of the examples of a warm start, which a learner may begin with. */
import {
  type Environment,
  type Prompt,
  terminablePrefixes,
  type TerminalObject,
  type Trajectory,
  type Walked,
} from "../../src/gfn/environments/mod.ts";
import type { Policy } from "../../src/gfn/policies/mod.ts";
import { ownLogRewards } from "../../src/gfn/evaluation/mod.ts";
import { givenTrajectories } from "../../src/gfn/policies/built_in/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { executePrograms } from "../common/execute_programs.ts";
import { judgeObjects, type ObjectJudgement } from "../common/judge_objects.ts";
import { oracleJudgementRows } from "../common/oracle_rewards.ts";
import { judgementRows, programRow, trajectoryRow } from "../common/trajectory_rows.ts";
import type { PromptTargets } from "../common/prompt_targets.ts";
import type { ScoredSet, Target } from "../ports/values.ts";

/** Environment of the examples. */
interface RewardedExamples {
  readonly environment: Environment;
  /** Absent where nothing is to be rewarded, or the environment rewards. */
  readonly targets: PromptTargets | undefined;
  /** After the warm start: whose log probabilities are recorded. */
  readonly policy: Policy;
  /** Complete prefixes too, or ends alone. */
  readonly states: "terminal" | "terminable";
  /** Least and most log R for a learner. */
  readonly clamp?: readonly [number, number] | undefined;
}

/** Trajectories that are scored at once: a batch of a language model is held in memory. */
const mostAtOnce = 32;

/**
 * Has examples executed and judged as a learner would have them: rewards in a file are ignored.
 * Rows of `trajectory` and `judgement` keep their rewards.
 *
 * @param walks Actions of each, the exit included, and what it answers.
 * @returns Trajectories to them, and with `terminable` to the complete objects on them, with their
 * log rewards, by what they answer; none where neither a target nor the environment rewards them.
 */
export async function rewardExamples(
  context: StageContext,
  walks: readonly Walked[],
  of: RewardedExamples,
): Promise<ScoredSet> {
  const { environment, targets } = of;
  if (!targets && !environment.logReward) return { rows: [] };
  const recorder = new Recorder(context);
  const groups = Map.groupBy(walks, ({ prompt }) => prompt?.id);
  const rewarded: { readonly prompt: Prompt | undefined; readonly rows: ScoredSet["rows"] }[] = [];
  for (const some of groups.values()) {
    const { prompt } = some[0];
    const ways = [...new Map(some.map(({ actions }) => [actions.join(" "), actions])).values()];
    rewarded.push({ prompt, rows: await rewardAnswers(recorder, ways, prompt, of) });
  }
  context.log(`${recorder.count} examples were rewarded`);
  const answers = rewarded.flatMap(({ prompt, rows }) => prompt ? [{ prompt, rows }] : []);
  const plain = rewarded.flatMap(({ prompt, rows }) => prompt ? [] : rows);
  return { rows: plain, ...(answers.length > 0 && { answers }) };
}

/** Rewards answers to one prompt, or to none. @param ways Trajectories, each once. */
async function rewardAnswers(
  recorder: Recorder,
  ways: readonly (readonly number[])[],
  prompt: Prompt | undefined,
  of: RewardedExamples,
): Promise<ScoredSet["rows"]> {
  const { environment, targets, states, clamp: [least, most] = [-Infinity, Infinity] } = of;
  const target = targets?.of(prompt);
  const ends = ways.flatMap((way) => endsOf(environment, way, prompt, states));
  const objects = [...new Map(ends.map(({ object }) => [object.text, object])).values()];
  const judged = target
    ? await judgedBy(recorder.context, target, objects)
    : [...ownLogRewards(environment, objects, prompt)].map((logReward) => {
      return { ...unjudged, logReward };
    });
  const rewards = new Map(objects.map(({ text }, i) => [text, judged[i]]));
  recorder.add(await trajectoriesOf(ways, prompt, of), rewards, target);
  const rows = ends.map(({ way, object }) => {
    const { logReward } = rewards.get(object.text)!;
    return [way, Math.min(most, Math.max(least, logReward))] as const;
  });
  return [...new Map(rows.map((row) => [row[0].join(" "), row])).values()];
}

/** Where an environment states rewards, no judge is asked. */
const unjudged = { raised: false, failed: false, components: {} };

async function judgedBy(
  context: StageContext,
  target: Target,
  objects: readonly TerminalObject[],
): Promise<ObjectJudgement[]> {
  const executions = target.dataset && await executePrograms(context, target, {
    programs: objects.map(({ text }) => text),
    logPriors: objects.map(({ logPrior }) => logPrior),
    purpose: "training",
  });
  return await judgeObjects(context, target, objects, executions, "training");
}

async function trajectoriesOf(
  ways: readonly (readonly number[])[],
  prompt: Prompt | undefined,
  { policy, environment }: RewardedExamples,
): Promise<Trajectory[]> {
  const walks = ways.map((actions) => ({ actions, ...(prompt && { prompt }) }));
  const all: Trajectory[] = [];
  for (let begin = 0; begin < walks.length; begin += mostAtOnce) {
    const part = walks.slice(begin, begin + mostAtOnce);
    all.push(...await givenTrajectories(policy, environment, part));
  }
  return all;
}

/** Writes down what examples got: every trajectory, and of each target its opinion of a text once. */
class Recorder {
  /** Trajectories so far. */
  count = 0;
  readonly #known = new Map<Target, Set<string>>();

  constructor(readonly context: StageContext) {}

  add(
    trajectories: readonly Trajectory[],
    rewards: ReadonlyMap<string, ObjectJudgement>,
    target: Target | undefined,
  ): void {
    const own = trajectories.map((one) => {
      return { one, idx: this.count++, judgement: rewards.get(one.text)! };
    });
    if (!target) {
      const named = trajectories.map((one) => programRow({ ...one, features: [] }));
      this.context.rows("program", named);
    }
    this.context.rows(
      "trajectory",
      own.map(({ one, idx, judgement }) =>
        trajectoryRow(this.context, one, idx, judgement.logReward)
      ),
    );
    if (!target) return;
    const fresh = own.filter(({ one }) => this.#isNew(target, one.text));
    const opinions = fresh.flatMap(({ one, judgement, idx }) => {
      const { oracles } = judgement;
      const asked = oracles ? oracleJudgementRows(target.oracles!, one.text, idx, oracles) : [];
      return [...judgementRows(target, one, idx, judgement), ...asked];
    });
    this.context.rows("judgement", opinions);
  }

  #isNew(target: Target, text: string): boolean {
    const known = this.#known.get(target) ?? new Set<string>();
    this.#known.set(target, known);
    const isNew = !known.has(text);
    known.add(text);
    return isNew;
  }
}

/** The complete objects on a trajectory that are rewarded, with the trajectories to them. */
function endsOf(
  environment: Environment,
  way: readonly number[],
  prompt: Prompt | undefined,
  states: RewardedExamples["states"],
) {
  const prefixes = terminablePrefixes(environment, way, prompt);
  const wanted = states === "terminal" ? prefixes.slice(-1) : prefixes;
  return wanted.map(({ t, object }) => ({
    way: [...way.slice(0, t), environment.exitAction],
    object,
  }));
}
