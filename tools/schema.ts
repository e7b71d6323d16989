/** Writes schemas/ from stage kinds, certificate and answer: `deno task schema`. */
import { builtInKinds } from "../stages/mod.ts";
import { kindsPageText } from "./kinds_page.ts";
import { answerSchemaText } from "../src/answers/answer_schema.ts";
import { certificateSchemaText } from "../src/report/certificate_schema.ts";
import { pipelineSchemaText } from "../src/pipeline/read/json_schema.ts";

/** Where the schema of pipelines is kept. */
export const schemaFile = new URL("../schemas/pipeline.schema.json", import.meta.url);

/** Where the schema of certificates is kept. */
export const certificateFile = new URL("../schemas/certificate.schema.json", import.meta.url);

/** Where the schema of answers is kept. */
export const answerFile = new URL("../schemas/answer.schema.json", import.meta.url);

/** Where the page of stages' keys is kept. */
export const keysFile = new URL("../schemas/keys.md", import.meta.url);

if (import.meta.main) {
  await Deno.mkdir(new URL("./", schemaFile), { recursive: true });
  await Deno.writeTextFile(schemaFile, pipelineSchemaText(builtInKinds));
  await Deno.writeTextFile(certificateFile, certificateSchemaText());
  await Deno.writeTextFile(answerFile, answerSchemaText());
  await Deno.writeTextFile(keysFile, kindsPageText());
  console.log(`wrote three schemas and a page; pipelines have ${builtInKinds.size} kinds`);
}
