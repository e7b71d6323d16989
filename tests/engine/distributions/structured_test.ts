/** Vectors, codes, series, mixtures and bounded distributions against PyMC: values and gradients. */
import assert from "node:assert/strict";
import { gradientOf } from "../../../src/engine/inference/density/differentiate.ts";
import { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import { unguarded } from "../../../src/engine/inference/density/unguarded.ts";
import { families, familyOf } from "../../../src/engine/language/distributions/table.ts";
import type { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import type { Distribution } from "../../../src/engine/language/ir/program.ts";
import { sizeOf } from "../../../src/engine/language/ir/shape.ts";
import { readGolden } from "../../numerics/math/ulp.ts";
import { agree, canonicalOf, evaluate, type GoldenNumber, goldenNumber } from "./evaluate.ts";

interface GoldenArray {
  readonly shape: number[];
  readonly values: GoldenNumber[];
}
interface Entry {
  readonly name: string;
  readonly arguments: Readonly<Record<string, GoldenArray>>;
  readonly value: GoldenArray;
  readonly logp: GoldenArray;
  readonly gradient: GoldenArray[];
}
type Nodes = Readonly<Record<string, NodeId>>;

/** A distribution in PyMC's words. */
function distribution(
  g: GraphBuilder,
  pymc: string,
  given: Nodes,
  shape: readonly number[],
): Distribution {
  const family = familyOf(pymc)!;
  return { family, args: canonicalOf(g, families[family], given), shape };
}

/** Base distributions of truncated and censored ones, as tools/golden/structured.py has them. */
function base(
  g: GraphBuilder,
  name: string,
  { a, b }: Nodes,
  shape: readonly number[],
): Distribution {
  const third = g.div(b, g.scalar(3));
  const given: Readonly<Record<string, Nodes>> = {
    Gamma: { alpha: a, beta: b },
    StudentT: { nu: a, mu: b, sigma: g.scalar(1.5) },
    Exponential: { lam: g.mul(a, b) },
    Weibull: { alpha: a, beta: b },
    LogNormal: { mu: a, sigma: b },
    Logistic: { mu: a, s: b },
    Cauchy: { alpha: a, beta: b },
    Laplace: { mu: a, b },
    Gumbel: { mu: a, beta: b },
    Normal: { mu: a, sigma: b },
    Poisson: { mu: g.mul(a, b) },
    NegativeBinomial: { mu: a, alpha: b },
    Geometric: { p: third },
    Binomial: { n: g.scalar(12), p: third },
  };
  return distribution(g, name, given[name], shape);
}

/** Components of the mixtures of tools/golden/structured.py. */
function components(
  g: GraphBuilder,
  kind: string,
  { a, b }: Nodes,
  shape: readonly number[],
): Distribution[] {
  const [one, two] = [g.scalar(1), g.scalar(2)];
  const normal = (mu: NodeId, sigma: NodeId) => distribution(g, "Normal", { mu, sigma }, shape);
  switch (kind) {
    case "three":
      return [
        normal(a, one),
        distribution(g, "StudentT", { nu: g.scalar(3), mu: b, sigma: two }, shape),
        distribution(g, "Laplace", { mu: g.scalar(0), b }, shape),
      ];
    case "positive":
      return [
        distribution(g, "HalfNormal", { sigma: a }, shape),
        distribution(g, "Exponential", { lam: b }, shape),
      ];
    case "counts":
      return [
        distribution(g, "Poisson", { mu: a }, shape),
        distribution(g, "NegativeBinomial", { mu: b, alpha: two }, shape),
      ];
    case "component":
      return [distribution(g, "Normal", { mu: a, sigma: g.scalar(1.5) }, [...shape, 3])];
    default:
      return [normal(a, one), normal(b, two)];
  }
}

/** The distribution that an entry's name stands for. */
function distributionOf(
  g: GraphBuilder,
  name: string,
  nodes: Nodes,
  shape: readonly number[],
): Distribution {
  const [pymc, ...words] = name.split(" ");
  const start = (of: readonly number[]) =>
    distribution(g, "Normal", { mu: g.scalar(0.5), sigma: g.scalar(2) }, of);
  switch (pymc) {
    case "Mixture":
      return {
        ...distribution(g, pymc, { w: nodes.w }, shape),
        components: components(g, words[0], nodes, shape),
      };
    case "Truncated":
    case "Censored": {
      const [lower, upper] = [/(NegativeBinomial|Poisson|Geometric|Binomial)/.test(name)]
        .map((counts) => counts ? [1, 6] : [0.5, 2])[0];
      const args = [
        g.scalar(words.includes("lower") ? lower : -Infinity),
        g.scalar(words.includes("upper") ? upper : Infinity),
      ];
      const inner = base(g, words[0], nodes, shape);
      return {
        family: pymc === "Truncated" ? "truncated" : "censored",
        args,
        shape,
        components: [inner],
      };
    }
    case "LKJCholeskyCov": {
      const [n, eta] = words.map(Number);
      const sd = distribution(g, "Exponential", { lam: nodes.rate }, [n]);
      return {
        family: "lkj_cholesky_cov",
        args: [g.scalar(eta)],
        shape,
        sizes: [n],
        components: [sd],
      };
    }
    case "ZeroSumNormal":
      return { ...distribution(g, pymc, nodes, shape), sizes: [words[0] === "axes" ? 2 : 1] };
    case "GaussianRandomWalk":
      return { ...distribution(g, pymc, nodes, shape), components: [start(shape.slice(0, -1))] };
    case "AR": {
      const order = Number(words[0]);
      const sizes = [order, words[1] === "constant" ? 1 : 0];
      return { ...distribution(g, pymc, nodes, shape), sizes, components: [start([order])] };
    }
    default:
      return distribution(g, pymc, nodes, shape);
  }
}

const numbers = ({ values }: GoldenArray) => Float64Array.from(values, goldenNumber);
const { entries } = readGolden<{ readonly entries: Entry[] }>("structured.json");
const whole = new Set(["n"]);

/** Arguments and values one after another, as the unconstrained vector has them. */
function placed(entry: Entry) {
  const arrays = [...Object.values(entry.arguments), entry.value];
  const offsets: number[] = [];
  let total = 0;
  for (const { shape } of arrays) {
    offsets.push(total);
    total += sizeOf(shape);
  }
  return { offsets, q: Float64Array.from(arrays.flatMap((one) => [...numbers(one)])) };
}

// Gradients of matrices: PyMC takes one triangle of a symmetric matrix, ours the other.
const symmetric = new Set(["cov", "tau", "scale"]);

entries.forEach((entry, index) => {
  const title = `${entry.name} #${index}`;
  const discrete = entry.gradient.length <= Object.keys(entry.arguments).filter((k) =>
    !whole.has(k)
  ).length;

  Deno.test(`${title} has PyMC's log density and gradient`, () => {
    const { offsets, q } = placed(entry);
    const g = new SimplifyingBuilder();
    const keys = Object.keys(entry.arguments);
    const leaves = keys.map((key, k) =>
      whole.has(key)
        ? g.array(numbers(entry.arguments[key]), entry.arguments[key].shape)
        : g.input(offsets[k], entry.arguments[key].shape)
    );
    const value = discrete
      ? g.array(numbers(entry.value), entry.value.shape)
      : g.input(offsets.at(-1)!, entry.value.shape);
    const nodes = Object.fromEntries(keys.map((key, k) => [key, leaves[k]]));
    const made = distributionOf(g, entry.name, nodes, entry.value.shape);
    const density = families[made.family].logDensity(g, value, made);
    assert.deepEqual(g.shapeOf(density), entry.logp.shape, title);
    const wanted = numbers(entry.logp);
    evaluate(g, density, [q]).forEach((ours, i) => {
      // Compiled without rewrites, PyMC's log-sum-exp has few digits where exponentials underflow.
      const underflows = entry.name.includes("Mixture") && wanted[i] < -700;
      const close = Number.isNaN(wanted[i])
        ? !Number.isNaN(ours)
        : agree(ours, wanted[i], underflows ? 1e-3 : 1e-10, 1e-12);
      assert.ok(close, `${title} [${i}]: ${ours}, PyMC ${wanted[i]}`);
    });
    if (entry.name.includes("Mixture") && wanted.some((one) => one < -700)) return;
    if (!wanted.every(Number.isFinite) || entry.gradient.length === 0) return;
    const real = leaves.filter((_, k) => !whole.has(keys[k]));
    const realKeys = keys.filter((key) => !whole.has(key));
    const slopes = gradientOf(g, g.sum(unguarded(g, density)), discrete ? real : [...real, value]);
    slopes.forEach((slope, k) => {
      const pymc = numbers(entry.gradient[k]);
      const ours = evaluate(g, slope, [q]);
      const [a, b] = symmetric.has(realKeys[k]) ? [summed(ours), summed(pymc)] : [ours, pymc];
      a.forEach((x, i) => {
        const skipped = Number.isNaN(b[i]) || (realKeys[k] === "chol" && aboveDiagonal(a, i));
        const close = skipped || agree(x, b[i], 1e-8, 1e-10);
        assert.ok(close, `${title} by ${realKeys[k] ?? "value"} [${i}]: ${x}, PyMC ${b[i]}`);
      });
    });
  });
});

/** Whether a flat index is above the diagonal, where PyMC reads a factor and ours does not. */
function aboveDiagonal(a: Float64Array, at: number): boolean {
  const n = Math.sqrt(a.length);
  return at % n > Math.floor(at / n);
}

/** A + Aᵀ. */
function summed(a: Float64Array): Float64Array {
  const n = Math.sqrt(a.length);
  return a.map((x, at) => x + a[(at % n) * n + Math.floor(at / n)]);
}
