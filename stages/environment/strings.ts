/** Stage kind `strings`: strings built from both ends, with their own reward. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { port, ports } from "../ports/mod.ts";
import { filePath } from "../../src/pipeline/contract/path_param.ts";
import { defineStage } from "../../src/pipeline/contract/stage.ts";

export default defineStage({
  kind: "strings",
  version: 1,
  description: "Strings built from both ends, the size of QM9-str (after Shen et al. 2023).",
  params: z.strictObject({
    blocks: z.int().min(2).max(26).default(11).describe("different blocks"),
    length: z.int().min(2).max(12).default(5).describe("blocks of a string"),
    exponent: z.number().positive().default(5).describe("sharpness of the reward"),
    floor: z.number().positive().default(0.001).describe("least score that counts"),
    seed: z.int().min(0).default(0).describe("draws the scores of pairs"),
    table: filePath().optional()
      .describe("measured scores instead: a JSON object with a number for every string"),
  }),
  inputs: {},
  outputs: { environment: port(ports.environment, "the strings") },
  async run(_context, _inputs, { table, ...spec }) {
    const { builtInEnvironments } = await import("../../src/gfn/environments/mod.ts");
    const { readStringTable } = await import("../../src/gfn/environments/string_table.ts");
    const { blocks, length } = spec;
    const scores = table && readStringTable(await readFile(table, "utf8"), table, blocks, length);
    const make = builtInEnvironments.get("strings")!;
    return { environment: make({ ...spec, ...(scores && { scores }) }) };
  },
});
