/** Families that meet at a limit, on some data of each, and on real data; the others are slow tests. */
import assert from "node:assert/strict";
import { holdFamilyLaw } from "./family_laws.ts";
import { familyPairs, realPairs, realScoresOf, scoresOf, titleOf } from "./family_pairs.ts";

const quick = [
  "poisson and negative_binomial on data of outer, alpha 100 (regression)",
  "poisson and negative_binomial on data of inner, 1/√alpha 0, rate e^4.5 (regression)",
  "binomial and beta_binomial on data of outer, kappa 500, 1000 trials (regression)",
  "log_normal and gamma on data of either, CV 0.01 (regression)",
  "exponential and weibull on data of outer, shape 10000 (survival)",
  "normal and student_t on data of inner, nu inf (regression)",
];
for (const title of quick) {
  Deno.test(title, () => holdFamilyLaw(familyPairs.find((pair) => titleOf(pair) === title)!));
}

Deno.test("the law is broken by a prior that forbids what its family holds", () => {
  const pair = familyPairs.find(({ at }) => at === "alpha 100")!;
  const [poisson] = scoresOf(pair);
  // With alpha ~ Exponential(1) the engine gives the negative binomial −260.3.
  assert.throws(() => holdFamilyLaw(pair, [poisson, -260.3]), /by AIC -245/);
});

for (const pair of realPairs) {
  Deno.test(`${pair.families.join(" and ")} differ on ${pair.name} as their likelihoods do`, () => {
    const [one, other] = realScoresOf(pair);
    const [first, second] = pair.greatest;
    const said = `${one.toFixed(2)} and ${other.toFixed(2)}`;
    assert.ok(Math.abs(other - one - (second - first)) <= 1.5, said);
  });
}
