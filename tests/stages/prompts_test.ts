/** Prompts about data: values that templates receive, and authors who are informed by them. */
import assert from "node:assert/strict";
import { makeDataset } from "../../src/base/dataset.ts";
import { authorOf } from "../../stages/target/author.ts";
import { type PromptParams, writePrompts } from "../../stages/prompts/write_prompts.ts";
import { threeAnimals } from "./fixtures.ts";

const one = (template: string, show: PromptParams["prompts"][number]["show"]) => ({
  ...{ id: "one", template, show, held_out: false },
});
const rest = { prompts: [], response: false, most_rows: 2 };
const write = (params: Partial<PromptParams>) =>
  writePrompts({ data: threeAnimals() }, { ...rest, ...params });

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
  const { prompts: [written] } = writePrompts({ data }, { prompts, response: true, most_rows: 99 });
  assert.equal(written.text, "3");
});

Deno.test("a template names only what it is shown", () => {
  assert.throws(() => write({ prompts: [one("{{ rows }}", ["columns"])] }), /it names "rows"/);
  assert.throws(() => write({ prompts: [one("{{ story }}", ["story"])] }), /tells none/);
  assert.throws(() => write({ prompts: [one("{% if false %}a{% endif %}", [])] }), /empty text/);
  assert.equal(write({ prompts: [one("Write a program.", [])] }).prompts[0].informed, false);
});

Deno.test("what neither summaries nor rows have is refused, and what is hidden is not written", () => {
  const wrong = one("{{ columns[0].count }} animals", ["columns"]);
  assert.throws(() => write({ prompts: [wrong] }), /reads "\.count", which nothing here has/);
  const cell = one("{{ rows[0].agee }}", ["rows"]);
  assert.throws(() => write({ prompts: [cell] }), /reads "\.agee"/);
  const hidden = one("up to {{ rows[0].length }}{{ columns[1].max }}.", ["rows", "columns"]);
  assert.equal(write({ prompts: [hidden] }).prompts[0].text, "up to .");
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

const template = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}" +
  "{% if add_generation_prompt %}<assistant>{% endif %}{% if quiet %}(quiet){% endif %}";
const spoken = { name: "spoken", sha256: "5a", chat_template: template, begin_is_added: false };
const turns = (...messages: { role: string; content: string }[]) => ({
  ...{ id: "one", messages, show: ["columns" as const], held_out: false },
});
const user = { role: "user", content: "{{ columns | length }} columns?" };
const ask = (params: Partial<PromptParams>, model: typeof spoken | object = spoken) =>
  writePrompts(
    { data: threeAnimals() },
    { ...rest, model: "spoken", ...params },
    () => ({ ...spoken, ...model }),
  ).prompts[0];

Deno.test("turns are templates, and the model's own template makes a text of them", () => {
  const written = ask({ prompts: [turns({ role: "system", content: "Count." }, user)] });
  assert.equal(written.text, "<system>Count.<user>3 columns?<assistant>");
  assert.deepEqual(written.messages?.[1], { role: "user", content: "3 columns?" });
  assert.deepEqual([written.model_sha256, written.begins], ["5a", true]);
  const quiet = ask({ prompts: [turns(user)], template_variables: { quiet: true } });
  assert.equal(quiet.text, "<user>3 columns?<assistant>(quiet)");
  assert.equal(ask({ prompts: [turns(user)] }, { begin_is_added: true }).begins, false);
});

Deno.test("a conversation without a model, without a template or answered already is refused", () => {
  assert.throws(() => write({ prompts: [turns(user)] }), /messages want a model/);
  assert.throws(() => ask({ prompts: [turns(user)] }, { chat_template: null }), /no chat template/);
  const answered = turns(user, { role: "assistant", content: "Three." });
  assert.throws(() => ask({ prompts: [answered] }), /its last turn is the assistant's/);
  const wrong = turns({ role: "user", content: "{{ rows }}" });
  assert.throws(() => ask({ prompts: [wrong] }), /it names "rows"/);
  const raises = "{{ raise_exception('no system') }}";
  assert.throws(() => ask({ prompts: [turns(user)] }, { chat_template: raises }), /no system/);
});

Deno.test("each prompt may be about a data set of its own", () => {
  const { columns } = threeAnimals();
  const one = makeDataset("one", columns.slice(0, 1), 0);
  const prompts = [
    {
      ...turns(),
      messages: undefined,
      id: "a",
      data: "a.data",
      template: "{{ columns | length }}",
    },
    { ...turns(), messages: undefined, id: "b", template: "{{ columns | length }}" },
  ].map(({ messages: _, ...prompt }) => prompt);
  const about = { data: threeAnimals(), each: { "a.data": one } };
  const { prompts: written } = writePrompts(about, { ...rest, prompts });
  assert.deepEqual(written.map(({ text }) => text), ["1", "3"]);
  assert.deepEqual(written.map(({ data }) => data), [one.digest, threeAnimals().digest]);
});
