/** Judges by the name that a pipeline gives them: built in, or a plug-in's default export. */
import { inputError } from "../base/diagnostic.ts";
import type { StageContext } from "../runner/stage.ts";
import { builtInJudges, type Judge } from "../score/reward.ts";
import { isJudge } from "./target_port.ts";

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
