/** Laws of two families on one response: scores agree with the maximum log likelihoods and AIC. */
import assert from "node:assert/strict";
import { type FamilyPair, scoresOf } from "./family_pairs.ts";

/** Nats that a family may lose for the parameter that the data did not need. */
const mostLost = 1.5;
/** Nats by which leave-one-out may be off the count by AIC, in 60 rows. */
const mostOff = 3;
/** The same of families that nearly coincide, parameter for parameter. */
const mostApart = 1;

/** @throws AssertionError where the scores of a pair break its law. */
export function holdFamilyLaw(pair: FamilyPair, scores = scoresOf(pair)): void {
  const { inner, outer, truth, parameters, greatest } = pair;
  const [one, other] = scores;
  const apart = greatest[outer] - greatest[inner];
  const said = `${inner} ${one.toFixed(2)}, ${outer} ${other.toFixed(2)}, by likelihood ${apart}`;
  if (truth === "either") {
    assert.ok(Math.abs(other - one - apart) <= mostApart, said);
    return;
  }
  const makers = truth === "inner" ? [one, other] : [other];
  assert.ok(makers.every(Number.isFinite), said);
  if (truth === "inner") {
    assert.ok(one - other <= mostLost, said);
    return;
  }
  const counted = greatest[outer] - 2 - ownParameters(outer);
  assert.ok(Math.abs(other - counted) <= mostOff, `${said}, by AIC ${counted}`);
  // Leave-one-out punishes a family that is wrong more than AIC does, or leaves it without a score.
  if (Number.isFinite(one)) assert.ok(other - one >= apart - parameters - mostOff, said);
}

/** Parameters beside intercept and slope. */
function ownParameters(family: string): number {
  const zeros = /inflated|hurdle/.test(family);
  const spread = /negative|beta|gamma|normal|weibull|student/.test(family);
  return Number(zeros) + Number(spread) + Number(family === "student_t");
}
