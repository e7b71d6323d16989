/** The page of the reward matrix: a table for each family. */
import { dugongs } from "../../density/data.ts";
import { families } from "./attacks.ts";
import type { Attack } from "./attack.ts";
import type { Pay } from "./pay.ts";

/** What an attack was paid, with its family. */
export interface Found extends Pay {
  readonly family: string;
}

/** Figures by front end (`native`, `pymc`) or by the defence that was left out. */
type Figures = Readonly<Record<string, readonly Found[]>>;

const doorNames: Readonly<Record<string, string>> = { native: "native", pymc: "PyMC" };

/** The page in Markdown. */
export function matrixPage(figures: Figures, defences: readonly string[]): string {
  const doors = Object.keys(doorNames).filter((door) => door in figures);
  const tables = families.map((family) => {
    const attacks = family.attacks(dugongs(0.01));
    const rows = attacks.flatMap((attack) =>
      doors.map((door) => rowOf(attack, door, figures, defences))
    );
    return [`## ${family.name}`, "", `Tries: ${family.idea}.`, "", ...head, ...rows, ""].join("\n");
  });
  return [intro(doors.length * Object.values(figures)[0].length), ...tables].join("\n");
}

const head = [
  "| attack | front end | honest | paid | left out: paid |",
  "| --- | --- | --- | --- | --- |",
];

function rowOf(attack: Attack, door: string, figures: Figures, defences: readonly string[]) {
  const own = of(figures[door], attack);
  const changed = door !== "native" ? [] : defences.flatMap((defence) => {
    const other = of(figures[defence], attack);
    return told(other) === told(own) ? [] : [`${defence}: ${told(other)}`];
  });
  const honest = attack.honest === undefined ? "–" : attack.honest.toFixed(1);
  const cells = [attack.name, doorNames[door], honest, told(own), changed.join("; ") || "–"];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function of(found: readonly Found[], { name }: Attack): Found {
  return found.find((one) => one.name === name)!;
}

/** A reward to a tenth of a nat, so that noise shows no difference, or the code of the refusal. */
function told({ refused, reward }: Found): string {
  return refused === undefined ? reward!.toFixed(1) : `\`${refused}\``;
}

function intro(rows: number): string {
  return `# The reward matrix

Pay of programs that try to earn more than they deserve, about the lengths of 27 dugongs,
recorded to the centimetre: ${rows} rows, written by \`deno task matrix:reward\`. _Honest_ is what a
sound reward pays at most: the exact value of the program where there is one, that of the curve
beneath where a trick is laid over it. The last column is what would be paid if a defence were left
out: the engine is copied, a line of it changed, and the same program scored again. The rules
are in [reward integrity](reward_integrity.md). "Both of these" are the row rule and the search of
constants, "these three" are those and cells; the gate is what refuses an estimate that is not sound.

Through PyMC the programs are built in its sandbox, without the response, at level L3; the first
refusal of a front end may differ. Without a defence those programs are scored again that it acts on: a
rule on what it refuses, cells on what has a score, a closed form on what it scores, the gate on
what it holds. All others come to the same line of the engine, changed or not. They may take 400,000
gradients, a fifth of what they may else, and 20,000 of a kernel over age, whose gradients take a
millisecond: programs that use them up are \`budget/gradients\`.
`;
}
