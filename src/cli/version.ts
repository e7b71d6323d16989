/** The version of Sluice, as `deno.json` says it. */
export { sluiceVersion as version } from "../pipeline/basics/mod.ts";
