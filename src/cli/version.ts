/** The version of Sluice, from `deno.json`. */
export { sluiceVersion as version } from "../base/version.ts";
