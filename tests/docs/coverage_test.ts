/** Pages name what the code has: columns, keys, kinds, commands and flags; a planted omission is red. */
import assert from "node:assert/strict";
import { columnsOf, tableNames } from "../../src/pipeline/store/schema.ts";
import { builtInKinds } from "../../stages/mod.ts";
import { commandPageText } from "../../tools/command_page.ts";
import { kindsPageText } from "../../tools/kinds_page.ts";
import { helpedKinds, kindHelp } from "../../src/cli/kind_help.ts";
import { keysOfKind } from "../../src/pipeline/read/kind_keys.ts";
import { builtInEnvironments } from "../../src/gfn/environments/built_in_environments.ts";
import { builtInObjectives } from "../../src/gfn/objectives/built_in_objectives.ts";
import { builtInPolicyKinds } from "../../src/gfn/policies/config.ts";
import { spaceNames } from "../../src/gfn/spaces/space_names.ts";
import { looMethods } from "../../src/engine/loo/elpd.ts";
import { builtInJudges } from "../../src/engine/score/judges/built_in_judges.ts";
import { settledJudgeNames } from "../../src/engine/score/judges/settled_judges.ts";
import { executorNames } from "../../src/executor/front_ends/mod.ts";
import {
  missingColumns,
  missingFileKeys,
  missingKeys,
  missingNames,
  missingValues,
  partOf,
} from "./coverage.ts";
import { read } from "./markdown.ts";

const tables = Object.fromEntries(tableNames.map((name) => [name, Object.keys(columnsOf(name))]));

Deno.test("docs/tables.md names every table and every column", () => {
  assert.deepEqual(missingColumns(read("docs/tables.md"), tables), []);
});

Deno.test("a column and a table that docs/tables.md lacks are red", () => {
  const page = read("docs/tables.md");
  const planted = { ...tables, execution: [...tables.execution, "text_bytes"], extra: [] };
  assert.deepEqual(missingColumns(page, planted), ["execution.text_bytes", "extra"]);
  const shorter = page.replace(/^- `git_commit`.*\n/m, "");
  assert.deepEqual(missingColumns(shorter, tables), ["run.git_commit"]);
});

Deno.test("docs/stages.md has a part for every kind", () => {
  const page = read("docs/stages.md");
  assert.deepEqual(helpedKinds.filter(({ kind }) => partOf(page, kind) === undefined), []);
});

const helpPage = helpedKinds.map((one) => `## \`${one.kind}\`\n${fenced(one)}`).join("\n");

Deno.test("the help of kinds names every key and every value that a key may have", () => {
  assert.deepEqual(missingKeys(helpPage, builtInKinds), []);
  assert.deepEqual(missingValues(helpPage, builtInKinds), []);
});

Deno.test("the site's page has a part for every kind, with no sign that Vue would read", () => {
  const page = kindsPageText();
  assert.deepEqual(helpedKinds.filter(({ kind }) => partOf(page, kind) === undefined), []);
  assert.deepEqual([...page.replace(/`[^`]*`/g, "").matchAll(/\{\{|<[a-z]/g)], []);
});

Deno.test("every key in the help of kinds has a meaning", () => {
  const keys = helpedKinds.flatMap((kind) => keysOfKind(kind));
  assert(keys.length > 500, `${keys.length}`);
  assert.deepEqual(keys.filter(({ meaning }) => meaning === ""), []);
});

Deno.test("a kind, a key and a value that the help lacks are red", () => {
  const tokens = builtInKinds.get("tokens")!;
  assert.deepEqual(missingKeys(helpPage, new Map([["extra", tokens]])), ["extra"]);
  const other = helpPage.replaceAll("most_tokens", "other").replaceAll("trie", "other");
  assert.deepEqual(missingKeys(other, new Map([["tokens", tokens]])), ["tokens.most_tokens"]);
  assert.deepEqual(missingValues(other, new Map([["tokens", tokens]])), ["tokens: trie"]);
});

Deno.test("docs/pipeline_files.md names every key of a pipeline and of a loop; without one it is red", () => {
  const page = read("docs/pipeline_files.md");
  assert.deepEqual(missingFileKeys(page), []);
  assert.deepEqual(missingFileKeys(page.replaceAll("staleness", "other")), ["staleness"]);
});

/** Registries, each with the page that tells of all that is in it. */
const registries: readonly (readonly [page: string, names: Iterable<string>])[] = [
  ["objectives", builtInObjectives.keys()],
  ["judges", [...builtInJudges.keys(), ...settledJudgeNames]],
  ["environments", builtInEnvironments.keys()],
  ["policies", builtInPolicyKinds.keys()],
  ["stages", executorNames],
  ["loo", looMethods],
  ["tables", looMethods],
  ["model_spaces", spaceNames],
  ["extending", [...builtInKinds.values()].flatMap(({ uses }) => uses ?? [])],
];

Deno.test("each registry's page names all that is in it; a new name is red", () => {
  for (const [page, names] of registries) {
    assert.deepEqual(missingNames(read(`docs/${page}.md`), [...names, "planted"]), ["planted"]);
  }
});

Deno.test("help fits a terminal of 80 columns", async () => {
  const pages = `${await commandPageText()}${helpedKinds.map((one) => fenced(one)).join("")}`;
  const blocks = pages.split(/^```\w*$/m).filter((_, i) => i % 2 === 1);
  const wide = blocks.flatMap((block) => block.split("\n")).filter((line) => [...line].length > 80);
  assert.ok(blocks.length > 40);
  assert.deepEqual(wide, []);
});

function fenced(kind: (typeof helpedKinds)[number]): string {
  return `\n\`\`\`text\n${kindHelp(kind, 80)}\n\`\`\`\n`;
}
