/** `sluice next` from the command line: the most telling row first, bad candidates with what to write instead. */
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";

/** Two laws that part only for large x: of six rows near 0 none can tell them apart. */
const rows = [[0.1, 0.12], [0.3, 0.31], [0.5, 0.43], [0.7, 0.66], [0.9, 0.79], [1.1, 0.87]];
const line = `import pymc as pm

with pm.Model() as model:
    b = pm.Normal("b", 1, 0.3)
    pm.Normal("y", b * data["x"], 0.1, observed=data["y"])
`;
const bent = line.replace('b * data["x"]', 'b * pm.math.tanh(data["x"])');
const commonFlags = ["--data", "d.csv", "--response", "y"];

Deno.test("the row that tells two laws apart is first, and bad candidates are refused", async () => {
  await withProject([], async (project) => {
    project.write("d.csv", "x,y\n" + rows.map((row) => row.join(",")).join("\n") + "\n");
    project.write("line.py", line);
    project.write("bent.py", bent);
    const ranked = await project.sluice("rank", "line.py", "bent.py", ...commonFlags, "--quiet");
    assert.equal(ranked.code, 0, ranked.err);
    const asked = ["next", "last", "--grid", "x=0:3:0.5"];
    const { code, out, err } = await project.sluice(...asked, "--json");
    assert.equal(code, 0, err);
    const { about, candidates } = JSON.parse(out);
    assert.equal(about, "models");
    assert.deepEqual(candidates[0].at, { x: 3 });
    const nats = candidates.map((one: { nats: number }) => one.nats);
    assert.deepEqual(nats, [...nats].sort((a, b) => b - a));
    for (const { nats: own, low, high } of candidates) assert.ok(low <= own && own <= high);
    assert.ok(candidates[0].low > candidates.at(-1).high);
    const table = await project.sluice(...asked, "--about", "effects", "--batch", "2");
    assert.match(table.out, /about all that is unknown[\s\S]*Most informative batch/);

    project.write("c.csv", "x,price\n1,2\n1,2\n3,80\n");
    const costs = await project.sluice(
      "next",
      "last",
      "--candidates",
      "c.csv",
      "--cost",
      "price",
      "--json",
    );
    const priced = JSON.parse(costs.out).candidates;
    assert.deepEqual(priced.map((one: { cost: number }) => one.cost).sort(), [2, 80]);
    assert.equal(priced[0].nats_per_cost, priced[0].nats / priced[0].cost);

    for (
      const [flags, message] of [
        [[], /no candidates are named[\s\S]*add --candidates rows\.csv/],
        [["--grid", "x=0:1:0"], /a range is from:to:step[\s\S]*write dose=0:10:0\.5/],
        [["--grid", "z=1"], /no predictor "z"[\s\S]*predictors are x/],
        [["--grid", "x=0:1:0.00001"], /100001 rows[\s\S]*at most 2000/],
        [["--candidates", "no.csv"], /no such file/],
        [["--candidates", "d.csv", "--cost", "fee"], /no column fee/],
      ] as const
    ) {
      const refused = await project.sluice("next", "last", ...flags);
      assert.equal(refused.code, 2, refused.out);
      assert.match(refused.err, message);
    }
    project.write("big.csv", `x\n${Array.from({ length: 100_000 }, (_, i) => i / 7).join("\n")}\n`);
    const many = await project.sluice("next", "last", "--candidates", "big.csv");
    assert.match(many.err, /among 100000 rows[\s\S]*at most 2000[\s\S]*every tenth/);
    project.write("other.csv", "w\n1\n");
    const lacking = await project.sluice("next", "last", "--candidates", "other.csv");
    assert.match(lacking.err, /none of the predictors[\s\S]*x/);
  });
});
