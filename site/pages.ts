/** Lays the repository's Markdown out for VitePress: a page for each file that a page links to. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join, normalize } from "node:path";
import { notebookPage } from "./notebooks.ts";

/** Files to write, by their path below the folder that VitePress reads. */
export type Pages = ReadonlyMap<string, string | Uint8Array>;

const folders = ["", "data", "docs", "docs/design", "docs/notebooks", "bench/results"];
const pictures = [".svg", ".png"];

/** Path of the page of a file or folder of the repository, both relative and with `/`. */
export function pageOf(path: string): string {
  if (basename(path) === "README.md") return join(dirname(path), "index.md");
  return path.endsWith(".md") ? path : `${path}.md`;
}

/**
 * Every page of a checkout, what they link to included: Markdown as it is, notebooks and sources as
 * pages of their own, folders as lists of their files, pictures beside the pages that show them.
 */
export function sitePages(root: string): Pages {
  const pages = new Map<string, string | Uint8Array>();
  const waiting = folders.flatMap((folder) => startsIn(root, folder));
  const seen = new Set(waiting);
  for (const path of seen) {
    const text = textOf(root, path);
    const written = withLinks(root, path, text, (linked) => seen.add(linked));
    pages.set(pageOf(path), written);
  }
  for (const folder of ["docs", "bench/results"].filter((one) => existsSync(join(root, one)))) {
    for (const name of readdirSync(join(root, folder))) {
      if (!pictures.includes(extname(name))) continue;
      pages.set(`${folder}/${name}`, readFileSync(join(root, folder, name)));
    }
  }
  return pages;
}

function startsIn(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder)).filter((name) => /\.(md|ipynb)$/.test(name)).sort()
    .map((name) => join(folder, name));
}

function textOf(root: string, path: string): string {
  const file = join(root, path);
  if (statSync(file).isDirectory()) return folderPage(file, path);
  const text = readFileSync(file, "utf8");
  if (path.endsWith(".md")) return text;
  if (path.endsWith(".ipynb")) return notebookPage(text);
  return sourcePage(path, text);
}

/** A source file, whole, with a fence that nothing in it closes. */
function sourcePage(path: string, text: string): string {
  const fence = "`".repeat(
    Math.max(3, ...(text.match(/`+/g) ?? []).map(({ length }) => length + 1)),
  );
  const language = ({
    ".ts": "ts",
    ".py": "python",
    ".toml": "toml",
    ".json": "json",
  } as Record<string, string>)[extname(path)] ?? "txt";
  return `---\nsearch: false\n---\n\n# ${path}\n\n${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}

/** Names of the files of a folder, each with the first sentence of its first comment. */
function folderPage(folder: string, path: string): string {
  const lines = readdirSync(folder).sort().map((name) => {
    const file = join(folder, name);
    const about = statSync(file).isFile() ? firstSentence(readFileSync(file, "utf8")) : "";
    return `- \`${name}\`${about === "" ? "" : `: ${escaped(about)}`}`;
  });
  return `---\nsearch: false\n---\n\n# ${path}\n\n${lines.join("\n")}\n`;
}

function firstSentence(text: string): string {
  const [, comment] = /^(?:#!.*\n)?(?:\/\*\* *|# |\/\/ )(.*?)(?: \*\/)?$/m.exec(
    text.slice(0, 2000),
  ) ?? [];
  return comment ?? "";
}

function escaped(text: string): string {
  return text.replace(/[<>{}&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Relative links, turned to the pages of what they name; `also` is told what that is. */
function withLinks(
  root: string,
  from: string,
  text: string,
  also: (path: string) => void,
) {
  return text.replace(/\]\(([^)\s]+)\)/g, (whole, written: string) => {
    const [path, anchor] = written.split("#");
    const linked = normalize(join(dirname(from), path)).replace(/\/$/, "");
    const leadsOut = /^[a-z]+:/.test(written) || path === "" ||
      linked.startsWith("..");
    if (
      leadsOut || pictures.includes(extname(path)) ||
      !existsSync(join(root, linked))
    ) {
      return whole;
    }
    also(targetOf(root, linked));
    return `](/${pageOf(targetOf(root, linked))}${anchor === undefined ? "" : `#${anchor}`})`;
  });
}

/** A folder with a page of its own is that page. */
function targetOf(root: string, linked: string): string {
  const readme = join(linked, "README.md");
  return existsSync(join(root, readme)) ? readme : linked;
}
