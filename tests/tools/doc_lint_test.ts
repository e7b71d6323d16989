/** Plants faults in doc comments, and expects each by name. */
import assert from "node:assert/strict";
import { docFaults, withoutExample } from "../../tools/doc_lint/faults.ts";

/** The first lines of the faults of a module with this text, beside the repository's `base`. */
async function faultsOf(text: string): Promise<string[]> {
  const folder = await Deno.makeTempDir();
  const zod = new URL("../../src/base/zod.ts", import.meta.url);
  try {
    await Deno.writeTextFile(`${folder}/mod.ts`, `import { z } from "${zod}";\n${text}`);
    return (await docFaults([`${folder}/mod.ts`])).map((fault) => fault.split("\n")[0]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("documented exports have no fault", async () => {
  assert.deepEqual(await faultsOf("/** A sum. */\nexport const sum: number = 1 + 1;"), []);
});

Deno.test("a missing comment is a fault, of an export and of a field", async () => {
  const text = "export const a = 1;\n/** B. */\nexport interface B {\n  readonly field: number;\n}";
  assert.deepEqual(await faultsOf(text), Array(2).fill(missing));
});

Deno.test("a type that no door exports is a fault where another mentions it", async () => {
  const text = "interface A {}\n/** B. */\nexport type B = readonly A[];";
  assert.deepEqual(await faultsOf(text), [
    "error[private-type-ref]: public type 'B' references private type 'A'",
  ]);
});

Deno.test("a type that is inferred is a fault, unless zod makes the constant", async () => {
  assert.equal((await faultsOf("/** A. */\nexport const a = 1 + 1;")).length, 1);
  assert.equal((await faultsOf("/** A. */\nexport function a() {\n  return 1;\n}")).length, 1);
  assert.deepEqual(await faultsOf("/** A. */\nexport const a = z.string().min(1);"), []);
});

Deno.test("types computed from constants, and zod's own, are no fault", async () => {
  const text = `const names = ["a", "b"] as const;
    /** A name. */
    export type Name = (typeof names)[number];
    const schema = z.strictObject({ a: z.string() });
    /** Given. */
    export type Given = z.input<typeof schema>;
    /** Any schema. */
    export type Schema = z.ZodType;`;
  assert.deepEqual(await faultsOf(text), []);
});

Deno.test("a module that is not there is an error", async () => {
  await assert.rejects(docFaults(["not/there.ts"]));
});

const missing = "error[missing-jsdoc]: exported symbol is missing JSDoc documentation";

Deno.test("a function without an example is found, one with an example is not", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const example = "/**\n * B.\n *\n * ```ts\n * b();\n * ```\n */";
    await Deno.writeTextFile(
      `${folder}/mod.ts`,
      `/** A. */\nexport function a(): void {}\n${example}\nexport function b(): void {}\n`,
    );
    const [found, ...more] = await withoutExample([`${folder}/mod.ts`]);
    assert.match(found, /mod\.ts a$/);
    assert.deepEqual(more, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
