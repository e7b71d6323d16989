/** Every kind of left side, without a family named: its programs pass the checks of the language. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { AskedSpace } from "../../src/cli/asked_space.ts";
import { pipelineOfText } from "../../src/cli/rank/ranked_files.ts";
import { inspectFile } from "../../src/cli/inspect_file.ts";
import { grammarOfSpace } from "../../src/cli/space_of_pipeline.ts";
import { spacePipeline } from "../../src/cli/space_pipeline.ts";
import { type DatasetRequest, readDataset } from "../../src/data/read_dataset.ts";
import { checkProgram } from "../../src/engine/mod.ts";
import { grammarEnvironment } from "../../src/gfn/grammar/mod.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const rows = Array.from({ length: 30 }, (_, i) => i);
const columns: Readonly<Record<string, (i: number) => string | number>> = {
  x: (i) => (i * 7) % 30 / 4,
  real: (i) => Math.round(100 * Math.sin(i)) / 10,
  above: (i) => 1 + (i * 11) % 17 / 4,
  tail: (i) => [1.25, 1.5, 2.75, 1.75, 2.5, 3.25, 1.25, 19.5, 2.25, 4.5][i % 10] + (i % 3) / 4,
  rain: (i) =>
    i % 4 ? [1.25, 1.5, 2.75, 1.75, 2.5, 3.25, 1.25, 19.5, 2.25, 4.5][i % 10] + i % 3 : 0,
  share: (i) => (1 + (i * 13) % 29) / 31,
  count: (i) => (i * 5) % 7,
  seen: (i) => 1 + (i * 5) % 7,
  hit: (i) => (i * i) % 7 % 2,
  word: (i) => (i * i) % 7 % 2 ? "yes" : "no",
  mood: (i) => ["bad", "fair", "good"][(i * 5) % 7 % 3],
  salary: (i) => 40_000 + 777 * ((i * 11) % 30),
  stop: (i) => 2 + 4 * ((i * 11) % 30) + i % 3,
  fail: (i) => (i * 3) % 5,
  size: () => 8,
  days: (i) => 3 + (i * 11) % 30,
  died: (i) => Number(i % 3 > 0),
  side: (i) => ["left", "none", "right", "none"][i % 4],
  se: (i) => 0.5 + (i % 5) / 10,
  study: (i) => `s${i % 6}`,
  row: (i) => `r${i}`,
};

const folder = temporaryFolder();

async function asked(formula: string, own: Partial<AskedSpace> = {}) {
  const file = join(folder, "all.csv");
  const lines = rows.map((i) => Object.values(columns).map((cell) => cell(i)).join(","));
  Deno.writeTextFileSync(file, [Object.keys(columns).join(","), ...lines, ""].join("\n"));
  const response = /\w+(?=[^\w(]|$)/.exec(formula.replace(/^\[/, ""))![0];
  const { columns: inspected } = await inspectFile(file, response);
  const request = { name: "all", path: file, columns: inspected, formula, ...own };
  const { toml, families, remarks } = spacePipeline(request);
  const pipeline = await pipelineOfText(toml);
  const stage = pipeline.stages.find(({ kind }) => kind === "model_space")!;
  const source = pipeline.stages.find(({ kind }) => kind === "dataset")!;
  const data = await readDataset(source.params as unknown as DatasetRequest);
  const texts = [...grammarEnvironment(await grammarOfSpace(pipeline, stage)).enumerate()]
    .map(({ text }) => text);
  for (const text of texts) {
    const result = checkProgram(text, data);
    assert(result.ok, `${formula}: ${JSON.stringify(!result.ok && result.diagnostics)}\n${text}`);
  }
  const space = (stage.params as { readonly space: string }).space;
  return { space, families, remarks, texts, data };
}

interface Case {
  readonly space?: string;
  readonly families?: readonly string[];
  readonly own?: Partial<AskedSpace>;
}

const cases: Readonly<Record<string, Case>> = {
  "real ~ [x]": { families: ["normal", "student_t"] },
  "log(above) ~ [x]": { families: ["normal", "student_t"] },
  "log(salary) ~ [x]": { families: ["normal", "student_t"] },
  "[above | log(above)] ~ [x]": { families: ["normal", "student_t"] },
  "tail ~ [x]": { families: ["log_normal", "gamma"] },
  "rain ~ [x]": { families: ["hurdle_log_normal", "hurdle_gamma"] },
  "share ~ [x]": { families: ["beta"] },
  "count ~ [x]": { families: ["poisson", "negative_binomial", "zero_inflated_poisson"] },
  "seen ~ [x]": { families: ["poisson", "negative_binomial"] },
  "seen | trunc(lb = 1) ~ [x]": { families: ["poisson", "negative_binomial"] },
  "hit ~ [x]": { families: ["bernoulli"] },
  "word ~ [x]": { families: ["bernoulli"] },
  "count | trials(size) ~ [x]": { families: ["binomial", "beta_binomial"] },
  "count | trials(count + fail) ~ [x]": { families: ["binomial", "beta_binomial"] },
  "cbind(count, fail) ~ [x]": { families: ["binomial", "beta_binomial"] },
  "salary ~ [x]": { families: ["normal", "student_t"] },
  "stop ~ [x]": { families: ["poisson", "negative_binomial"] },
  "real | se(se) ~ [x] + [(1 | row)]": { families: ["normal", "student_t"] },
  "real | error(se) ~ (1 | study)": { space: "pooling", own: { space: "pooling" } },
  "real | cens(side) ~ [x]": { families: ["normal", "student_t"] },
  "days | event(died) ~ [x]": { space: "survival" },
  "mood ~ [x]": { space: "ordinal", own: { levels: ["bad", "fair", "good"] } },
  "real ~ [x]; sigma ~ [x]": { families: ["normal", "student_t"] },
  "tail ~ [x]; shape ~ [x]": { families: ["gamma"] },
  "count ~ [x]; alpha ~ [x]": { families: ["negative_binomial"] },
  "count ~ [x] + [(1 | row)]": {},
  "count | trials(size) ~ [x] + [(1 | row)]": {},
};

for (const [formula, { space = "regression", families, own }] of Object.entries(cases)) {
  Deno.test(`${formula} has a space, and families that suit it`, async () => {
    const found = await asked(formula, own);
    assert.equal(found.space, space);
    if (families) assert.deepEqual(found.families, families);
    assert(found.texts.length > 1);
  });
}

Deno.test("limits and truncation stand around the family that is written else", async () => {
  const [first] = (await asked("seen | trunc(lb = 1) ~ x")).texts;
  assert.match(
    first,
    /pm\.Truncated\("seen", pm\.Poisson\.dist\(mu=.*\), lower=1, upper=None, observed=data\["seen"\]\)/,
  );
  const [sided] = (await asked("real | cens(side) ~ x")).texts;
  const bounds = 'lower=data["real_limit_below"], upper=data["real_limit"], observed=data["real"]';
  assert.match(sided, /pm\.Censored\("real", pm\.Normal\.dist\(/);
  assert(sided.includes(bounds), sided);
  await assert.rejects(asked("count | trunc(lb = 1) ~ x"), /count is 0 in row 1/);
  await assert.rejects(asked("real | cens(study) ~ x"), /"study" as cens\(…\)/);
});

Deno.test("a named family settles what whole numbers are, and nothing is asked any more", async () => {
  const ofResponse = async (formula: string, families: readonly string[]) => {
    const { data, remarks, ...found } = await asked(formula, { families });
    const { type, resolution } = data.columns.find(({ role }) => role === "response")!;
    assert.deepEqual(remarks.filter((one) => /^(stop|salary|hit|count):/.test(one)), []);
    return [type, resolution, ...found.families!];
  };
  assert.deepEqual(await ofResponse("stop ~ [x]", ["normal"]), ["real", 1, "normal"]);
  assert.deepEqual(await ofResponse("count ~ [x]", ["normal"]), ["real", 1, "normal"]);
  assert.deepEqual(await ofResponse("salary ~ [x]", ["poisson"]), ["count", undefined, "poisson"]);
  assert.deepEqual(await ofResponse("hit ~ [x]", ["binomial"]), ["binary", undefined, "bernoulli"]);
  assert.deepEqual(await ofResponse("hit ~ [x]", ["poisson"]), ["count", undefined, "poisson"]);
});

Deno.test("whole numbers that may be measured are asked about in the words of the user", async () => {
  const said = async (formula: string) => (await asked(formula)).remarks.join("\n");
  assert.match(
    await said("stop ~ [x]"),
    /stop: whole numbers from 2 to 119, read as counts: .*--families normal/,
  );
  assert.match(
    await said("salary ~ [x]"),
    /salary: whole numbers from 40000 .*read as measurements/,
  );
  assert.match(await said("tail ~ [x]"), /tail: above 0 with a long tail: families are log_normal/);
  assert.equal(await said("count ~ [real]"), "");
  // Terms of a residual spread settle the families, and what whole numbers are.
  assert.equal(await said("tail ~ x; sigma ~ [x]"), "");
  assert.equal(await said("stop ~ x; sigma ~ [x]"), "");
  assert.deepEqual((await asked("stop ~ x; sigma ~ [x]")).families, ["normal", "student_t"]);
});

Deno.test("an effect of each row is refused where the noise is one already", async () => {
  await assert.rejects(
    asked("real ~ [x] + [(1 | row)]"),
    /each of its 30 levels has one row/,
  );
  await assert.rejects(
    asked("hit ~ [x] + [(1 | row)]"),
    /each of its 30 levels has one row/,
  );
});
