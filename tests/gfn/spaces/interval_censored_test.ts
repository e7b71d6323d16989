/** Responses between two numbers: data, formula, program, score, and what a program may not do with them. */
import assert from "node:assert/strict";
import { intervalCensored } from "../../../src/base/interval_censored.ts";
import { parseTable } from "../../../src/data/raw_table.ts";
import { typedDataset } from "../../../src/data/typed_dataset.ts";
import { checkProgram } from "../../../src/engine/mod.ts";
import { printProgram } from "../../../src/engine/score/print_program.ts";
import { totalMass } from "../../../src/engine/score/integrity/total_mass.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { distributionsAtPrior } from "../../../src/engine/score/integrity/distribution_at.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/mod.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";
import golden from "../../golden/interval_censored.json" with { type: "json" };

const levels = ["left", "none", "right", "interval"];

async function dataOf(rows: typeof golden.normal) {
  const cells = rows.map(({ side, low, high }, i) => `${golden.x[i]},${low},${side},${high ?? ""}`);
  const text = `x,y,side,upper\n${cells.join("\n")}\n`;
  const table = await parseTable(new TextEncoder().encode(text), "made.csv");
  return typedDataset("made", table, {
    x: { role: "predictor" },
    y: { role: "response", resolution: 0.01 },
    side: { role: "event", type: "category", levels },
    upper: { role: "limit" },
  }, "error");
}

const head = `import numpy as np\nimport pymc as pm\n\n\n${intervalCensored}\n
with pm.Model() as model:
    a = pm.Normal("a", 0, 2)
    b = pm.Normal("b", 0, 1)
    s = pm.Exponential("s", 1)
`;
const ends = 'lower=data["y_limit_from"], upper=data["y_limit_until"], observed=data["y"]';
const texts = {
  normal: `${head}    interval_censored("y", pm.Normal, ${ends}, mu=a + b * data["x"], sigma=s)\n`,
  weibull: `${head}    interval_censored("y", pm.Weibull, ${ends}, alpha=s, ` +
    'beta=pm.math.exp(a + b * data["x"]))\n',
};

for (const name of ["normal", "weibull"] as const) {
  Deno.test(`${name}: known values, limits and intervals have the exact ELPD-LOO`, async () => {
    const { score } = scoreNow(texts[name], await dataOf(golden[name]), defaultSchedule);
    const { elpdLoo, mcse } = score!;
    const wanted = golden.elpd_loo[name];
    assert.ok(Math.abs(elpdLoo - wanted) < 4 * mcse + 0.01, `${elpdLoo} ± ${mcse}: ${wanted}`);
  });

  Deno.test(`${name}: printed with the function that PyMC runs, it is the same program`, async () => {
    const data = await dataOf(golden[name]);
    const checked = checkProgram(texts[name], data);
    assert.ok(checked.ok);
    const printed = printProgram(checked.program, data);
    assert.ok(printed.ok && printed.text.includes(intervalCensored));
    assert.equal(printed.proof.kind, "same");
  });
}

const rows = await dataOf(golden.weibull);

Deno.test("a row's distribution has the mass 1, whatever its window", () => {
  for (const name of ["normal", "weibull"] as const) {
    const checked = checkProgram(texts[name], rows);
    assert.ok(checked.ok);
    for (const one of distributionsAtPrior(checked.program, rows, 3, ["w"])!) {
      const { masses } = totalMass(one, ["w"]);
      assert.equal(masses.length, rows.rows);
      assert.ok(masses.every((mass) => Math.abs(mass - 1) < 1e-6), `${masses}`);
    }
  }
});

function programOf(formula: string, family: string, space: "regression" | "survival") {
  const grammar = spaceGrammar(rows, { space, formula, families: [family] });
  return [...grammarEnvironment(grammar).enumerate()].at(-1)!.text;
}

Deno.test("y | cens(side, upper) is a formula of regressions and of survival", () => {
  const formula = "y | cens(side, upper) ~ [x]";
  const cases = [
    ["normal", "regression"],
    ["student_t", "regression"],
    ["gamma", "regression"],
    ["weibull", "survival"],
    ["log_normal", "survival"],
    ["exponential", "survival"],
  ] as const;
  for (const [family, space] of cases) {
    const text = programOf(formula, family, space);
    assert.match(text, /interval_censored\("y", pm\.\w+, lower=data\["y_limit_from"\]/);
    assert.ok(checkProgram(text, rows).ok, family);
  }
  assert.throws(() => programOf(formula, "poisson", "regression"), /poisson: it is for counts/);
  const shares = () => programOf(formula, "hurdle_gamma", "regression");
  assert.throws(shares, /the family hurdle_gamma: it has no intervals/);
});

function refusal(text: string): string {
  const checked = checkProgram(text, rows);
  return checked.ok ? "" : checked.diagnostics[0].message;
}

Deno.test("windows are those of the data, and the function is that of the page, word for word", () => {
  const own = texts.weibull.replace('data["y_limit_from"]', "0");
  assert.match(refusal(own), /they are not those of the data/);
  const wide = texts.weibull.replace('upper=data["y_limit_until"]', "upper=1e9");
  assert.match(refusal(wide), /they are not those of the data/);
  const used = texts.weibull.replace("exp(a + b", 'exp(data["y_limit_from"] + a + b');
  assert.match(refusal(used), /Cannot use "y_limit_from" here/);
  const changed = texts.weibull.replace("1e300", "1e3");
  assert.notEqual(refusal(changed), "");
  const counted = texts.weibull.replace("pm.Weibull, lower", "pm.Poisson, lower")
    .replace("alpha=s, beta=", "mu=");
  assert.match(refusal(counted), /Cannot use counts|density/);
});

Deno.test("a row between a number and nothing is named", async () => {
  const odd = golden.normal.map((row) => row.side === "interval" ? { ...row, high: null } : row);
  await assert.rejects(dataOf(odd), /row \d+ lies between -?\d+ and nothing \(upper\)/);
});
