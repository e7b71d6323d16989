/** Chat templates: messages as the text that a model was trained on. */
import { inputError } from "../../base/diagnostic.ts";
import { type JinjaProgram, readJinja, renderJinja } from "./jinja.ts";

/** One turn of a conversation. */
export interface ChatMessage {
  /** `system`, `user`, `assistant`, or another role that the template knows. */
  readonly role: string;
  /** Text of the turn; empty where it only calls tools. */
  readonly content: string;
  /** Further fields of a turn that a template reads: `tool_calls`, `name`, `reasoning_content`. */
  readonly [key: string]: unknown;
}

/** Input of a template beside the turns, the same wherever a conversation is rendered. */
export interface ChatSettings {
  /** Variables that the template asks for, for example `enable_thinking`. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Functions that the model may call, as the template wants them: JSON schemas. */
  readonly tools?: readonly unknown[];
}

/** Input of one rendering beside messages. */
export interface RenderOptions extends ChatSettings {
  /** Whether the text ends where the model's answer begins; it does unless this is false. */
  readonly addGenerationPrompt?: boolean;
}

/** The template of a model. */
export class ChatTemplate {
  readonly #template: JinjaProgram;

  /**
   * Reads the Jinja text; it is applied by `render`.
   *
   * @throws InputError if the text is no Jinja template.
   */
  constructor(readonly text: string) {
    this.#template = attempt("read", () => readJinja(text));
  }

  /**
   * The conversation as text; to be encoded as it is.
   *
   * @throws InputError if the template refuses the messages.
   */
  render(messages: readonly ChatMessage[], options: RenderOptions = {}): string {
    const { addGenerationPrompt = true, variables = {}, tools = [] } = options;
    const items = {
      messages,
      add_generation_prompt: addGenerationPrompt,
      ...(tools.length > 0 && { tools }),
      ...variables,
    };
    return attempt(
      "apply",
      () => renderJinja(this.#template, { bos_token: "", eos_token: "", ...items }),
    );
  }

  /** The system message that the template puts before a conversation that has none. */
  systemText(): string | undefined {
    const turn = { role: "user", content: "Hello." };
    try {
      const without = this.render([turn]);
      const marked = this.render([{ role: "system", content: systemMark }, turn]);
      return between(marked, without);
    } catch {
      return undefined; // A template without system messages injects none.
    }
  }
}

const systemMark = "\u0001system\u0001";

/** Part of `text` at the place of the mark in `marked`, if the two are equal apart from it. */
function between(marked: string, text: string): string | undefined {
  const [before, after] = marked.split(systemMark);
  if (after === undefined || text.length < before.length + after.length) return undefined;
  if (!text.startsWith(before) || !text.endsWith(after)) return undefined;
  return text.slice(before.length, text.length - after.length) || undefined;
}

function attempt<T>(verb: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const hint = "see which roles and variables the template wants: `sluice model show NAME`";
    throw inputError("model/template", `Cannot ${verb} chat template: ${why}`, undefined, hint);
  }
}
