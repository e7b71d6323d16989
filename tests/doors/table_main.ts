/** Writes `docs/attacks_on_doors.md`: every attempt at a door with what came of it. Fails where one is open. */
import { outcomeOf } from "./attack.ts";
import { doors } from "./doors.ts";

const sections: string[] = [];
let open = 0;
for (const { door, idea, attacks } of doors) {
  const rows = await Promise.all(attacks.map(async (attack) => {
    const outcome = await outcomeOf(attack);
    const holds = attack.holds.test(outcome);
    if (!holds) open++;
    const shown = outcome.replaceAll("|", "\\|").slice(0, 100);
    return `| ${attack.name.replaceAll("|", "\\|")} | ${shown} | ${holds ? "holds" : "OPEN"} |`;
  }));
  const head = ["| attempt | outcome | |", "| --- | --- | --- |"];
  sections.push([`## ${door}`, "", `Tries: ${idea}.`, "", ...head, ...rows, ""].join("\n"));
}
const count = doors.reduce((sum, { attacks }) => sum + attacks.length, 0);
const intro = `# Attacks on doors

${count} attempts at doors that are not the reward's, written by \`deno task attacks:doors\`; CI tries
each of them (\`tests/doors\`). Attacks on the reward are [elsewhere](further_attacks.md), and so is
what confines programs ([security](security.md)).
`;
const root = new URL("../../", import.meta.url).pathname;
await Deno.writeTextFile(`${root}docs/attacks_on_doors.md`, [intro, ...sections].join("\n"));
console.log(`${count} attempts, ${open} open`);
if (open > 0) Deno.exit(1);
