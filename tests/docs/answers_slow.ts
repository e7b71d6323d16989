/** The page about reading the answer, and the README's first question, run as they stand. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";
import { read } from "./markdown.ts";

/** Blocks of a page that show what the command prints, without what the page leaves out. */
function shownIn(page: string, from: string, to: string): string[] {
  const part = read(page).split(from)[1].split(to)[0];
  return [...part.matchAll(/^```text\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
    block.trim().split("\n\n")
  );
}

const command = /rank data\/dugongs\.csv --response length --formula ("[^"]*")/;

Deno.test("what the page and the README show of an answer is what their command prints", async () => {
  const asked = ["docs/answers.md", "README.md"].map((page) => command.exec(read(page))![1]);
  assert.equal(asked[0], asked[1]);
  const shown = [
    ...shownIn("docs/answers.md", "# Reading the answer", "## Where the data"),
    ...shownIn("README.md", "## A question, and its answer", "## A policy"),
  ];
  assert.ok(shown.length >= 8);
  await withProject(["data/dugongs.csv"], async (project) => {
    const options = ["--response", "length", "--formula", JSON.parse(asked[0])];
    const { code, out, err } = await project.sluice("rank", "data/dugongs.csv", ...options);
    assert.equal(code, 0, err);
    for (const block of shown) {
      for (const part of sentences(block)) assert.ok(out.includes(part), part);
    }
    const [averages] = shownIn(
      "docs/answers.md",
      "## Predictions on the scale of the response",
      "## How sure that is",
    );
    const predicted = await project.sluice("predict", "last", "--at", "age=5,20");
    assert.equal(predicted.out.trim(), averages, predicted.err);
  });
});

/** A block of sentences may leave some out: each stands for itself. */
function sentences(block: string): string[] {
  return block.split(/\n(?=- )/);
}
