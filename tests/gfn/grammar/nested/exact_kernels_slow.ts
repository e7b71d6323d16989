/** The shipped kernels, made small: targets by enumeration and the engine's closed form, as numpy's. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../../src/base/dataset.ts";
import { logSumExp } from "../../../../src/numerics/math/log_sum_exp.ts";
import { checkProgram, compileLogDensity } from "../../../../src/engine/mod.ts";
import type { TerminalObject } from "../../../../src/gfn/environments/environment.ts";
import { grammarEnvironment } from "../../../../src/gfn/grammar/environment.ts";
import type { GrammarSpec } from "../../../../src/gfn/grammar/spec.ts";
import { grammarOf, repositoryText } from "../small_grammar.ts";

interface Target {
  readonly kernels: number;
  readonly log_z: number;
  /** Posterior probability of the ten likeliest. */
  readonly best: Readonly<Record<string, number>>;
  readonly prior: Readonly<Record<string, number>>;
}

/** `python tools/golden/kernel_targets.py`, CPython 3.11.7 with numpy 2.4.6. */
const { targets }: { readonly targets: Readonly<Record<string, Target>> } = JSON.parse(
  repositoryText("tests/golden/kernel_targets.json"),
);

/** Two lengths and two roughnesses, chains of two, and known scales. */
function small(depth: number): GrammarSpec {
  const spec = grammarOf(repositoryText("grammars/kernels.toml"), "grammars/kernels.toml");
  const holes = spec.holes.map((hole) => ({
    ...hole,
    ...(hole.number && { number: { ...hole.number, bits: 1, stop: undefined } }),
    productions: hole.productions.map((one) => one.associative ? { ...one, operands: 2 } : one),
  }));
  const template = spec.template
    .replace(/pm\.HalfNormal\("scale", sigma=20\)/, "10")
    .replace(/pm\.HalfNormal\("noise", sigma=1\)/, "0.4");
  return { ...spec, template, holes, depth };
}

const rows = repositoryText("data/mauna_loa.csv").trim().split("\n").slice(1)
  .map((line) => line.split(",").map(Number));
const data = makeDataset("mauna_loa", [
  { name: "year", role: "predictor", type: "real", values: Float64Array.from(rows, ([x]) => x) },
  { name: "co2", role: "response", type: "real", values: Float64Array.from(rows, ([, y]) => y) },
]);

/** Of a program without parameters: that of its Gaussian process. */
function logMarginalLikelihood(text: string): number {
  const checked = checkProgram(text, data);
  assert.ok(checked.ok, text);
  const density = compileLogDensity(checked.program, data);
  assert.equal(density.dimension, 0);
  return density.logDensity(new Float64Array(0), new Float64Array(0), 0);
}

/** A kernel as the golden file calls it. */
function called(text: string): string {
  const kernel = /scale\*\*2 \* (.*)/.exec(text)![1]
    .replaceAll(/pm\.gp\.cov\.ExpQuad\(1, ls=(\d+)\)/g, "smooth_$1")
    .replaceAll(/pm\.gp\.cov\.Periodic\(1, period=1, ls=(\d+)\)/g, "seasonal_$1")
    .replaceAll("pm.gp.cov.Linear(1, c=0)", "linear");
  const read = (from: string): [string, string] => {
    if (from[0] !== "(") return [/^\w+/.exec(from)![0], from.replace(/^\w+/, "")];
    const [left, rest] = read(from.slice(1));
    const [right, after] = read(rest.slice(3));
    return [`${rest[1]}(${[left, right].sort().join(" ")})`, after.slice(1)];
  };
  return read(kernel)[0];
}

for (const depth of [1, 2, 3]) {
  Deno.test(`to depth ${depth} the target is what numpy makes of all spellings`, () => {
    const wanted = targets[depth];
    const objects: TerminalObject[] = [...grammarEnvironment(small(depth)).enumerate()];
    assert.equal(objects.length, wanted.kernels);
    const logReward = objects.map(({ text, logPrior }) => logPrior + logMarginalLikelihood(text));
    const logZ = logSumExp(logReward);
    assert.ok(Math.abs(logZ - wanted.log_z) < 1e-6, `${logZ}`);
    const places = new Map(objects.map(({ text }, i) => [called(text), i]));
    assert.equal(places.size, objects.length);
    for (const [kernel, probability] of Object.entries(wanted.best)) {
      const i = places.get(kernel)!;
      assert.ok(Math.abs(Math.exp(logReward[i] - logZ) - probability) < 1e-6, kernel);
      const prior = Math.exp(objects[i].logPrior);
      assert.ok(Math.abs(prior / wanted.prior[kernel] - 1) < 1e-12, `${kernel} ${prior}`);
    }
  });
}

Deno.test("to depth 4 there are as many kernels as numpy counts, and they are not listed for it", () => {
  assert.equal(grammarEnvironment(small(4)).count, targets[4].kernels);
});

Deno.test("programs of the shipped kernels fit their data, and each is told from the others", () => {
  const file = "grammars/kernels.toml";
  const environment = grammarEnvironment(grammarOf(repositoryText(file), file));
  const hashes = environment.some!(60).map(({ text }) => {
    const checked = checkProgram(text, data);
    assert.ok(checked.ok, text);
    return checked.program.hash;
  });
  assert.ok(hashes.length > 40, `${hashes.length}`);
  assert.equal(new Set(hashes).size, hashes.length);
});
