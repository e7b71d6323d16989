/** The committed JSON Schema and page of keys are those that the stage kinds generate. */
import assert from "node:assert/strict";
import { builtInKinds } from "../../../stages/mod.ts";
import { kindsPageText } from "../../../tools/kinds_page.ts";
import { keysFile } from "../../../tools/schema.ts";
import { pipelineSchemaText } from "../../../src/pipeline/read/json_schema.ts";

Deno.test("schemas/pipeline.schema.json is current (deno run -A tools/schema.ts writes it)", () => {
  const file = new URL("../../../schemas/pipeline.schema.json", import.meta.url);
  assert.equal(Deno.readTextFileSync(file), pipelineSchemaText(builtInKinds));
});

Deno.test("schemas/keys.md is current (deno task schema writes it)", () => {
  assert.equal(Deno.readTextFileSync(keysFile), kindsPageText());
});
