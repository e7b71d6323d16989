/** The doors of the libraries, as the configuration exports them, and the page of each. */
import { readFileSync } from "node:fs";

const { exports } = JSON.parse(
  readFileSync(new URL("../deno.json", import.meta.url), "utf8"),
) as { readonly exports: Readonly<Record<string, string>> };

/** Each door by the name that imports it, with the module that it is. */
export const doors: readonly (readonly [name: string, path: string])[] = Object.entries(exports)
  .map(([name, path]) => [name.replace(/^\./, "sluice"), path]);

/** Path of a door's page in the site: `docs/api/gfn_objectives.md`. */
export function apiPage(name: string): string {
  const [, ...rest] = name.split("/");
  return `docs/api/${rest.join("_") || "sluice"}.md`;
}
