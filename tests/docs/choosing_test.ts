/** The page about what to take: its four lines are what `init` writes, its figures those of the benchmarks. */
import assert from "node:assert/strict";
import { spacePipeline } from "../../src/cli/space_pipeline.ts";
import { pages, read } from "./markdown.ts";

const block = /\[stages\]\nuse = "sluice:configs\/training\.toml"\n\[stages\.train\]\n.*\n/;

Deno.test("the four lines of the page are those that `init` writes", () => {
  const column = { type: "real", levels: [], missing: 0, distinct: 9, range: [0, 9] } as const;
  const columns = [
    { ...column, name: "x", role: "predictor" },
    { ...column, name: "y", role: "response" },
  ] as unknown as Parameters<typeof spacePipeline>[0]["columns"];
  const request = { name: "n", path: "n.csv", columns, formula: "y ~ [x]", families: ["normal"] };
  const [written] = block.exec(spacePipeline({ ...request, learns: true }).toml)!;
  assert.equal(block.exec(read("docs/choosing.md"))?.[0], written);
  assert.doesNotMatch(spacePipeline(request).toml, block);
});

Deno.test("a distance that the page quotes is one that was measured", () => {
  const page = read("docs/choosing.md");
  const rows = [...page.matchAll(/^ +\| .*? \| (\d\S*) +\| (\d\S*) +\|$/gm)];
  assert(rows.length >= 5);
  const measured = read("bench/results/learning.md");
  for (const [row, one, other] of rows) {
    for (const figure of [one, other]) {
      const shown = figure.replace(/0+$/, "").replaceAll(".", "\\.");
      assert.match(measured, new RegExp(`[ *]${shown} ± `), row);
    }
  }
});

Deno.test("every tutorial is linked from the README", () => {
  const readme = read("README.md");
  for (const name of ["choosing", "for_pymc_users", "for_gflownet_researchers"]) {
    assert(pages().includes(`docs/${name}.md`));
    assert(readme.includes(`docs/${name}.md`), name);
  }
});
