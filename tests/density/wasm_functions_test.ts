/** Functions of the generated modules: the bits of src/math/elementary.ts, edges included. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { assembleModule, FunctionBody, unsigned } from "../../src/density/wasm/assembler.ts";
import {
  callIndex,
  gradientIndex,
  hostFunctions,
  imports,
  ownFunctions,
} from "../../src/density/wasm/host.ts";
import { exp, log, sigmoid } from "../../src/math/elementary.ts";

/** An own function of generated modules, as a JavaScript function. */
function compiled(name: "exp" | "log" | "sigmoid"): (x: number) => number {
  const caller = new FunctionBody(["f64"], "f64").get(0).call(callIndex[name]);
  const bytes = assembleModule(imports, [...ownFunctions(), caller], {
    name: "f",
    index: gradientIndex,
  });
  const memory = new WebAssembly.Memory({ initial: 1 });
  const host = { memory, ...hostFunctions, term: () => 0 };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { host });
  return exports.f as (x: number) => number;
}

const edges = [0, -0, 1, -1, 708, -708, 709.7, 710, -745, -746, 5e-324, 2.3e-308, 1e-310, 1e308]
  .concat([Infinity, -Infinity, NaN, Math.SQRT2, Math.SQRT1_2, 2147483648, 2 ** -31]);

for (const [name, reference] of [["exp", exp], ["log", log], ["sigmoid", sigmoid]] as const) {
  Deno.test(`the module's ${name} has the bits of ${name}`, () => {
    const f = compiled(name);
    for (const x of edges) assert.ok(Object.is(f(x), reference(x)), `${name}(${x})`);
    fc.assert(fc.property(fc.double(), (x) => Object.is(f(x), reference(x))), { numRuns: 2000 });
    const moderate = fc.double({ min: -50, max: 50, noNaN: true });
    fc.assert(fc.property(moderate, (x) => Object.is(f(x), reference(x))), { numRuns: 2000 });
  });
}

Deno.test("LEB128 splits numbers into groups of seven bits", () => {
  assert.deepEqual(unsigned(0), [0]);
  assert.deepEqual(unsigned(127), [127]);
  assert.deepEqual(unsigned(624485), [0xe5, 0x8e, 0x26]);
  assert.deepEqual(unsigned(2 ** 32), [128, 128, 128, 128, 16]);
});
