/** Stage kind `benchmark`: samples answers, has them judged, and counts. */
import { objectOf } from "../../src/gfn/certificates/mod.ts";
import {
  type Environment,
  noPrompt,
  type Prompt,
  type TerminalObject,
  type Trajectory,
} from "../../src/gfn/environments/mod.ts";
import { type AnswerEstimate, bestOf, meanOf, shareOf } from "../../src/gfn/evaluation/mod.ts";
import type { Policy } from "../../src/gfn/policies/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { type AskedPrompts, askedPrompts, shownBy } from "../common/asked_prompts.ts";
import { PromptTargets, type Rewarding } from "../common/prompt_targets.ts";
import { readModelOf } from "../common/read_model.ts";
import { subjectOf } from "../common/subject_of.ts";
import { trajectoryRow } from "../common/trajectory_rows.ts";
import { evaluationRows } from "../evaluation/evaluation_rows.ts";
import { type Measure, measuresOf, type Quantities } from "../evaluation/measure.ts";
import { policySubject } from "../evaluation/subjects.ts";
import type { Prompts, TrainedPolicy } from "../ports/values.ts";
import { type Answerer, type HeldOut, type HeldOutParams, readHeldOut } from "./held_out.ts";
import { type AnsweredPrompt, judgeAnswers, type Judged } from "./judge_answers.ts";

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

const subjectCalled = { code: "benchmark/subject", cannot: "benchmark a policy against" };

/** Sequences that are sampled at once: each of a language model has a cache of its own. */
const mostAtOnce = 64;

/**
 * Measures of the answers, which are also rows of `evaluation`; the answers are rows of `trajectory`, and
 * every example is an event of kind `benchmark`, with how often it was hit. Of wired prompts each has
 * measures of its own, by `group`; means are over those that are not held out, `held_out_…` over the others.
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
  const measures = wired
    ? measuresByPrompt(asked, wired, judged, params)
    : measuresOf(policySubject, quantities(asked, judged, params));
  const count = asked.reduce((sum, { answers }) => sum + answers.length, 0);
  context.rows("evaluation", evaluationRows(measures, trained, count));
  describe(context, asked, judged);
  return measures;
}

/** What rewards answers; targets are undefined where the environment does. */
function rewardedBy({ target, targets: byPrompt, environment: own }: BenchmarkInputs) {
  const [any] = Object.values(byPrompt ?? {});
  const environment = subjectOf({ target: target ?? any, environment: own }, subjectCalled);
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
  const asked: Asked[] = [];
  for (const prompt of all) {
    const walks: Trajectory[] = [];
    while (walks.length < samples) {
      const count = Math.min(mostAtOnce, samples - walks.length);
      const drawn = await policy.sample(environment, {
        count,
        temperature,
        random,
        epsilon: 0,
        ...(topP < 1 && { topP }),
        ...(prompt.id !== noPrompt.id && { prompts: new Array<Prompt>(count).fill(prompt) }),
      });
      walks.push(...drawn);
    }
    const answers = walks.map(({ actions }) => objectOf(environment, actions));
    asked.push({ prompt, right: groups.get(prompt.id) ?? [], answers, walks });
    context.progress({ asked: `${asked.length}/${all.length}` });
  }
  return asked;
}

/** Those of each prompt, and means over those to learn by and those held out. */
function measuresByPrompt(
  asked: readonly Asked[],
  { training, heldOut }: AskedPrompts,
  judged: Judged,
  params: BenchmarkParams,
): Measure[] {
  const of = (some: readonly Prompt[]) => asked.filter(({ prompt }) => some.includes(prompt));
  const each = asked.flatMap((one) =>
    measuresOf(policySubject, quantities([one], judged, params))
      .map((measure) => ({ ...measure, group: one.prompt.id }))
  );
  const means = training.length === 0 ? {} : quantities(of(training), judged, params);
  const others = heldOut.length === 0 ? {} : quantities(of(heldOut), judged, params);
  const named = Object.entries(others).map(([name, one]) => [`held_out_${name}`, one]);
  return [...each, ...measuresOf(policySubject, { ...means, ...Object.fromEntries(named) })];
}

function quantities(
  asked: readonly Asked[],
  judged: Judged,
  { best_of: best }: BenchmarkParams,
): Quantities {
  const by = (of: (answer: TerminalObject, asked: Asked) => number) =>
    asked.map((own) => own.answers.map((one) => of(one, own)));
  const logRewards = by(({ text }, { prompt }) => judged.of(text, prompt).logReward);
  const withExamples = asked.filter(({ right }) => right.length > 0);
  const matches = (of: (answer: TerminalObject, asked: Asked) => boolean) =>
    sampled(shareOf(withExamples.map((own) => own.answers.map((one) => Number(of(one, own))))));
  const matched = withExamples.length > 0 && {
    exact_match: matches(({ text }, { right }) => isExact(text, right)),
    program_match: matches((one, { prompt, right }) => judged.matches(one, prompt, right)),
  };
  const texts = asked.map(({ prompt, answers }) =>
    answers.map(({ text }) => JSON.stringify([prompt.id, text]))
  );
  return {
    ...matched,
    valid_share: sampled(
      shareOf(by(({ text }, { prompt }) => Number(judged.of(text, prompt).valid))),
    ),
    distinct: {
      value: new Set(texts.flat()).size,
      mcse: 0,
      n: texts.flat().length,
      method: "answers that differ",
    },
    mean_log_reward: sampled(meanOf(logRewards)),
    best_of_n: sampled(bestOf(logRewards, best), `best of ${best} answers`),
  };
}

function sampled(estimate: AnswerEstimate, method = "sampled answers") {
  return { ...estimate, method };
}

function isExact(text: string, right: readonly HeldOut[]): boolean {
  return right.some((one) => one.text === text);
}

/** Examples whose events are kept. */
const mostEvents = 1000;

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
