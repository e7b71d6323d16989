/** Targets by prompt: which rewards what, and what cannot go together. */
import assert from "node:assert/strict";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { PromptTargets } from "../../stages/common/prompt_targets.ts";
import type { Target } from "../../stages/ports/values.ts";

const target = (digest: string, rest: object = {}): Target =>
  ({ environment: { digest } as Environment, oracles: [], ...rest }) as Target;
const [a, b] = [target("words"), target("words")];
const prompt = (id: string) => ({ id, tokens: [] });

Deno.test("answers are sorted by their prompts' targets; one target takes all, and no prompt too", () => {
  const each = new PromptTargets({ targets: { a, b } }, "judge");
  const answers = ["a", "b", "a"].map((id) => ({ prompt: prompt(id) }));
  assert.deepEqual([...each.groups(answers)], [[a, [0, 2]], [b, [1]]]);
  assert.ok(each.areByPrompt);
  const one = new PromptTargets({ target: b }, "judge");
  assert.deepEqual([...one.groups([...answers, {}])], [[b, [0, 1, 2, 3]]]);
  one.requireFor([prompt("c")]);
  assert.throws(() => each.groups([{}]), /nothing was asked/);
});

Deno.test("targets and prompts must be those of one another", () => {
  const each = new PromptTargets({ targets: { a, b } }, "evaluate");
  each.requireFor([prompt("b"), prompt("a")]);
  assert.throws(() => each.requireFor([prompt("a")]), /a target is for "b", which is no prompt/);
  const more = ["a", "b", "c"].map(prompt);
  assert.throws(() => each.requireFor(more), /no target is for prompt "c"/);
});

Deno.test("what cannot go together is refused", () => {
  const wrong: [ConstructorParameters<typeof PromptTargets>[0], RegExp][] = [
    [{}, /neither a target nor targets/],
    [{ targets: {} }, /neither a target nor targets/],
    [{ target: a, targets: { b } }, /both a target and targets/],
    [{ targets: { a, b: target("others") } }, /of several environments/],
    [{ targets: { a, b: target("words", { dataset: {} }) } }, /some .* execute programs, some not/],
  ];
  for (const [rewarding, message] of wrong) {
    assert.throws(() => new PromptTargets(rewarding, "judge"), message);
  }
});

Deno.test("a target that took its author for blind is refused once one prompt shows the response", () => {
  const data = { dataset: {} };
  const [blind, informed] = [
    target("words", data),
    target("words", { ...data, author: "informed" }),
  ];
  new PromptTargets({ targets: { a: informed, b: informed } }, "judge").requireInformed("a");
  const mixed = new PromptTargets({ targets: { a: informed, b: blind } }, "judge");
  assert.throws(() => mixed.requireInformed("a"), /shows values of the response/);
  mixed.requireInformed(undefined);
});
