/** The repository's Markdown: its files, the links in them, and the anchors of their headings. */
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { slugOf } from "../../site/headings.ts";

/** Folder of the repository. */
export const home = fileURLToPath(new URL("../../", import.meta.url));

/** A link as it stands in a file, and the file and anchor that it leads to. */
export interface Link {
  readonly from: string;
  readonly written: string;
  readonly file: string;
  readonly anchor: string | undefined;
}

const folders = ["", "data", "docs", "docs/design", "docs/examples", "bench/results"];

/** Paths of all pages, from the repository's folder. */
export function pages(): string[] {
  return folders.flatMap((folder) =>
    [...Deno.readDirSync(join(home, folder))]
      .filter(({ name, isFile }) => isFile && name.endsWith(".md"))
      .map(({ name }) => join(folder, name))
  ).sort();
}

/** Text of a file of the repository. */
export function read(file: string): string {
  return Deno.readTextFileSync(join(home, file));
}

/** The rendered prose of a page: no fenced code; inline code without its brackets. */
export function prose(file: string): string {
  return read(file)
    .replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, "")
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[\[\]]/g, ""));
}

/** Files and folders that a text names in its inline code, `a/b.ts` and `a/b/`, and that are not there. */
export function missingFiles(text: string, isThere: (path: string) => boolean): string[] {
  const unfenced = text.replace(/^```[\s\S]*?^```/gm, "");
  return [...unfenced.matchAll(/`([\w./]+(?:\/|\.(?:ts|md|toml|json)))`/g)]
    .map(([, path]) => path).filter((path) => !isThere(path));
}

/** Folders that are installed or made: they are in no commit. */
export const notOurs = /^(\..*|node_modules|dist|runs)$/;

/** Paths of the files of code in a folder and below it. */
function codeIn(folder: string, ends: RegExp = /\.ts$/): string[] {
  return [...Deno.readDirSync(join(home, folder))].flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    if (isDirectory) return notOurs.test(name) ? [] : codeIn(path, ends);
    return ends.test(name) ? [path] : [];
  });
}

/** First lines of the files of code in a folder, without the signs of the comment. */
export function firstLines(folder: string): string[] {
  return codeIn(folder).flatMap((path) => {
    const comment = /^\/\*\*\s+(?:\* )?(.*?)(?: \*\/)?$/m.exec(read(path));
    return comment ? [comment[1]] : [];
  });
}

/** Comments of all code in a folder as Markdown, without their signs. */
export function comments(folder: string): string[] {
  return codeIn(folder).flatMap((path) =>
    [...read(path).matchAll(/\/\*\*[^]*?\*\/|(?<=\s)\/\/ .*/g)].map(([comment]) =>
      comment.replace(/^\/\*\*|\*\/$/g, "").replace(/^\s*\* ?/gm, "").replace(/^\/\/ /, "")
    )
  );
}

/** Comments of the Python and TOML in a folder and below it, and the docstrings of the Python. */
export function hashComments(folder: string): string[] {
  const lines = codeIn(folder, /\.(py|toml)$/).flatMap((path) =>
    [...read(path).matchAll(/(?<=^[^"'\n]*)#+ (.*(?:\n# .*)*)/gm)].map(([, one]) => one)
  );
  const docstrings = codeIn(folder, /\.py$/).flatMap((path) =>
    [...read(path).matchAll(/"""([^]*?)"""/g)].map(([, one]) => one)
  );
  return [...lines.map((one) => one.replace(/^# /gm, "")), ...docstrings];
}

/** Texts in quotes and backticks of the code of a folder, up to the next such sign. */
export function literals(folder: string): string[] {
  return codeIn(folder).flatMap((path) => literalsOf(read(path)));
}

/** The same of a source, without its comments. */
export function literalsOf(source: string): string[] {
  const code = source.replace(/\/\*\*[^]*?\*\//g, "").replace(/(^|\s)\/\/ .*$/gm, "");
  return [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`(?=([^`]*))/g)].map(([, quoted, bare]) =>
    quoted ?? bare
  );
}

/** The relative links of a page, those of its pictures included. */
export function links(from: string): Link[] {
  return [...prose(from).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, written]) => written)
    .filter((written) => !/^[a-z]+:/.test(written))
    .map((written) => resolved(from, written));
}

function resolved(from: string, written: string): Link {
  const [path, anchor] = written.split("#");
  const file = path === "" ? from : normalize(join(dirname(from), path));
  return { from, written, file: relative(home, join(home, file)), anchor };
}

/** The anchors that GitHub makes of a page's headings. */
export function anchors(file: string): Set<string> {
  const seen = new Map<string, number>();
  const headings = read(file).replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ +(.*)$/gm);
  return new Set([...headings].map(([, heading]) => {
    const slug = slugOf(heading);
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  }));
}
