/** Stage kind `strings`: strings built from both ends, with their own reward. */
import { readRegularText } from "../../src/base/regular_file.ts";
import { strings } from "../../src/gfn/environments/mod.ts";
import { port, ports } from "../ports/mod.ts";
import { defineStage, filePath } from "../../src/pipeline/contract/mod.ts";

export default defineStage({
  kind: strings.kind,
  version: 1,
  description: strings.description,
  params: strings.parameters.extend({
    table: filePath().optional()
      .describe("file of measured scores instead: a JSON object with a number for every string"),
  }),
  inputs: {},
  outputs: { environment: port(ports.environment, strings.called) },
  check: "run",
  async run(_context, _inputs, { table, ...spec }) {
    const { readStringTable } = await import("../../src/gfn/environments/mod.ts");
    const { blocks, length } = spec;
    const scores = table &&
      readStringTable(readRegularText(table, Infinity), table, blocks, length);
    return { environment: strings.fromSpec({ ...spec, ...(scores && { scores }) }) };
  },
});
