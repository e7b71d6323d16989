/** Tries every further attack, and writes what it was paid for `bench/results/attacks.md`. Fails where one is overpaid. */
import { writeAttacks } from "../../../../tools/attack_page.ts";
import { attackFamilies } from "./families.ts";
import type { FurtherAttack } from "./further_attack.ts";
import { furtherPay, isOverpaid } from "./pay.ts";

function rowOf(kind: string, attack: FurtherAttack) {
  const { name, about = "lengths", honest, needsHoldout } = attack;
  const pay = furtherPay(attack);
  const paid = pay.paid === undefined ? `${pay.refused}` : pay.paid.toFixed(2);
  const verdict = !isOverpaid(attack, pay) ? "holds" : needsHoldout ? "withheld rows" : "OVERPAID";
  const row = { kind, attack: name, about, honest: honest?.toFixed(1) ?? "", paid, verdict };
  console.log(Object.values(row).join(" | "));
  return row;
}

const rows = attackFamilies.flatMap(({ name, attacks }) => attacks.map((one) => rowOf(name, one)));
await writeAttacks("further", rows);
if (rows.some(({ verdict }) => verdict === "OVERPAID")) Deno.exit(1);
