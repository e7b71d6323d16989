/** Estimates where objects cannot be counted, and agreement of log P with log R. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { RandomStream } from "../../src/base/random.ts";
import { agreement } from "../../src/gfn/evaluation/agreement.ts";
import { importanceEstimates } from "../../src/gfn/evaluation/importance_estimates.ts";
import { subSupportDistance } from "../../src/gfn/evaluation/sub_supports.ts";

const close = (actual: number, expected: number, tolerance = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual}, expected ${expected}`);

/** Ten objects: a policy and log rewards, with the truth about them. */
const logP = Float64Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], (w) => Math.log(w / 55));
const logReward = Float64Array.from([3, 1, 4, 1, 5, 9, 2, 6, 5, 3], (w) => Math.log(w));
const logZ = Math.log(39);
const truth = {
  elbo: logP.reduce((sum, p, x) => sum + Math.exp(p) * (p - logReward[x] + logZ), 0),
  eubo: logP.reduce((sum, p, x) => {
    return sum + Math.exp(logReward[x] - logZ) * (logReward[x] - logZ - p);
  }, 0),
};

function zetas(n: number, key: number): number[] {
  const random = new RandomStream("zetas", key);
  return Array.from({ length: n }, () => {
    let [u, x] = [random.uniform(), 0];
    while (x < 9 && (u -= Math.exp(logP[x])) > 0) x++;
    return logReward[x] - logP[x];
  });
}

Deno.test("importance estimates lie within their errors of the truth, as often as they should", () => {
  const repetitions = 200;
  const inside = { logZ: 0, elboGap: 0, euboGap: 0 };
  const expected = { logZ, elboGap: truth.elbo, euboGap: truth.eubo };
  for (let key = 0; key < repetitions; key++) {
    const found = importanceEstimates(zetas(2000, key));
    for (const name of ["logZ", "elboGap", "euboGap"] as const) {
      const { value, mcse } = found[name];
      if (Math.abs(value - expected[name]) < 1.96 * mcse) inside[name]++;
    }
  }
  // 95 % of 200 are 190 ± 3.1; 4.5 standard deviations below.
  for (const [name, count] of Object.entries(inside)) assert.ok(count >= 176, `${name}: ${count}`);
});

Deno.test("the effective sample size lies between 1 and n, and is n for equal weights", () => {
  const values = fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 2 });
  fc.assert(fc.property(values, (zeta) => {
    const { ess } = importanceEstimates(zeta);
    assert.ok(ess >= 1 - 1e-9 && ess <= zeta.length + 1e-6, `${ess}`);
  }));
});

Deno.test("sub-supports of all objects give the total variation itself", () => {
  const target = logReward.map((one) => one - logZ);
  const tv = target.reduce((sum, one, x) => sum + Math.abs(Math.exp(one) - Math.exp(logP[x])), 0);
  const random = new RandomStream("all");
  const all = subSupportDistance(logReward, logP, { count: 3, size: 10, random });
  close(all.value, tv / 2);
  close(all.mcse, 0);
  const [low, high] = all.interval;
  assert.ok(low <= tv / 2 && tv / 2 <= high && low >= 0 && high <= 1);
});

Deno.test("sub-supports see no difference between rewards and a policy in proportion to them", () => {
  const options = { count: 20, size: 4, random: new RandomStream("proportional") };
  close(subSupportDistance(logReward, logReward.map((x) => x - 7), options).value, 0);
});

Deno.test("a policy in proportion to the reward agrees with it in everything", () => {
  const result = agreement(logReward, logReward.map((x) => x - logZ));
  close(result.correlation, 1);
  close(result.rankCorrelation, 1);
  close(result.logRatioVariance, 0);
});

Deno.test("a tempered policy has correlation 1 and is found out by the variance", () => {
  const tempered = logReward.map((x) => 0.5 * x - 1);
  const result = agreement(logReward, tempered);
  close(result.correlation, 1);
  assert.ok(result.logRatioVariance > 0.05);
});

Deno.test("ranks of equal values are shared: Spearman's correlation of (1, 2, 2, 3) and (4, 1, 2, 3)", () => {
  // Ranks 1, 2.5, 2.5, 4 and 4, 1, 2, 3: covariance sum −2, squares 4.5 and 5.
  const p = Float64Array.of(1, 2, 2, 3).map((x) => x - 10);
  const r = Float64Array.of(4, 1, 2, 3);
  const ranks = [[0, 1.5, 1.5, 3], [3, 0, 1, 2]];
  const centred = ranks.map((row) => row.map((x) => x - 1.5));
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, x, i) => sum + x * b[i], 0);
  const [a, b] = centred;
  close(agreement(r, p).rankCorrelation, dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)));
});
