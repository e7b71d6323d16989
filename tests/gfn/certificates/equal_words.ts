/** Words of four letters out of eight, all as good as any other, or all but one. */
import type { Environment } from "../../../src/gfn/environments/environment.ts";
import { maskOf, treeEnvironment } from "../../../src/gfn/environments/tree.ts";

/** @param logRewardOf Of a word; 0 if left out. */
export function equalWords(logRewardOf: (word: string) => number = () => 0): Environment {
  const letters = [..."abcdefgh"];
  const open = maskOf(9, letters.keys());
  const full = maskOf(9, [8]);
  return treeEnvironment<string>({
    kind: "equal_words",
    spec: {},
    actionNames: [...letters, "exit"],
    maxActions: 5,
    count: 8 ** 4,
    initial: "",
    after: (word, action) => word + letters[action],
    legal: ({ length }) => length === 4 ? full : open,
    object: (word) => ({ text: word, features: [] }),
    logReward: logRewardOf,
  }) as Environment;
}
