/** Examples that were held out of training: what is asked, and what would be right to answer. */
import { type Diagnostic, InputError, inputError } from "../../src/base/diagnostic.ts";
import { readRegularText } from "../../src/base/regular_file.ts";
import { lineSpan } from "../../src/base/span.ts";
import {
  type Environment,
  noPrompt,
  type Prompt,
  type TerminalObject,
} from "../../src/gfn/environments/environment.ts";
import { tokensKind } from "../../src/gfn/environments/tokens.ts";
import { objectOf } from "../../src/gfn/certificates/mod.ts";
import { actionsOfDerivation } from "../../src/gfn/grammar/derivation.ts";
import { readSft, withoutThinking } from "../../src/models/sft/sft_examples.ts";
import { readSftLines, type SftLine } from "../../src/models/sft/sft_lines.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { openTokens } from "../../src/models/store/model_tokens.ts";
import { ChatTemplate } from "../../src/models/text/chat_template.ts";
import type { PromptReader } from "../common/read_model.ts";
import { readDerivations } from "../propose/read_derivations.ts";

/** Where examples come from, as the schema of `benchmark` gives it. */
export interface HeldOutParams {
  readonly file?: string;
  readonly examples: readonly { readonly name: string; readonly derivation: readonly string[] }[];
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

/**
 * All examples, those of equal prompt and text once.
 *
 * @param reader The policy's model; undefined if the policy is none.
 * @throws InputError naming every line that is no example, derivations that the environment does not
 * have, and prompts that the policy cannot read.
 */
export function readHeldOut(
  environment: Environment,
  { file, examples }: HeldOutParams,
  reader: PromptReader | undefined,
): HeldOut[] {
  const all = file === undefined
    ? fromNames(environment, examples)
    : fromFile(environment, file, reader);
  return [
    ...new Map(all.map((one) => [JSON.stringify([one.prompt.id, one.text]), one])).values(),
  ];
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

function fromFile(
  environment: Environment,
  file: string,
  reader: PromptReader | undefined,
): HeldOut[] {
  if (holdsDerivations(file)) {
    return readDerivations(environment, file)
      .map((way, i) => derivedFrom(environment, `${file}, program ${i + 1}`, way));
  }
  const text = readRegularText(file, mostBytes);
  const lines = readSftLines(text, file);
  const prompts = promptsOf(environment, { file, text, lines }, reader);
  return lines.map(({ line, completion }, i) => ({
    name: `${file}:${line}`,
    prompt: prompts[i],
    text: withoutThinking(completion),
  }));
}

/** The tokens of each prompt; none where nothing is asked. */
function promptsOf(
  environment: Environment,
  { file, text, lines }: {
    readonly file: string;
    readonly text: string;
    readonly lines: readonly SftLine[];
  },
  reader: PromptReader | undefined,
): Prompt[] {
  const asked = lines.find(({ prompt }) => prompt !== "");
  if (!asked) return lines.map(() => noPrompt);
  if (!reader || environment.kind !== tokensKind) throw unread(file, asked.line);
  const { entry, tokenizer } = openTokens(new ModelStore("."), reader.model);
  const { chat_template: chat } = entry;
  const template = chat === null ? {} : { template: new ChatTemplate(chat) };
  const options = { context: reader.context, validation: 0 };
  const { training } = readSft(text, file, { tokenizer, ends: entry, ...template }, options);
  const byLine = new Map(training.map((one) => [one.line, one]));
  return lines.map(({ line }) => {
    const known = byLine.get(line);
    const tokens = known?.ids.slice(0, known.from) ?? [];
    return tokens.length > 1 ? { id: tokens.join(" "), tokens, begins: true } : noPrompt;
  });
}

function unread(file: string, line: number) {
  const message =
    `Cannot ask what ${file}:${line} asks: the policy is no language model, and reads ` +
    "no prompts";
  const hint = "leave the prompts out, or wire a policy of kind language_model";
  return inputError("benchmark/prompt", message, lineSpan(file, line, 1), hint);
}
