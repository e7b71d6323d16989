/** The page of attacks: how many were tried of each kind, and what they came to, from the tables that the tasks write. */
import { parse } from "csv-parse/sync";
import { attackFamilies } from "../tests/engine/integrity/further_attacks/families.ts";
import { families } from "../tests/engine/integrity/reward_matrix/attacks.ts";
import { dugongs } from "../tests/engine/density/data.ts";
import { doors } from "../tests/doors/doors.ts";

/** One attempt, by the names of the columns. */
type Row = Readonly<Record<string, string>>;

const folder = new URL("../bench/results/attacks/", import.meta.url);

/** Writes one of the tables, and the whole page. */
export async function writeAttacks(name: string, rows: readonly Row[]): Promise<void> {
  const lines = [Object.keys(rows[0]), ...rows.map((row) => Object.values(row))];
  const text = lines.map((cells) => cells.map(quoted).join(",")).join("\n");
  await Deno.writeTextFile(new URL(`${name}.csv`, folder), `${text}\n`);
  await Deno.writeTextFile(new URL("../bench/results/attacks.md", import.meta.url), attackPage());
}

function quoted(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function rowsOf(name: string): readonly Row[] {
  return parse(Deno.readTextFileSync(new URL(`${name}.csv`, folder)), { columns: true });
}

/** The page in Markdown. */
export function attackPage(): string {
  const [matrix, further, tried] = ["reward_matrix", "further", "doors"].map(rowsOf);
  return `# Attacks

Each section names the task that runs its attacks. The task writes a table with a row per attack into
\`bench/results/attacks\`. The tasks of further attacks and of other inputs fail if an attack succeeds. CI runs
all attacks on Sluice's own reader, except those that take minutes. DuckDB reads the tables:
\`select * from 'bench/results/attacks/further.csv' where kind = 'cell edges'\`.
[Security](../../docs/security.md) describes the sandbox,
[reward integrity](../../docs/reward_integrity.md) the defences, and
[literals](../../docs/literals.md) the charge for constants.

## The reward matrix

The programs try to earn a higher reward than their predictions deserve, on the lengths of 27 dugongs,
recorded to the centimetre. \`deno task matrix:reward\` writes ${matrix.length} rows. A program is read by Sluice, or
built by PyMC in a sandbox. _Above honest_ is the reward less an honest reward, in nats. The honest
reward is the exact ELPD of the program, or the reward of the curve without the trick. _Without a
defence_ is the same difference if one defence is removed. To measure this, one line in a copy of the
engine is changed, and the program is scored again (\`left_out\` names the line). _Withheld rows_ counts
attacks by authors who have seen the data, which only withheld rows stop.

${matrixTable(matrix)}

## Further attacks

\`deno task attacks\` makes ${further.length} further attacks on the same lengths, rounded or not, and on thirty
counts. Here the judge \`literals\` is off. It stops the same attacks as withheld rows do.

${furtherTable(further)}

## Other inputs

\`deno task attacks:doors\` makes ${tried.length} attempts through inputs other than programs:

${doorTable(tried)}
`;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function matrixTable(all: readonly Row[]): string {
  const rows = families.map(({ name, idea, attacks }) => {
    const own = all.filter((row) => row.kind === name);
    const withheld = new Set(
      attacks(dugongs(0.01)).flatMap((one) => one.needsHoldout ? [one.name] : []),
    );
    const [refused] = paidAbove(own);
    const [, most] = paidAbove(own.filter(({ attack }) => !withheld.has(attack)));
    const late = own.filter(({ attack, paid }) => withheld.has(attack) && Number(paid)).length;
    const without = own.flatMap(({ left_out, honest }) =>
      [...left_out.matchAll(/: (-?[\d.]+)/g)].map(([, paid]) => Number(paid) - Number(honest))
    );
    const gain = without.length > 0 && name !== "honest models"
      ? Math.max(...without).toFixed(1)
      : "–";
    return [name, idea, own.length, refused, most, gain, late];
  });
  const head = ["kind", "tries", "rows", "refused", "most above honest", "most without a defence"];
  return table([...head, "withheld rows"], rows);
}

function furtherTable(all: readonly Row[]): string {
  const rows = attackFamilies.map(({ name, idea }) => {
    const own = all.filter((row) => row.kind === name);
    const [refused, most] = paidAbove(own.filter(({ verdict }) => verdict === "holds"));
    const withheld = own.filter(({ verdict }) => verdict === "withheld rows").length;
    return [name, idea, own.length, refused, most, withheld];
  });
  return table(["kind", "tries", "attacks", "refused", "most above honest", "withheld rows"], rows);
}

/** How many are refused, and what the others are paid above honesty at most, nats. */
function paidAbove(rows: readonly Row[]): [refused: number, most: string] {
  const paid = rows.filter(({ paid }) => Number.isFinite(Number(paid)));
  const above = paid.filter(({ honest }) => honest !== "")
    .map(({ paid, honest }) => Number(paid) - Number(honest));
  return [rows.length - paid.length, above.length > 0 ? Math.max(...above).toFixed(2) : "–"];
}

/** Forgeries by set: how many are refused, what the others are charged, and earn above honesty. */
export function forgerySummary(): string {
  const all = rowsOf("forgeries");
  const rows = [...new Set(all.map((row) => row.set))].map((set) => {
    const own = all.filter((row) => row.set === set);
    const scored = own.filter(({ log_reward }) => log_reward !== "");
    const most = Math.max(...scored.map((row) => Number(row.log_reward) - Number(row.honest)));
    const charges = scored.map(({ literals }) => -Number(literals)).sort((a, b) => a - b);
    const middle = charges[charges.length >> 1].toFixed(1);
    return [set, own.length, own.length - scored.length, middle, most.toFixed(2)];
  });
  return table(["set", "forgeries", "refused", "median charge", "most above honest"], rows);
}

function doorTable(all: readonly Row[]): string {
  const rows = doors.map(({ door, idea }) => {
    const own = all.filter((row) => row.door === door);
    return [door, idea, own.length, own.filter(({ verdict }) => verdict !== "holds").length];
  });
  return table(["input", "tries", "attempts", "open"], rows);
}
