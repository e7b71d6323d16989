/**
 * The validation library, through one door. Deno sets up `node_modules` once for every file that
 * names a package, before a command's first line runs: sixty files that named this one made `check`
 * a third slower.
 */
export { z } from "zod";
