/** The glossary's words for code and for TOML are words that stand there. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { home, read } from "./markdown.ts";

/** Identifiers of a table's column, by its heading. */
function identifiers(heading: string): string[] {
  return read("docs/glossary.md").split(/^## /m).flatMap((section) => {
    const rows = section.split("\n").filter((line) => line.startsWith("|")).map(cells);
    const at = rows[0]?.indexOf(heading) ?? -1;
    const quoted = at < 0 ? [] : rows.slice(2).flatMap((row) => row[at].match(/`[^`]+`/g) ?? []);
    return quoted.flatMap((code) => code.match(/[A-Za-z_]\w*/g) ?? []);
  });
}

function cells(line: string): string[] {
  return line.split("|").slice(1, -1).map((cell) => cell.trim());
}

/** The text of all files below a folder that have an ending. */
function textOf(folder: string, ending: string): string {
  return [...Deno.readDirSync(join(home, folder))].map(({ name, isDirectory }) => {
    if (isDirectory) return textOf(`${folder}/${name}`, ending);
    return name.endsWith(ending) ? read(`${folder}/${name}`) : "";
  }).join("\n");
}

function missing(names: readonly string[], text: string): string[] {
  const words = new Set(text.match(/[A-Za-z_]\w*/g));
  return [...new Set(names.filter((name) => !words.has(name)))];
}

Deno.test("what the glossary calls by a name in code is called so in code", () => {
  const names = identifiers("in code");
  assert(names.length > 60);
  assert.deepEqual(missing(names, textOf("src", ".ts") + textOf("stages", ".ts")), []);
});

Deno.test("what it calls by a name in TOML and tables is a key, a kind or a column", () => {
  const names = identifiers("in TOML and tables");
  assert(names.length > 40);
  const known = [read("schemas/pipeline.schema.json"), read("docs/tables.md")];
  const pages = ["grammars", "pipeline_files", "evaluation", "policies"].map((page) =>
    read(`docs/${page}.md`)
  );
  assert.deepEqual(missing(names, [...known, ...pages].join("\n")), []);
});

/** Words of the last table, with the folders that they are kept out of. */
function unusedWords(): {
  readonly words: readonly string[];
  readonly folders: readonly string[];
}[] {
  const section = read("docs/glossary.md").split("## Words that are not used")[1];
  const rows = section.split("\n").filter((line) => line.startsWith("|")).map(cells).slice(2);
  return rows.map(([words, , folders]) => ({
    words: words.split(", "),
    folders: [...folders.matchAll(/`([^`]+)`/g)].map(([, folder]) => folder),
  }));
}

function usedIn(text: string, words: readonly string[]): string[] {
  const plain = text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, " ");
  return words.filter((word) => new RegExp(`\\b${word}\\b`, "i").test(plain));
}

Deno.test("words that the glossary gives up are in none of their folders", () => {
  const rows = unusedWords();
  assert(rows.length > 5);
  const used = rows.flatMap(({ words, folders }) =>
    folders.flatMap((folder) =>
      usedIn(textOf(folder, ".ts"), words).map((word) => `${folder}: ${word}`)
    )
  );
  assert.deepEqual(used, []);
  assert.deepEqual(usedIn("the sampling\n * law of a draw", ["law", "sampling law"]), [
    "law",
    "sampling law",
  ]);
});
