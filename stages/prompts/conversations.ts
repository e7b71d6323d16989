/** Turns of a conversation as a prompt: by the chat template of the model that is to answer. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { ModelEntry } from "../../src/models/store/mod.ts";
import { type ChatMessage, ChatTemplate } from "../../src/models/text/mod.ts";
import { type ChatParams, chatSettings } from "../common/chat_settings.ts";
import type { WrittenPrompt } from "../ports/values.ts";

/** Parts of a model's entry that conversations need. */
export type ChatModel = Pick<ModelEntry, "name" | "sha256" | "chat_template" | "begin_is_added">;

/** In place of a model, where no model may be read: turns one behind the other. */
export function anyModel(name: string): ChatModel {
  const chat_template = "{% for one in messages %}{{ one.content }}{% endfor %}";
  return { name, sha256: "", chat_template, begin_is_added: false };
}

/** Parameters of a stage that determine how turns are rendered. */
export interface SpokenParams extends ChatParams {
  readonly model?: string;
}

/** Record of a conversation. */
type Conversation = Pick<WrittenPrompt, "text" | "messages" | "model_sha256" | "begins">;

/** Writes conversations; the model is looked up by the first of them. */
export class Conversations {
  #model: ChatModel | undefined;

  constructor(readonly params: SpokenParams, readonly modelNamed: (name: string) => ChatModel) {}

  /**
   * The text up to where the policy goes on.
   *
   * @param id Of the prompt, for messages.
   * @throws InputError if no model is named, it has no template, the template raises, or the last turn
   * is the assistant's.
   */
  write(id: string, messages: readonly ChatMessage[]): Conversation {
    if (messages[messages.length - 1].role === "assistant") throw answered(id);
    const { model } = this.params;
    if (model === undefined) throw withoutModel(id);
    const { name, sha256, chat_template, begin_is_added } = this.#model ??= this.modelNamed(model);
    if (chat_template === null) throw withoutTemplate(id, name);
    const text = new ChatTemplate(chat_template).render(messages, chatSettings(this.params));
    return { text, messages, model_sha256: sha256, begins: !begin_is_added };
  }
}

function answered(id: string) {
  const message = `Cannot write prompt "${id}": its last turn is the assistant's, who is to answer`;
  return inputError("prompts/turns", message, undefined, "end with a turn of the user");
}

function withoutModel(id: string) {
  const message = `Cannot write prompt "${id}": messages want a model, whose template renders them`;
  return inputError("prompts/model", message, undefined, 'write model = "…" in the stage');
}

function withoutTemplate(id: string, name: string) {
  const message = `Cannot write prompt "${id}": model "${name}" has no chat template`;
  return inputError("prompts/no-chat", message, undefined, "write a template instead of messages");
}
