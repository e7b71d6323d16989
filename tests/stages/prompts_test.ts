/** Prompts about data: what templates are given, and who is informed by that. */
import assert from "node:assert/strict";
import { makeDataset } from "../../src/base/dataset.ts";
import { authorOf } from "../../stages/target/author.ts";
import { type PromptParams, writePrompts } from "../../stages/prompts/write_prompts.ts";
import { threeAnimals } from "./fixtures.ts";

const one = (template: string, show: PromptParams["prompts"][number]["show"]) => ({
  ...{ id: "one", template, show, held_out: false },
});
const write = (params: Partial<PromptParams>) =>
  writePrompts(threeAnimals(), { prompts: [], response: false, most_rows: 2, ...params });

Deno.test("a prompt says what it was shown, and holds nothing of the response unless it may", () => {
  const rows = "{% for row in rows %}{{ row.age }} {{ row.herd }} {{ row.length }};{% endfor %}";
  const hidden = write({ prompts: [one(rows, ["rows"])] }).prompts[0];
  assert.equal(hidden.text, "1 west ;5 east ;");
  assert.equal(hidden.informed, false);
  const open = write({ prompts: [one(rows, ["rows"])], response: true }).prompts[0];
  assert.equal(open.text, "1 west 1.8;5 east 2.2;");
  assert.deepEqual([open.informed, open.shows], [true, ["rows"]]);
});

Deno.test("summaries of columns lack the response's numbers unless they may be shown", () => {
  const text = "{% for c in columns %}{{ c.name }} {{ c.role }} {{ c.max }};{% endfor %}";
  const [hidden] = write({ prompts: [one(text, ["columns"])] }).prompts;
  assert.equal(hidden.text, "age predictor 12.25;length response ;herd group ;");
  const [open] = write({ prompts: [one(text, ["columns"])], response: true }).prompts;
  assert.equal(open.text, "age predictor 12.25;length response 2.2;herd group ;");
});

Deno.test("withheld rows are never shown", () => {
  const { columns } = threeAnimals();
  const data = makeDataset("held", columns, 0, { rows: 1, columns });
  const prompts = [one("{{ rows | length }}", ["rows"])];
  const { prompts: [written] } = writePrompts(data, { prompts, response: true, most_rows: 99 });
  assert.equal(written.text, "3");
});

Deno.test("a template names only what it is shown", () => {
  assert.throws(() => write({ prompts: [one("{{ rows }}", ["columns"])] }), /it names "rows"/);
  assert.throws(() => write({ prompts: [one("{{ story }}", ["story"])] }), /tells none/);
  assert.throws(() => write({ prompts: [one("{% if false %}a{% endif %}", [])] }), /empty text/);
  assert.equal(write({ prompts: [one("Write a program.", [])] }).prompts[0].informed, false);
});

Deno.test("whoever was shown the response is informed, and cannot be called blind", () => {
  const informed = write({ prompts: [one("{{ rows }}", ["rows"])], response: true }).prompts;
  const blind = write({ prompts: [one("{{ rows }}", ["rows"])] }).prompts;
  assert.equal(authorOf(undefined, { kind: "grammar", spec: null }, informed), "informed");
  assert.equal(authorOf(undefined, { kind: "grammar", spec: null }, blind), "blind");
  assert.throws(
    () => authorOf("blind", { kind: "grammar", spec: null }, informed),
    /prompt "one" shows values of the response/,
  );
});
