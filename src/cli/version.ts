/** The version of Sluice, as `deno.json` says it. */
export { sluiceVersion as version } from "../base/version.ts";
