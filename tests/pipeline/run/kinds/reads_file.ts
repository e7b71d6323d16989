/** Reads a file: one that a parameter names, and one that nothing declares. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { filePath } from "../../../../src/pipeline/contract/path_param.ts";
import { defineStage } from "../../../../src/pipeline/contract/stage.ts";
import { number } from "./ports.ts";

export default defineStage({
  kind: "reads_file",
  version: 1,
  description: "Counts the bytes of files.",
  params: z.strictObject({ path: filePath(), undeclared: z.string().optional() }),
  inputs: {},
  outputs: { value: number },
  run(_context, _inputs, { path, undeclared }) {
    const bytes = readFileSync(path).length;
    return Promise.resolve({ value: bytes + (undeclared ? readFileSync(undeclared).length : 0) });
  },
});
