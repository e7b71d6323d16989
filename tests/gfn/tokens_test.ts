/** Environments in tokens: the trie of canonical tokens, its laws, and what is refused. */
import assert from "node:assert/strict";
import { InputError } from "../../src/base/diagnostic.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { environmentNamed } from "../../src/gfn/environments/built_in_environments.ts";
import {
  tokensEnvironment,
  tokensOf,
  type TokenSource,
  type TokenSpec,
} from "../../src/gfn/environments/tokens.ts";
import { TokenTrie } from "../../src/gfn/environments/token_trie.ts";
import { actionsOfDerivation } from "../../src/gfn/grammar/derivation.ts";
import { grammarEnvironment } from "../../src/gfn/grammar/environment.ts";
import { checkEnvironment } from "../../src/gfn/environments/check_environment.ts";

/** Letters as tokens, digits from 1 on, in pairs where there are two. */
const letters: TokenSource = {
  digest: "letters",
  vocabulary: 400,
  context: 64,
  end: 0,
  encode(text) {
    const pieces = text.match(/\d\d|[^]/g) ?? [];
    return pieces.map((piece) => piece.length === 2 ? 256 + Number(piece) : piece.charCodeAt(0));
  },
  spell: (id) => id >= 256 ? `${id - 256}`.padStart(2, "0") : String.fromCharCode(id),
};
const numbers = environmentNamed("numbers", { max: 150, base: 10 });

const production = (name: string, weight: number, text: string) => ({
  ...{ name, weight, text, requires: [], requiresAny: [], excludes: [] },
});
const coin = grammarEnvironment({
  ...{ format: 1, name: "coin", template: "side = {side}", exit: 1, clauses: [] },
  holes: [{
    name: "side",
    type: "number",
    productions: [production("heads", 3, "1"), production("tails", 1, "10")],
  }],
}) as Environment;

Deno.test("an environment in tokens keeps the laws, the objects, the priors and the rewards", () => {
  for (const base of [numbers, coin]) {
    const lifted = tokensOf(base, letters);
    checkEnvironment(lifted);
    const plain = (environment: Environment) =>
      [...environment.enumerate()].map(({ actions: _, ...rest }) => rest);
    assert.deepEqual(plain(lifted as Environment), plain(base));
    assert.equal(lifted.kind, "tokens");
  }
});

Deno.test("an environment in tokens is rebuilt from its spec, and its digest names the tokenizer", () => {
  const lifted = tokensOf(numbers, letters);
  const spec = JSON.parse(JSON.stringify(lifted.spec)) as TokenSpec;
  const again = tokensEnvironment(numbers, spec);
  assert.equal(again.digest, lifted.digest);
  assert.deepEqual([...again.enumerate()], [...lifted.enumerate()]);
  const other = tokensOf(numbers, { ...letters, digest: "other" });
  assert.notEqual(other.digest, lifted.digest);
});

Deno.test("a trie has a segment between two choices, and counts the positions that choices need", () => {
  const trie = new TokenTrie([[5, 6, 1, 7, 0], [5, 6, 2, 3, 4, 0], [5, 6, 2, 3, 8, 9, 0]]);
  assert.equal(trie.segments, 5);
  assert.equal(trie.tokens, 2 + 3 + 2 + 2 + 3);
  // Before the first token, after 5, 6, and after 2, 3; the tokens behind are forced.
  assert.equal(trie.positions, 1 + 2 + 2);
  assert.equal(new TokenTrie([[1, 2, 0]]).positions, 0);
  assert.throws(() => new TokenTrie([[1], [1, 2]]), /internal: one sequence begins another/);
});

Deno.test("a derivation by names is found in tokens", () => {
  const lifted = tokensOf(coin, letters) as Environment;
  const found = actionsOfDerivation(lifted, ["tails"]);
  assert.ok(found.ok);
  const [, tails] = [...lifted.enumerate()];
  assert.deepEqual(found.actions, tails.actions);
  const wrong = actionsOfDerivation(lifted, ["tail"], "mine");
  assert.ok(!wrong.ok && /did you mean "tails"/.test(`${wrong.diagnostic.hint}`));
});

const refused: readonly (readonly [string, Partial<TokenSource>, number | undefined, RegExp])[] = [
  ["equal tokens", { encode: () => [1] }, undefined, /objects 1 and 2 have the same 1 tokens/],
  ["a long object", { context: 3 }, undefined, /has 2 tokens; .* more than the 3 of the context/],
  ["an unknown id", { vocabulary: 300 }, undefined, /has the token 300, and the model knows 300/],
  ["the end inside", { encode: () => [0] }, undefined, /contains .*, which ends objects/],
  ["too many objects", {}, 20, /it has 151 objects, and all are listed/],
];
for (const [what, change, limit, message] of refused) {
  Deno.test(`an environment with ${what} is not lifted`, () => {
    const lift = () => tokensOf(numbers, { ...letters, ...change }, limit);
    assert.throws(lift, (error) => error instanceof InputError && message.test(error.message));
  });
}
