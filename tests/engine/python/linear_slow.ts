/** The time of a check grows with the text and with what it makes, never with a square of either. */
import assert from "node:assert/strict";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { data, model } from "./programs.ts";

/** Within this a check of a hundred thousand items ends; a quadratic one takes minutes. */
const patience = 20_000;

/** The code of the first error, or "ok". */
function verdict(...lines: readonly string[]): string {
  const text = model(
    'b = pm.Normal("b", 0, 1)',
    ...lines,
    'pm.Normal("y", b, 1, observed=data["length"])',
  );
  const start = performance.now();
  const result = checkProgram(text, data);
  assert.ok(performance.now() - start < patience, lines.join("\n"));
  return result.ok ? "ok" : result.diagnostics.find((d) => d.severity === "error")!.code;
}

const many = "100000";

Deno.test("arrays are joined of a hundred thousand parts", () => {
  for (
    const call of [
      `np.concatenate([data["age"]] * ${many})`,
      `np.concatenate([[1]] * ${many})`,
      `np.stack([data["age"]] * ${many})`,
      `np.hstack((data["age"],) * ${many})`,
      `np.array([1.5] * ${many})`,
      `pm.math.stack([b] * ${many})`,
    ]
  ) assert.equal(verdict(`v = ${call}`), "ok", call);
});

Deno.test("a hundred thousand arguments are spread, sorted, zipped and unpacked", () => {
  assert.equal(verdict("f = lambda *a: len(a)", `v = f(*[1] * ${many})`), "ok");
  assert.equal(verdict(`v = [*[1] * ${many}, *[2] * ${many}]`), "ok");
  assert.equal(verdict(`a, *c = sorted([1] * ${many})`), "ok");
  assert.equal(verdict(`v = list(zip([1] * ${many}, [2] * ${many}))`), "ok");
  assert.equal(verdict(`v = [1] * ${many}`, `v += [2] * ${many}`, "v.extend(v)"), "ok");
  assert.equal(verdict(`v = np.maximum(*[1] * ${many})`), "names/arguments");
});

Deno.test("numbers are counted, searched and found without comparing each with each", () => {
  assert.equal(verdict(`v = np.unique(np.arange(${many}), return_counts=True)`), "ok");
  assert.equal(verdict(`v = np.isin(np.arange(${many}), np.arange(${many}) + 0.5)`), "ok");
  assert.equal(verdict(`v = np.searchsorted(np.arange(${many}), np.arange(${many}))`), "ok");
  assert.equal(
    verdict(`v = np.ptp(np.arange(1000000))`, "w = np.bincount(np.arange(500000))"),
    "ok",
  );
  const unsorted = `np.digitize(np.arange(${many}), -np.arange(${many}))`;
  assert.equal(verdict(`v = ${unsorted}`), "limit/list-size");
});

Deno.test("lists that double, or are copied or searched again and again, meet a limit", () => {
  for (
    const step of ["v = v + v", "v += v", "v.extend(v)", "v = [*v, *v]", "v = v[:] + list(v)"]
  ) {
    assert.equal(verdict("v = [1]", "for i in range(60):", `    ${step}`), "limit/list-size", step);
  }
  for (const step of ["w = v[:]", "w = 3 in v", "w = np.array(v)", "w = f(*v)", "w = v.index(2)"]) {
    const loop = ["f = lambda *a: 0", "v = [1, 2] * 50000", "for i in range(2000):"];
    assert.equal(verdict(...loop, `    ${step}`), "limit/list-size", step);
  }
  assert.equal(verdict("v = [] * 10 ** 15"), "ok");
});

Deno.test("lists inside of lists are walked once, however often they are shared", () => {
  const nested = ["v = [1]", "for i in range(60):", "    v = [v, v]"];
  assert.equal(verdict(...nested, "n = len(v)"), "ok");
  assert.equal(verdict(...nested, "n = np.array(v)"), "limit/list-size");
  const deep = ["v = [1]", "for i in range(20000):", "    v = [v]"];
  assert.equal(verdict(...deep, "n = len(v)", "w = dict(a=v)"), "ok");
  assert.equal(verdict(...deep, "n = np.array(v)"), "limit/axes");
  const own = ["v = [1]", "v.append(v)"];
  assert.equal(verdict(...own, "n = len(v)"), "ok");
  assert.equal(verdict(...own, "n = np.array(v)"), "limit/axes");
  assert.equal(verdict("v = data['age']", "for i in range(100):", "    v = v[None]"), "limit/axes");
});
