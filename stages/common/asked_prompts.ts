/** Prompts as a policy reads them: in the tokens of its model, those that train and those held out. */
import { inputError } from "../../src/base/diagnostic.ts";
import { type Environment, type Prompt, writesFreely } from "../../src/gfn/environments/mod.ts";
import type { Policy } from "../../src/gfn/policies/mod.ts";
import { promptTokens } from "../../src/models/text/mod.ts";
import { modelSource } from "../environment/model_source.ts";
import type { Prompts } from "../ports/values.ts";
import { readModelOf } from "./read_model.ts";

/** Prompts of a policy. */
export interface AskedPrompts {
  /** In the order of the pipeline, without those held out. */
  readonly training: readonly Prompt[];
  /** Kept from training. */
  readonly heldOut: readonly Prompt[];
}

/** Objects of an environment that cannot be listed, by which the end of a prompt is tried. */
const mostTried = 100;

const known = new WeakMap<Prompts, Map<string, AskedPrompts>>();

/**
 * The prompts for a policy; made once for each in a process. Only a language model reads their tokens; other
 * policies know them by their names.
 *
 * @throws InputError if a prompt ends inside a token, or changes those of the objects, or is a
 * conversation by the template of another model.
 */
export function askedPrompts(
  policy: Policy,
  environment: Environment,
  written: Prompts,
): AskedPrompts {
  const model = readModelOf(policy)?.model;
  const made = known.get(written) ?? new Map<string, AskedPrompts>();
  known.set(written, made);
  const key = `${model} ${environment.digest}`;
  const asked = made.get(key) ?? ask(model, environment, written);
  made.set(key, asked);
  return asked;
}

/**
 * The prompts to learn by.
 *
 * @throws InputError as `askedPrompts`, and if all are held out.
 */
export function trainingPrompts(
  policy: Policy,
  environment: Environment,
  written: Prompts,
): readonly Prompt[] {
  const { training } = askedPrompts(policy, environment, written);
  if (training.length > 0) return training;
  const message = "Cannot learn by these prompts: all of them are held out";
  throw inputError("prompts/held-out", message, undefined, "leave out held_out of one at least");
}

/** The first prompt that shows values of the response; undefined if none does. */
export function shownBy({ prompts }: Prompts): string | undefined {
  return prompts.find(({ informed }) => informed)?.id;
}

function ask(model: string | undefined, environment: Environment, written: Prompts): AskedPrompts {
  const tokensOf = tokensBy(model, environment);
  if (model !== undefined) requireTemplateOf(model, written);
  const prompts = written.prompts.map(({ id, text, held_out, begins }) => {
    const prompt = { id, text, tokens: tokensOf(text), ...(begins && { begins }) };
    return { prompt, held_out };
  });
  const part = (wanted: boolean) =>
    prompts.flatMap(({ prompt, held_out }) => held_out === wanted ? [prompt] : []);
  return { training: part(false), heldOut: part(true) };
}

/** @throws InputError if a conversation was written by the template of another model. */
function requireTemplateOf(model: string, { prompts }: Prompts): void {
  const { name, sha256 } = modelSource(model).entry;
  const other = prompts.find(({ model_sha256: of }) => of !== undefined && of !== sha256);
  if (!other) return;
  const message =
    `Cannot ask "${name}" prompt "${other.id}": the chat template of another model made it`;
  throw inputError("prompts/model", message, undefined, `write model = "${name}" in that stage`);
}

function tokensBy(model: string | undefined, environment: Environment): (text: string) => number[] {
  if (model === undefined) return () => [];
  const { tokenizer } = modelSource(model);
  const completions = textsOf(environment);
  return (text) => promptTokens(tokenizer, text, completions);
}

/** Texts that a policy may write: all of them where they are listed, else some that are known. */
function textsOf(environment: Environment): string[] {
  if (environment.thoughts) return []; // thought and object are tokens each by itself
  const isListed = Number.isFinite(environment.count ?? Infinity);
  const from = isListed ? environment : environment.written?.of ?? environment;
  if (from === environment && writesFreely(environment)) return []; // any text may follow
  const texts: string[] = [];
  for (const { text } of from.some?.(mostTried) ?? from.enumerate()) {
    texts.push(text);
    if (!isListed && texts.length === mostTried) break;
  }
  return texts;
}
