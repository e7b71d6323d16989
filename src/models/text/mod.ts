/** Tokenizers, chat templates and prompts. */
export { answeredTurn } from "./answered_turn.ts";
export { type ChatMessage, type ChatSettings, ChatTemplate } from "./chat_template.ts";
export { PromptTemplate } from "./prompt_template.ts";
export { promptTokens } from "./prompt_tokens.ts";
export type { NamedToken } from "./text_ends.ts";
export { type ScoredText, type TextIds, textIds } from "./text_ids.ts";
export type { Tokenizer } from "./tokenizer.ts";
export type { Metadata } from "./gguf_tokenizer.ts";
