/** Requirements of a built site: every link of it leads somewhere, and it makes no request to a network. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** A page, the anchors in it, and where its links lead: a path of the site, and perhaps an anchor. */
interface Built {
  readonly page: string;
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly string[];
  readonly loads: readonly string[];
}

/** Faults of the pages below a folder, a sentence each; a fault of all pages is reported once. */
export function faultsOfSite(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true }) as string[];
  const pages = names.filter((name) => name.endsWith(".html")).sort().map((
    page,
  ) => builtPage(page, readFileSync(join(folder, page), "utf8")));
  const anchors = new Map(pages.map((page) => [page.page, page.anchors]));
  const faults = new Map<string, string>();
  for (const { page, links, loads } of pages) {
    const broken = links.filter((link) => !leads(folder, anchors, page, link));
    const asked = loads.filter((address) => /^(https?:)?\/\//.test(address));
    broken.forEach((link) => keepFirst(faults, `${link} leads nowhere`, page));
    asked.forEach((address) => keepFirst(faults, `asks the network for ${address}`, page));
  }
  return [...faults].map(([fault, page]) => `${page}: ${fault}`);
}

function keepFirst(
  faults: Map<string, string>,
  fault: string,
  page: string,
): void {
  if (!faults.has(fault)) faults.set(fault, page);
}

function builtPage(page: string, html: string): Built {
  const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, found]) => unescaped(found));
  return {
    page,
    anchors: new Set(all(/\sid="([^"]*)"/g)),
    links: all(/<a\b[^>]*?\shref="([^"]*)"/g).filter((link) => !/^[a-z]+:/.test(link)),
    loads: [
      ...all(/<(?:img|script|iframe)\b[^>]*?\ssrc="([^"]*)"/g),
      ...all(/<link\b[^>]*?\shref="([^"]*)"/g),
    ],
  };
}

function leads(
  folder: string,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
  from: string,
  link: string,
): boolean {
  const [path, anchor] = decodeURIComponent(link).split("#");
  const file = path === "" ? from : fileOf(dirname(from), path);
  if (anchor === undefined || anchor === "") {
    return existsSync(join(folder, file));
  }
  return anchors.get(file)?.has(anchor) ?? false;
}

function fileOf(folder: string, path: string): string {
  const file = path.startsWith("/") ? path.slice(1) : normalize(join(folder, path));
  return file === "" || file.endsWith("/") ? `${file}index.html` : file;
}

function unescaped(text: string): string {
  return text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll(
    "&#39;",
    "'",
  );
}
