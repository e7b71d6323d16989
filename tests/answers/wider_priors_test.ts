/** An answer says what wider priors do to it, and when it rests on them. */
import assert from "node:assert/strict";
import { aboutWiderPriors, sensitivityOf } from "../../src/answers/wider_priors.ts";

const move = (question: string, moves: number) => ({
  ...{ question, answer: "in", other: "out", parameters: ["b"], width: 2, moves },
});
const answers = [{ answer: "in", prior: 0.5 }, { answer: "out", prior: 0.5 }];

/** Of questions with two programs each, the first of which leads by these nats. */
function sensitivities(moves: readonly ReturnType<typeof move>[], lead: number, isOpen = false) {
  const questions = moves.map(({ question }) => ({
    question,
    answers,
    given: Int32Array.of(0, 1),
  }));
  const space = { questions, logReward: Float64Array.of(lead, 0), priorMoves: moves };
  const target = isOpen ? null : 1;
  return sensitivityOf(
    space,
    questions.map(({ question }) => ({ question, answers: [{ target }] })),
  );
}

const cases: readonly (readonly [string, number, number, boolean])[] = [
  ["a settled answer that moves a little", -0.3, 4.6, false],
  ["one that falls below nine tenths", -1.5, 2.9, true],
  ["one that another would overtake", -0.5, 0.4, true],
  ["one that moves towards itself", 0.8, 0.4, false],
  ["one that moves by more than 2 nats, whichever way", 2.5, 0.4, true],
  ["one whose rival lies thousands of nats below", -3000, 5000, true],
];
for (const [title, moves, lead, rests] of cases) {
  Deno.test(`whether an answer rests on a prior: ${title}`, () => {
    const [one] = sensitivities([move("x", moves)], lead);
    assert.equal(one.rests, rests);
    // Log odds add up.
    assert.ok(Math.abs(one.target! - 1 / (1 + Math.exp(-lead - moves))) < 1e-12);
    assert.equal(sensitivities([move("x", moves)], lead, true)[0].target, null);
  });
}

Deno.test("one sentence tells the furthest move, and one each answer that rests on a prior", () => {
  const moves = [move("x", -0.3), move("z", 0.1), move("w", -3)];
  const sentences = aboutWiderPriors({ prior_sensitivity: sensitivities(moves, 4.6) });
  assert.equal(sentences.length, 2);
  assert.match(sentences[0], /^w rests on the prior of b: .* 3\.0 nats towards out; in would have/);
  assert.match(
    sentences[1],
    /^Doubling the prior width of b moves log odds of x by 0\.3 nats, the most of 2/,
  );
  assert.deepEqual(aboutWiderPriors({ prior_sensitivity: [] }), []);
});
