/** Code with operands of wrong types is refused where it is written; V8 accepts all accepted code. */
import assert from "node:assert/strict";
import { FunctionBody, type FunctionType } from "../../../src/numerics/wasm/function_body.ts";
import { accesses, type Operation, operations } from "../../../src/numerics/wasm/instructions.ts";
import { assembleModule } from "../../../src/numerics/wasm/module.ts";

const nothing: FunctionType = { parameters: [], results: [] };
const encoded = (f: FunctionBody) => assembleModule([], [f], []);

const wrong: Record<string, [() => unknown, RegExp]> = {
  "an operand of another type": [
    () => new FunctionBody(["i32"]).number(1).get(0).op("f64.add"),
    /f64\.add finds i32 as operand 2 of f64 f64/,
  ],
  "an operand that is missing": [
    () => new FunctionBody().pair(1).op("f64x2.mul"),
    /f64x2\.mul finds nothing as operand 1 of v128 v128/,
  ],
  "a variable of another type": [
    () => new FunctionBody(["i32"]).number(1).set(0),
    /local\.set finds f64 as operand 1 of i32/,
  ],
  "a variable that is not there": [() => new FunctionBody().get(3), /there is no variable 3/],
  "an address that is a number": [
    () => new FunctionBody().number(8).load(0),
    /v128\.load finds f64 as operand 1 of i32/,
  ],
  "a branch without its result": [
    () => new FunctionBody().i32(1).either(() => {}, () => {}),
    /if finds nothing as operand 1 of v128/,
  ],
  "a branch that takes what lies below it": [
    () => {
      const f = new FunctionBody().number(1).i32(1);
      return f.when(() => f.set(f.local("f64")));
    },
    /local\.set finds nothing/,
  ],
  "a round that leaves something": [
    () => {
      const f = new FunctionBody();
      return f.countUp(f.local("i32"), 4, 1, () => f.i32(7));
    },
    /loop leaves i32/,
  ],
  "a result of another type": [
    () => encoded(new FunctionBody([], ["f64"]).i32(1)),
    /the function finds i32 as operand 1 of f64/,
  ],
  "a result too many": [() => encoded(new FunctionBody().i32(1)), /the function leaves i32/],
  "a return without its result": [
    () => new FunctionBody([], ["i32"]).return(),
    /return finds nothing/,
  ],
  "a function called as what it is not": [
    () => encoded(new FunctionBody().i32(1).call(0, { parameters: ["i32"], results: [] })),
    /function 0 is nothing -> nothing, called as i32 -> nothing/,
  ],
  "a function that is not there": [
    () => encoded(new FunctionBody().call(5, nothing)),
    /function 5 is not there/,
  ],
};

for (const [what, [write, message]] of Object.entries(wrong)) {
  Deno.test(`${what} is an error where it is written`, () => void assert.throws(write, message));
}

Deno.test("what follows a return may take anything, within its block", () => {
  const f = new FunctionBody(["i32"], ["f64"]);
  f.get(0).when(() => f.number(1).return());
  f.number(2);
  const bytes = assembleModule([], [f], [{ name: "f", index: 0 }]);
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { host: { memory } });
  const run = exports.f as (x: number) => number;
  assert.deepEqual([run(1), run(0)], [1, 2]);
  const behind = new FunctionBody([], ["f64"]).number(1).return().op("f64.add");
  assert.ok(WebAssembly.validate(encoded(behind)));
});

Deno.test("V8 agrees with every type of the table", () => {
  for (const name of Object.keys(operations) as Operation[]) {
    const { takes, gives } = operations[name];
    const f = new FunctionBody(takes, gives === "none" ? [] : [gives]);
    assert.ok(WebAssembly.validate(encoded(f.get(...takes.keys()).op(name))), name);
  }
  for (const name of Object.keys(accesses) as (keyof typeof accesses)[]) {
    const { takes, gives } = accesses[name];
    const f = new FunctionBody(takes, gives === "none" ? [] : [gives]);
    assert.ok(WebAssembly.validate(encoded(f.get(...takes.keys()).access(name, 16))), name);
  }
});
