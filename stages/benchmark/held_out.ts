/** Examples that were held out of training: prompts, and the right answers to them. */
import { type Diagnostic, InputError, inputError } from "../../src/base/diagnostic.ts";
import { readRegularText } from "../../src/base/regular_file.ts";
import { lineSpan } from "../../src/base/span.ts";
import {
  type Environment,
  noPrompt,
  type Prompt,
  type TerminalObject,
  tokensKind,
} from "../../src/gfn/environments/mod.ts";
import { objectOf } from "../../src/gfn/certificates/mod.ts";
import { actionsOfDerivation } from "../../src/gfn/grammar/mod.ts";
import { readSftLines, withoutThinking } from "../../src/models/sft/mod.ts";
import type { ChatParams } from "../common/chat_settings.ts";
import { namedPrompts } from "../common/named_prompts.ts";
import { modelSource } from "../environment/model_source.ts";
import { actionsBehindThought } from "../environment/thinking.ts";
import { sftReader } from "../common/sft_reader.ts";
import type { PromptReader } from "../common/read_model.ts";
import { readDerivations } from "../propose/read_derivations.ts";

/** Where examples come from, as the schema of `benchmark` gives it. */
export interface HeldOutParams extends ChatParams {
  readonly file?: string;
  /** Examples of a file that are read; all if left out. */
  readonly max_examples?: number | undefined;
  readonly examples: readonly {
    readonly name: string;
    readonly derivation: readonly string[];
    readonly prompt?: string | undefined;
  }[];
}

/** A right answer. */
export interface HeldOut {
  /** Its name, or its file and line, for messages. */
  readonly name: string;
  readonly prompt: Prompt;
  readonly text: string;
  /** Object that the environment derives for the text; absent where it derives none. */
  readonly object?: TerminalObject;
  /** Its tokens or choices, the end included, where the policy's are known. */
  readonly actions?: readonly number[];
}

/** Bytes of a file of examples. */
const mostBytes = 256 << 20;

/** Policy and prompts that examples are read for. */
export interface Answerer {
  readonly environment: Environment;
  /** The policy's model; undefined if the policy is none. */
  readonly reader: PromptReader | undefined;
  /** Prompts that are wired: examples answer these. Left out: prompts of the file. */
  readonly prompts: readonly Prompt[] | undefined;
}

/**
 * All examples, those of equal prompt and text once.
 *
 * @throws InputError naming every line that is no example, derivations that the environment does not
 * have, prompts that the policy cannot read, and answers to prompts that are not wired.
 */
export function readHeldOut(answerer: Answerer, params: HeldOutParams): HeldOut[] {
  const { environment, prompts } = answerer;
  const { file, examples } = params;
  const all = file === undefined
    ? fromNames(environment, examples).flatMap((one, i) => under(one, prompts, examples[i].prompt))
    : fromFile(answerer, { ...params, file });
  return [
    ...new Map(all.map((one) => [JSON.stringify([one.prompt.id, one.text]), one])).values(),
  ];
}

/** An example under the prompt that it answers, or under each. @throws InputError if it is none. */
function under(
  example: HeldOut,
  prompts: readonly Prompt[] | undefined,
  id: string | undefined,
): HeldOut[] {
  if (!prompts && id === undefined) return [example];
  const asked = (prompts ?? []).filter((one) => id === undefined || one.id === id);
  if (asked.length > 0) return asked.map((prompt) => ({ ...example, prompt }));
  const message = `Cannot hold "${example.name}" against answers to prompt "${id}": there is none`;
  const names = (prompts ?? []).map((one) => `"${one.id}"`).join(", ");
  const hint = prompts ? `known are ${names}` : "wire prompts into the stage";
  throw inputError("benchmark/prompt", message, undefined, hint);
}

/**
 * Checks the parts that need no policy.
 *
 * @throws InputError as `readHeldOut`.
 */
export function checkHeldOut(
  environment: Environment | undefined,
  { file, examples }: Pick<HeldOutParams, "file" | "examples">,
): void {
  if (file !== undefined && !holdsDerivations(file)) {
    readSftLines(readRegularText(file, mostBytes), file);
  }
  if (!environment) return;
  if (file !== undefined && holdsDerivations(file)) readDerivations(environment, file);
  fromNames(environment, examples);
}

function fromNames(
  environment: Environment,
  examples: HeldOutParams["examples"],
): HeldOut[] {
  const findings: Diagnostic[] = [];
  const found = examples.flatMap(({ name, derivation }, i) => {
    const derived = actionsOfDerivation(environment, derivation, name);
    if (derived.ok) return [derivedFrom(environment, name, derived.actions)];
    findings.push({ ...derived.diagnostic, param: ["examples", i, "derivation"] });
    return [];
  });
  if (findings.length > 0) throw new InputError(findings);
  return found;
}

function derivedFrom(environment: Environment, name: string, actions: readonly number[]): HeldOut {
  const object = objectOf(environment, actions);
  return { name, prompt: noPrompt, text: object.text, object, actions };
}

/** Whether the first line of a file is a derivation: then all are. */
function holdsDerivations(file: string): boolean {
  const [first = ""] = readRegularText(file, mostBytes).trimStart().split("\n", 1);
  return /^\{\s*"derivation"/.test(first);
}

function fromFile(
  answerer: Answerer,
  params: HeldOutParams & { readonly file: string },
): HeldOut[] {
  const { environment, prompts: wired, reader } = answerer;
  const { file, max_examples: most } = params;
  if (holdsDerivations(file)) {
    return readDerivations(environment, file).slice(0, most)
      .map((way, i) => derivedFrom(environment, `${file}, program ${i + 1}`, way))
      .flatMap((one) => under(one, wired, undefined));
  }
  if (reader && environment.kind === tokensKind) return inTokens(answerer, reader, params);
  const lines = readSftLines(readRegularText(file, mostBytes), file).slice(0, most);
  return lines.map((one) => {
    if (wired || "messages" in one || one.prompt !== "") throw unread(file, one.line);
    const right = withoutThinking(one.completion);
    return { name: `${file}:${one.line}`, prompt: noPrompt, text: right };
  });
}

/** Lines as the policy's model reads them; of a conversation the last answer. */
function inTokens(
  { environment, prompts: wired }: Answerer,
  { model, context }: PromptReader,
  params: HeldOutParams & { readonly file: string },
): HeldOut[] {
  const { file, max_examples: most } = params;
  const { entry, source } = modelSource(model);
  const read = sftReader(model, { ...params, context, learn: "last" });
  const { training } = read(file, { most });
  const named = wired && namedPrompts(wired, entry.begin?.id);
  return training.map(({ ids, from, line, completion, prompt: asked }) => {
    const tokens = ids.slice(0, from);
    const own = tokens.length > 1
      ? { id: tokens.join(" "), tokens, begins: true, ...(asked !== undefined && { text: asked }) }
      : noPrompt;
    const prompt = named ? named({ file, line, tokens }) : own;
    const right = withoutThinking(completion);
    const span = lineSpan(file, line, 1);
    const actions = actionsBehindThought(environment, source, ids.slice(from), span);
    return { name: `${file}:${line}`, prompt, text: right, actions };
  });
}

function unread(file: string, line: number) {
  const message =
    `Cannot ask what ${file}:${line} asks: the policy is no language model, and reads ` +
    "no prompts";
  const hint = "leave the prompts out, or wire a policy of kind language_model";
  return inputError("benchmark/prompt", message, lineSpan(file, line, 1), hint);
}
