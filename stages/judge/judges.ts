/** Judges by the name that a pipeline gives them: built in, or a plug-in's default export. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { builtInJudges, isJudge, type Judge } from "../../src/engine/score/judges/mod.ts";

/** @throws InputError if a plug-in's default export was not made with `defineJudge`. */
export function resolveJudge(name: string, context: StageContext): Judge {
  const builtIn = builtInJudges.get(name);
  if (builtIn) return builtIn;
  const plugin = context.plugin(name);
  if (isJudge(plugin)) return plugin;
  const hint = 'write: export default defineJudge({ name, version: 1, uses: "execution", judge })';
  const message = `Cannot use the judge ${name}: its default export is not a judge`;
  throw inputError("plugin/judge", message, undefined, hint);
}
