/** `sluice check` opens everything: the typos that a new user made, each found before anything runs. */
import assert from "node:assert/strict";
import { CommandLine, type Ended } from "./command_line.ts";

const folder = "tests/cli/beetles";
const [pipeline, space] = [`${folder}/beetles.toml`, `${folder}/space.toml`];

/** A place in a file, what is there, and what stands there instead. */
type Typo = readonly [file: string, found: string, wanted: string];

/** Checks the pipeline with these typos in it, and makes sure that nothing was written. */
async function checked(typos: readonly Typo[], also?: (project: CommandLine) => void) {
  const project = CommandLine.make([folder]);
  try {
    for (const [file, found, wanted] of typos) project.edit(file, found, wanted);
    also?.(project);
    const before = project.list();
    const ended = await project.sluice("check", pipeline);
    assert.deepEqual(project.list(), before, "nothing is written");
    return ended;
  } finally {
    Deno.removeSync(project.root, { recursive: true });
  }
}

/** Each of these begins a line of what was said, in this order, and there are no more of them. */
function assertSays({ code, err }: Ended, wanted: readonly string[], errors = wanted.length): void {
  const lines = err.split("\n").map((line) => line.replaceAll(`${folder}/`, ""));
  const places = lines.filter((line) => /^[\w./]+:\d+:\d+: /.test(line));
  assert.deepEqual(
    places.map((line, i) => line.startsWith(wanted[i]) ? wanted[i] : line),
    [...wanted],
    err,
  );
  assert.equal(code, errors > 0 ? 2 : 0);
}

Deno.test("the pipeline without typos is well formed", async () => {
  const { code, err } = await checked([]);
  assert.deepEqual([code, err], [
    0,
    `${pipeline} is well formed: 10 stages, 1 check\nnext: deno task sluice run ${pipeline}\n`,
  ]);
});

Deno.test("a role, a weight, a wire, a hole, a policy and an objective are said at once", async () => {
  const ended = await checked([
    [pipeline, 'role = "group"', 'role = "gruop"'],
    [pipeline, 'elpd_loo", weight', 'elpd_loo", weigth'],
    [pipeline, 'policy = { kind = "table" }', 'policy = { kind = "tabel" }'],
    [pipeline, "execute.executions", "execute.execution"],
    [pipeline, 'objective = "trajectory_balance"', 'objective = "trajectory_balanc"'],
    [space, "    {slope}", "    {slop}"],
  ]);
  assertSays(ended, [
    'beetles.toml:12:17: Cannot read stage "data": columns.site.role is "gruop"',
    'beetles.toml:22:25: Cannot read stage "target": unknown key "weigth"',
    'beetles.toml:30:19: Cannot read stage "start": policy.kind is "tabel"',
    'beetles.toml:47:25: Cannot wire stage "train.judge": executions is "execute.execution"',
    'beetles.toml:51:13: Cannot read stage "train.learn": objective is "trajectory_balanc"',
    'space.toml:11:5: Cannot use the template: there is no hole "slop"',
    'space.toml:16:8: Cannot use hole "slope": no text has it',
  ]);
  assert.match(ended.err, /mend: did you mean "slope"/);
});

Deno.test("a column of the pipeline that the data do not have, beside a misspelt distribution", async () => {
  const ended = await checked([
    [pipeline, "canopy = {", "canpoy = {"],
    [space, "pm.NegativeBinomial(", "pm.NegBinomial("],
    [pipeline, "select value <=", "select valu <="],
  ]);
  assertSays(ended, [
    'beetles.toml:11:1: Cannot use beetles.csv: there is no column "canpoy"',
    'beetles.toml:61:8: Cannot prepare check "close": Binder Error: Referenced column "valu"',
    'space.toml:51:1: Cannot use production "negbin": it derives an ill-formed program',
  ]);
  for (const near of [/did you mean "canopy"/, /Candidate bindings: "value"/]) {
    assert.match(ended.err, near);
  }
});

Deno.test("a column, a variable and a count in a grammar, on the real data", async () => {
  const ended = await checked([
    [space, 'data["temp"]', "data['tmep']"],
    [space, "b * (temp - 15)", "b * (tepm - 15)"],
    [pipeline, 'role = "response", type = "count"', 'role = "response"'],
  ]);
  assertSays(ended, [
    "space.toml:7:13: Cannot use the template: it derives an ill-formed program",
    'space.toml:37:18: Cannot use production "linear": it derives an ill-formed program',
    'beetles.toml:5:9: warning: "beetles" holds whole numbers of 0 or more',
  ]);
  assert.match(ended.err, /did you mean "temp"\? columns: beetles, temp, canopy, site/);
});

Deno.test("a forgotten type and a bracket that is not closed", async () => {
  const ended = await checked([
    [pipeline, 'role = "group", type = "category"', 'role = "group"'],
    [space, 'pm.Normal(\\"b\\", 0, 1)', 'pm.Normal(\\"b\\", 0, 1'],
  ]);
  assertSays(ended, [
    'beetles.toml:12:1: Cannot use beetles.csv: column "site", row 1: found "Alder"',
    'space.toml:25:9: Cannot use production "temp": its brackets or quotes do not match',
  ]);
  assert.match(ended.err, /give the column type = "category"/);
});

Deno.test("a list that is not closed", async () => {
  const ended = await checked([[pipeline, '"negbin"] }]', '"negbin" }]']]);
  assertSays(ended, ["beetles.toml:56:"]);
  assert.match(ended.err, /expected comma or end of structure/);
});

Deno.test("a policy that does not fit, derivations, a unit that is not chosen, an answer of SQL", async () => {
  const ended = await checked([
    [pipeline, 'kind = "table"', 'kind = "mlp"'],
    [pipeline, '"flat", "poisson"]', '"flat", "poison"]'],
    [pipeline, '"linear", "negbin"', '"linaer", "negbin"'],
    [pipeline, 'unit = "row"', ""],
    [pipeline, "select value <= 0.5", "select value"],
  ]);
  assertSays(ended, [
    "beetles.toml:30:19: Cannot use an mlp on grammar",
    'beetles.toml:31:32: Cannot follow derivation "simple": choice 3 is "poison"',
    'beetles.toml:56:32: Cannot follow derivation "best": choice 2 is "linaer"',
    'beetles.toml:60:7: Cannot use check "close": it gives DOUBLE, wanted one BOOLEAN',
    'beetles.toml:18:9: warning: The data have a group column, "site"',
  ], 4);
});

Deno.test("a file that is not there, ends of a wire that differ, modules that are something else", async () => {
  const ended = await checked([
    [pipeline, '"space.toml"', '"spaec.toml"'],
    [pipeline, 'policy = "train.policy"', 'policy = "data"'],
    [pipeline, 'objective = "trajectory_balance"', 'objective = "./mine.ts"'],
  ], (project) => project.write(`${folder}/mine.ts`, "export default 7;\n"));
  assertSays(ended, [
    'beetles.toml:16:8: Cannot read stage "programs": there is no file "spaec.toml"',
    "beetles.toml:51:13: Cannot use the objective",
    'beetles.toml:55:21: Cannot wire stage "evaluate": policy is "data", which gives dataset',
  ]);
});

Deno.test("a module that cannot be loaded is named, and the rest is checked", async () => {
  const ended = await checked([
    [pipeline, 'objective = "trajectory_balance"', 'objective = "./mine.ts"'],
    [pipeline, "canopy = {", "canpoy = {"],
  ], (project) => project.write(`${folder}/mine.ts`, "export default oops(;\n"));
  assertSays(ended, [
    "beetles.toml:11:1: Cannot use beetles.csv",
    "beetles.toml:51:13: Cannot load mine.ts: ",
  ]);
});

Deno.test("a column and a bracket of a formula", async () => {
  const asked = `[stages.programs]
kind = "model_space"
inputs = { data = "data" }
formula = "beetles ~ [tmep] + (1 | site)"
families = ["poisson"]`;
  const grammar = '[stages.programs]\nkind = "grammar"\npath = "space.toml"';
  const start = 'examples = [{ name = "simple", derivation = ["no_temp", "flat", "poisson"] }]';
  const typos: Typo[] = [[pipeline, grammar, asked], [pipeline, start, "examples = []"]];
  const column = await checked(typos);
  assertSays(column, ['beetles.toml:17:23: Cannot use "tmep": ']);
  assert.match(column.err, /tmep[^]*did you mean "temp"/);
  const bracket = await checked([...typos, [pipeline, "[tmep]", "[temp"]]);
  assertSays(bracket, ["beetles.toml:17:"]);
});

Deno.test("oracles: a table without its column, models nobody has, a template that raises", async () => {
  const project = CommandLine.make();
  try {
    const oracle = (name: string, keys: string) =>
      `[stages.${name}]\nkind = "oracle"\noracle = { ${keys} }\n`;
    const written = `{ oracle = "lm", of = "y|x", answer = "a", ` +
      `template = "{{ x }}{{ raise_exception('no') }}" }`;
    project.write("told.csv", "text,logprob\na,-1\n");
    project.write(
      "oracles.toml",
      'format = 1\nname = "oracles"\nseed = 1\n[stages.bits]\nkind = "bit_sequence"\n' +
        oracle("told", 'kind = "table", path = "told.csv"') +
        oracle("lm", 'kind = "policy", model = "smollm2-135m"') +
        oracle("typo", 'kind = "policy", model = "smolm2-135m"') +
        `[stages.target]\nkind = "target"\ninputs = { environment = "bits" }\n` +
        `log_reward = [${written}]\n`,
    );
    const ended = await project.sluice("check", "oracles.toml");
    assert.equal(ended.code, 2);
    for (
      const line of [
        /oracles\.toml:8:35: Cannot read told\.csv as an oracle: it has no column "log_prob"/,
        /oracles\.toml:11:37: warning: Cannot use model "smollm2-135m": it was not added/,
        /oracles\.toml:14:37: Cannot use model "smolm2-135m": .*did you mean "smollm2-135m"\?/,
        /oracles\.toml:18:\d+: Cannot apply template .*: no\n/,
      ]
    ) assert.match(ended.err, line);
  } finally {
    project.remove();
  }
});
