/** Writes `docs/further_attacks.md`: every further attack with what it was paid. Fails where one is overpaid. */
import { attackFamilies } from "./families.ts";
import type { AttackFamily, FurtherAttack } from "./further_attack.ts";
import { type FurtherPay, furtherPay, isOverpaid } from "./pay.ts";

function rowOf(attack: FurtherAttack, pay: FurtherPay): string {
  const { name, about = "lengths", honest, needsHoldout } = attack;
  const paid = pay.paid === undefined ? `\`${pay.refused}\`` : pay.paid.toFixed(2);
  const verdict = !isOverpaid(attack, pay) ? "holds" : needsHoldout ? "withheld rows" : "OVERPAID";
  return `| ${[name, about, honest?.toFixed(1) ?? "–", paid, verdict].join(" | ")} |`;
}

function sectionOf({ name, idea }: AttackFamily, rows: readonly string[]): string {
  const head = ["| attack | about | honest | paid | |", "| --- | --- | --- | --- | --- |"];
  return [`## ${name}`, "", `Tries: ${idea}.`, "", ...head, ...rows, ""].join("\n");
}

const sections = attackFamilies.map((family) => {
  const rows = family.attacks.map((attack) => {
    const row = rowOf(attack, furtherPay(attack));
    console.log(row);
    return row;
  });
  return sectionOf(family, rows);
});
const count = attackFamilies.reduce((sum, { attacks }) => sum + attacks.length, 0);
const intro = `# Further attacks

${count} attacks on the reward that were tried after its defences stood, written by
\`deno task attacks\`: about the lengths of 27 dugongs, recorded to the centimetre or not rounded, and
about thirty counts. _Honest_ is the exact score of the program where there is one, else that of the
best honest program of its kind. _Withheld rows_ meet an author who has seen the data; so does the
charge for constants ([literals](literals.md)), which is off here. The defences are in
[reward integrity](reward_integrity.md).
`;
const root = new URL("../../../../", import.meta.url).pathname;
await Deno.writeTextFile(`${root}docs/further_attacks.md`, [intro, ...sections].join("\n"));
if (sections.some((text) => text.includes("OVERPAID"))) Deno.exit(1);
