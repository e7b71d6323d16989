/** Writes schemas/*.schema.json from the stage kinds and the certificate: `deno task schema`. */
import { builtInKinds } from "../stages/mod.ts";
import { certificateSchemaText } from "../src/report/certificate_schema.ts";
import { pipelineSchemaText } from "../src/pipeline/read/json_schema.ts";

/** Where the schema of pipelines is kept. */
export const schemaFile = new URL("../schemas/pipeline.schema.json", import.meta.url);

/** Where the schema of certificates is kept. */
export const certificateFile = new URL("../schemas/certificate.schema.json", import.meta.url);

if (import.meta.main) {
  await Deno.mkdir(new URL("./", schemaFile), { recursive: true });
  await Deno.writeTextFile(schemaFile, pipelineSchemaText(builtInKinds));
  await Deno.writeTextFile(certificateFile, certificateSchemaText());
  console.log(
    `wrote schemas/certificate.schema.json and schemas/pipeline.schema.json: ${builtInKinds.size} kinds`,
  );
}
