/** Writes schemas/pipeline.schema.json from the stage kinds: `deno run -A tools/schema.ts`. */
import { builtInKinds } from "../stages/mod.ts";
import { pipelineSchemaText } from "../src/runner/pipeline/json_schema.ts";

/** Where the schema is kept. */
export const schemaFile = new URL("../schemas/pipeline.schema.json", import.meta.url);

if (import.meta.main) {
  await Deno.mkdir(new URL("./", schemaFile), { recursive: true });
  await Deno.writeTextFile(schemaFile, pipelineSchemaText(builtInKinds));
  console.log(`wrote schemas/pipeline.schema.json: ${builtInKinds.size} kinds`);
}
