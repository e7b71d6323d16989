/** The matrix: every attack in every configuration, and the table that documents it. */
import { fileURLToPath } from "node:url";
import type { Attack } from "./catalogue.ts";
import { readCatalogue } from "./catalogue.ts";
import type { Configuration } from "./expected.ts";
import { exceptions } from "./expected.ts";
import { HostFixture } from "./host_fixture.ts";
import { asRoot } from "./needs.ts";
import type { Outcome } from "./run_attack.ts";
import { runAttack } from "./run_attack.ts";

/** The configurations of an attack; Deno's own layer means nothing to Python. */
export function configurationsOf({ language }: Attack): readonly Configuration[] {
  return language === "python" ? ["none", "L2", "L3"] : ["none", "L1", "L2", "L3"];
}

/** Whether an attack has an effect; undefined where that is the host's matter. */
export function expectedOpen({ id }: Attack, configuration: Configuration): boolean | undefined {
  const exception = exceptions[id];
  if (configuration !== "none") return exception?.openAt?.includes(configuration) ?? false;
  return exception?.hostDependent || exception?.root && !asRoot ? undefined : true;
}

/** One attack in one configuration, as it went. */
export interface Cell {
  readonly attack: Attack;
  readonly configuration: Configuration;
  readonly outcome: Outcome;
}

/** Runs attacks in all their configurations, `lanes` at a time, each lane on a host of its own. */
export async function runMatrix(attacks: readonly Attack[], lanes: number): Promise<Cell[]> {
  const waiting = [...attacks];
  const cells: Cell[] = [];
  const lane = async () => {
    const host = await HostFixture.open();
    try {
      for (let attack = waiting.shift(); attack; attack = waiting.shift()) {
        for (const configuration of configurationsOf(attack)) {
          const outcome = await runAttack(attack, configuration, host);
          cells.push({ attack, configuration, outcome });
        }
      }
    } finally {
      await host.close();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return cells;
}

/** An attack at level L2 under an older interface of Landlock, as it went. */
interface OlderCell {
  readonly attack: Attack;
  readonly landlockAbi: number;
  readonly outcome: Outcome;
}

/**
 * Runs attacks at level L2 as on kernels with older interfaces of Landlock, by asking for less than this one has.
 *
 * @param all every attack under every interface from 1 on; else each under one of them.
 */
export async function runOlderInterfaces(
  attacks: readonly Attack[],
  newest: number,
  all: boolean,
  lanes: number,
): Promise<OlderCell[]> {
  const older = Array.from({ length: newest - 1 }, (_, k) => k + 1);
  const waiting = attacks.filter(({ language }) => language === "python")
    .flatMap((attack, i) =>
      (all ? older : [older[i % older.length]]).map((abi) => ({ attack, abi }))
    );
  const cells: OlderCell[] = [];
  const lane = async () => {
    const host = await HostFixture.open();
    try {
      for (let one = waiting.shift(); one; one = waiting.shift()) {
        const { attack, abi: landlockAbi } = one;
        const outcome = await runAttack(attack, "L2", host, { landlockAbi });
        cells.push({ attack, landlockAbi, outcome });
      }
    } finally {
      await host.close();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return cells;
}

/** Attacks that an older interface lets through, or stops, against what is expected of level L2. */
export function olderSurprises(cells: readonly OlderCell[]): string[] {
  return cells.flatMap(({ attack, landlockAbi, outcome }) => {
    const expected = expectedOpen(attack, "L2");
    if (expected === undefined || expected === outcome.open) return [];
    const found = outcome.open ? "open" : "stopped";
    return [`${attack.id} (${attack.title}) is ${found} under interface ${landlockAbi}`];
  });
}

/** The cells that are not as expected, as lines for a reader. */
export function surprises(cells: readonly Cell[]): string[] {
  return cells.flatMap(({ attack, configuration, outcome }) => {
    const expected = expectedOpen(attack, configuration);
    if (expected === undefined || expected === outcome.open) return [];
    const found = outcome.open ? "open" : "stopped";
    return [`${attack.id} (${attack.title}) is ${found} at ${configuration}: ${outcome.said}`];
  });
}

const resultsPage = fileURLToPath(new URL("../../bench/results/sandbox.md", import.meta.url));
const [tableStart, tableEnd] = [
  "<!-- matrix: written by `deno task test:sandbox --write` -->",
  "<!-- end of matrix -->",
];

/** Kinds of attack by the letters that their names begin with. */
const kinds: Readonly<Record<string, string>> = {
  FR: "files that are read",
  FW: "files that are written",
  PT: "paths and mounts",
  EN: "the host's names and variables",
  NW: "the network",
  PX: "processes",
  KX: "the kernel",
  RS: "more than was given",
  PY: "the interpreter of Python",
  LB: "libraries of Python",
  JF: "files, from JavaScript",
  JS: "code, from JavaScript",
  XL: "traces for the next program",
};

/** The tables in Markdown: how many attacks of each kind are open at each level, and which, with the reason. */
export function matrixTables(): string {
  const attacks = readCatalogue();
  const rows = Object.entries(kinds).map(([letters, kind]) => {
    const own = attacks.filter(({ id }) => id.startsWith(letters));
    return [kind, own.length, ...(["L1", "L2", "L3"] as const).map((level) => openAt(own, level))];
  });
  const open = attacks.flatMap(({ id, title }) => {
    const { openAt, why } = exceptions[id] ?? {};
    return openAt ? [[`${id}: ${title}`, openAt.join(", "), why]] : [];
  });
  return [
    aligned([["attacks on", "tried", "open at L1 alone", "at L2 alone", "at L3"], ...rows]),
    aligned([["open", "at", "for"], ...open]),
  ].join("\n\n");
}

/** How many of them are open; a dash where the level says nothing about their language. */
function openAt(attacks: readonly Attack[], level: Configuration): string {
  const meant = attacks.filter((one) => configurationsOf(one).includes(level));
  const open = meant.filter((one) => expectedOpen(one, level)).length;
  return meant.length === 0 ? "–" : `${open}`;
}

/** The page with the table as it must be. */
export function renewedPage(): string {
  const page = Deno.readTextFileSync(resultsPage);
  const [start, end] = [page.indexOf(tableStart), page.indexOf(tableEnd)];
  if (start < 0 || end < start) throw new Error("internal: the page has no place for the matrix");
  return `${page.slice(0, start)}${tableStart}\n\n${matrixTables()}\n\n${page.slice(end)}`;
}

/** A table whose cells are padded, as the formatter does. */
function aligned([head, ...body]: readonly (readonly unknown[])[]): string {
  const rows = [head, head.map(() => ""), ...body].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`;
  return rows.map((row, i) => i === 1 ? line(widths.map((w) => "-".repeat(w))) : line(row)).join(
    "\n",
  );
}

/** Writes the page, or says whether it is current. */
export function isPageCurrent(write: boolean): boolean {
  const renewed = renewedPage();
  if (write) Deno.writeTextFileSync(resultsPage, renewed);
  return Deno.readTextFileSync(resultsPage) === renewed;
}
