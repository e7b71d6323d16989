/** InferenceData of a fit and its Zarr store, without Python: groups, shapes, bytes. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { makeGroup } from "../../../src/engine/score/inference_data/data.ts";
import { sampleProgram } from "../../../src/engine/score/sample_program.ts";
import { zarrFiles } from "../../../src/engine/score/inference_data/zarr.ts";

const data = makeDataset("groups", [
  { name: "g", role: "predictor", type: "real", values: Float64Array.of(0, 0, 1, 1, 2, 2) },
  { name: "y", role: "response", type: "real", values: Float64Array.of(1, 2, 0, 1, -1, 0) },
]);

const text = `import pymc as pm

with pm.Model(coords={"place": ["north", "south", "west"]}) as model:
    level = pm.Normal("level", 0, 1, dims="place")
    spread = pm.Deterministic("spread", pm.math.max(level) - pm.math.min(level))
    pm.Normal("obs", mu=level[data["g"]], sigma=1, observed=data["y"])
`;

const options = { priorDraws: 20, schedule: { draws: 50, targetMcse: 10 } };

Deno.test("a fit has the groups of ArviZ's schema, with dims and coords of the program", () => {
  const { data: found } = sampleProgram(text, data, options);
  const { draws } = options.schedule;
  const groups = new Map(found!.groups.map((group) => [group.name, group]));
  assert.deepEqual([...groups.keys()].sort(), [
    ...["constant_data", "log_likelihood", "observed_data", "posterior", "posterior_predictive"],
    ...["prior", "prior_predictive", "sample_stats"],
  ]);
  const [level, spread] = groups.get("posterior")!.variables;
  assert.deepEqual([level.dims, level.shape], [["chain", "draw", "place"], [4, draws, 3]]);
  assert.deepEqual([spread.dims, spread.shape], [["chain", "draw"], [4, draws]]);
  assert.deepEqual(groups.get("posterior")!.coords.place, ["north", "south", "west"]);
  for (let s = 0; s < 4 * draws; s++) {
    const row = level.values.subarray(3 * s, 3 * s + 3);
    assert.equal(spread.values[s], Math.max(...row) - Math.min(...row));
  }
  assert.deepEqual(groups.get("prior")!.variables[0].shape, [1, 20, 3]);
  assert.deepEqual(groups.get("posterior_predictive")!.variables[0].shape, [4, draws, 6]);
  for (const { variables } of found!.groups) {
    for (const { values, shape } of variables) {
      assert.equal(values.length, shape.reduce((a, b) => a * b, 1));
    }
  }
});

Deno.test("log likelihoods are those of the draws", () => {
  const { data: found } = sampleProgram(text, data, options);
  const of = (name: string) => found!.groups.find((group) => group.name === name)!.variables[0];
  const level = of("posterior").values;
  const logLikelihood = of("log_likelihood").values;
  const y = data.columns[1].values;
  for (let s = 0; s < 20; s++) {
    for (let i = 0; i < 6; i++) {
      const rest = y[i] - level[3 * s + Math.floor(i / 2)];
      const wanted = -0.5 * Math.log(2 * Math.PI) - 0.5 * rest * rest;
      assert.ok(Math.abs(logLikelihood[6 * s + i] - wanted) < 1e-12);
    }
  }
});

Deno.test("the same program gives the same store, byte by byte", () => {
  const digest = () =>
    [...zarrFiles(sampleProgram(text, data, options).data!)].map(([path, bytes]) =>
      `${path} ${bytes.length} ${bytes.reduce((sum, byte, i) => (sum + byte * (i + 1)) % 1e9, 0)}`
    ).join("\n");
  assert.equal(digest(), digest());
});

Deno.test("a program that cannot be sampled has an execution and no data", () => {
  const found = sampleProgram(text.replace("sigma=1", "sigma=-1"), data);
  assert.equal(found.execution.status, "rejected");
  assert.equal(found.data, undefined);
});

Deno.test("labels are stored as text of one width, whole numbers, or numbers", () => {
  const variable = { name: "x", dims: ["a", "b"], shape: [2, 2], values: new Float64Array(4) };
  const group = makeGroup("posterior", [variable], { a: ["ä", "long"], b: [0.5, 1] });
  const files = zarrFiles({ groups: [group], attributes: {} });
  const meta = (path: string) => JSON.parse(new TextDecoder().decode(files.get(path)));
  assert.equal(meta("posterior/a/.zarray").dtype, "<U4");
  assert.equal(files.get("posterior/a/0")!.length, 32);
  assert.equal(files.get("posterior/a/0")![0], 0xe4);
  assert.equal(meta("posterior/b/.zarray").dtype, "<f8");
  assert.deepEqual(meta("posterior/x/.zattrs"), { _ARRAY_DIMENSIONS: ["a", "b"] });
  assert.ok("posterior/x/.zarray" in meta(".zmetadata").metadata);
});

Deno.test("no name of a column or axis is a path out of the store, and no two fall together", () => {
  const names = [
    "../../pipelines/x",
    "..\\..\\x",
    "..",
    ".zattrs",
    "a/b",
    "a_b",
    "",
    "C:x",
    "\x1b[2J",
  ];
  const variables = names.map((name) => {
    return { name, dims: [`${name}_dim_0`], shape: [1], values: Float64Array.of(1) };
  });
  const files = zarrFiles({ groups: [makeGroup("constant_data", variables)], attributes: {} });
  const arrays = [...files.keys()].filter((path) => path.endsWith("/.zarray"));
  assert.equal(arrays.length, 2 * names.length);
  for (const path of files.keys()) {
    const steps = path.split("/");
    assert.ok(steps.length <= 3, path);
    assert.ok(
      steps.every((step) => !["", ".."].includes(step) && !/[\\:]|\p{Cc}/u.test(step)),
      path,
    );
  }
  const meta = JSON.parse(new TextDecoder().decode(files.get("constant_data/_/.zattrs")));
  const [dim] = meta._ARRAY_DIMENSIONS;
  assert.ok(files.has(`constant_data/${dim}/.zarray`), dim);
});
