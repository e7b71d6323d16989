/** Programs of seven sets are read, or refused by a rule or for what is not read yet; some have the values that grids give. */
import assert from "node:assert/strict";
import { furtherPrograms, refusalOf, scoreFurther } from "./further.ts";

/** ELPD-LOO on grids of SciPy 1.17's densities, 400 points for each of two parameters or 90 of three; `ab` in closed form; the last three by 240 points of the noise, the coefficients integrated. */
const exact: Readonly<Record<string, number>> = {
  ab: -15.7903,
  pos: -88.9481,
  yields: 28.0465,
  tobit: -71.5134,
  gam: -178.8574,
  decay: -10.462,
  divorce: -79.3455,
  patsy_dmatrices: -60.0146,
  sklearn_scaled: -47.6702,
};

/** Refused, by a rule or for what is not read: the first message of each. */
const refused: Readonly<Record<string, RegExp>> = {
  two_drugs: /^Cannot use \.query of a data frame: every row of the data is scored/,
  mastectomy: /^Cannot use "time" here: the response may only be observed/,
  weibull_potential: /^Cannot observe a value computed from the response/,
  soft_constraint: /^Cannot use pm\.Potential/,
  stock_vol: /^Cannot observe a value computed from the response/,
  rt_pivot: /^Cannot use \.pivot of a data frame: its rows are no rows of the data/,
  trees_dm: /^Cannot use "pine" here/,
  milk_na: /row 2: found nothing/,
  howell_adults: /^Cannot leave rows out: the condition holds in 40 of 50 rows/,
  meta_logor: /^Cannot observe a value computed from the response/,
  psychometric: /^Cannot observe a value computed from the response/,
  tennis: /^Cannot use "winner" here/,
  car_map: /^Cannot use pm\.CAR: not in the subset/,
  diamond_cut: /^Cannot name a variable "lp"/,
  hospital_smr: /^Cannot call logsmr\.argmax on a random variable/,
  toxic_dose: /^Cannot use \.query of a data frame: every row of the data is scored/,
  water_wells: /^Cannot read wells\.dist/,
  state_panel: /rows are told apart by their order/,
};

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
