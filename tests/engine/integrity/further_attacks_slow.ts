/** Further attacks earn no more than they deserve: those that are refused, and a third of the others. */
import assert from "node:assert/strict";
import { attackFamilies } from "./further_attacks/families.ts";
import { furtherPay, isOverpaid } from "./further_attacks/pay.ts";

/** Families that take long are sampled: every third attack. */
const sampled: ReadonlySet<string> = new Set(["cell edges", "estimates", "fitted elsewhere"]);

for (const { name, idea, attacks } of attackFamilies) {
  const chosen = attacks.filter(({ isLong }, i) => !isLong && (!sampled.has(name) || i % 3 === 0));
  Deno.test(`${name}: ${idea}`, () => {
    const wrong = chosen.filter((attack) =>
      !attack.needsHoldout && isOverpaid(attack, furtherPay(attack))
    );
    assert.deepEqual(wrong.map((attack) => attack.name), []);
  });
}

Deno.test("what was fitted elsewhere is paid: only rows that nobody was shown meet it", () => {
  const { attacks } = attackFamilies.find(({ name }) => name === "fitted elsewhere")!;
  const bent = attacks.find(({ name }) => name === "a bent table by place")!;
  assert.ok(
    isOverpaid(bent, furtherPay(bent)),
    "a rule sees it now: say so in reward_integrity.md",
  );
});
