/** Twelve of the random count programs against exact refits by PyMC: every row left out and sampled without it. */
import assert from "node:assert/strict";
import { defaultSchedule } from "../../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../../src/engine/score/score.ts";
import { countProgram } from "./count_programs.ts";
import { refitted } from "./programs_for_pymc.ts";

/** PyMC's results by the program's seed; the file names the version and commands. */
interface Refits {
  readonly name: string;
  readonly elpd: number;
  readonly mcse: number;
}

const golden: { readonly programs: Readonly<Record<string, Refits>> } = JSON.parse(
  Deno.readTextFileSync(new URL("../../../golden/count_refits.json", import.meta.url)),
);

const found = refitted.filter((seed) => golden.programs[seed]);

Deno.test("programs that were refitted are those that are to be", () => {
  assert.equal(found.length, 12);
  assert.equal(found.length, Object.keys(golden.programs).length);
});

for (const seed of found) {
  Deno.test(`random count program ${seed} scores as PyMC's refits of it`, () => {
    const { name, text, data, exact } = countProgram(seed);
    const refits = golden.programs[seed];
    assert.equal(refits.name, name);
    const { score } = scoreNow(text, data, { ...defaultSchedule, rows: "ordered" });
    const away = Math.abs(score!.elpdLoo - refits.elpd);
    assert.ok(away <= 4 * Math.hypot(score!.mcse, refits.mcse) + 0.02, `${name}: ${away}`);
    // The quadrature that is the reference of all programs of the set is compared with refits, too.
    const summed = exact().reduce((sum, one) => sum + one, 0);
    assert.ok(Math.abs(summed - refits.elpd) <= 4 * refits.mcse + 0.005, `${name}: ${summed}`);
  });
}
