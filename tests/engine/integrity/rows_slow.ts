/** Every program that the shipped grammars derive treats rows alike. */
import assert from "node:assert/strict";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { allPrograms, grammars, programCount } from "../graph_import/programs.ts";

for (const grammar of grammars()) {
  Deno.test(`no program of grammars/${grammar}.toml is refused for its order of rows`, () => {
    let count = 0;
    for (const { text, dataset } of allPrograms(grammar)) {
      const result = checkProgram(text, dataset);
      const codes = result.ok ? [] : result.diagnostics.map(({ code }) => code);
      assert.deepEqual(codes, [], text);
      count++;
    }
    const all = programCount(grammar);
    assert.ok(count === all || all > 1e6 && count >= 80, `${count} of ${all}`);
    console.log(`${grammar}: ${count} programs`);
  });
}
