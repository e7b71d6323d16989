/** The agent `language_model`: the transcript in a prompt, an action in the answer, one turn to repair it. */
import type { Action, ActionCost, Agent, AgentView, Step } from "./agent.ts";
import { type ActionForm, readAction, withoutThoughts } from "./read_action.ts";

/** A turn of a conversation. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** Text of a language model, and its cost. */
export interface Written {
  readonly text: string;
  /** Read and written. */
  readonly tokens: number;
  readonly cost?: number;
}

/** A model that answers, here or far away. */
export interface Writer {
  /** The answer to a conversation; `undefined` where the conversation is too long to be read. */
  write(turns: readonly Turn[]): Promise<Written | undefined>;
}

/**
 * An agent that asks a language model. An answer without an action is shown to it once more with what is wrong;
 * if the second has none either, its text is the query, which the world refuses.
 */
export function languageModelAgent(writer: Writer, form: ActionForm): Agent {
  return {
    async act(view) {
      let [shown, tokens, cost] = [view.transcript.length, 0, 0];
      const ask = async (turns: (from: number) => Turn[]): Promise<string> => {
        for (;; shown = Math.floor(shown / 2)) {
          const written = await writer.write(turns(view.transcript.length - shown));
          tokens += written?.tokens ?? 0;
          cost += written?.cost ?? 0;
          if (written || shown === 0) return written?.text ?? "";
        }
      };
      const prompt = (from: number): Turn => ({
        role: "user",
        content: promptOf(view, from, form),
      });
      const first = await ask((from) => [prompt(from)]);
      const read = readAction(first, form);
      if (read.kind === "action") return { ...read.action, tokens, cost };
      const second = await ask((from) => [
        prompt(from),
        { role: "assistant", content: withoutThoughts(first)?.slice(0, mostRepeated) || "…" },
        {
          role: "user",
          content: `That is no action: ${read.problem}. ${exampleOf(view, form)}`,
        },
      ]);
      const again = readAction(second, form);
      const action: Action = again.kind === "action"
        ? again.action
        : { kind: "query", query: (withoutThoughts(second) ?? "").slice(0, mostRepeated) };
      return { ...action, tokens, cost } satisfies Action & ActionCost;
    },
  };
}

/** Letters of an answer that are shown again, and kept where it was no action. */
const mostRepeated = 200;
/** Entries of a catalogue that are shown. */
const mostEntries = 30;

/** The prompt; of the transcript it has the part from a step on. */
function promptOf(view: AgentView, from: number, form: ActionForm): string {
  const { story, inputs, response, goal, catalogue, transcript, left } = view;
  const steps = transcript.slice(from).map((step, k) => stepLine(step, from + k + 1));
  const listed = catalogue?.slice(0, mostEntries).map((entry) => JSON.stringify(entry));
  const parts = [
    story,
    `Inputs:\n${Object.entries(inputs).map(([name, input]) => inputLine(name, input)).join("\n")}`,
    `Observed: ${[response.name, response.unit].filter(Boolean).join(", in ")}.`,
    goal && `In the end these are asked: ${goal.map(({ latent }) => latent).join(", ")}.`,
    listed && `One of these may be asked, each once:\n${listed.join("\n")}`,
    steps.length > 0 && `What you asked so far:\n${steps.join("\n")}`,
    `You may ask ${left} more. ${exampleOf(view, form)}`,
  ];
  return parts.filter((part) => typeof part === "string").join("\n\n");
}

/** A step as a line. The text of an answer that was no action is left out: it leads a model astray. */
function stepLine({ query, words, reason }: Step, number: number): string {
  if (typeof query === "string") return `${number}. An answer that was no action.`;
  const asked = `${number}. ${JSON.stringify(query)}`;
  return reason === undefined ? `${asked}: ${words}` : `${asked} was refused: ${reason}`;
}

function inputLine(name: string, input: unknown): string {
  const { type, low, high, levels, unit } = input as Readonly<Record<string, unknown>>;
  if (Array.isArray(levels)) return `- ${name}: one of ${levels.join(", ")}`;
  const kind = type === "integer" ? "a whole number" : "a number";
  return `- ${name}: ${kind} from ${low} to ${high}${unit ? `, in ${unit}` : ""}`;
}

/** Example of an action that the world would answer. */
function exampleOf({ inputs, catalogue }: AgentView, form: ActionForm): string {
  const entry = catalogue?.[0] ??
    Object.fromEntries(
      Object.entries(inputs).flatMap(([name, input]) => {
        const { levels, low, high, type, each } = input as Readonly<Record<string, unknown>>;
        if (each) return [];
        if (Array.isArray(levels)) return [[name, levels[0]]];
        const middle = (Number(low) + Number(high)) / 2;
        return [[name, type === "integer" ? Math.round(middle) : Number(middle.toPrecision(3))]];
      }),
    );
  const asked = JSON.stringify(entry);
  const shapes: Readonly<Record<ActionForm, string>> = {
    json: `{"query": ${asked}}`,
    xml: `<tool_call>{"name": "query", "arguments": ${asked}}</tool_call>`,
    text: `QUERY ${Object.entries(entry).map(([name, value]) => `${name} = ${value}`).join(", ")}`,
  };
  return `Answer with one action and nothing else, such as\n${shapes[form]}`;
}
