/** Prompts about a data set: what templates may name, and what they show by that. */
import type { Column, Dataset } from "../../src/base/dataset.ts";
import { inputError } from "../../src/base/diagnostic.ts";
import type { ModelEntry } from "../../src/models/store/model_entry.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { type ChatMessage, ChatTemplate } from "../../src/models/text/chat_template.ts";
import { PromptTemplate } from "../../src/models/text/prompt_template.ts";
import type { Prompts, WrittenPrompt } from "../ports/values.ts";

/** A prompt as a pipeline writes it: a template, or turns of templates. */
export interface PromptParam {
  readonly id: string;
  readonly template?: string;
  readonly messages?: readonly ChatMessage[];
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

/** What prompts may be about. */
export interface PromptData {
  /** Of those that name none. */
  readonly data?: Dataset | undefined;
  /** By the wires that prompts name. */
  readonly each?: Readonly<Record<string, Dataset>> | undefined;
}

/** What a template is told of a column; numbers are left out where values are not shown. */
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

/**
 * Writes all prompts. A template can name only what it is shown, so that what is recorded of it is all
 * that it can hold of the data.
 *
 * @param modelNamed A model of the project, whose template renders conversations.
 * @throws InputError if a template is wrong or raises, a prompt is empty, a story is wanted that
 * nobody tells, rows of a data set that is not wired, or a conversation with a model that has none.
 */
export function writePrompts(
  { data: all, each = {} }: PromptData,
  params: PromptParams,
  modelNamed: (name: string) => ChatModel = (name) => new ModelStore(".").find(name),
): Prompts {
  let chat: Chat | undefined;
  const written = params.prompts.map((prompt): WrittenPrompt => {
    const { id, show, held_out, data: wire, messages } = prompt;
    const data = wire === undefined ? all : each[wire];
    if (show.includes("story") && params.story === undefined) throw withoutStory(id);
    if (!data && show.some((one) => one !== "story")) throw withoutData(id);
    const values = shown(data, params);
    const fill = (template: string) => new PromptTemplate(template, { known: show }).render(values);
    const turns = messages?.map(({ role, content }) => ({ role, content: fill(content) }));
    for (const text of turns?.map((one) => one.content) ?? []) requireText(id, text);
    if (turns) chat ??= chatOf(id, params, modelNamed);
    const text = turns ? rendered(id, turns, chat!) : fill(prompt.template!);
    requireText(id, text);
    const informed = params.response && show.some((one) => one !== "story");
    const about = data && { data: data.digest };
    const said = turns && { messages: turns, model_sha256: chat!.sha256, begins: chat!.begins };
    return { id, text, shows: [...show], informed, held_out, ...about, ...said };
  });
  return { prompts: written };
}

/** How a model is spoken to. */
interface Chat {
  readonly template: ChatTemplate;
  readonly sha256: string;
  /** Whether a text by its template begins as it says, and not with the token that begins texts. */
  readonly begins: boolean;
  readonly variables: Readonly<Record<string, string | number | boolean>>;
}

/** What is wanted of a model's entry. */
type ChatModel = Pick<ModelEntry, "name" | "sha256" | "chat_template" | "begin_is_added">;

/** In place of a model, where no model may be read: turns one behind the other. */
export function anyModel(name: string): ChatModel {
  const chat_template = "{% for one in messages %}{{ one.content }}{% endfor %}";
  return { name, sha256: "", chat_template, begin_is_added: false };
}

function chatOf(
  id: string,
  { model, template_variables: variables = {} }: PromptParams,
  modelNamed: (name: string) => ChatModel,
): Chat {
  if (model === undefined) {
    const message =
      `Cannot write prompt "${id}": messages want a model, whose template renders them`;
    throw inputError("prompts/model", message, undefined, 'write model = "…" in the stage');
  }
  const { name, sha256, chat_template, begin_is_added } = modelNamed(model);
  if (chat_template !== null) {
    const template = new ChatTemplate(chat_template);
    return { template, sha256, begins: !begin_is_added, variables };
  }
  const message = `Cannot write prompt "${id}": model "${name}" has no chat template`;
  throw inputError("prompts/no-chat", message, undefined, "write a template instead of messages");
}

/** The conversation up to where the policy goes on. */
function rendered(
  id: string,
  turns: readonly ChatMessage[],
  { template, variables }: Chat,
): string {
  if (turns[turns.length - 1].role !== "assistant") return template.render(turns, { variables });
  const message = `Cannot write prompt "${id}": its last turn is the assistant's, who is to answer`;
  throw inputError("prompts/turns", message, undefined, "end with a turn of the user");
}

function requireText(id: string, text: string): void {
  if (text.trim() !== "") return;
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

/** Four digits: what a reader takes in. */
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
