/** The version of Sluice, as `deno.json` says it. */
export { sluiceVersion as version } from "../pipeline/read/version.ts";
