/** Examples that were held out of training: what is asked, and what would be right to answer. */
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
import { readSft, readSftLines, type SftLine, withoutThinking } from "../../src/models/sft/mod.ts";
import { ModelStore, openTokens } from "../../src/models/store/mod.ts";
import { ChatTemplate } from "../../src/models/text/mod.ts";
import { namedPrompts } from "../common/named_prompts.ts";
import type { PromptReader } from "../common/read_model.ts";
import { readDerivations } from "../propose/read_derivations.ts";

/** Where examples come from, as the schema of `benchmark` gives it. */
export interface HeldOutParams {
  readonly file?: string;
  readonly examples: readonly {
    readonly name: string;
    readonly derivation: readonly string[];
    readonly prompt?: string | undefined;
  }[];
}

/** A right answer. */
export interface HeldOut {
  /** What people call it: its name, or its file and line. */
  readonly name: string;
  readonly prompt: Prompt;
  readonly text: string;
  /** Where the environment derives it; what a file says otherwise nobody vouches for. */
  readonly object?: TerminalObject;
}

/** Bytes of a file of examples. */
const mostBytes = 256 << 20;

/** Who answers what. */
export interface Answerer {
  readonly environment: Environment;
  /** The policy's model; undefined if the policy is none. */
  readonly reader: PromptReader | undefined;
  /** Prompts that are wired: examples answer these. Left out: what a file asks. */
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
    : fromFile(answerer, file);
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
 * Looks at what can be looked at without the policy.
 *
 * @throws InputError as `readHeldOut`.
 */
export function checkHeldOut(
  environment: Environment | undefined,
  { file, examples }: HeldOutParams,
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
  return { name, prompt: noPrompt, text: object.text, object };
}

/** Whether the first line of a file is a derivation: then all are. */
function holdsDerivations(file: string): boolean {
  const [first = ""] = readRegularText(file, mostBytes).trimStart().split("\n", 1);
  return /^\{\s*"derivation"/.test(first);
}

function fromFile(answerer: Answerer, file: string): HeldOut[] {
  const { environment, prompts: wired } = answerer;
  if (holdsDerivations(file)) {
    return readDerivations(environment, file)
      .map((way, i) => derivedFrom(environment, `${file}, program ${i + 1}`, way))
      .flatMap((one) => under(one, wired, undefined));
  }
  const text = readRegularText(file, mostBytes);
  const lines = readSftLines(text, file);
  const prompts = promptsOf(answerer, { file, text, lines });
  return lines.flatMap(({ line, completion }, i) => {
    const prompt = prompts[i];
    return prompt ? [{ name: `${file}:${line}`, prompt, text: withoutThinking(completion) }] : [];
  });
}

/**
 * The tokens of each prompt, none where nothing is asked; of wired ones, the one that a line asks.
 * Undefined for lines that repeat another.
 */
function promptsOf(
  { environment, reader, prompts: wired }: Answerer,
  { file, text, lines }: {
    readonly file: string;
    readonly text: string;
    readonly lines: readonly SftLine[];
  },
): (Prompt | undefined)[] {
  const asked = lines.find(({ prompt }) => prompt !== "") ?? (wired && lines[0]);
  if (!asked) return lines.map(() => noPrompt);
  if (!reader || environment.kind !== tokensKind) throw unread(file, asked.line);
  const { entry, tokenizer } = openTokens(new ModelStore("."), reader.model);
  const { chat_template: chat } = entry;
  const template = chat === null ? {} : { template: new ChatTemplate(chat) };
  const options = { context: reader.context, validation: 0 };
  const { training } = readSft(text, file, { tokenizer, ends: entry, ...template }, options);
  const byLine = new Map(training.map((one) => [one.line, one]));
  const named = wired && namedPrompts(wired, entry.begin?.id);
  return lines.map(({ line, prompt }) => {
    const known = byLine.get(line);
    if (!known) return undefined;
    const tokens = known.ids.slice(0, known.from);
    if (named) return named({ file, line, tokens });
    const text = typeof prompt === "string" ? { text: prompt } : {};
    return tokens.length > 1 ? { id: tokens.join(" "), tokens, begins: true, ...text } : noPrompt;
  });
}

function unread(file: string, line: number) {
  const message =
    `Cannot ask what ${file}:${line} asks: the policy is no language model, and reads ` +
    "no prompts";
  const hint = "leave the prompts out, or wire a policy of kind language_model";
  return inputError("benchmark/prompt", message, lineSpan(file, line, 1), hint);
}
