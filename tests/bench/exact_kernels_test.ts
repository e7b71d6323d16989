/** The benchmark's kernels: the target that numpy has from ordered derivations, and its files. */
import assert from "node:assert/strict";
import { kernelsEnvironment } from "../../bench/exact_programs/kernels.ts";
import { openSpace, tableOf, targetOf } from "../../bench/exact_programs/spaces.ts";
import { taskNamed } from "../../bench/exact_programs/tasks.ts";
import { exp } from "../../src/numerics/math/elementary.ts";
import { logSumExp } from "../../src/numerics/math/log_sum_exp.ts";

interface Golden {
  readonly kernels: number;
  readonly log_z: number;
  readonly best: Readonly<Record<string, number>>;
}

/** `python tools/golden/kernel_targets.py`, CPython 3.11.7 with numpy 2.4.6. */
const { targets }: { readonly targets: Readonly<Record<string, Golden>> } = JSON.parse(
  Deno.readTextFileSync(new URL("../golden/kernel_targets.json", import.meta.url)),
);

for (const depth of [1, 2, 3]) {
  Deno.test(`kernels of the benchmark to depth ${depth} have the target of numpy`, () => {
    const objects = [...kernelsEnvironment(depth).enumerate()];
    const wanted = targets[depth];
    assert.equal(objects.length, wanted.kernels);
    const logZ = logSumExp(objects.map(({ logReward }) => logReward!));
    assert.ok(Math.abs(logZ - wanted.log_z) < 1e-8, `${logZ}`);
    const most = objects.reduce((a, b) => Math.max(a, b.logReward!), -Infinity);
    assert.ok(Math.abs(exp(most - logZ) - Object.values(wanted.best)[0]) < 1e-8);
  });
}

Deno.test("the benchmark's kernels are those to depth 4", () => {
  const { space } = taskNamed("kernels_4");
  assert.deepEqual(space, { kind: "kernels", depth: 4 });
  assert.equal(kernelsEnvironment(4).count, targets[4].kernels);
});

Deno.test("a state's own reward is that of its object", () => {
  const environment = kernelsEnvironment(2);
  for (const { actions, logReward } of environment.enumerate()) {
    let state = environment.initialState();
    for (const action of actions.slice(0, -1)) state = environment.step(state, action);
    assert.equal(environment.logReward!(state), logReward);
  }
});

Deno.test("a file of programs has a reward and a derivation in every row", () => {
  const task = { ...taskNamed("kernels_4"), space: { kind: "kernels", depth: 2 } as const };
  const opened = openSpace(task);
  const target = targetOf(task, opened);
  const { columns, about } = tableOf(target);
  const row = opened.listed!.objects.findIndex(({ features }) => features.length === 5);
  const names = Object.keys(columns).slice(1).flatMap((name) => {
    const choice = columns[name][row];
    return choice < 0 ? [] : [about.productions![choice]];
  });
  assert.deepEqual(names, opened.listed!.objects[row].features);
  assert.equal(columns.log_reward[row], opened.listed!.logReward[row]);
  assert.ok(!("choices" in about) && !("log_reward" in about));
});

Deno.test("row i of a file of regressions is the subset whose bits are i", () => {
  const task = taskNamed("regressions_14");
  assert.ok(task.space.kind === "regressions");
  const space = { ...task.space, spec: { ...task.space.spec, terms: 5 } };
  const { objects } = openSpace({ ...task, space }).listed!;
  assert.equal(objects[0b10010].text, "y ~ 1 + x1 + x4");
  assert.equal(objects.length, 32);
});
