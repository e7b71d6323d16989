/** Programs of four sets are read, but for one; some have the values that grids give. */
import assert from "node:assert/strict";
import { furtherPrograms, refusalOf, scoreFurther } from "./further.ts";

/** ELPD-LOO on grids of SciPy 1.17's densities, 400 points for each of two parameters or 90 of three; `ab` in closed form. */
const exact: Readonly<Record<string, number>> = {
  ab: -15.7903,
  pos: -88.9481,
  yields: 28.0465,
  tobit: -71.5134,
  gam: -178.8574,
  decay: -10.462,
};

const refused: Readonly<Record<string, RegExp>> = { twoway: /^Cannot use a string in `\+`/ };

for (const program of furtherPrograms()) {
  Deno.test(`${program.name}: read, or refused by a message`, async () => {
    const found = await refusalOf(program);
    if (refused[program.name]) assert.match(found ?? "", refused[program.name]);
    else assert.equal(found, undefined);
  });
}

for (const [name, wanted] of Object.entries(exact)) {
  Deno.test(`${name}: the score is that of the grid`, async () => {
    const { score } = await scoreFurther(furtherPrograms().find((one) => one.name === name)!);
    assert.ok(Math.abs(score!.elpdLoo - wanted) < 4 * score!.mcse + 0.01, `${score!.elpdLoo}`);
  });
}
