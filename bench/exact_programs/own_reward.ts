/** An environment that states rewards which were known beforehand. */
import type { Environment, TerminalObject } from "../../src/gfn/environments/environment.ts";

/** The same objects, each with its log reward. */
export function withOwnReward(
  environment: Environment,
  logRewardOf: (object: TerminalObject) => number,
): Environment {
  const rewarded = (object: TerminalObject) => ({ ...object, logReward: logRewardOf(object) });
  return {
    ...environment,
    terminal: (state) => rewarded(environment.terminal(state)),
    logReward: (state) => logRewardOf(environment.terminal(state)),
    *enumerate() {
      for (const object of environment.enumerate()) yield rewarded(object);
    },
  };
}
