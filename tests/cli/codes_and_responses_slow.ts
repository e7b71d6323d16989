/** Codes and row numbers are remarked on by `check` and `score`; several responses have files and answers of their own. */
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";

const rows = Array.from({ length: 24 }, (_, i) => {
  const y = 3 + Math.round(100 * Math.sin(7 * i)) / 100;
  return `${i < 9 ? i : i + 1},${1 + i % 3},${y},${y + 1},${"uvw"[i % 3]}`;
});
const csv = ["index,race,y,log_y,z", ...rows].join("\n") + "\n";
const program = (column: string) =>
  `import pandas as pd
import pymc as pm
d = pd.read_csv("r.csv")
with pm.Model():
    a = pm.Normal("a", 0, 3)
    b = pm.Normal("b", 0, 1)
    pm.Normal("y", a + b * d["${column}"].values, 1, observed=d["y"])
`;

Deno.test("check and score remark on codes that have a slope, and score on the numbers of rows", () =>
  withProject([], async (project) => {
    project.write("r.csv", csv);
    const written = await project.sluice("init", "r.csv", "--formula", "y ~ [race]");
    assert.equal(written.code, 0, written.err);
    const checked = await project.sluice("check", "r.toml");
    assert.equal(checked.code, 0, checked.err);
    assert.match(
      checked.err,
      /r\.toml:\d+:\d+: note: race: the values 1, 2, 3 are read as amounts/,
    );
    await project.sluice("init", "r.csv", "--formula", "y ~ [factor(race)]", "--force");
    assert.doesNotMatch((await project.sluice("check", "r.toml")).err, /read as amounts/);
    project.write("race.py", program("race"));
    const scored = await project.sluice("score", "race.py", "--data", "r.csv");
    assert.equal(scored.code, 0, scored.err);
    assert.match(scored.err, /The values 1, 2, 3 of "race" are amounts here, with a slope/);
    assert.doesNotMatch(scored.err, /numbers the rows/);
    project.write("index.py", program("index"));
    const numbered = await project.sluice("score", "index.py", "--data", "r.csv");
    assert.match(numbered.err, /index numbers the rows: as a predictor it says nothing/);
  }));

Deno.test("responses whose names come to one have files of their own", () =>
  withProject([], async (project) => {
    project.write("r.csv", csv);
    const formula = "mvbind(log(y), log_y) ~ [race]";
    const written = await project.sluice("init", "r.csv", "--formula", formula);
    assert.equal(written.code, 0, written.err);
    assert.match(project.read("r_log_y.toml"), /formula = "log\(y\) ~ \[race\]"/);
    assert.match(project.read("r_log_y_2.toml"), /formula = "log_y ~ \[race\]"/);
  }));

Deno.test("rank prints the answers that it has where a later response has none", () =>
  withProject([], async (project) => {
    project.write("r.csv", csv);
    const formula = "mvbind(y, exp(z)) ~ [factor(race)]";
    const ranked = await project.sluice("rank", "r.csv", "--formula", formula, "--json");
    assert.equal(ranked.code, 2);
    const answers = JSON.parse(ranked.out);
    assert.equal(answers.length, 1);
    assert.match(ranked.err, /response exp\(z\): no answer/);
    assert.match(ranked.err, /there is no function exp of the response/);
  }));
