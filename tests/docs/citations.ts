/** Works that texts cite by author and year, and the entries of the bibliography. */
import { join } from "node:path";
import { home, read } from "./markdown.ts";

/** An entry of docs/references.bib. */
export interface Entry {
  readonly key: string;
  readonly type: string;
  readonly fields: ReadonlyMap<string, string>;
  /** Last names of the authors, without braces and accents. */
  readonly authors: readonly string[];
}

/** A work as a text names it: `Malkin et al. 2022`. */
export interface Citation {
  readonly file: string;
  readonly author: string;
  readonly year: string;
}

/** All entries; each stands on a line of its own. */
export function bibliography(): Entry[] {
  const lines = read("docs/references.bib").split("\n").filter((line) => line.startsWith("@"));
  return lines.map(entryOf);
}

function entryOf(line: string): Entry {
  const [, type, key, rest] = /^@(\w+)\{(\w+), (.*)\}$/.exec(line) ?? [];
  if (!rest) throw new Error(`docs/references.bib: cannot read ${line.slice(0, 60)}`);
  const fields = new Map(
    [...rest.matchAll(/(\w+) = \{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}/g)]
      .map(([, name, value]) => [name, value]),
  );
  const authors = (fields.get("author") ?? "").split(" and ");
  return { key, type, fields, authors: authors.map((author) => plain(author.split(", ")[0])) };
}

/** Letters alone: "G{\'o}is" and "Góis" are both "Gois". */
function plain(name: string): string {
  return name.normalize("NFD").replace(/\\[a-z]\{|[^\p{L} -]/gu, "");
}

const name = String.raw`\p{Lu}[\p{L}’']+(?:-\p{Lu}?[\p{L}]+)?`;
const more = String.raw`(?:(?:, ${name})*(?:,? and |, | & )${name}| et al\.)?`;
const cited = new RegExp(
  String.raw`(${name})${more}(?:’s|'s)?,? \(?((?:1[6-9]|20)\d\d)[a-z]?\b`,
  "gu",
);

/** Words before a year that are no author's name: a place, a distribution, the end of arXiv. */
const noNames = new Set(["Jura", "LKJ", "Xiv"]);

/** Citations in a file; comment signs at the beginning of a line are left out. */
export function citationsOf(file: string): Citation[] {
  const text = read(file).replace(/\n[ \t]*(?:\*|\/\/|#|--|>)?[ \t]*/g, " ");
  return [...text.matchAll(cited)]
    .filter(([, author]) => !noNames.has(author))
    .map(([, author, year]) => ({ file, author: author.replace(/['’]s$/, ""), year }));
}

/** True if the entry is what a citation means: the year, and the first author or an organisation. */
export function means(entry: Entry, { author, year }: Citation): boolean {
  const first = entry.authors[0].split(" ").at(-1);
  return entry.fields.get("year") === year && first === plain(author);
}

/** Sources and docs that cite; of the tests the long ones: others make up works of their own. */
export function citingFiles(): string[] {
  const folders = [
    "src",
    "stages",
    "docs",
    "grammars",
    "configs",
    "pipelines",
    "data",
    "bench",
    "tests/long",
  ];
  return ["README.md", ...folders.flatMap(filesIn)].filter((file) =>
    /\.(ts|md|toml|py|c)$/.test(file)
  );
}

function filesIn(folder: string): string[] {
  return [...Deno.readDirSync(join(home, folder))]
    .flatMap(({ name, isDirectory }) =>
      isDirectory ? filesIn(`${folder}/${name}`) : [`${folder}/${name}`]
    );
}
