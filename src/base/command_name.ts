/** Command by which the user called Sluice, for hints and commands to copy. */
import { shellWords } from "./shell_words.ts";

/** `deno task sluice` in a checkout, `npx sluice` elsewhere. */
export function commandName(): string {
  return import.meta.url.endsWith(".ts") ? "deno task sluice" : "npx sluice";
}

/** A whole command to be copied: Sluice as the user called it, and its words as a shell reads them. */
export function commandLine(...words: readonly string[]): string {
  return `${commandName()} ${shellWords(words)}`;
}
