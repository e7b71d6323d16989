/** The project that a command without a pipeline is about. */
import { join, resolve } from "node:path";
import { projectRootOf } from "../pipeline/project/mod.ts";

/** The folder that was asked for, or the project of the working directory. */
export function projectHere(folder?: string): string {
  return folder === undefined ? projectRootOf(join(Deno.cwd(), "_")) : resolve(folder);
}
