/** The reward matrix in the native language: nothing that a rule can see earns more than it deserves. */
import assert from "node:assert/strict";
import { dugongs } from "../density/data.ts";
import { families } from "./reward_matrix/attacks.ts";
import { defences, isThere } from "./reward_matrix/defences.ts";
import { native, pay } from "./reward_matrix/pay.ts";

const data = dugongs(0.01);

for (const family of families) {
  Deno.test(`${family.name}: ${family.idea}`, async () => {
    const wrong: string[] = [];
    for (const attack of family.attacks(data)) {
      const { refused, reward = -Infinity, mcse = 0 } = await pay(attack, data, native);
      const isHonest = family.name === "honest models";
      if (isHonest && refused) wrong.push(`${attack.name}: ${refused}`);
      if (isHonest || attack.needsHoldout || attack.honest === undefined) continue;
      const most = attack.honest + 0.02 + 4 * mcse;
      if (reward > most) wrong.push(`${attack.name}: ${reward.toFixed(2)} ± ${mcse.toFixed(2)}`);
    }
    assert.deepEqual(wrong, []);
  });
}

Deno.test("what would leave a defence out stands in the engine, once", async () => {
  const root = new URL("../../../", import.meta.url).pathname;
  for (const defence of defences) assert.ok(await isThere(root, defence), defence.name);
});

Deno.test("what tells rows apart by their order is refused, unless the target gives them one", async () => {
  const order = families.find(({ name }) => name === "order")!.attacks(data);
  for (const attack of order) {
    assert.equal((await pay(attack, data, native)).refused, "lh/row-table", attack.name);
  }
  const [first] = order;
  assert.ok((await pay({ ...first, rows: "ordered" }, data, native)).reward! > 20);
});
