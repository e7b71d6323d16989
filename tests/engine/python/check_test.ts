/** Tests of the checker: programs that it accepts, constants that it folds, counts and limits. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { accept, data, model, refuse } from "./programs.ts";

const likelihood = 'pm.Normal("y", a, 1, observed=data["length"])';

Deno.test("gen_model and the bare form are the same program", () => {
  const wrapped = `"""Growth."""
import pymc as pm
import numpy as np

def gen_model(observed_data):
    with pm.Model() as m:
        a = pm.Normal("a", 0, 1)
        pm.Normal("y", a, 1, observed=observed_data["length"])
    return m
`;
  const bare = model('a = pm.Normal("a", 0, 1)', likelihood);
  assert.equal(accept(wrapped).hash, accept(bare).hash);
});

Deno.test("data may be renamed, wrapped and viewed before it is observed", () => {
  const plain = accept(model('a = pm.Normal("a", 0, 1)', likelihood)).hash;
  const spellings = [
    ["y = data['length']"],
    ["y = data['length'].values"],
    ["y = np.asarray(data['length'].to_numpy())"],
    ["y = pm.Data('y_data', data['length'])"],
    ["y = pm.MutableData('y_data', data['length'])"],
  ];
  for (const lines of spellings) {
    const text = model(...lines, 'a = pm.Normal("a", 0, 1)', 'pm.Normal("y", a, 1, observed=y)');
    assert.equal(accept(text).hash, plain, lines.join());
  }
});

Deno.test("statistics of predictors and scalar arithmetic become constants", () => {
  const text = (location: string) => model(`a = pm.Normal("a", ${location}, 1)`, likelihood);
  const three = accept(text("3")).hash;
  const spellings = [
    'np.mean(data["age"])',
    'data["age"].mean()',
    'len(data["age"])',
    'np.min(data["age"]) + 2 ** 1',
    'np.sum(data["age"]) / 3',
    'np.max(data["age"]) - 3',
    "-(-3)",
    "pm.math.sqrt(9)",
    "abs(-3)",
    "pm.math.sqr(3) / 3",
  ];
  for (const location of spellings) assert.equal(accept(text(location)).hash, three, location);
});

Deno.test("functions of random variables become nodes of the graph", () => {
  const program = accept(model(
    'a = pm.Normal("a", 0, 1)',
    'm = pm.math.sigmoid(a) - pm.math.exp(-a) * data["age"] ** a / pm.math.invlogit(a)',
    'pm.Normal("y", m, pm.math.tanh(a) + 2, observed=data["length"])',
  ));
  const ops = program.nodes.flatMap((n) => n.kind === "map" ? [n.op] : []);
  const wanted = ["add", "div", "exp", "mul", "neg", "pow", "sigmoid", "sub", "tanh"];
  assert.deepEqual(ops.sort(), wanted);
});

Deno.test("scalars broadcast: shapes follow the columns", () => {
  const program = accept(model(
    'a = pm.Normal("a", 0, 1)',
    'pm.Normal("y", a * 2, pm.math.exp(a + data["age"]), observed=data["length"])',
  ));
  const { args, shape } = program.likelihood.distribution;
  assert.deepEqual(args.map((id) => program.nodes[id].shape), [[], [3]]);
  assert.deepEqual(shape, [3]);
});

Deno.test("arguments come before the nodes that use them", () => {
  const { nodes, parameters } = accept(model(
    'b = pm.Normal("b", 0, 2)',
    'a = pm.Normal("a", b * 2, pm.math.exp(b))',
    likelihood,
  ));
  nodes.forEach((node, i) => {
    for (const id of node.args) assert.ok(id < i);
    if (node.kind !== "parameter") return;
    for (const id of parameters[node.parameter].prior.args) assert.ok(id < i);
  });
});

Deno.test("a second `with model:` continues the model", () => {
  const text = model('a = pm.Normal("a", 0, 1)', likelihood) +
    "with model:\n    idata = pm.sample(500)\n";
  const { diagnostics } = accept(text);
  assert.deepEqual(diagnostics.map(({ code }) => code), ["notes/inference-ignored"]);
});

Deno.test("line endings of other systems are read as CPython reads them", () => {
  const text = model('a = pm.Normal("a", 0, 1)', likelihood);
  assert.equal(accept(text.replaceAll("\n", "\r\n")).hash, accept(text).hash);
  assert.equal(accept(text.replaceAll("\n", "\r")).hash, accept(text).hash);
});

Deno.test("limits are counted and reported, not waited for", () => {
  const inside = (e: string) => model(`a = ${e}`, 'pm.Normal("y", 0, 1, observed=data["length"])');
  const variables = Array.from({ length: 1001 }, (_, i) => `pm.Normal("v${i}", ${i}, 1)`);
  const huge = [
    inside("(".repeat(100_00) + "1" + ")".repeat(100_00)),
    inside("-".repeat(20_000) + "1"),
    inside("not ".repeat(5_000) + "1"),
    inside("1" + " ** 1".repeat(5_000)),
    inside("1" + "+1".repeat(20_000)),
    inside("a" + ".b".repeat(20_000)),
    inside("f" + "()".repeat(20_000)),
    inside("x" + "[0]".repeat(10_000)),
    inside("9".repeat(1000)),
    inside(`"${"x".repeat(5000)}"`),
    inside(`[${"1,".repeat(25_000)}]`),
    inside("1") + "#".repeat(70_000),
    inside("1") + "\n".repeat(2_100),
  ];
  for (const text of huge) {
    assert.deepEqual(refuse(text), ["syntax/limit"], text.slice(0, 60));
  }
  const many = model(...variables, 'pm.Normal("y", 0, 1, observed=data["length"])');
  assert.deepEqual(refuse(many), ["limit/variables"]);
});

Deno.test("what a program would unroll to is counted as well", () => {
  const end = 'pm.Normal("y", 0, 1, observed=data["length"])';
  const cases = {
    "limit/literals": [`b = [${"1,".repeat(5_001)}]`],
    "limit/unrolling": ["b = [i * j for i in range(400) for j in range(400)]"],
    "limit/array-size": ["b = np.ones((3000, 3000))"],
    "limit/string": ['b = "xxxx"', ...new Array<string>(12).fill("b = b + b")],
    "limit/graph-size": [
      'b = pm.Normal("b", 0, 1, shape=3)',
      "c = [pm.math.softmax(b * i) for i in range(8000)]",
    ],
  };
  for (const [code, lines] of Object.entries(cases)) {
    assert.deepEqual(refuse(model(...lines, end)), [code]);
  }
});

Deno.test("text that CPython would read otherwise is refused", () => {
  const program = model('a = pm.Normal("a", 0, 1)', likelihood);
  assert.deepEqual(refuse("# -*- coding: utf-7 -*-\n" + program), ["unsupported/encoding"]);
  assert.deepEqual(refuse(program + "# \0\n"), ["syntax/character"]);
  assert.deepEqual(refuse(program + "# \ud800\n"), ["syntax/character"]);
  assert.deepEqual(refuse("\ufeff" + program), ["syntax/character"]);
  assert.ok(accept("# coding: utf-8\n" + program));
});

Deno.test("any text gives a result, never an exception", () => {
  const pieces = model('a = pm.Normal("a", 0, 1)', likelihood).split(/(\b|\s+)/);
  let seed = 7;
  const next = (n: number) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % n;
  for (let i = 0; i < 2000; i++) {
    const cut = [...pieces];
    for (let k = 0; k <= next(3); k++) cut.splice(next(cut.length), next(3), cut[next(cut.length)]);
    const result = checkProgram(cut.join(""), data);
    if (!result.ok) assert.ok(result.diagnostics.length > 0, cut.join(""));
  }
});

Deno.test("gen_model is called once the whole program has been read, as Python would", () => {
  const text = (before: string, after: string) =>
    `${before}\ndef gen_model(d):\n    with pm.Model() as m:\n` +
    `        a = pm.Normal("a", x, 1)\n` +
    `        pm.Normal("y", a, 1, observed=d["length"])\n    return m\n${after}\n`;
  assert.equal(accept(text("x = 1", "x = 2")).hash, accept(text("", "x = 2")).hash);
  assert.notEqual(accept(text("x = 1", "x = 2")).hash, accept(text("x = 1", "")).hash);
});

Deno.test("names assigned in gen_model are local to it from its first line on", () => {
  const text = "x = 1\ndef gen_model(d):\n    y = x\n    x = 2\n    with pm.Model() as m:\n" +
    '        pm.Normal("y", y, 1, observed=d["length"])\n    return m\n';
  assert.deepEqual(refuse(text), ["names/undefined"]);
});

Deno.test("what stands after a return is not part of the program", () => {
  const text = "def gen_model(d):\n    with pm.Model() as m:\n        return m\n" +
    '        pm.Normal("y", 0, 1, observed=d["length"])\n';
  assert.deepEqual(refuse(text), ["lh/unobserved"]);
});

Deno.test("gen_model inside of a block, or twice, is refused", () => {
  const body = 'def gen_model(d):\n    with pm.Model() as m:\n        pm.Normal("y", 0, 1, ' +
    'observed=d["length"])\n';
  assert.deepEqual(refuse(body + body), ["unsupported/statement"]);
  const inside = body.split("\n").map((line) => `    ${line}`).join("\n");
  assert.ok(refuse(`with pm.Model() as model:\n${inside}\n`).includes("unsupported/statement"));
});

Deno.test("missing values are refused, in predictors and in the response", () => {
  const columns = data.columns.map((c) => ({ ...c, values: Float64Array.of(NaN, 0.4, 0.6) }));
  const holes = { ...data, columns };
  const text = model('pm.Normal("y", data["age"], 1, observed=data["length"])');
  const result = checkProgram(text, holes);
  assert.deepEqual(!result.ok && result.diagnostics.map(({ code }) => code), [
    "data/missing-values",
  ]);
  const constant = checkProgram(model('pm.Normal("y", 0, 1, observed=data["length"])'), holes);
  assert.deepEqual(!constant.ok && constant.diagnostics.map(({ code }) => code), [
    "support/response",
  ]);
});

Deno.test("data of one row are fine, of none are refused", () => {
  const text = model(
    'b = pm.Normal("b", 0, 1)',
    'pm.Normal("y", b * data["age"], 1, observed=data["length"])',
  );
  const cut = (rows: number) =>
    makeDataset("cut", data.columns.map((c) => ({ ...c, values: c.values.slice(0, rows) })));
  assert.ok(checkProgram(text, cut(1)).ok);
  const none = checkProgram(text, cut(0));
  assert.deepEqual(!none.ok && none.diagnostics.map(({ code }) => code), ["data/no-rows"]);
});

Deno.test("a constant predictor cannot be standardised", () => {
  const flat = makeDataset(
    "flat",
    data.columns.map((c) => (c.name === "age" ? { ...c, values: Float64Array.of(2, 2, 2) } : c)),
  );
  const text = model(
    'x = (data["age"] - np.mean(data["age"])) / np.std(data["age"])',
    'pm.Normal("y", x, 1, observed=data["length"])',
  );
  const result = checkProgram(text, flat);
  assert.deepEqual(!result.ok && result.diagnostics.map(({ code }) => code), ["support/number"]);
});

Deno.test("a data set without a response can score nothing", () => {
  const blind = makeDataset("blind", data.columns.filter(({ role }) => role !== "response"));
  const result = checkProgram(model('pm.Normal("y", 0, 1, observed=data["age"])'), blind);
  assert.deepEqual(!result.ok && result.diagnostics.map(({ code }) => code), [
    "lh/observed-not-canonical",
  ]);
});
