/** Thought in a stage's texts: as tokens of a model, and lines of files that hold one. */
import assert from "node:assert/strict";
import { InputError } from "../../src/base/diagnostic.ts";
import { lineSpan } from "../../src/base/span.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { environmentNamed } from "../../src/gfn/environments/built_in_environments.ts";
import { thoughtful } from "../../src/gfn/environments/thoughts.ts";
import { tokensOf } from "../../src/gfn/environments/tokens.ts";
import { actionsBehindThought, thinkingSpec } from "../../stages/environment/thinking.ts";

/** Letters, and two digits as one token. */
const letters = {
  ...{ digest: "letters", vocabulary: 400, context: 64, end: 0 },
  encode: (text: string) =>
    (text.match(/\d\d|[^]/g) ?? []).map((one) =>
      one.length === 2 ? 256 + Number(one) : one.charCodeAt(0)
    ),
  spell: (id: number) => id >= 256 ? `${id - 256}`.padStart(2, "0") : String.fromCharCode(id),
  decode: (ids: readonly number[]) => ids.map((id) => letters.spell(id)).join(""),
};
const params = { open: "<", close: ">", most_tokens: 3 };
const numbers = tokensOf(environmentNamed("numbers", { max: 99, base: 10 }), letters);
const environment = thoughtful(numbers, thinkingSpec(letters, params)) as Environment;
const span = lineSpan("a.jsonl", 3, 1);
const written = (text: string) =>
  letters.decode(
    actionsBehindThought(environment, letters, [...letters.encode(text), 0], span).slice(0, -1),
  );

Deno.test("texts of a thought are tokens of the model, each one of its own", () => {
  const among = ["7", "12"];
  assert.deepEqual(thinkingSpec(letters, { ...params, among }).among, ["7".charCodeAt(0), 268]);
  const wrong = () => thinkingSpec(letters, { ...params, among: ["7", "ab", ">"] });
  assert.throws(wrong, (error) => {
    assert.ok(error instanceof InputError);
    const found = error.diagnostics.map(({ message }) => message);
    assert.match(found[0], /Cannot think in "ab": it is 2 tokens/);
    assert.match(found[1], /Cannot think in ">": it is a token of what closes/);
    return true;
  });
});

Deno.test("a line's thought and answer are tokens each by itself, and no thought is an empty one", () => {
  assert.equal(written("<a1>12"), "<a1>12");
  assert.equal(written("12"), "<>12");
  const ids = actionsBehindThought(environment, letters, [...letters.encode("<1>23"), 0], span);
  assert.deepEqual(ids, [..."<1>"].map((one) => one.charCodeAt(0)).concat(279, 0));
  const plain = letters.encode("<1>23");
  assert.equal(actionsBehindThought(numbers as Environment, letters, plain, span), plain);
});

Deno.test("a thought that never closes, and one with nothing behind it, name their line", () => {
  assert.throws(() => written("<a12"), /a\.jsonl:3: the thought of "<a12" never closes/);
  assert.throws(() => written("<a>"), /a\.jsonl:3: nothing stands behind the thought of "<a>"/);
});
