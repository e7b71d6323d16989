/** `sluice score` on data and priors that allow no score: its message and its exit status. */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "./command_line.ts";

const line = `import numpy as np
import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 0, 10)
    b = pm.Normal("b", 0, 10)
    s = pm.HalfNormal("s", 5)
    pm.Normal("obs", a + b * X, s, observed=data["y"])
`;
const plain = line.replace("X", 'data["x"]');
const standardised = line.replace("X", '((data["x"] - np.mean(data["x"])) / np.std(data["x"]))');
const distribution = (text: string) =>
  `import pymc as pm\nwith pm.Model():\n    s = pm.HalfNormal("s", 5)\n    ${text}\n`;

interface Case {
  readonly title: string;
  readonly program: string;
  /** The CSV file. */
  readonly data: string;
  readonly flags?: readonly string[];
  readonly code: number;
  /** In what it says, on either stream. */
  readonly says: RegExp;
}

const cases: readonly Case[] = [
  {
    title: "a predictor that lacks a value",
    program: plain,
    data: "x,y\n1,2\nnan,3\n4,5\n",
    code: 2,
    says: /:3:1: Cannot use bad\.csv: column "x", row 2: found "nan"\n[^]*--missing drop/,
  },
  {
    title: "such rows left out",
    program: plain,
    data: "x,y\n1,2\n2,NA\n3,4\n4,4.5\n5,6\n6,6.5\n7,8.5\n",
    flags: ["--missing", "drop"],
    code: 0,
    says: /^ELPD-LOO /,
  },
  {
    title: "an infinite predictor",
    program: plain,
    data: "x,y\n1,2\ninf,3\n4,5\n",
    code: 2,
    says: /column "x", row 2: found "inf", wanted a finite number/,
  },
  {
    title: "a predictor that is the same everywhere",
    program: plain,
    data: "x,y\n1,2\n1,3\n1,3.5\n1,5\n",
    code: 0,
    says: /warning: Every value of "x" is 1\n[^]*ELPD-LOO /,
  },
  {
    title: "the same, standardised",
    program: standardised,
    data: "x,y\n1,2\n1,3\n1,3.5\n1,5\n",
    code: 2,
    says: /: it is not a real number in row 1\n[^]*a divisor is 0: a constant column has no spread/,
  },
  {
    title: "a response that is the same everywhere",
    program: plain,
    data: "x,y\n1,3\n2,3\n3,3\n4,3\n",
    flags: ["--max-gradients", "20000"],
    code: 2,
    says: /is improper: [^]*warning: Every value of "y" is the same\n/,
  },
  {
    title: "one row",
    program: plain,
    data: "x,y\n1,2\n",
    code: 0,
    says: /warning: The data have one row[^]*standard error unknown from one row/,
  },
  {
    title: "no row",
    program: plain,
    data: "x,y\n",
    code: 2,
    says: /Cannot read bad\.csv: the file has no rows\n/,
  },
  {
    title: "a million rows",
    program: plain,
    data: `x,y\n${"1,2\n".repeat(1_000_000)}`,
    code: 2,
    says: /Cannot cross-validate 1000000 rows: .*\n {2}mend: score a sample of the rows/,
  },
  {
    title: "a lag of the response, which is the column that is observed, not the first",
    program: `import pymc as pm
y = data["y"].values
with pm.Model():
    pm.Normal("obs", pm.Normal("r", 0, 1) * y[:-1], 1, observed=y[1:])
`,
    data: "t,y\n1,2\n2,3\n3,5\n",
    code: 2,
    says: /Cannot use "y" here: the response may only be observed\n/,
  },
  {
    title: "counts below 0",
    program: distribution('pm.Poisson("obs", s, observed=data["y"])'),
    data: "x,y\n1,2\n2,-3\n",
    code: 2,
    says: /Cannot score "y" with pm\.Poisson: it gives no mass to row 2\n/,
  },
  {
    title: "measurements outside of the support",
    program: distribution('pm.Gamma("obs", 2, s, observed=data["y"])'),
    data: "x,y\n1,2\n2,-3\n",
    code: 2,
    says: /Cannot score "y" with pm\.Gamma: it gives no density to row 2\n/,
  },
  {
    title: "a prior without total mass",
    program: distribution('pm.Normal("obs", pm.Flat("a"), s, observed=data["y"])'),
    data: "x,y\n1,2\n2,3\n",
    code: 2,
    says: /Cannot use pm\.Flat: an improper prior has no total mass\n/,
  },
  {
    title: "a posterior with more far modes than can be looked for",
    program: `import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 0, 100, shape=13)
    size = pm.math.abs(a)
    pm.Normal("obs", size[0] + 0.01 * pm.math.sum(size), 1, observed=data["y"])
`,
    data: "x,y\n1,50\n2,51\n3,49\n4,50.5\n",
    code: 2,
    says: /did not mix: R-hat \d\.\d+; each chain keeps to a mode of its own\n/,
  },
];

async function score(project: CommandLine, { program, data, flags = [] }: Case) {
  project.write("program.py", program);
  project.write("bad.csv", data);
  return await project.sluice("score", "program.py", "--data", "bad.csv", ...flags);
}

Deno.test("bad data and priors end with a status and a reason", async (test) => {
  await withProject([], async (project) => {
    for (const one of cases) {
      await test.step(one.title, async () => {
        const { code, out, err } = await score(project, one);
        assert.match(one.code === 0 ? err + out : out + err, one.says);
        assert.equal(code, one.code, out + err);
        assert.doesNotMatch(out + err, /undefined|NaN|internal/);
      });
    }
  });
});
