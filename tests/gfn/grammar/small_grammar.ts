/** The grammar of docs/grammars.md, and helpers to read grammars in tests. */
import { readFileSync } from "node:fs";
import { readGrammar } from "../../../src/gfn/grammar/read.ts";
import type { GrammarSpec } from "../../../src/gfn/grammar/spec.ts";
import { parseTomlFile } from "../../../src/pipeline/toml/parse.ts";

const root = new URL("../../../", import.meta.url);

/** A file of the repository, by its path from the root. */
export function repositoryText(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

/** Reads a grammar from TOML text. */
export function grammarOf(text: string, file = "small.toml"): GrammarSpec {
  return readGrammar(parseTomlFile(text, file), file);
}

/** The first TOML block of docs/grammars.md. */
export function documentedGrammar(): string {
  const block = /```toml\n([\s\S]*?)```/.exec(repositoryText("docs/grammars.md"));
  if (!block) throw new Error("docs/grammars.md has no TOML block");
  return block[1];
}
