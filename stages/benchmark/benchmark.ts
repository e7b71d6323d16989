/** Stage kind `benchmark`: samples answers, has them judged, and counts. */
import { objectOf } from "../../src/gfn/certificates/mod.ts";
import {
  type Environment,
  noPrompt,
  type Prompt,
  type TerminalObject,
  type Trajectory,
  writesFreely,
} from "../../src/gfn/environments/mod.ts";
import { type AnswerEstimate, bestOf, meanOf, shareOf } from "../../src/gfn/evaluation/mod.ts";
import { withoutThinking } from "../../src/models/sft/mod.ts";
import type { Policy } from "../../src/gfn/policies/mod.ts";
import type { Row, StageContext } from "../../src/pipeline/contract/mod.ts";
import { type AskedPrompts, askedPrompts, shownBy } from "../common/asked_prompts.ts";
import { PromptTargets, type Rewarding } from "../common/prompt_targets.ts";
import { readModelOf } from "../common/read_model.ts";
import { benchmarked, subjectOf } from "../common/subject_of.ts";
import { programRow, trajectoryRow } from "../common/trajectory_rows.ts";
import { evaluationRows } from "../evaluation/evaluation_rows.ts";
import { type Measure, measuresOf, type Quantities, repeated } from "../evaluation/measure.ts";
import { policySubject } from "../evaluation/subjects.ts";
import type { Prompts, TrainedPolicy } from "../ports/values.ts";
import { type Answerer, type HeldOut, type HeldOutParams, readHeldOut } from "./held_out.ts";
import { type ExampleLikelihood, exampleLikelihoods } from "./example_likelihoods.ts";
import { type AnsweredPrompt, isRewarded, judgeAnswers, type Judged } from "./judge_answers.ts";

/** Parameters of the stage, as its schema gives them. */
export interface BenchmarkParams extends HeldOutParams {
  readonly samples: number;
  readonly best_of: number;
  readonly temperature: number;
  readonly top_p: number;
}

interface BenchmarkInputs extends Rewarding {
  readonly policy: TrainedPolicy;
  readonly environment?: Environment | undefined;
  readonly prompts?: Prompts | undefined;
}

/** A prompt, what would be right to answer, and what the policy answered. */
interface Asked extends AnsweredPrompt {
  /** `[answers]`: how they were sampled. */
  readonly walks: readonly Trajectory[];
}

/** Sequences that are sampled at once: each of a language model has a cache of its own. */
const mostAtOnce = 64;

/**
 * Measures of the answers, which are also rows of `evaluation`; the answers are rows of `trajectory`, and
 * every example is an event of kind `benchmark`, with how often it was hit. Of wired prompts each has
 * measures of its own, by `group`; means are over those that are not held out, `held_out_…` over the
 * others. Where nothing rewards answers the measures of rewards are left out, and the log notes it.
 *
 * @throws InputError as `readHeldOut`, if not exactly one of target, targets by prompt and environment is
 * wired, or if prompts and targets are not those of one another.
 */
export async function benchmark(
  context: StageContext,
  inputs: BenchmarkInputs,
  params: BenchmarkParams,
): Promise<Measure[]> {
  const { policy: trained, prompts: written } = inputs;
  const { environment, targets } = rewardedBy(inputs);
  const wired = written && askedPrompts(trained.policy, environment, written);
  const all = wired && [...wired.training, ...wired.heldOut];
  targets?.requireInformed(written && shownBy(written));
  if (!all && targets?.areByPrompt) targets.of(undefined);
  if (all) targets?.requireFor(all);
  const answerer = { environment, reader: readModelOf(trained.policy), prompts: all };
  const examples = readHeldOut(answerer, params);
  const asked = await askAll(context, trained.policy, { ...answerer, examples }, params);
  const judged = await judgeAnswers(context, { environment, targets }, asked);
  const rewarded = isRewarded({ environment, targets }, asked.flatMap(({ answers }) => answers));
  if (!rewarded) context.log(`nothing rewards answers: ${ofRewards.join(", ")} are left out`);
  const likelihoods = await exampleLikelihoods(context, trained.policy, environment, examples);
  const own = { ...params, judged, rewarded, likelihoods, free: writesFreely(environment) };
  const measures = wired
    ? measuresByPrompt(asked, wired, own)
    : measuresOf(policySubject, quantities(asked, own));
  const count = asked.reduce((sum, { answers }) => sum + answers.length, 0);
  context.rows("evaluation", evaluationRows(measures, trained, count));
  if (!targets) context.rows("program", programsOf(asked));
  describe(context, asked, judged);
  return measures;
}

/** Environment and targets that reward answers; targets are undefined where the environment rewards. */
function rewardedBy({ target, targets: byPrompt, environment: own }: BenchmarkInputs) {
  const [any] = Object.values(byPrompt ?? {});
  const environment = subjectOf({ target: target ?? any, environment: own }, benchmarked);
  if (own) return { environment, targets: undefined };
  const targets = new PromptTargets({ target, targets: byPrompt }, "benchmark", "this stage");
  return { environment, targets };
}

async function askAll(
  context: StageContext,
  policy: Policy,
  { environment, prompts, examples }: Pick<Answerer, "environment" | "prompts"> & {
    readonly examples: readonly HeldOut[];
  },
  { samples, temperature, top_p: topP }: BenchmarkParams,
): Promise<Asked[]> {
  const groups = Map.groupBy(examples, ({ prompt }) => prompt.id);
  const inFile = [...groups.values()].map(([{ prompt }]) => prompt);
  const all = prompts ?? (inFile.length > 0 ? inFile : [noPrompt]);
  const random = context.random("answers");
  const wanted = all.flatMap((prompt) => new Array<Prompt>(samples).fill(prompt));
  const walks: Trajectory[] = [];
  while (walks.length < wanted.length) {
    const part = wanted.slice(walks.length, walks.length + mostAtOnce);
    const drawn = await policy.sample(environment, {
      count: part.length,
      temperature,
      random,
      epsilon: 0,
      ...(topP < 1 && { topP }),
      ...(all.some(({ id }) => id !== noPrompt.id) && { prompts: part }),
    });
    walks.push(...drawn);
    context.progress({ asked: `${Math.floor(walks.length / samples)}/${all.length}` });
  }
  return all.map((prompt, i) => {
    const own = walks.slice(i * samples, (i + 1) * samples);
    const answers = own.map(({ actions }) => objectOf(environment, actions));
    return { prompt, right: groups.get(prompt.id) ?? [], answers, walks: own };
  });
}

/** Measures of each prompt, and means over training prompts and over held-out ones. */
function measuresByPrompt(
  asked: readonly Asked[],
  { training, heldOut }: AskedPrompts,
  own: Measured,
): Measure[] {
  const of = (some: readonly Prompt[]) => asked.filter(({ prompt }) => some.includes(prompt));
  const each = asked.flatMap((one) =>
    measuresOf(policySubject, quantities([one], own))
      .map((measure) => ({ ...measure, group: one.prompt.id }))
  );
  const means = training.length === 0 ? {} : quantities(of(training), own);
  const others = heldOut.length === 0 ? {} : quantities(of(heldOut), own);
  const named = Object.entries(others).map(([name, one]) => [`held_out_${name}`, one]);
  return [...each, ...measuresOf(policySubject, { ...means, ...Object.fromEntries(named) })];
}

/** Judged answers, and the settings of their measures. */
interface Measured extends Pick<BenchmarkParams, "best_of"> {
  readonly judged: Judged;
  /** Whether answers have rewards. */
  readonly rewarded: boolean;
  readonly likelihoods: readonly ExampleLikelihood[];
  /** Whether answers are texts of no environment, of which nothing but the text can be held. */
  readonly free: boolean;
}

/** Measures that need a reward. */
const ofRewards = ["valid_share", "mean_log_reward", "best_of_n"] as const;

function quantities(asked: readonly Asked[], own: Measured): Quantities {
  const { judged, rewarded, free } = own;
  const withExamples = asked.filter(({ right }) => right.length > 0);
  const matches = (of: (answer: TerminalObject, asked: Asked) => boolean) =>
    sampled(shareOf(withExamples.map((one) => one.answers.map((a) => Number(of(a, one))))));
  const byProgram = !free || rewarded;
  const matched = withExamples.length > 0 && {
    exact_match: matches(({ text }, { right }) => isExact(text, right)),
    ...(byProgram && {
      program_match: matches((one, { prompt, right }) => judged.matches(one, prompt, right)),
    }),
  };
  const texts = asked.map(({ prompt, answers }) =>
    answers.map(({ text }) => JSON.stringify([prompt.id, text]))
  );
  return {
    ...matched,
    ...likelihoodsOf(asked, own.likelihoods),
    ...(rewarded && rewardsOf(asked, own)),
    distinct: {
      value: new Set(texts.flat()).size,
      mcse: 0,
      n: texts.flat().length,
      method: "answers that differ",
    },
  };
}

function rewardsOf(asked: readonly Asked[], { judged, best_of: best }: Measured): Quantities {
  const by = (of: (answer: TerminalObject, asked: Asked) => number) =>
    asked.map((one) => one.answers.map((answer) => of(answer, one)));
  const logRewards = by(({ text }, { prompt }) => judged.of(text, prompt).logReward!);
  const valid = by(({ text }, { prompt }) => Number(judged.of(text, prompt).valid));
  return {
    valid_share: sampled(shareOf(valid)),
    mean_log_reward: sampled(meanOf(logRewards)),
    best_of_n: sampled(bestOf(logRewards, best), `best of ${best} answers`),
  };
}

/** Over the examples of these prompts; the error is that of other examples. */
function likelihoodsOf(
  asked: readonly Asked[],
  likelihoods: readonly ExampleLikelihood[],
): Quantities {
  const ids = new Set(asked.map(({ prompt }) => prompt.id));
  const own = likelihoods.filter(({ prompt }) => ids.has(prompt.id));
  if (own.length === 0) return {};
  const mean = repeated(own.map((one) => one.logLikelihood), "examples");
  const actions = own.reduce((sum, one) => sum + one.actions, 0) / own.length;
  const perToken = { ...mean, value: mean.value / actions, mcse: mean.mcse / actions };
  return { log_likelihood: mean, log_likelihood_per_token: perToken };
}

function sampled(estimate: AnswerEstimate, method = "sampled answers") {
  return { ...estimate, method };
}

function isExact(text: string, right: readonly HeldOut[]): boolean {
  return right.some((one) => one.text === withoutThinking(text));
}

/** Examples whose events are kept. */
const mostEvents = 1000;

/** Texts of the answers, each once, where no target has written them down. */
function programsOf(asked: readonly Asked[]): Row[] {
  const all = asked.flatMap(({ answers }) => answers);
  return [...new Map(all.map((one) => [one.text, one])).values()].map(programRow);
}

/** Every answer is a trajectory, every example an event. */
function describe(context: StageContext, asked: readonly Asked[], judged: Judged): void {
  const walks = asked.flatMap((one) => one.walks);
  context.rows(
    "trajectory",
    walks.map((one, i) => {
      const { logReward } = judged.of(one.text, one.prompt ?? noPrompt);
      return trajectoryRow(context, one, i, logReward);
    }),
  );
  const rows = asked.flatMap(({ prompt, right, answers }) =>
    right.map((one) => ({
      level: "info",
      kind: "benchmark",
      message: one.name,
      detail: {
        answers: answers.length,
        exact: answers.filter(({ text }) => isExact(text, [one])).length,
        program: answers.filter((answer) => judged.matches(answer, prompt, [one])).length,
        ...(prompt.id !== noPrompt.id && { prompt: prompt.id }),
      },
    }))
  );
  context.rows("event", rows.slice(0, mostEvents));
}
