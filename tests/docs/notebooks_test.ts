/** The notebooks that are shown were executed: each cell has its output, none failed, versions stand below. */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { spaceNames } from "../../src/gfn/spaces/space_names.ts";
import { home, read } from "./markdown.ts";

const folder = "docs/notebooks";
const names = readdirSync(join(home, folder)).filter((name) => name.endsWith(".ipynb")).sort();

/** Fields of a notebook that the test reads (nbformat 4.5). */
interface Notebook {
  readonly nbformat: number;
  readonly nbformat_minor: number;
  readonly metadata: { readonly kernelspec: { readonly name: string } };
  readonly cells: readonly Cell[];
}

interface Cell {
  readonly id: string;
  readonly cell_type: string;
  readonly source: readonly string[];
  readonly execution_count?: number | null;
  readonly outputs?: readonly {
    readonly output_type: string;
    readonly name?: string;
    readonly text?: readonly string[];
    readonly data?: Readonly<Record<string, unknown>>;
  }[];
}

/** Faults of a notebook; `text` is its file. */
function faults(text: string, at: string): string[] {
  const book = JSON.parse(text) as Notebook;
  const code = book.cells.filter(({ cell_type }) => cell_type === "code");
  const sources = book.cells.map(({ source }) => source.join(""));
  const last = code.at(-1)?.outputs?.flatMap(({ text = [] }) => text).join("") ?? "";
  return [
    ...(book.nbformat === 4 && book.nbformat_minor >= 5 ? [] : ["wanted nbformat 4.5"]),
    ...code.flatMap((cell, place) => cellFaults(cell, place)),
    ...sources.flatMap((source) => deadLinks(source, at)),
    ...(/Python 3.*Sluice \d.*ArviZ \d.*numpy \d.*pandas \d/.test(last) ? [] : ["no versions"]),
    ...(text.length < 200_000 ? [] : [`${text.length} characters`]),
    ...(/\/(work|tmp|home|root)\//.test(text) ? ["names a path of a machine"] : []),
  ];
}

/** A semicolon at the end, as a formatter of another language would put it, hides what a cell shows. */
function cellFaults({ source, outputs = [], execution_count }: Cell, place: number): string[] {
  const failed = outputs.some(({ output_type, name }) =>
    output_type === "error" || name === "stderr"
  );
  return [
    ...(execution_count === place + 1 ? [] : [`cell ${place + 1} was not executed in its place`]),
    ...(outputs.length > 0 ? [] : [`cell ${place + 1} shows nothing`]),
    ...(failed ? [`cell ${place + 1} failed`] : []),
    ...(source.join("").endsWith(";") ? [`cell ${place + 1} ends in a semicolon`] : []),
  ];
}

function deadLinks(source: string, at: string): string[] {
  const paths = [
    ...source.matchAll(/\]\(([^)#\s]+)[^)]*\)/g),
    ...source.matchAll(/read_csv\("([^"]+)"\)/g),
  ].map(([, path]) => path);
  return paths.filter((path) =>
    !/^[a-z]+:/.test(path) && !existsSync(join(home, dirname(at), path))
  )
    .map((path) => `${path} leads nowhere`);
}

Deno.test("there is a notebook for each kind of model space", () => {
  assert.deepEqual(names, spaceNames.map((name) => `${name}.ipynb`).toSorted());
});

for (const name of names) {
  Deno.test(`docs/notebooks/${name} was executed, whole`, () => {
    const path = `${folder}/${name}`;
    assert.deepEqual(faults(read(path), path), []);
    assert.match(read(path), />target<[^]{0,60}>90 %</, "the card of an answer");
  });
}

Deno.test("an output that is missing, a cell that failed and a dead link are found", () => {
  const path = `${folder}/${names[0]}`;
  const book = JSON.parse(read(path));
  const [first, second] = book.cells.filter((cell: Cell) => cell.cell_type === "code");
  first.outputs = [];
  second.outputs = [{ output_type: "error", ename: "ValueError" }];
  book.cells[0].source.push("[more](nowhere.md)");
  assert.deepEqual(faults(JSON.stringify(book), path), [
    "cell 1 shows nothing",
    "cell 2 failed",
    "nowhere.md leads nowhere",
  ]);
});
