/** Tests of sessions of OpenEnv: order, bad actions, rewards. */
import assert from "node:assert/strict";
import { ServeSessions } from "../../../src/executor/play/serve/sessions.ts";
import type { SubmittedProgram, Theories } from "../../../src/executor/play/theories.ts";
import { localTheories, shippedExperiments } from "./local_theories.ts";

const settings = { budget: 2, particles: 200, draws: 64, candidates: 0, fresh: 10 };
const made = () =>
  new ServeSessions(shippedExperiments().get("discounting")!, localTheories, settings);
const query = { query: { immediate: 50, delayed: 60, days: 20 } };

// deno-lint-ignore no-explicit-any
const data = (answer: { data: unknown }) => answer.data as any;

Deno.test("an episode is reset, asked, shown its questions, answered, and over", async () => {
  const sessions = made();
  const begun = await sessions.handle("a", "reset", { seed: 4 });
  assert.equal(data(begun).observation.left, 2);
  assert.equal(data(begun).observation.questions, undefined);
  await sessions.handle("a", "step", query);
  const last = data(await sessions.handle("a", "step", query));
  assert.equal(last.observation.questions.length, 10);
  const late = await sessions.handle("a", "step", query);
  assert.equal(data(late).code, "SESSION_ERROR");
  const end = data(await sessions.handle("a", "step", { answer: Array(10).fill("0") }));
  assert.ok(end.done && Number.isFinite(end.reward));
  assert.ok(end.observation.constant_error >= end.observation.oracle_error);
  assert.match(data(await sessions.handle("a", "step", query)).message, /over/);
  assert.equal(data(await sessions.handle("a", "state", undefined)).done, true);
});

Deno.test("a program that is refused earns less than the worst that can be scored", async () => {
  const judged = (log_score: number) => ({
    ...localTheories,
    judge: ({ judge, predict }: SubmittedProgram) =>
      Promise.resolve({
        ok: true as const,
        predicted: Array.from({ length: predict.rows }, () => ({ mean: 0.5, median: 1 })),
        log_densities: Array(judge.rows).fill(log_score),
      }),
  });
  const rewardOf = async (theories: Theories) => {
    const experiment = shippedExperiments().get("discounting")!;
    const sessions = new ServeSessions(experiment, theories, settings);
    await sessions.handle("a", "reset", { seed: 4 });
    await sessions.handle("a", "step", query);
    const end = data(await sessions.handle("a", "step", { submit: "import pymc as pm" }));
    assert.ok(end.done);
    return end.reward as number;
  };
  const refused = await rewardOf(localTheories);
  assert.equal(await rewardOf(judged(-0.5)), -0.5);
  assert.ok(refused < await rewardOf(judged(-49)), `${refused}`);
});

Deno.test("the same seed is the same world, and sessions know nothing of one another", async () => {
  const sessions = made();
  for (const name of ["a", "b"]) await sessions.handle(name, "reset", { seed: 1 });
  const [one, two] = [
    await sessions.handle("a", "step", query),
    await sessions.handle("b", "step", query),
  ];
  assert.deepEqual(one, two);
  assert.match(data(await sessions.handle("c", "step", query)).message, /send reset first/);
});

const wrong: readonly (readonly [string, unknown, RegExp])[] = [
  ["text", "age 3", /one of the keys query, stop, answer, submit/],
  ["two actions", { ...query, stop: true }, /one of the keys/],
  ["another action", { seed: 3 }, /one of the keys/],
  ["an answer before the questions", { answer: [] }, /no questions yet/],
  ["no program", { submit: "" }, /text of a program/],
  ["a long program", { submit: "x".repeat(200_000) }, /text of a program/],
];

Deno.test("bad actions are refused, and the episode goes on", async () => {
  const sessions = made();
  await sessions.handle("a", "reset", {});
  for (const [what, action, message] of wrong) {
    const refused = await sessions.handle("a", "step", action);
    assert.equal(refused.type, "error", what);
    assert.match(data(refused).message, message);
  }
  assert.equal((await sessions.handle("a", "step", query)).type, "observation");
});

Deno.test("two steps at once are refused, and so are too few answers", async () => {
  const sessions = made();
  await sessions.handle("a", "reset", {});
  const both = await Promise.all([
    sessions.handle("a", "step", query),
    sessions.handle("a", "step", query),
  ]);
  assert.deepEqual(both.map(({ type }) => type), ["observation", "error"]);
  assert.match(data(both[1]).message, /under way/);
  await sessions.handle("a", "step", { stop: true });
  assert.match(
    data(await sessions.handle("a", "step", { answer: [1] })).message,
    /list of 10 numbers/,
  );
  const words = await sessions.handle("a", "step", { answer: ["yes", ...Array(9).fill(0)] });
  assert.match(data(words).message, /wanted a number/);
  assert.equal(
    (await sessions.handle("a", "step", { answer: Array(10).fill(0) })).type,
    "observation",
  );
});

Deno.test("a reset takes a seed and an id alone", async () => {
  const sessions = made();
  assert.match(
    data(await sessions.handle("a", "reset", { latents: true })).message,
    /no "latents"/,
  );
  assert.match(data(await sessions.handle("a", "reset", { seed: "x" })).message, /whole number/);
  assert.equal(data(await sessions.handle("a", "dance", {})).code, "UNKNOWN_TYPE");
});
