/** Where intervals that rest on a policy's own walks end: only where independent searches have scored objects. */
import assert from "node:assert/strict";
import { importanceEstimates } from "../../src/gfn/evaluation/importance_estimates.ts";
import { listedLogZ, ownEstimates } from "../../stages/evaluate_kl/evaluate_by_sampling.ts";

const estimates = importanceEstimates([0, 0.1, -0.1, 0.2, -0.2, 0]);
const beside = { n: 6, learned: 0.3, agree: false };
const klTargetPolicy = { value: 0.02, mcse: 0.01, interval: [0, 0.04] as const };
const ends = (given: Parameters<typeof ownEstimates>[1]) => {
  const { log_z, elbo_gap, log_z_error } = ownEstimates(estimates, given);
  return [log_z, elbo_gap].map((one) => one!.interval![1]).concat(-log_z_error!.interval![0]);
};

Deno.test("where nobody agrees, nothing ends that what was overlooked makes larger", () => {
  assert.ok(ends(beside).every((end) => end === Infinity));
  const listed = { ...beside, logZ: listedLogZ({ value: 0.01, mcse: 0.01 }, 50, 0) };
  assert.ok(ends(listed).every((end) => end === Infinity), "nor does a listed sample tell it");
});

Deno.test("where others agree it ends, the farther, the more they may have overlooked", () => {
  const [logZ, gap] = ends({ ...beside, agree: true });
  const [farther, gapFarther] = ends({ ...beside, agree: true, missed: 0.1 });
  assert.ok(Number.isFinite(logZ) && Number.isFinite(gap));
  for (const more of [farther - logZ, gapFarther - gap]) {
    assert.ok(Math.abs(more + Math.log(0.9)) < 1e-12);
  }
});

Deno.test("where a fault is proved, only objects that were listed tell log Z", () => {
  assert.equal(ends({ ...beside, proved: true })[0], Infinity);
  const logZ = listedLogZ({ value: 0.01, mcse: 0.01 }, 50, 0);
  assert.ok(ends({ ...beside, proved: true, logZ }).every(Number.isFinite));
});

Deno.test("KL(target‖policy) is given where others agree, by samples of theirs alone", () => {
  const of = (given: object) => ownEstimates(estimates, { ...beside, ...given }).eubo_gap;
  assert.equal(of({ agree: true }), undefined);
  assert.equal(of({ klTargetPolicy }), undefined);
  assert.equal(of({ agree: true, klTargetPolicy })!.value, 0.02);
});
