/** The built-in judges by name. */
import type { Judge } from "./judge.ts";
import * as registry from "./registry.ts";

export * from "./registry.ts";

/** The judges that a target can name without a plug-in. */
export const builtInJudges: ReadonlyMap<string, Judge> = new Map(
  Object.values(registry).map((judge) => [judge.name, judge]),
);
