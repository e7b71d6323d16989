/** The agent `language_model`: texts that count as an action, repairs, and the prompt. */
import assert from "node:assert/strict";
import {
  languageModelAgent,
  type Turn,
  type Writer,
} from "../../../src/executor/play/agents/language_model.ts";
import type { AgentView } from "../../../src/executor/play/agents/agent.ts";
import { type ActionForm, readAction } from "../../../src/executor/play/agents/read_action.ts";

const query = (value: unknown) => ({ kind: "action", action: { kind: "query", query: value } });
const submit = (program: string) => ({ kind: "action", action: { kind: "submit", program } });

const read: readonly (readonly [ActionForm, string, unknown])[] = [
  ["json", '{"query": {"age": 1.5}}', query({ age: 1.5 })],
  ["json", 'I would ask:\n```json\n{"query": {"age": "1.5"}}\n```', query({ age: "1.5" })],
  ["json", '<think>{"query": {"age": 9}}</think>{"query": {"age": 1}}', query({ age: 1 })],
  ["json", 'thought without a beginning</think>{"query": {}}', query({})],
  ["json", '{"submit": "a = {}\\nb = \\"}\\""}', submit('a = {}\nb = "}"')],
  ["json", '{broken {"query": {"age": 1}}', query({ age: 1 })],
  ["json", '{"query": "between 3 and 4"}', query("between 3 and 4")],
  [
    "xml",
    '<tool_call>\n{"name": "query", "arguments": {"age": 1}}\n</tool_call>',
    query({ age: 1 }),
  ],
  ["xml", '<tool_call>{"name":"query","arguments":"{\\"age\\":1}"}</tool_call>', query({ age: 1 })],
  ["xml", '<tool_call>{"name":"submit","arguments":{"program":"x"}}</tool_call>', submit("x")],
  ["text", "QUERY age = 1.5, sex = male", query({ age: "1.5", sex: "male" })],
  ["text", "Let me see.\n  QUERY: age: 3 years\n", query({ age: "3 years" })],
  ["text", 'QUERY sex = "female"', query({ sex: "female" })],
  ["text", "SUBMIT\n```python\nx = 1\n```\n", submit("x = 1\n")],
];

for (const [form, said, wanted] of read) {
  Deno.test(`${form}: ${JSON.stringify(said)} is an action`, () => {
    assert.deepEqual(readAction(said, form), wanted);
  });
}

const wrong: readonly (readonly [ActionForm, string, RegExp])[] = [
  ["json", "", /is empty/],
  ["json", "I am a chatbot.", /no action was found/],
  ["json", '<think>{"query": {"age": 1}}', /ends within a thought/],
  ["json", '{"age": 1.5}', /found the keys age, wanted query or submit alone/],
  ["json", '{"query": {"age": 1}, "seed": 3}', /found the keys query, seed/],
  ["json", '{"query": {"age": 1}} {"query": {"age": 2}}', /wanted one action, found 2/],
  ["json", "{}", /found the keys of nothing/],
  ["json", '{"submit": ""}', /submit has no program/],
  ["json", '{"submit": {"age": 1}}', /submit has no program/],
  ["json", '{"query": {"age": NaN}}', /found the keys|no action/],
  ["json", `{"query": "${"a".repeat(20_000)}"}`, /at most 20000 letters/],
  ["xml", '{"query": {"age": 1}}', /no action was found/],
  ["xml", "<tool_call>query</tool_call>", /no JSON/],
  ["xml", "<tool_call>null</tool_call>", /no JSON/],
  ["xml", '<tool_call>{"name":"open","arguments":{}}</tool_call>', /there is no tool "open"/],
  ["text", "QUERY the oldest one", /wanted name = value/],
  ["text", "SUBMIT", /submit has no program/],
  ["text", "SUBMIT\n```\na\n```\n```\nb\n```", /wanted one program, found 2/],
];

for (const [form, said, message] of wrong) {
  Deno.test(`${form}: ${JSON.stringify(said.slice(0, 60))} is no action`, () => {
    const found = readAction(said, form);
    assert.equal(found.kind, "problem");
    assert.match((found as { problem: string }).problem, message);
  });
}

const view: AgentView = {
  story: "You choose the age of a dugong.",
  inputs: { age: { type: "real", low: 0, high: 5 }, n: { type: "integer", low: 1, high: 4 } },
  response: { name: "length", unit: "metres" },
  budget: 3,
  left: 2,
  transcript: [
    { query: { age: 1, n: 2 }, observation: [{ age: 1, n: 2, length: 1.5 }], words: "1.5 metres" },
    { query: { age: 9, n: 2 }, reason: "age is 9: wanted a number from 0 to 5" },
    { query: "I am a chatbot", reason: "no object" },
  ],
};

/** Says what it is told to say, one text after the other. */
function writerOf(texts: readonly string[], most = Infinity) {
  const asked: (readonly Turn[])[] = [];
  const writer: Writer = {
    write(turns) {
      if (turns[0].content.length > most) return Promise.resolve(undefined);
      asked.push(turns);
      return Promise.resolve({ text: texts[asked.length - 1], tokens: 10, cost: 0.5 });
    },
  };
  return { writer, asked };
}

Deno.test("a prompt tells story, inputs, what is observed and what was asked", async () => {
  const { writer, asked } = writerOf(['{"query": {"age": 2, "n": 1}}']);
  const action = await languageModelAgent(writer, "json").act(view);
  assert.deepEqual(action, { kind: "query", query: { age: 2, n: 1 }, tokens: 10, cost: 0.5 });
  assert.equal(asked.length, 1);
  assert.equal(
    asked[0][0].content,
    `You choose the age of a dugong.

Inputs:
- age: a number from 0 to 5
- n: a whole number from 1 to 4

Observed: length, in metres.

What you asked so far:
1. {"age":1,"n":2}: 1.5 metres
2. {"age":9,"n":2} was refused: age is 9: wanted a number from 0 to 5
3. An answer that was no action.

You may ask 2 more. Answer with one action and nothing else, such as
{"query": {"age":2.5,"n":3}}`,
  );
});

Deno.test("an answer that is no action may be repaired once, and both are counted", async () => {
  const { writer, asked } = writerOf([
    "<think>hm</think>old ones",
    '{"query": {"age": 5, "n": 1}}',
  ]);
  const action = await languageModelAgent(writer, "json").act(view);
  assert.deepEqual(action, { kind: "query", query: { age: 5, n: 1 }, tokens: 20, cost: 1 });
  const [, repair] = asked;
  assert.deepEqual(repair[1], { role: "assistant", content: "old ones" });
  assert.match(repair[2].content, /^That is no action: no action was found\. Answer with one/);
});

Deno.test("two answers that are no action are a query that the world refuses", async () => {
  const { writer } = writerOf(["between 3 and 4", "between 3 and 4"]);
  const action = await languageModelAgent(writer, "json").act(view);
  assert.deepEqual(action, { kind: "query", query: "between 3 and 4", tokens: 20, cost: 1 });
});

Deno.test("the beginning of a transcript is left out where the model cannot read all", async () => {
  const { writer, asked } = writerOf(['{"query": {"age": 2, "n": 1}}'], 300);
  await languageModelAgent(writer, "json").act(view);
  assert.ok(!asked[0][0].content.includes("1.5 metres"));
  assert.match(asked[0][0].content, /3\. An answer that was no action/);
  const none = writerOf([], 10);
  const action = await languageModelAgent(none.writer, "json").act(view);
  assert.deepEqual(action, { kind: "query", query: "", tokens: 0, cost: 0 });
});

Deno.test("each form is shown by an example that it reads", async () => {
  for (const form of ["json", "xml", "text"] as const) {
    const { writer, asked } = writerOf(["", ""]);
    await languageModelAgent(writer, form).act(view);
    const example = asked[0][0].content.split("such as\n")[1];
    const found = readAction(example, form);
    assert.equal(found.kind, "action", example);
  }
});
