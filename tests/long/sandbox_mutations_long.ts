/** Leaves out each part of each layer, one at a time: the attack that it is for must then succeed. */
import assert from "node:assert/strict";
import type { Attack } from "../sandbox/catalogue.ts";
import { readCatalogue } from "../sandbox/catalogue.ts";
import { HostFixture } from "../sandbox/host_fixture.ts";
import type { Mutation } from "../sandbox/mutations.ts";
import { mutations, together } from "../sandbox/mutations.ts";
import { asRoot, sandboxTest } from "../sandbox/needs.ts";
import { runAttack } from "../sandbox/run_attack.ts";

sandboxTest(
  "every call, right, limit and option that is refused is refused for a reason",
  async () => {
    const attacks = new Map(readCatalogue().map((attack) => [attack.id, attack]));
    const host = await HostFixture.open();
    const wrong: string[] = [];
    try {
      for (const mutation of mutations(asRoot)) {
        wrong.push(...await judge(mutation, attacks.get(mutation.attack)!, host));
      }
    } finally {
      await host.close();
    }
    assert.deepEqual(wrong, []);
  },
);

/** Stopped with the part, open without it. */
async function judge(mutation: Mutation, attack: Attack, host: HostFixture): Promise<string[]> {
  const { part, level, before, change } = mutation;
  const whole = await runAttack(attack, level, host, { changes: before });
  const mutated = await runAttack(attack, level, host, { changes: together(before, change) });
  const name = `${part} (${attack.id})`;
  return [
    ...(whole.open ? [`${name} does not stop its attack: ${whole.said}`] : []),
    ...(mutated.open ? [] : [`${name} is not needed: ${mutated.said}`]),
  ];
}
