/** `sluice run` on input that turns out wrong only when it is read: whole messages and exit status. */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "./command_line.ts";
import { smallFiles, smallRun, tinyOverlay } from "./small_project.ts";

const dataPipeline = `format = 1
[stages.data]
kind = "dataset"
path = "d.csv"
[stages.data.columns]
age = { role = "predictor" }
length = { role = "response" }
`;

/** A run's message about its failed stage: up to the line that names the log. */
function complaint(err: string): string {
  const lines = err.split("\n");
  const end = lines.findIndex((line) => line.startsWith("  log: "));
  const marks = lines.map((line) => /^[✓✗–]/.test(line));
  return lines.slice(marks.lastIndexOf(true) + 1, end).join("\n");
}

/** The line of the pipeline that names the file. */
const atPath = `   4 | path = "d.csv"
     |        ^^^^^^^
`;

const badData: [string, string, string][] = [
  [
    "an empty file",
    "",
    `p.toml:4:8: Cannot read d.csv: the file has no rows\n${atPath}` +
    "  mend: a data file needs a header line and at least one row",
  ],
  [
    "a header alone",
    "age,length\n",
    `p.toml:4:8: Cannot read d.csv: the file has no rows\n${atPath}` +
    "  mend: a data file needs a header line and at least one row",
  ],
  [
    "no response column",
    "age,len\n1,2\n",
    `p.toml:7:1: Cannot use d.csv: there is no column "length"
   7 | length = { role = "response" }
     | ^^^^^^
  mend: columns: age, len`,
  ],
  [
    "a cell that is no number",
    "age,length\n1,2\n2,abc\n",
    `d.csv:3:3: Cannot use d.csv: column "length", row 2: found "abc", wanted a finite number
   3 | 2,abc
     |   ^^^
  mend: correct the cell, or give the column another type, e.g. type = "category"`,
  ],
  [
    "a NaN and a gap",
    "age,length\n1,NaN\n,2\n",
    `d.csv:2:3: Cannot use d.csv: column "length", row 1: found "NaN"
   2 | 1,NaN
     |   ^^^
  mend: complete the data, or leave such rows out: missing = "drop", or --missing drop; "model" has a space make parameters of values that measured predictors lack

d.csv:3:1: Cannot use d.csv: column "age", row 2: found nothing
   3 | ,2
     | ^
  mend: complete the data, or leave such rows out: missing = "drop", or --missing drop; "model" has a space make parameters of values that measured predictors lack

2 errors`,
  ],
  [
    "an infinite value",
    "age,length\n1,Infinity\n",
    `d.csv:2:3: Cannot use d.csv: column "length", row 1: found "Infinity", wanted a finite number
   2 | 1,Infinity
     |   ^^^^^^^^
  mend: correct the cell, or give the column another type, e.g. type = "category"`,
  ],
];

for (const [what, text, message] of badData) {
  Deno.test(`run refuses data with ${what}`, async () => {
    await withProject([], async (project) => {
      project.write("p.toml", dataPipeline);
      project.write("d.csv", text);
      const { code, err } = await project.sluice("run", "p.toml");
      assert.deepEqual([complaint(err), code], [message, 2]);
      assert.match(err, /\n✗ data +[0-9.]+ s {2}failed\n/);
    });
  });
}

Deno.test("data that are not there are refused before anything runs", async () => {
  await withProject([], async (project) => {
    project.write("p.toml", dataPipeline);
    const err = `p.toml:4:8: Cannot read stage "data": there is no file "d.csv"
   4 | path = "d.csv"
     |        ^^^^^^^
  mend: paths are relative to the file in which they are written
`;
    assert.deepEqual(await project.sluice("run", "p.toml"), { code: 2, out: "", err });
    assert.deepEqual(project.list(), ["deno.json", "p.toml"]);
  });
});

const grammar = "grammars/growth_curves_small.toml";

const badGrammar: [string, string, string, string][] = [
  [
    "an unknown hole",
    "{birth_length}",
    "{birth_lenght}",
    `${grammar}:29:1: Cannot use production "linear": there is no hole "birth_lenght"
  29 | {birth_lenght}
     | ^^^^^^^^^^^^^^
  mend: did you mean "birth_length"? Known holes: curve, birth_length, gain, noise, spread_distribution, tails`,
  ],
  [
    "an ill-formed program",
    "mu = l0 + gain * age / 30",
    "mu = l0 + gains * age / 30",
    `${grammar}:31:11: Cannot use production "linear": it derives an ill-formed program: ` +
    `Cannot find the name gains: nothing has been assigned to it (linear, birth_weak, gain_weak, normal, and 15 more)
  31 | mu = l0 + gains * age / 30
     |           ^^^^^
  mend: did you mean "gain"? known names: pm, np, data, model, age, l0, gain, abs, len`,
  ],
];

for (const [what, found, wanted, message] of badGrammar) {
  Deno.test(`run refuses a grammar with ${what} at its place in the grammar`, async () => {
    await withProject([grammar], async (project) => {
      project.edit(grammar, found, wanted);
      project.write("p.toml", `format = 1\n[stages.g]\nkind = "grammar"\npath = "${grammar}"\n`);
      const { code, err } = await project.sluice("run", "p.toml");
      assert.deepEqual([complaint(err), code], [message, 2]);
    });
  });
}

Deno.test("an example that the grammar cannot derive is named with the legal choices", async () => {
  await withProject(smallFiles, async (project) => {
    project.write("tiny.toml", tinyOverlay());
    project.edit("configs/sft_fast.toml", '"birth_weak", "gain_weak"', '"birth_weak", "gain_week"');
    const { code, err } = await project.sluice(...smallRun);
    const message = `: Cannot follow derivation "logarithm of age": choice 3 is "gain_week" ` +
      `after logarithmic, birth_weak; there is no such production\n`;
    const mend = `\n  mend: did you mean "gain_weak"? Legal here: gain_weak, gain_informed`;
    assert.match(err, /^configs\/sft_fast\.toml:\d+:\d+: /m);
    assert.ok(err.includes(message) && err.includes(mend), err);
    assert.match(
      err,
      /\n– train +[0-9.]+ s {2}blocked: needs "warm_start", which did not finish\n/,
    );
    assert.equal(code, 2);
  });
});

async function withPlugin(
  text: string,
  pipeline: string,
  test: (project: CommandLine) => Promise<void>,
): Promise<void> {
  await withProject(smallFiles, async (project) => {
    project.write("plugin.ts", text);
    project.write("tiny.toml", tinyOverlay(pipeline));
    await test(project);
  });
}

const notMine = "export default { name: 'mine' };\n";

Deno.test("a judge by path whose default export is no judge is refused", async () => {
  const term = '[stages.target]\nlog_reward = [{ judge = "./plugin.ts" }]\n';
  await withPlugin(notMine, term, async (project) => {
    const { code, err } = await project.sluice(...smallRun);
    const message = ": Cannot use the judge plugin.ts: its default export is not a judge\n";
    const mend =
      '\n  mend: write: export default defineJudge({ name, version: 1, uses: "execution", judge })\n';
    assert.match(err, /^tiny\.toml:\d+:1: /m);
    assert.ok(err.includes(message) && err.includes(mend), err);
    assert.equal(code, 2);
  });
});

Deno.test("an objective by path whose default export is no objective is refused", async () => {
  const learn = '[stages.train.stages.learn]\nobjective = "./plugin.ts"\n';
  await withPlugin(notMine, learn, async (project) => {
    const { code, err } = await project.sluice(...smallRun);
    const message = "Cannot use the objective plugin.ts: its default export is not an objective\n" +
      "  mend: write: export default defineObjective({ name, version: 1, moves, evaluate })\n";
    assert.ok(err.includes(message), err);
    assert.equal(code, 2);
  });
});

Deno.test("a stage kind by path that exports none is refused before anything runs", async () => {
  await withProject([], async (project) => {
    project.write("plugin.ts", "export const answer = 42;\n");
    project.write("p.toml", 'format = 1\n[stages.mine]\nkind = "./plugin.ts"\n');
    const err = `p.toml:3:8: Cannot load stage kind plugin.ts: expected a stage kind, made by ` +
      `defineStage(), as the default export or as "stage"; its exports are answer
   3 | kind = "./plugin.ts"
     |        ^^^^^^^^^^^^^
  mend: export default defineStage({ kind, version, description, params, inputs, outputs, run })
`;
    assert.deepEqual(await project.sluice("run", "p.toml"), { code: 2, out: "", err });
  });
});

Deno.test("a stage kind that touches what it did not declare ends with the line to add", async () => {
  await withProject([], async (project) => {
    project.write("secret.txt", "not yours\n");
    project.write(
      "curious.ts",
      `import { defineStage, port, ports, z } from "sluice";
export default defineStage({
  kind: "curious",
  version: 1,
  description: "Reads a file that it did not declare.",
  params: z.strictObject({ file: z.string() }),
  inputs: {},
  outputs: { table: port(ports.table, "what it read") },
  async run(_context, _inputs, { file }) {
    return { table: { rows: [{ text: await Deno.readTextFile(file) }] } };
  },
});
`,
    );
    const file = project.path("secret.txt");
    project.write("p.toml", `format = 1\n[stages.mine]\nkind = "./curious.ts"\nfile = "${file}"\n`);
    const { code, err } = await project.sluice("run", "p.toml");
    assert.equal(code, 1);
    assert.equal(
      complaint(err),
      `p.toml:2:9: Cannot run stage "mine": it needs read access to "secret.txt", which its kind does not declare
   2 | [stages.mine]
     |         ^^^^
  mend: add permissions: { read: ["secret.txt"] } to the declaration in curious.ts, or name the file by a parameter of type filePath()`,
    );
    project.edit(
      "curious.ts",
      "inputs: {},",
      'permissions: { read: ["secret.txt"] },\n  inputs: {},',
    );
    assert.equal((await project.sluice("run", "p.toml")).code, 0);
  });
});

Deno.test("a project that cannot be written to is refused with a mend", async () => {
  await withProject([], async (project) => {
    project.write("p.toml", dataPipeline);
    project.write("d.csv", "age,length\n1,2\n");
    project.write("runs", "a file stands where the folder should be\n");
    const { code, out, err } = await project.sluice("run", "p.toml");
    assert.deepEqual([code, out], [2, ""]);
    const message =
      /\nCannot write runs\/\w+: Not a directory .*\n {2}mend: a file stands where a folder is needed: move it away\n$/;
    assert.match(err, message);
  });
});
