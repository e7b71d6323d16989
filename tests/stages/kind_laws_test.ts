/** Every stage kind says what it is: names, ports, parameters with descriptions, services; a planted one that does not is red. */
import assert from "node:assert/strict";
import { type CheckedDeclaration, declarationOf } from "../../src/pipeline/read/declaration.ts";
import { builtInKindFile, builtInKinds } from "../../stages/mod.ts";

/** Keys of a JSON schema's table that no description explains, at its top. */
function unexplained({ paramsJsonSchema }: Pick<CheckedDeclaration, "paramsJsonSchema">): string[] {
  const { properties = {} } = paramsJsonSchema as { readonly properties?: object };
  return Object.entries(properties)
    .filter(([, schema]) => !(schema as { readonly description?: string }).description)
    .map(([key]) => key);
}

/** Laws of what every kind declares. */
function checkKind(one: CheckedDeclaration): void {
  const { kind, version, description, inputs, outputs, uses = [] } = one;
  assert.match(kind, /^[a-z][a-z0-9_]*$/);
  assert.ok(Number.isInteger(version) && version > 0, `version ${version}`);
  assert.ok(description.trim().length > 10, `description "${description}"`);
  assert.deepEqual(unexplained(one), [], "parameters without a description");
  for (const [name, { type }] of Object.entries({ ...inputs, ...outputs })) {
    assert.match(`${name} ${type}`, /^[a-z_]+ [a-z_]+$/);
  }
  for (const service of uses) assert.match(service, /^[a-z_]+$/);
  assert.ok(Object.keys(outputs).length > 0 || Object.keys(inputs).length > 0, "it has a port");
}

for (const [name, kind] of builtInKinds) {
  Deno.test(`the kind ${name} keeps the laws of kinds`, async () => {
    assert.equal(kind.kind, name);
    checkKind(declarationOf(kind));
    const own = await import(builtInKindFile(name));
    assert.ok((own.default ?? own.kinds[name]).kind === name, "its file exports it");
  });
}

Deno.test("a kind without a description, a version, ports or words for a parameter breaks a law", () => {
  const good = declarationOf(builtInKinds.get("tokens")!);
  checkKind(good);
  const properties = { mask: { type: "string" } };
  const planted: readonly (readonly [object, RegExp])[] = [
    [{ description: "" }, /description ""/],
    [{ version: 0 }, /version 0/],
    [{ inputs: {}, outputs: {} }, /it has a port/],
    [{ paramsJsonSchema: { type: "object", properties } }, /parameters without a description/],
  ];
  for (const [change, wanted] of planted) {
    assert.throws(() => checkKind({ ...good, ...change }), wanted);
  }
});
