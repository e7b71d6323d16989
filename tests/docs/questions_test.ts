/** Questions of newcomers: fifteen, each with a place that answers it, and the field's words among them. */
import assert from "node:assert/strict";
import { contents } from "../../site/contents.ts";
import { links, read } from "./markdown.ts";

const page = "docs/questions.md";

Deno.test("three kinds of newcomers ask five questions each, and each answer leads somewhere", () => {
  const kinds = read(page).split(/^## /m).slice(1);
  assert.deepEqual(kinds.map((kind) => kind.split("\n")[0]), [
    ...["I have data", "I train policies", "I build on it"],
  ]);
  for (const kind of kinds) {
    const answers = kind.split(/^\*\*/m).slice(1);
    assert.equal(answers.length, 5, kind.slice(0, 40));
    for (const answer of answers) assert.match(answer, /\?\*\*[\s\S]*\]\([a-z_/]+\.md/, answer);
  }
  assert.ok(links(page).length >= 15);
});

Deno.test("the field's words are found, also those that Sluice has another word for", () => {
  const text = read(page).replaceAll(/\s+/g, " ").toLowerCase();
  const words = [
    ...["Bayes factor", "model averaging", "model selection", "marginal likelihood", "stacking"],
    ...["cross-validation", "conditional GFlowNet", "amortized inference", "LoRA", "off-policy"],
    ...["reward hacking", "policy gradients", "sub-trajectory balance", "replay", "SLURM"],
  ];
  assert.deepEqual(words.filter((word) => !text.includes(word.toLowerCase())), []);
});

Deno.test("the site opens on the three doors, at most five pages each beside the front page", () => {
  const doors = contents.slice(0, 3);
  assert.deepEqual(doors.map(({ title }) => title), [
    ...["I have data", "I train policies", "I build on it"],
  ]);
  for (const { pages } of doors) {
    assert.ok(pages.filter(([, path]) => path !== "README.md").length <= 5);
  }
});
