/** Normal forms by brute force: one derivation each, and the mass of all orders on it. */
import assert from "node:assert/strict";
import { grammarEnvironment } from "../../../../src/gfn/grammar/environment.ts";
import { checkEnvironment } from "../../../../src/gfn/environments/check_environment.ts";
import { checkMasses, kernelOf } from "./check_masses.ts";
import {
  derivations,
  grammarWith,
  kernels,
  normalised,
  parsed,
  production,
} from "./kernel_grammar.ts";

// Counted by hand: 3 leaves; C(3 + m − 1, m) multisets for each sign; then the same of those.
for (const [depth, operands, count] of [[2, 2, 15], [2, 3, 35], [3, 2, 93]]) {
  Deno.test(`the mass of each of ${count} normal forms is that of all its orders`, () => {
    checkMasses(depth, operands, count);
  });
}

Deno.test("the target of normal forms is that of all spellings, summed", () => {
  // A likelihood that knows nothing of order or brackets.
  const score = (kernel: string) => 0.7 * kernel.split("r").length - 0.4 * kernel.split("*").length;
  const logZ = (terms: readonly number[]) => Math.log(terms.reduce((sum, x) => sum + x, 0));
  const spelled = derivations(3, 2).map(({ tree, probability }) =>
    probability * Math.exp(score(normalised(tree)))
  );
  const forms = [...grammarEnvironment(kernels(3, 2)).enumerate()].map(({ text, logPrior }) =>
    Math.exp(logPrior + score(normalised(parsed(kernelOf(text)))))
  );
  assert.ok(spelled.length > 3 * forms.length);
  assert.ok(Math.abs(logZ(spelled) - logZ(forms)) < 1e-12);
});

Deno.test("normal forms keep the laws of environments", () => {
  checkEnvironment(grammarEnvironment(kernels(3, 2)));
  checkEnvironment(grammarEnvironment({ ...kernels(3, 3), choices: 6 }));
});

Deno.test("a production that is commutative alone keeps its brackets", () => {
  const environment = grammarEnvironment(grammarWith([{
    name: "k",
    type: "expression",
    productions: [
      production("a", "a", { weight: 3 }),
      production("b", "b"),
      production("most", "pm.math.maximum({k}, {k})", { commutative: true }),
    ],
  }], { depth: 2 }));
  const found = [...environment.enumerate()].map(({ text, logPrior }) =>
    [
      text.trim().slice(4),
      Math.exp(logPrior),
    ] as const
  );
  assert.deepEqual(found.map(([text]) => text), [
    "a",
    "b",
    "pm.math.maximum(a, a)",
    "pm.math.maximum(a, b)",
    "pm.math.maximum(b, b)",
  ]);
  // 1/5 of the mass is theirs, as a², 2 a b and b² with a = 3/4.
  const wanted = [3 / 5, 1 / 5, 9 / 80, 6 / 80, 1 / 80];
  found.forEach(([, mass], i) => assert.ok(Math.abs(mass - wanted[i]) < 1e-15, `${mass}`));
});

Deno.test("sums of products of twelve kernels deep in their order keep their digits", () => {
  const names = Array.from({ length: 12 }, (_, i) => `x${i}`);
  const environment = grammarEnvironment(grammarWith([{
    name: "k",
    type: "expression",
    productions: [
      ...names.map((name, i) => production(name, name, { weight: 10 ** -i })),
      production("sum", "({k} + {k})", {
        weight: 1e-3,
        commutative: true,
        associative: true,
        operands: 8,
      }),
    ],
  }], { depth: 2 }));
  // Eight different members: all orders of them, none the less likely for being rare.
  const chosen = [..."4567".split(""), "8", "9", "10", "11"].map((i) => `x${i}`);
  let state = environment.initialState();
  for (const name of [...Array(7).fill("sum"), ...chosen]) {
    state = environment.step(state, environment.actionNames.indexOf(name));
  }
  const leaves = names.reduce((sum, _, i) => sum + 10 ** -i, 0);
  const total = leaves + 1e-3;
  const orders = 40_320; // 8!
  const members = chosen.reduce((all, name) => all * 10 ** -Number(name.slice(1)) / leaves, 1);
  const wanted = Math.log((1e-3 / total) ** 7 * orders) + Math.log(members);
  const { logPrior } = environment.terminal(state);
  assert.ok(Math.abs(logPrior - wanted) < 1e-10, `${logPrior} ${wanted}`);
});
