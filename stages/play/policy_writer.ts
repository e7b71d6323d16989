/** A policy that answers conversations: the writer behind the agent `language_model`. */
import { inputError } from "../../src/base/diagnostic.ts";
import { RandomStream } from "../../src/base/random.ts";
import type { ActionForm } from "../../src/executor/play/agents/read_action.ts";
import type { Turn, Writer, Written } from "../../src/executor/play/agents/language_model.ts";
import { type Environment, writesFreely } from "../../src/gfn/environments/mod.ts";
import { ChatTemplate, promptTokens } from "../../src/models/text/mod.ts";
import { type ChatParams, chatSettings } from "../common/chat_settings.ts";
import { readModelOf } from "../common/read_model.ts";
import { modelSource } from "../environment/model_source.ts";
import type { TrainedPolicy } from "../ports/values.ts";

/** How the agent is asked, as the schema gives it. */
export interface AnswerSettings extends ChatParams {
  readonly actions: ActionForm;
  readonly temperature: number;
}

/** A stream of random numbers for each episode. */
interface EpisodeKey {
  readonly seed: number;
  readonly episode: number;
}

/**
 * Writers by episode. Answers are drawn one at a time, whatever is played beside it: equal episodes give equal
 * answers.
 *
 * @throws InputError if no language model is wired, it has no chat template, or its texts are not free.
 */
export function policyWriter(
  { policy: trained, texts }: { readonly policy?: TrainedPolicy; readonly texts?: Environment },
  settings: AnswerSettings,
): (key: EpisodeKey) => Writer {
  const policy = trained?.policy;
  const reader = policy && readModelOf(policy);
  if (!policy || !reader || !texts || !writesFreely(texts)) throw unwired();
  const { entry, tokenizer } = modelSource(reader.model);
  if (entry.chat_template === null) throw withoutTemplate(entry.name);
  const template = new ChatTemplate(entry.chat_template);
  let before: Promise<unknown> = Promise.resolve();
  return ({ seed, episode }) => {
    let asked = 0;
    const answer = async (turns: readonly Turn[]): Promise<Written | undefined> => {
      const text = template.render(turns.map((turn) => ({ ...turn })), chatSettings(settings));
      const tokens = promptTokens(tokenizer, text, []);
      if (1 + tokens.length + texts.maxActions > reader.context) return undefined;
      const random = new RandomStream("language model", seed, episode, asked++);
      const prompt = { id: `${seed} ${episode} ${asked}`, tokens, begins: !entry.begin_is_added };
      const { temperature } = settings;
      const options = { count: 1, epsilon: 0, temperature, random, prompts: [prompt] };
      const [{ actions }] = await policy.sample(texts, options);
      const ids = actions.filter((id) => id !== texts.exitAction);
      return { text: tokenizer.decode(ids), tokens: tokens.length + actions.length };
    };
    return {
      write(turns) {
        const said = before.then(() => answer(turns));
        before = said.catch(() => {});
        return said;
      },
    };
  };
}

function unwired(): Error {
  const message = "Cannot play as language_model: it wants a language model and its free texts";
  const hint =
    'write policy = "start.policy", texts = "texts.environment" among the inputs, with ' +
    'stages of kind policy (kind = "language_model") and tokens (mask = "none")';
  return inputError("play/language-model", message, undefined, hint);
}

function withoutTemplate(name: string): Error {
  const message = `Cannot play as language_model: "${name}" has no chat template`;
  return inputError(
    "play/language-model",
    message,
    undefined,
    "choose a model that was tuned to chat",
  );
}
