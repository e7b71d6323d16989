/** Tests of actions: an agent that fails or gives none is told what it did, and how to mend it. */
import assert from "node:assert/strict";
import type { InputError } from "../../../src/base/diagnostic.ts";
import { nextAction } from "../../../src/executor/play/agents/next_action.ts";

const view = { transcript: [{ query: { age: 1 } }], left: 2 } as never;
const asked = (act: () => unknown) => nextAction("mine", { act } as never, view);

const bad: readonly (readonly [string, () => unknown, RegExp])[] = [
  ["nothing", () => undefined, /action 2 gives undefined, which is no action/],
  ["a text", () => "age 3", /gives "age 3"/],
  ["another kind", () => ({ kind: "guess", query: 1 }), /gives \{"kind":"guess"/],
  ["a submission without a program", () => ({ kind: "submit" }), /gives \{"kind":"submit"\}/],
  ["a cost below zero", () => ({ kind: "query", query: 1, cost: -1 }), /which is no action/],
  ["tokens that are no number", () => ({ kind: "query", query: 1, tokens: NaN }), /no action/],
  ["an exception", () => {
    throw new Error("no idea");
  }, /action 2 fails: no idea/],
  ["a promise that fails", () => Promise.reject(new Error("offline")), /fails: offline/],
];

for (const [what, act, message] of bad) {
  Deno.test(`an agent that gives ${what} is named with what it gave`, async () => {
    await assert.rejects(asked(act), (error: InputError) => {
      const [{ code, hint }] = error.diagnostics;
      assert.equal(code, "play/agent");
      assert.match(error.message, /the agent "mine"/);
      assert.match(error.message, message);
      return /kind: "query"/.test(hint!);
    });
  });
}

Deno.test("a query is handed on as it stands, and so is what it took", async () => {
  const action = { kind: "query", query: "x".repeat(10), tokens: 3, cost: 0.5 };
  assert.deepEqual(await asked(() => Promise.resolve(action)), action);
  const program = { kind: "submit", program: "" };
  assert.deepEqual(await asked(() => program), program);
});
