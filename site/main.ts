/** Builds the documentation site: `deno task docs` writes dist/site, `deno task docs:serve` shows it. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, serve } from "vitepress";
import { faultsOfSite } from "./check.ts";
import { madePages } from "./contents.ts";
import { sitePages } from "./pages.ts";
import { faultsOfSearch } from "./searches.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("..", import.meta.url));

/** Everything that VitePress reads, and what it copies as it is. */
function writePages(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, content] of sitePages(root)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  for (const path of madePages) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(here, "dist", "made", path), join(folder, path));
  }
  const library = join(
    here,
    "node_modules",
    "mermaid",
    "dist",
    "mermaid.min.js",
  );
  mkdirSync(join(folder, "public"));
  copyFileSync(library, join(folder, "public", "mermaid.min.js"));
}

/** Builds the site and fails where it is not whole. @returns the folder that it lies in. */
async function buildSite(): Promise<string> {
  writePages(join(here, "dist", "pages"));
  await build(here);
  const site = join(root, "dist", "site");
  const faults = [...faultsOfSite(site), ...await faultsOfSearch(site)];
  if (faults.length > 0) {
    throw new Error(`Cannot publish dist/site:\n${faults.join("\n")}`);
  }
  return site;
}

const [command] = Deno.args;
if (command === "serve") {
  await serve({ root: here, port: 4173 });
} else {
  await buildSite();
  console.log(
    "wrote dist/site; deno task docs:serve shows it on http://localhost:4173",
  );
}
