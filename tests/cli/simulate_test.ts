/** `sluice simulate`: rows of an experiment and of a program, and what is refused. */
import assert from "node:assert/strict";
import {
  experimentRows,
  programRows,
  simulateRows,
} from "../../src/cli/simulate/simulated_rows.ts";
import { readExperiment } from "../../src/executor/play/read_experiment.ts";
import { localTheories } from "../executor/play/local_theories.ts";

const root = new URL("../../", import.meta.url).pathname;
const read = (name: string) => Deno.readTextFileSync(`${root}${name}`);
const dugongs = readExperiment(read("experiments/dugongs.toml"), "dugongs.toml");
const theories = localTheories;

Deno.test("rows of an experiment lie within its bounds and follow its latents", async () => {
  const simulation = experimentRows(dugongs, 400, 3);
  const { rows, latents } = await simulateRows(theories, simulation, 3);
  const [alpha, beta, rate] = ["alpha", "beta", "rate"].map((name) => latents[name][0]);
  let squares = 0;
  for (const row of rows) {
    const { age, length } = row as Record<string, number>;
    assert.ok(age >= 0 && age <= 5);
    squares += (length - (alpha - beta * Math.abs(rate) ** age)) ** 2;
  }
  // 400 squares of a deviation of 0.25: a chi-square, whose error is 7 %.
  assert.ok(Math.abs(squares / (400 * 0.25 ** 2) - 1) < 0.25);
});

Deno.test("equal seeds give equal rows, other seeds others", async () => {
  const made = async (seed: number) =>
    (await simulateRows(theories, experimentRows(dugongs, 3, seed), seed)).rows;
  assert.deepEqual(await made(1), await made(1));
  assert.notDeepEqual(await made(1), await made(2));
});

const program = `import pymc as pm

with pm.Model() as model:
    rate = pm.Gamma("rate", alpha=200, beta=100, shape=2)
    pm.Poisson("n", mu=rate[data["site"]] * data["hours"], observed=data["n"])
`;

Deno.test("rows of a program have the predictors of a file, categories by their names", async () => {
  const file = Deno.makeTempFileSync({ suffix: ".csv" });
  Deno.writeTextFileSync(file, "site,hours,n\nsouth,1000.5,7\nnorth,2000,8\n");
  const simulation = await programRows(program, file, { name: "n", type: "count" });
  assert.deepEqual(simulation.design.map(({ name, type }) => [name, type]), [
    ["site", "category"],
    ["hours", "real"],
    ["n", "count"],
  ]);
  const { rows, latents } = await simulateRows(theories, simulation, 1);
  const [north, south] = latents.rate;
  assert.deepEqual(rows.map(({ site }) => site), ["south", "north"]);
  const [first, second] = rows.map(({ n }) => Number(n));
  assert.ok(Math.abs(first - south * 1000.5) < 6 * Math.sqrt(south * 1000.5));
  assert.ok(Math.abs(second - north * 2000) < 6 * Math.sqrt(north * 2000));
  Deno.removeSync(file);
});

Deno.test("a file with a gap, or without rows, is refused", async () => {
  const file = Deno.makeTempFileSync({ suffix: ".csv" });
  const response = { name: "n", type: "count" } as const;
  Deno.writeTextFileSync(file, "site,hours\nnorth,1\nsouth,\n");
  await assert.rejects(
    () => programRows(program, file, response),
    /row 2 of column "hours" is empty/,
  );
  Deno.writeTextFileSync(file, "n\n1\n");
  await assert.rejects(() => programRows(program, file, response), /no rows of predictors/);
  Deno.removeSync(file);
});

Deno.test("a theory that overflows says in which row", async () => {
  const wild = { ...dugongs, program: dugongs.program.replace("0.25", "1e300") };
  const simulation = experimentRows(wild, 2, 1);
  await assert.rejects(
    () => simulateRows(theories, simulation, 1),
    /response of row 1 is no number/,
  );
});
