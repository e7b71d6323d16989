/** Prompts about a data set: names that templates may use, and the data that each shows. */
import type { Column, Dataset } from "../../src/base/dataset.ts";
import { inputError } from "../../src/base/diagnostic.ts";
import { ModelStore } from "../../src/models/store/mod.ts";
import { PromptTemplate } from "../../src/models/text/mod.ts";
import { type ChatModel, Conversations } from "./conversations.ts";
import type { Prompts, WrittenPrompt } from "../ports/values.ts";

/** A prompt as a pipeline writes it: a template, or turns of templates. */
export interface PromptParam {
  readonly id: string;
  readonly template?: string;
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  /** The wire of its own data set. */
  readonly data?: string;
  readonly show: readonly ("story" | "columns" | "rows")[];
  readonly held_out: boolean;
}

/** Parameters of the stage, as its schema gives them. */
export interface PromptParams {
  readonly model?: string;
  readonly template_variables?: Readonly<Record<string, string | number | boolean>>;
  readonly story?: string;
  readonly prompts: readonly PromptParam[];
  readonly response: boolean;
  readonly most_rows: number;
}

/** Data that prompts may be about. */
export interface PromptData {
  /** Data of prompts that name none. */
  readonly data?: Dataset | undefined;
  /** By the wires that prompts name. */
  readonly each?: Readonly<Record<string, Dataset>> | undefined;
}

/** Summary of a column for a template; numbers are left out where values are not shown. */
interface ColumnSummary {
  readonly name: string;
  readonly role: string;
  readonly type: string;
  readonly categories?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly mean?: number;
  readonly sd?: number;
}

const summaryMembers: readonly (keyof ColumnSummary)[] = [
  ...["name", "role", "type", "categories", "min", "max", "mean", "sd"] as const,
];

/**
 * Writes all prompts. A template can name only what it is shown, so that what is recorded of it is all
 * that it can hold of the data.
 *
 * @param modelNamed A model of the project, whose template renders conversations.
 * @throws InputError if a template is wrong or raises, a prompt is empty, a story is wanted that no
 * data set has, rows of a data set that is not wired, or a conversation with a model that has none.
 */
export function writePrompts(
  { data: all, each = {} }: PromptData,
  params: PromptParams,
  modelNamed: (name: string) => ChatModel = (name) => new ModelStore(".").find(name),
): Prompts {
  const conversations = new Conversations(params, modelNamed);
  return { prompts: params.prompts.map((prompt) => written(prompt, params)) };

  function written(prompt: PromptParam, { story, response }: PromptParams): WrittenPrompt {
    const { id, show, held_out, data: wire, messages } = prompt;
    const data = wire === undefined ? all : each[wire];
    const isAboutData = show.some((one) => one !== "story");
    if (show.includes("story") && story === undefined) throw withoutStory(id);
    if (!data && isAboutData) throw withoutData(id);
    const values = shown(data, params);
    const members = [...summaryMembers, ...(data?.columns ?? []).map(({ name }) => name)];
    const fill = (template: string) => {
      const text = new PromptTemplate(template, { known: show, members }).render(values);
      return requireText(id, text);
    };
    const turns = messages?.map(({ role, content }) => ({ role, content: fill(content) }));
    const said = turns ? conversations.write(id, turns) : { text: fill(prompt.template!) };
    const about = data && { data: data.digest };
    return { id, ...said, shows: [...show], informed: response && isAboutData, held_out, ...about };
  }
}

function requireText(id: string, text: string): string {
  if (text.trim() !== "") return text;
  const message = `Cannot write prompt "${id}": its template makes an empty text`;
  throw inputError("prompts/empty", message, undefined, "write what the policy is to be asked");
}

function shown(data: Dataset | undefined, { story, response, most_rows: most }: PromptParams) {
  if (!data) return { story };
  const columns = data.columns.filter(({ role }) => role !== "ignore");
  const visible = columns.filter(({ role }) => response || role !== "response");
  const count = Math.min(most, data.rows);
  return {
    story,
    columns: columns.map((column) => summaryOf(column, visible.includes(column))),
    rows: Array.from({ length: count }, (_, row) => {
      return Object.fromEntries(visible.map((column) => [column.name, cellOf(column, row)]));
    }),
  };
}

function summaryOf(column: Column, withValues: boolean): ColumnSummary {
  const { name, role, type, values, categories } = column;
  const about = { name, role, type, ...(categories && { categories }) };
  if (!withValues || categories) return about;
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  const square = values.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
  return {
    ...about,
    min: rounded(values.reduce((least, one) => Math.min(least, one), Infinity)),
    max: rounded(values.reduce((most, one) => Math.max(most, one), -Infinity)),
    mean: rounded(mean),
    sd: rounded(Math.sqrt(square / Math.max(1, values.length - 1))),
  };
}

/** Rounds to four significant digits. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

function cellOf({ values, categories }: Column, row: number): string | number {
  return categories ? categories[values[row]] : values[row];
}

function withoutStory(id: string) {
  const message = `Cannot write prompt "${id}": it shows the story, and the stage tells none`;
  return inputError("prompts/story", message, undefined, 'write story = "…"');
}

function withoutData(id: string) {
  const message = `Cannot write prompt "${id}": it shows columns or rows, and no data set is wired`;
  return inputError("prompts/data", message, undefined, 'write data = "…" among the inputs');
}
