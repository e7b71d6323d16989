/** Log rewards of answers, and answers that are one program: by the target's executor and judges. */
import {
  brokenAs,
  type Environment,
  noPrompt,
  type Prompt,
  type TerminalObject,
} from "../../src/gfn/environments/mod.ts";
import { ownLogRewards } from "../../src/gfn/evaluation/mod.ts";
import { type GrammarMeaning, type GrammarSpec, meaningOf } from "../../src/gfn/grammar/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { executeObjects } from "../common/execute_objects.ts";
import { executePrograms } from "../common/execute_programs.ts";
import { judgeObjects } from "../common/judge_objects.ts";
import type { PromptTargets } from "../common/prompt_targets.ts";
import type { ProgramTarget, Target } from "../ports/values.ts";
import type { HeldOut } from "./held_out.ts";

/** Judgement of one answer. */
interface JudgedAnswer {
  /** Undefined where nothing rewards answers. */
  readonly logReward?: number | undefined;
  /** A whole text whose reward, if there are rewards, is above 0, and which did not fail. */
  readonly valid: boolean;
}

/** A prompt, what would be right to answer, and what was answered. */
export interface AnsweredPrompt {
  readonly prompt: Prompt;
  readonly right: readonly HeldOut[];
  readonly answers: readonly TerminalObject[];
}

/** Judgements of all answers, by the prompts that they answer. */
export interface Judged {
  /** By text. */
  of(text: string, prompt: Prompt): JudgedAnswer;
  /** Whether an answer is one of these programs, however it is spelt. */
  matches(answer: TerminalObject, prompt: Prompt, right: readonly HeldOut[]): boolean;
}

/** Judged answers where one target rewards all. */
interface JudgedAlike {
  of(text: string): JudgedAnswer;
  matches(answer: TerminalObject, right: readonly HeldOut[]): boolean;
}

/** Environment and targets of the answers; targets are undefined where the environment rewards, or nothing does. */
interface RewardedAnswers {
  readonly environment: Environment;
  readonly targets: PromptTargets | undefined;
}

/** Whether answers have rewards. */
export function isRewarded(
  { environment, targets }: RewardedAnswers,
  answers: readonly TerminalObject[],
): boolean {
  return targets !== undefined || environment.logReward !== undefined ||
    answers.some(({ logReward }) => logReward !== undefined);
}

/** Has the answers to every prompt rewarded, by its target or the environment. */
export async function judgeAnswers(
  context: StageContext,
  { environment, targets }: RewardedAnswers,
  asked: readonly AnsweredPrompt[],
): Promise<Judged> {
  const byPrompt = new Map<string, JudgedAlike>();
  // A target rewards alike under all of its prompts; an environment may distinguish them.
  const groups = Map.groupBy(asked, ({ prompt }) => targets?.of(prompt) ?? prompt.id);
  for (const some of groups.values()) {
    const [{ prompt }] = some;
    const answers = some.flatMap((one) => one.answers);
    const examples = some.flatMap(({ right }) => right);
    const rewarded = { environment, target: targets?.of(prompt), prompt };
    const judged = await judgeAlike(context, rewarded, answers, examples);
    for (const one of some) byPrompt.set(one.prompt.id, judged);
  }
  return {
    of: (text, { id }) => byPrompt.get(id)!.of(text),
    matches: (answer, { id }, right) => byPrompt.get(id)!.matches(answer, right),
  };
}

/** Has all distinct answers rewarded, and examples read. */
async function judgeAlike(
  context: StageContext,
  { environment, target, prompt }: {
    readonly environment: Environment;
    readonly target: Target | undefined;
    readonly prompt: Prompt;
  },
  answers: readonly TerminalObject[],
  examples: readonly HeldOut[],
): Promise<JudgedAlike> {
  const objects = [...new Map(answers.map((one) => [one.text, one])).values()];
  const executions = target?.dataset &&
    await executeObjects(context, target, objects, "evaluation");
  const judgements = target && await judgeObjects(context, target, objects, executions);
  const asked = prompt.id === noPrompt.id ? undefined : prompt;
  const own = () =>
    isRewarded({ environment, targets: undefined }, objects)
      ? [...ownLogRewards(environment, objects, asked)]
      : [];
  const logRewards: readonly number[] = judgements?.map(({ logReward }) => logReward) ?? own();
  const judged = new Map(objects.map(({ text }, i) => {
    const failed = judgements?.[i].failed === true || brokenAs(text) !== undefined;
    const logReward = logRewards.at(i);
    return [text, { logReward, valid: !failed && logReward !== -Infinity }] as const;
  }));
  const hashes = new Map(objects.map(({ text }, i) => [text, executions?.[i].programHash]));
  if (target?.dataset) await readExamples(context, target, examples, hashes);
  const keys = keysOf(environment, hashes);
  return {
    of: (text) => judged.get(text)!,
    matches: (answer, right) => {
      const own = new Set(keys(answer));
      return right.some((one) => keys(one.object ?? one).some((key) => own.has(key)));
    },
  };
}

/** Adds the canonical hashes of examples; the text of a file is untrusted. */
async function readExamples(
  context: StageContext,
  target: ProgramTarget,
  examples: readonly HeldOut[],
  hashes: Map<string, string | undefined>,
): Promise<void> {
  const unknown = examples.filter(({ text }) => !hashes.has(text));
  for (const isDerived of [true, false]) {
    const own = unknown.filter(({ object }) => (object !== undefined) === isDerived);
    const programs = [...new Set(own.map(({ text }) => text))];
    if (programs.length === 0) continue;
    const executions = await executePrograms(context, target, {
      programs,
      purpose: "evaluation",
      ...(!isDerived && { origin: "foreign" }),
    });
    programs.forEach((text, i) => hashes.set(text, executions[i].programHash));
  }
}

/** Keys under which answers count as equal: text, canonical form, and model where a grammar defines models. */
function keysOf(environment: Environment, hashes: ReadonlyMap<string, string | undefined>) {
  const meaning = meaningIn(environment);
  const models = new Map<string, string>();
  const modelOf = (text: string, features: readonly string[]) => {
    if (!meaning || features.length === 0) return [];
    const model = models.get(text) ?? meaning.of(features).model;
    models.set(text, model);
    return [`model ${model}`];
  };
  return ({ text, features = [] }: Readable) => {
    const hash = hashes.get(text);
    return [`text ${text}`, ...hash ? [`hash ${hash}`] : [], ...modelOf(text, features)];
  };
}

/** A text, and how it was derived, if it was. */
interface Readable {
  readonly text: string;
  readonly features?: readonly string[];
}

/** Of a grammar, or of the one whose programs are written in tokens. */
function meaningIn({ kind, spec, written }: Environment): GrammarMeaning | undefined {
  if (written) return meaningIn(written.of);
  return kind === "grammar" ? meaningOf(spec as GrammarSpec) : undefined;
}
