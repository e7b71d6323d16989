/** Files as users write them, from the command line to effects, beside those of other programs. */
import assert from "node:assert/strict";
import type { Answer } from "../../src/answers/mod.ts";
import { type CommandLine, withProject } from "./command_line.ts";

async function effectsOf(project: CommandLine, ...args: string[]): Promise<Map<string, number>> {
  const { code, out, err } = await project.sluice("rank", ...args, "--json", "--quiet");
  assert.equal(code, 0, err);
  const answer: Answer = JSON.parse(out);
  return new Map(answer.effects.map(({ term, mean }) => [term, mean]));
}

/**
 * Maximum likelihood of the same 60 rows by scipy 1.17.1 (`optimize.minimize` of the log likelihood; of
 * rows' effects by 40 nodes of Gauss and Hermite), of known errors by statsmodels 0.15.0 (`WLS`), with
 * its standard error, and the slope that ignores what the left side says.
 */
const slopes: readonly (readonly [string, string, number, number, number])[] = [
  ["limit | cens(side) ~ x", "normal", 2.180, 0.303, 1.270],
  ["seen | trunc(lb = 1) ~ x", "poisson", 0.727, 0.233, 0.377],
  ["study | se(s) ~ x", "normal", 0.743, 0.142, 0.444],
  ["count ~ x + (1 | row)", "poisson", 0.373, 0.192, NaN],
];

Deno.test("limits, truncation, known errors and effects of rows have the slopes of maximum likelihood", () =>
  withProject([], async (project) => {
    project.write("left.csv", Deno.readTextFileSync(new URL("left_sides.csv", import.meta.url)));
    for (const [formula, family, wanted, se, naive] of slopes) {
      const effects = await effectsOf(
        project,
        "left.csv",
        "--formula",
        formula,
        "--families",
        family,
      );
      const found = effects.get("x")!;
      assert(Math.abs(found - wanted) < 0.4 * se, `${formula}: ${found}, not ${wanted}`);
      assert(
        !(Math.abs(found - naive) < se),
        `${formula}: ${found} is the slope without the left side`,
      );
    }
  }));

Deno.test("an index with gaps, codes and a new level: from the file to predictions", () =>
  withProject([], async (project) => {
    const rows = Array.from({ length: 60 }, (_, i) => {
      const site = [1, 2, 4][i % 3];
      return `${3 * i + 7},${site},${(i * 7) % 10},${
        ((site === 4 ? 3 : 0) + (i * 37 % 11) / 10).toFixed(1)
      }`;
    });
    project.write("sites.csv", ["Unnamed: 0,site,x,y", ...rows, ""].join("\n"));
    const shown = await project.sluice("data", "sites.csv", "--response", "y");
    assert.match(shown.out, /Unnamed: 0: it numbers the rows/);
    assert.match(shown.out, /site: the values 1, 2, 4 are read as amounts/);
    const formula = ["--formula", "y ~ [factor(site)] + x", "--families", "normal"];
    const effects = await effectsOf(project, "sites.csv", ...formula);
    assert(Math.abs(effects.get("site: 4")! - 3) < 0.3 && Math.abs(effects.get("site: 2")!) < 0.3);
    project.write("new.csv", "site,x\n4,5\n3,5\n1,5\n");
    const { code, out, err } = await project.sluice("predict", "last", "--at", "new.csv", "--json");
    assert.equal(code, 2, err);
    const { predictions, refused } = JSON.parse(out);
    assert.deepEqual(refused, { 1: 'site is "3", which no row of the data has (1, 2, 4)' });
    assert.equal(predictions[1], null);
    assert(Math.abs(predictions[0].mean - predictions[2].mean - 3) < 0.4);
    const written = await project.sluice("init", "sites.csv", ...formula, "--out", "mine");
    assert.equal(written.code, 0, written.err);
    assert.match(written.err, /next: deno task sluice run mine\/sites\.toml$/m);
  }));

Deno.test("a response of levels is predicted by their probabilities", () =>
  withProject([], async (project) => {
    // Of 60 rows half have x = 1; there 20, 8 and 2 chose a, b and c, elsewhere 2, 8 and 20.
    const chosen = [[20, 8, 2], [2, 8, 20]].flatMap((counts, k) =>
      counts.flatMap((count, level) => new Array(count).fill(`${1 - k},${"abc"[level]}`))
    );
    project.write("choice.csv", ["x,choice", ...chosen, ""].join("\n"));
    project.write("new.csv", "x\n1\n0\n");
    const ranked = await project.sluice("rank", "choice.csv", "--formula", "choice ~ x", "--quiet");
    assert.equal(ranked.code, 0, ranked.err);
    const { code, out } = await project.sluice("predict", "last", "--at", "new.csv", "--json");
    assert.equal(code, 0);
    const [{ probabilities: one }, { probabilities: zero }] = JSON.parse(out).predictions;
    assert(
      Math.abs(one.a - 20 / 30) < 0.06 && Math.abs(one.c - 2 / 30) < 0.06,
      JSON.stringify(one),
    );
    assert(Math.abs(zero.c - 20 / 30) < 0.06 && Math.abs(zero.b - 8 / 30) < 0.06);
    const table = await project.sluice("predict", "last", "--at", "new.csv");
    assert.match(table.out, /^x +P\(a\) +P\(b\) +P\(c\)\n1 +6\d\.\d %/);
    const mean = await project.sluice("predict", "last", "--at", "x=1");
    assert.equal(mean.code, 2);
    assert.match(mean.err, /its levels have no order, and so no mean/);
  }));

Deno.test("score says what a file tells beside the program, and refuses names in a dictionary of arrays", () =>
  withProject(["data/dugongs.csv"], async (project) => {
    const [head, ...lines] = project.read("data/dugongs.csv").trim().split("\n");
    const both = lines.map((line) => `${line},${1000 * Number(line.split(",")[1])}`);
    project.write("mm.csv", [`${head},mm`, ...both, ""].join("\n"));
    const program = `import pymc as pm
with pm.Model():
    a = pm.Normal("a", 0, 2)
    pm.Normal("length", a, pm.HalfNormal("s", 1), observed=data["length"])
`;
    project.write("mean.py", program);
    const scored = await project.sluice("score", "mean.py", "--data", "mm.csv");
    assert.equal(scored.code, 0, scored.err);
    assert.match(scored.err, /^mm tells length: length = 0 \+ 0\.001 mm/m);
    project.write("d.json", '{"length": [1.5, 2.5, 2], "g": [1, 2, 1]}');
    const refused = await project.sluice("score", "mean.py", "--data", "d.json", "--category", "g");
    assert.equal(refused.code, 2);
    assert.match(refused.err, /--category with d\.json: it is a dictionary of arrays/);
  }));

Deno.test("a space of which no program has a score is no success", () =>
  withProject([], async (project) => {
    project.write("y.csv", "y\n1\n2\n3.5\n1.5\n");
    const model = 'pm.Normal("y", 1e-200 * a, 1e-180, observed=data["y"])';
    const lines = ["with pm.Model() as m:", '    a = pm.Normal("a", 0, 1)', `    ${model}`];
    project.write("narrow.py", `import pymc as pm\n${lines.join("\n")}\n`);
    const { code, err } = await project.sluice("rank", "narrow.py", "--data", "y.csv");
    assert.deepEqual([code, /No program of the space has a score/.test(err)], [1, true], err);
  }));
