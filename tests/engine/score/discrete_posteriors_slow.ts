/** Programs with discrete variables against PyMC's compound steps and exact ELPD-LOO. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

/** Made by tools/golden/discrete_posteriors.py; the file names versions and command. */
interface Golden {
  readonly version: string;
  readonly cases: Readonly<
    Record<string, {
      readonly data: Readonly<Record<string, readonly number[]>>;
      readonly text: string;
      readonly values: Readonly<Record<string, { mean: number; mcse: number }>>;
      /** By sums and integrals without any sampling. */
      readonly elpd_exact: number;
    }>
  >;
}

const golden: Golden = JSON.parse(
  Deno.readTextFileSync(new URL("../../golden/discrete_posteriors.json", import.meta.url)),
);
for (const [name, { data, text, values, elpd_exact }] of Object.entries(golden.cases)) {
  Deno.test(`${name}: means are those of PyMC, ELPD-LOO is exact`, () => {
    assert.match(golden.version, /^PyMC 5/);
    const counts = data.y.every(Number.isInteger);
    const dataset = makeDataset(
      "golden",
      Object.entries(data).map(([column, numbers]) => ({
        name: column,
        role: column === "y" ? "response" : "predictor",
        type: column === "y" && counts ? "count" : "real",
        values: Float64Array.from(numbers),
      })),
    );
    const lines = text.split("\n").map((line) => `    ${line}`).join("\n");
    const schedule = { ...defaultSchedule, draws: 2000 };
    const source = `with pm.Model() as model:\n${lines}\n`;
    const { status, score } = scoreNow(source, dataset, schedule, { summaries: true });
    assert.equal(status, "ok");
    const difference = score!.elpdLoo - elpd_exact;
    assert.ok(Math.abs(difference) < 4 * score!.mcse, `ELPD-LOO: ${difference} ± ${score!.mcse}`);
    for (const [label, wanted] of Object.entries(values)) {
      const [, parameter, element] = /^(\w+)(?:\[(\d+)\])?$/.exec(label)!;
      const own = score!.params[parameter];
      const i = Number(element ?? 0);
      const error = Math.sqrt(own.mcseMean[i] ** 2 + wanted.mcse ** 2);
      const z = (own.mean[i] - wanted.mean) / error;
      assert.ok(Math.abs(z) < 4, `${label}: ${own.mean[i]} is ${z} errors off ${wanted.mean}`);
    }
  });
}
