/** Holds every normal form of `kernels` against the sum of its spellings. */
import assert from "node:assert/strict";
import { grammarEnvironment } from "../../../../src/gfn/grammar/environment.ts";
import { derivations, kernels, normalised, parsed } from "./kernel_grammar.ts";

/** The kernel of a program `k = …`. */
export const kernelOf = (text: string) => text.trim().slice("k = ".length);

/** Each of `count` normal forms is derived once, with the mass of all its orders. */
export function checkMasses(depth: number, operands: number, count: number): void {
  const wanted = new Map<string, number>();
  for (const { tree, probability } of derivations(depth, operands)) {
    const key = normalised(tree);
    wanted.set(key, (wanted.get(key) ?? 0) + probability);
  }
  const environment = grammarEnvironment(kernels(depth, operands));
  const found = [...environment.enumerate()];
  assert.equal(found.length, count);
  assert.equal(environment.count, count);
  assert.equal(wanted.size, count);
  for (const { text, logPrior } of found) {
    const form = normalised(parsed(kernelOf(text)));
    const mass = wanted.get(form)!;
    assert.ok(Math.abs(Math.exp(logPrior) / mass - 1) < 1e-11, `${text} ${mass}`);
    wanted.delete(form);
  }
  assert.equal(wanted.size, 0, "every normal form has exactly one derivation");
}
