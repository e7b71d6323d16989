/** Templates of prompts that a user writes: Jinja whose variables are known before it is applied. */
import { inputError } from "../../base/diagnostic.ts";
import { type JinjaProgram, readJinja, renderJinja } from "./jinja.ts";

/** Names that a template may use beside its variables. */
const globals = ["loop", "range", "namespace", "raise_exception"];
const literals = ["true", "false", "none", "True", "False", "None"];

/** A part of a parsed template; which fields it has depends on its type. */
type Part = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Variables of a template. */
export interface TemplateVariables {
  /** Variables that it may use. */
  readonly known: readonly string[];
  /** Variables that it must use: without them every prompt would be the same. */
  readonly required?: readonly string[];
  /** Members that some of them may have, as `max` in `{{ column.max }}`; not checked if left out. */
  readonly members?: readonly string[];
}

/**
 * A template of prompts.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { PromptTemplate } from "./prompt_template.ts";
 * const template = new PromptTemplate("Question: {{ x }}\nAnswer:", { known: ["x"] });
 * assert.equal(template.render({ x: "Why?" }), "Question: Why?\nAnswer:");
 * assert.throws(() => new PromptTemplate("{{ y }}", { known: ["x"] }), /it names "y"/);
 * ```
 */
export class PromptTemplate {
  readonly #template: JinjaProgram;
  readonly #members: readonly string[] | undefined;

  /**
   * Reads the template and checks the variables that it names.
   *
   * @throws InputError if the text is no template, uses an unknown variable, or lacks a required one.
   */
  constructor(readonly text: string, { known, required = [], members }: TemplateVariables) {
    this.#members = members;
    this.#template = attempt("read", text, () => readJinja(text));
    const used = freeNames(this.#template as unknown as Part);
    const unknown = used.find((name) => !known.includes(name));
    const list = known.map((name) => `{{ ${name} }}`).join(", ");
    if (unknown !== undefined) {
      throw refused(
        "read",
        text,
        `it names "${unknown}", which has no value`,
        `known are ${list}`,
      );
    }
    const missing = required.find((name) => !used.includes(name));
    if (missing === undefined) return;
    const hint = `write {{ ${missing} }} where it belongs`;
    throw refused("use", text, `it lacks {{ ${missing} }}, so that all prompts are one`, hint);
  }

  /** The prompt for these values. @throws InputError if the template raises, or reads an absent member. */
  render(values: Readonly<Record<string, unknown>>): string {
    const missing: string[] = [];
    const text = attempt("apply", this.text, () => {
      return renderJinja(this.#template, values, (name) => missing.push(name));
    });
    const members = this.#members;
    const unknown = members && missing.find((name) => !members.includes(name));
    if (unknown === undefined) return text;
    const hint = `it may read ${members!.join(", ")}`;
    throw refused("apply", this.text, `it reads ".${unknown}", which nothing here has`, hint);
  }
}

/** Names that a template reads and does not make itself, in the order of the text. */
function freeNames(program: Part): string[] {
  const [read, made] = [new Set<string>(), new Set([...globals, ...literals])];
  walk(program, read, made);
  return [...read].filter((name) => !made.has(name));
}

/** Fields whose identifiers are no variables. */
const ownNames: Readonly<Record<string, string>> = {
  FilterExpression: "filter",
  TestExpression: "test",
  KeywordArgumentExpression: "key",
};

/** Fields whose identifiers the template makes. */
const bindings: Readonly<Record<string, string>> = {
  For: "loopvar",
  Set: "assignee",
  Macro: "name",
};

function walk(part: unknown, read: Set<string>, made: Set<string>): void {
  if (Array.isArray(part)) return part.forEach((one) => walk(one, read, made));
  if (typeof part !== "object" || part === null) return;
  const { type, ...fields } = part as Part;
  if (type === "Identifier") return void read.add(String(fields.value));
  for (const [name, child] of Object.entries(fields)) {
    if (type === "MemberExpression" && name === "property" && fields.computed !== true) continue;
    if (name === ownNames[type]) walkCall(child, read, made);
    else walk(child, name === bindings[type] ? made : read, made);
  }
}

/** The arguments of a filter or test, whose own name is none of a variable. */
function walkCall(part: unknown, read: Set<string>, made: Set<string>): void {
  const { type, args } = part as Part;
  if (type === "CallExpression") walk(args, read, made);
}

function attempt<T>(verb: string, text: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refused(verb, text, why, "mend the template; it is Jinja");
  }
}

function refused(verb: string, text: string, why: string, hint: string) {
  const shown = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
  return inputError("model/template", `Cannot ${verb} template ${shown}: ${why}`, undefined, hint);
}
