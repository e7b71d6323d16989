/** Data files and pipelines of strangers: their contents, and the paths that their names become. */
import { join } from "node:path";
import { inspectFile } from "../../src/cli/inspect_file.ts";
import { spacePipeline } from "../../src/cli/space_pipeline.ts";
import { parseFormula } from "../../src/gfn/spaces/formula/parse.ts";
import { parseTomlFile } from "../../src/pipeline/toml/parse.ts";
import { type Door, type DoorAttack, inScratch } from "./attack.ts";

/** Makes a pipeline with a formula from a file, and reads it again. */
function asked(name: string, content: string | Uint8Array | ((path: string) => void)) {
  return inScratch(async (folder) => {
    const path = join(folder, name);
    if (typeof content === "function") content(path);
    else if (typeof content === "string") Deno.writeTextFileSync(path, content);
    else Deno.writeFileSync(path, content);
    const { columns, rows } = await inspectFile(path, "y");
    const { toml, formula, leftOut } = spacePipeline({ name, path: name, columns });
    const { stages } = parseTomlFile(toml, "p.toml").value as {
      stages: Record<string, { columns?: Record<string, { role: string }> }>;
    };
    const roles = Object.values(stages.data.columns!).map(({ role }) => role);
    const names = Object.keys(stages.data.columns!);
    const asked = columns.filter(({ name }) => !leftOut.includes(name));
    const isSame = asked.length === names.length && asked.every(({ name }, i) => name === names[i]);
    const responses = roles.filter((role) => role === "response").length;
    parseFormula(formula);
    const left = leftOut.length > 0 ? `, ${leftOut.length} left out` : "";
    return `${rows} rows, ${Object.keys(stages).length} stages, ${responses} response, ` +
      `${isSame ? "same names" : "OTHER NAMES"}${left}`;
  });
}

const table = (header: string, ...cells: ((i: number) => unknown)[]) =>
  `${header}\n${
    Array.from({ length: 30 }, (_, i) => [i % 7, ...cells.map((cell) => cell(i))].join(",")).join(
      "\n",
    )
  }\n`;
const five = (i: number) => i % 5;

/** A header, and one more column whose name is this. */
const named = (name: string, at: string): DoorAttack => ({
  name,
  tried: () => asked("d.csv", table(`y,"${at.replaceAll('"', '""')}"`, five)),
  holds: /^30 rows, 4 stages, 1 response, same names$/,
});

const utf16 = (text: string) =>
  new Uint8Array(Uint16Array.from(`\ufeff${text}`, (c) => c.charCodeAt(0)).buffer);

/** The first bytes of a Parquet file, and an end that says how long the rest is. */
function parquetOf(footer: number): Uint8Array {
  const bytes = new TextEncoder().encode("PAR1........PAR1");
  new DataView(bytes.buffer).setUint32(8, footer, true);
  return bytes;
}

/** Attempts by data files. */
export const dataFiles: Door = {
  door: "data files: data, init, rank, run",
  idea:
    "names that become another line of a pipeline, tables that are too wide, too deep or none, " +
    "marks at the beginning of files",
  attacks: [
    named(
      "a column that is another stage",
      'x" = { role = "response" }\n[stages.evil]\nkind = "run" #',
    ),
    named("a column that is SQL", "x'); drop table run; --"),
    named("a column that ends a string of TOML", "\"\"\"'''\\"),
    named("a column of points", "a.b.c"),
    named("a column that is a path", "../../../../etc/passwd"),
    named("a column that clears the terminal", "\u001b[2J\u009b2J\u202e"),
    named("a column called __proto__", "__proto__"),
    named("a column called toString", "toString"),
    {
      ...named("a column of 100,000 letters", "x".repeat(100_000)),
      holds: /^30 rows, 4 stages, 1 response, same names, 1 left out$/,
    },
    {
      name: "columns that formulas cannot name",
      tried: () => asked("d.csv", table("y,,a`b", five, (i) => i % 3)),
      holds: /^30 rows, 4 stages, 1 response, same names, 2 left out$/,
    },
    {
      name: "two marks of the order of bytes",
      tried: () => asked("d.csv", `\ufeff\ufeff${table("y,x", five)}`),
      holds: /^30 rows, 4 stages, 1 response, same names$|^refused: data\//,
    },
    {
      name: "UTF-16",
      tried: () => asked("d.csv", utf16(table("y,x", five))),
      holds: /^30 rows, 4 stages, 1 response, same names$/,
    },
    {
      name: "two columns of one name",
      tried: () => asked("d.csv", table("y,x,x", five, five)),
      holds: /^refused: data\/duplicate-column$/,
    },
    {
      name: "names that differ in what nobody sees",
      tried: () => asked("d.csv", table("y,x\u200b,x", five, (i) => i % 3)),
      holds: /^30 rows, 4 stages, 1 response, same names$/,
    },
    {
      name: "a quote that is never closed",
      tried: () => asked("d.csv", `y,x\n1,"2\n${"3,4\n".repeat(1000)}`),
      holds: /^refused: data\/csv$/,
    },
    {
      name: "zero bytes",
      tried: () => asked("d.csv", new Uint8Array(10_000)),
      holds: /^refused: data\//,
    },
    {
      name: "numbers in another script, hexadecimal, infinite",
      tried: () =>
        asked("d.csv", table("y,x", (i) => ["nan", "inf", "1e999", "0x10", "1_000", "١٢"][i % 6])),
      holds: /^30 rows, 4 stages, 1 response, same names$/,
    },
    {
      name: "a response that is missing among 5,000 columns",
      tried: () => {
        const header = Array.from({ length: 5_000 }, (_, i) => `c${i}`).join();
        const line = Array(5_000).fill(1).join();
        return asked("d.csv", `${header}\n${line}\n${line}\n`);
      },
      holds: /^refused: data\/missing-column$/,
    },
    {
      name: "JSON 100,000 levels deep",
      tried: () => asked("d.json", `{"y":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
      holds: /^refused: (init|data)\//,
    },
    {
      name: "JSON whose cells are objects",
      tried: () => asked("d.json", '[{"y":1,"x":{"toString":1}},{"y":2,"x":{"__proto__":[]}}]'),
      holds: /^refused: |^2 rows/,
    },
    {
      name: "JSON of rows called __proto__",
      tried: () => asked("d.json", '[{"y":1,"__proto__":{"y":9}},{"y":2,"__proto__":3}]'),
      holds: /^refused: |^2 rows/,
    },
    {
      name: "Parquet whose end says 4 GB",
      tried: () => asked("d.parquet", parquetOf(2 ** 32 - 1)),
      holds: /^refused: data\/parquet$/,
    },
    {
      name: "Parquet of sixteen bytes",
      tried: () => asked("d.parquet", parquetOf(4)),
      holds: /^refused: data\/parquet$/,
    },
    {
      name: "a table that is a pipe",
      tried: () =>
        asked("d.csv", (path) => void new Deno.Command("mkfifo", { args: [path] }).outputSync()),
      holds: /^refused: file\/not-regular$/,
    },
    {
      name: "a table of 1 TB that is all hole",
      tried: () =>
        asked("d.csv", (path) => {
          using file = Deno.openSync(path, { write: true, create: true });
          file.truncateSync(2 ** 40);
        }),
      holds: /^refused: file\/too-large$/,
    },
    {
      name: "a pipeline of 100,000 levels",
      tried: () => Object.keys(parseTomlFile(`x = ${"[".repeat(100_000)}`, "p.toml").value).length,
      holds: /^refused: toml\//,
    },
    {
      name: "a pipeline whose keys are __proto__",
      tried: () => {
        const { value } = parseTomlFile(
          "[__proto__]\npolluted = true\n[a.constructor]\nb = 1",
          "p.toml",
        );
        return `${Object.keys(value).length} tables, ${
          "polluted" in {} ? "POLLUTED" : "nothing else"
        }`;
      },
      holds: /^\d tables, nothing else$|^refused: /,
    },
  ],
};
