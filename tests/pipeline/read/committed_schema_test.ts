/** The committed JSON Schema is the one that the stage kinds generate. */
import assert from "node:assert/strict";
import { builtInKinds } from "../../../stages/mod.ts";
import { pipelineSchemaText } from "../../../src/pipeline/read/json_schema.ts";

Deno.test("schemas/pipeline.schema.json is current (deno run -A tools/schema.ts writes it)", () => {
  const file = new URL("../../../schemas/pipeline.schema.json", import.meta.url);
  assert.equal(Deno.readTextFileSync(file), pipelineSchemaText(builtInKinds));
});
