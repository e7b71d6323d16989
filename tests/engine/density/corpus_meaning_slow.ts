/** Programs of the corpus have the log densities that PyMC gives them. */
import assert from "node:assert/strict";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { readCases } from "../python/catalogue.ts";
import { datasets } from "../python/corpus_data.ts";
import { assertClose } from "./closeness.ts";

/** Made by tools/golden/corpus_models.py; the file names versions and command. */
interface Model {
  readonly file: string;
  readonly title: string;
  readonly points: readonly {
    readonly position: Readonly<Record<string, readonly number[]>>;
    readonly logp: number;
  }[];
}

const golden: { version: string; models: Model[] } = JSON.parse(
  Deno.readTextFileSync(new URL("../../golden/corpus_models.json", import.meta.url)),
);
/** PyTensor holds small whole numbers as int8 and takes their logarithms in 32 bits. */
const tolerance = 1e-8;
const folder = new URL("../python/corpus/", import.meta.url);

for (const file of new Set(golden.models.map((model) => model.file))) {
  Deno.test(`programs on ${file.replace(".txt", "")} have PyMC's log densities`, async (t) => {
    const cases = readCases(Deno.readTextFileSync(new URL(file, folder)));
    const dataset = datasets[file.replace(".txt", "")];
    for (const { title, points } of golden.models.filter((model) => model.file === file)) {
      await t.step(title, () => {
        const text = cases.find((one) => one.title === title)?.program;
        const result = checkProgram(text ?? "", dataset, undefined, { rows: "ordered" });
        assert.ok(result.ok);
        const density = compileLogDensity(result.program, dataset);
        const gradient = new Float64Array(density.dimension);
        for (const { position, logp } of points) {
          const parts = result.program.parameters.flatMap(({ name }) => position[name]);
          const value = density.logDensity(Float64Array.from(parts), gradient, 0);
          assertClose(value, logp, tolerance, title);
        }
      });
    }
  });
}
