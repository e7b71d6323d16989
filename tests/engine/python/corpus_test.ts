/** Programs in the style of language models are all read, as PyMC reads them. */
import assert from "node:assert/strict";
import { renderDiagnostics } from "../../../src/base/diagnostic.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { readCases } from "./catalogue.ts";
import { datasets, orderedPrograms, rowsOf } from "./corpus_data.ts";

/** Made by tools/golden/corpus_models.py; the file names versions and command. */
interface Model {
  readonly file: string;
  readonly title: string;
  readonly free: Readonly<Record<string, number[]>>;
  readonly observed: number[];
}

const golden: { version: string; models: Model[] } = JSON.parse(
  Deno.readTextFileSync(new URL("../../golden/corpus_models.json", import.meta.url)),
);
const folder = new URL("./corpus/", import.meta.url);
const files = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

for (const file of files) {
  Deno.test(`programs on ${file.replace(".txt", "")} are read, with the variables and shapes of PyMC`, async (t) => {
    const dataset = datasets[file.replace(".txt", "")];
    for (const { title, program } of readCases(Deno.readTextFileSync(new URL(file, folder)))) {
      await t.step(title, () => {
        const result = checkProgram(program, dataset, undefined, { rows: rowsOf(title) });
        const { diagnostics } = result.ok ? result.program : result;
        const wrong = diagnostics.filter(({ code }) =>
          code !== "notes/inference-ignored" && code !== "names/not-in-pymc"
        );
        const text = renderDiagnostics(wrong, new Map([["program.py", program]]));
        assert.equal(text, "");
        assert.ok(result.ok);
        const { parameters, likelihood } = result.program;
        const model = golden.models.find((one) => one.file === file && one.title === title);
        assert.ok(model, title);
        const shapes = Object.fromEntries(parameters.map(({ name, shape }) => [name, shape]));
        assert.deepEqual(shapes, model.free);
        assert.deepEqual(likelihood.distribution.shape, model.observed);
      });
    }
  });
}

Deno.test("of the corpus, those with an order of rows are refused where rows have none, and no others", () => {
  const refused = files.flatMap((file) =>
    readCases(Deno.readTextFileSync(new URL(file, folder))).flatMap(({ title, program }) => {
      const result = checkProgram(program, datasets[file.replace(".txt", "")]);
      if (result.ok) return [];
      assert.deepEqual(result.diagnostics.map(({ code }) => code), ["lh/row-table"], title);
      return [title];
    })
  );
  assert.deepEqual(refused.sort(), [...orderedPrograms].sort());
});

Deno.test("the corpus has at least 40 programs, each with another title", () => {
  const all = files.flatMap((name) => readCases(Deno.readTextFileSync(new URL(name, folder))));
  assert.ok(all.length >= 40, `${all.length}`);
  assert.equal(new Set(all.map(({ title }) => title)).size, all.length);
});
