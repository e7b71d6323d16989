/** Examples for fine-tuning: how they are read and learnt, and refusals with their line. */
import assert from "node:assert/strict";
import { InputError } from "../../../src/base/diagnostic.ts";
import { readSft, type SftOptions } from "../../../src/models/sft/sft_examples.ts";
import { ChatTemplate } from "../../../src/models/text/chat_template.ts";
import { Tokenizer } from "../../../src/models/text/tokenizer.ts";
import { textEnds } from "../../../src/models/text/text_ends.ts";
import { writeRandomCheckpoint } from "../../../src/models/store/random_checkpoint.ts";
import { folderTokenizer } from "../../../src/models/text/tokenizer_source.ts";
import { temporaryFolder } from "../../temporary_folder.ts";

const folder = temporaryFolder();
writeRandomCheckpoint(`${folder}/tiny`, "sft");
const source = folderTokenizer(`${folder}/tiny`)!;
const tokenizer = new Tokenizer(source);
Deno.removeSync(folder, { recursive: true });
const ends = textEnds(tokenizer, source);
const template = new ChatTemplate(
  "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}" +
    "{% if add_generation_prompt %}<assistant>{% endif %}",
);

const lines = (...values: readonly unknown[]) =>
  values.map((one) => `${JSON.stringify(one)}\n`).join("");
const read = (text: string, options: Partial<SftOptions> = {}) =>
  readSft(text, "a.jsonl", { tokenizer, ends, template }, { context: 64, ...options });
const learnt = ({ ids, from }: { ids: readonly number[]; from: number }) =>
  tokenizer.decode(ids.slice(from));

function findings(run: () => unknown) {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof InputError);
    return error.diagnostics;
  }
  assert.fail("nothing was refused");
}

Deno.test("only the completion and its end are learnt, of texts and of conversations", () => {
  const turns = [{ role: "user", content: "Add." }, { role: "assistant", content: "a+b" }];
  const { training } = read(lines({ prompt: "y = ", completion: "a" }, { messages: turns }));
  assert.deepEqual(training.map(learnt), ["a<|im_end|>", "a+b<|im_end|>"]);
  assert.equal(
    tokenizer.decode(training[1].ids.slice(0, training[1].from)),
    "<user>Add.<assistant>",
  );
  const given = tokenizer.decode(training[0].ids.slice(0, training[0].from));
  assert.equal(given, `${ends.begin!.token}y = `);
});

Deno.test("equal tokens count once, and validation depends on neither order nor repetition", () => {
  const examples = ["a", "b", "c", "d", "e"].map((completion) => ({ completion }));
  const once = read(lines(...examples), { validation: 0.4 });
  const again = read(lines(...examples.toReversed(), ...examples), { validation: 0.4 });
  assert.deepEqual([once.duplicates, again.duplicates], [0, 5]);
  assert.deepEqual([once.training.length, once.validation.length], [3, 2]);
  const texts = ({ validation }: typeof once) => validation.map(learnt).sort();
  assert.deepEqual(texts(once), texts(again));
});

Deno.test("thinking is kept or left out", () => {
  const thought = lines({ prompt: "y", completion: "<think>\nhm\n</think>\n\n= a" });
  assert.equal(learnt(read(thought, { thinking: "stripped" }).training[0]), "= a<|im_end|>");
  assert.match(learnt(read(thought).training[0]), /^<think>/);
});

Deno.test("a line says its log reward where it has one", () => {
  const { training: [one] } = read(lines({ completion: "a", log_reward: -2.5 }));
  assert.equal(one.logReward, -2.5);
});

Deno.test("every line that is no example is named with its place", () => {
  const text = lines({ completion: "a" }, { prompt: "a" }, { completion: "" }, {
    messages: [{ role: "user", content: "a" }],
  }) + "{\n";
  const found = findings(() => read(text));
  assert.deepEqual(found.map(({ span }) => span?.line), [2, 3, 4, 5]);
  assert.match(found[0].message, /a\.jsonl:2 as an example: completion is missing/);
  assert.match(found[1].message, /the completion is empty/);
  assert.match(found[2].message, /no message is the assistant's/);
  assert.match(findings(() => read("\n"))[0].message, /it has no examples/);
});

Deno.test("a completion that is thinking alone, or too long, is refused with its line", () => {
  const alone = lines({ completion: "<think>a</think>" });
  const empty = findings(() => read(alone, { thinking: "stripped" }))[0];
  assert.match(empty.message, /it is empty/);
  assert.equal(empty.span?.line, 1);
  const long = findings(() => read(lines({ completion: "a b c d" }), { context: 4 }))[0];
  assert.match(long.message, /tokens, and the context is of 4/);
});

Deno.test("a conversation wants a chat template, and a prompt must not end inside a token", () => {
  const turns = [{ role: "user", content: "a" }, { role: "assistant", content: "b" }];
  const without = () =>
    readSft(lines({ messages: turns }), "a", { tokenizer, ends }, { context: 9 });
  assert.match(findings(without)[0].message, /has no chat template/);
  const cut = lines({ completion: "a" }, { prompt: "a <|im_e", completion: "nd|>" });
  const [inside] = findings(() => read(cut));
  assert.match(inside.message, /its end lies inside the token "<\|im_end\|>"/);
  assert.equal(inside.span?.line, 2);
});
