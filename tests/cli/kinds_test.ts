/** `sluice kinds` lists the kinds, and prints the ports and keys of one. */
import assert from "node:assert/strict";
import { z } from "../../src/base/zod.ts";
import { keysOfKind } from "../../src/pipeline/read/kind_keys.ts";
import { builtInKinds } from "../../stages/mod.ts";
import { kindHelp, kindList } from "../../src/cli/kind_help.ts";

const of = z.strictObject({ judge: z.literal("of"), most: z.int().min(1).max(8).default(3) });
const params = z.strictObject({
  terms: z.array(z.union([of, z.strictObject({ path: z.string().describe("a file") })]))
    .describe("the terms"),
  columns: z.record(z.string(), z.strictObject({ role: z.enum(["x", "y"]).describe("its role") }))
    .optional().describe("the columns"),
  names: z.array(z.enum(["a", "b"])).default(["a"]).describe("some names"),
});

Deno.test("keys stand by their place, with values, default and meaning", () => {
  const told = keysOfKind({ params }).map((key) =>
    `${key.path}|${key.values}|${key.required ? "!" : JSON.stringify(key.standard)}`
  );
  assert.deepEqual(told, [
    "terms|a list|!",
    "terms[](of).most|a whole number from 1 to 8|3",
    "terms[].path|text|!",
    "columns|a table|undefined",
    "columns.NAME.role|one of x, y|!",
    'names|a list of a, b|["a"]',
  ]);
});

Deno.test("help prints ports, required keys, defaults and wires by name", () => {
  const helpOf = (kind: string) => kindHelp(builtInKinds.get(kind)!, 80);
  const evaluate = helpOf("evaluate_kl");
  assert.match(evaluate, /^evaluate_kl: Compares [^]*\n\ninputs:\n {2}policy: /);
  assert.match(evaluate, /\n {2}scored: optional; /);
  assert.match(evaluate, /\n {2}certificate.seeds = 1\n {6}number of certificates/);
  assert.match(
    evaluate,
    /\n {2}compare\n {6}a policy by names of your own \[NAME = "stage\.port"\]/,
  );
  assert.match(helpOf("learn"), /\n {2}objective \(required\)\n {6}objective, built in or /);
  assert.ok(!helpOf("service").includes("inputs:"));
});

Deno.test("the list has the loop and fits the terminal", () => {
  const lines = kindList(60).split("\n");
  assert.ok(lines.some((line) => line.startsWith("loop ")));
  assert.ok(lines.every((line) => [...line].length <= 60));
});
