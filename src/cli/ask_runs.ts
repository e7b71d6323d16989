/** SQL over some runs of a project, which are attached once. */
import type { AskRuns } from "../experiments/mod.ts";

/** Lends a function that asks these runs and no others. */
export async function askRuns<T>(
  root: string,
  runs: readonly string[],
  use: (ask: AskRuns) => Promise<T>,
): Promise<T> {
  const { queries } = await import("../pipeline/store/sql/mod.ts");
  return await queries(root, { runs }, async (ask) => {
    return await use(async (sql) => (await ask(sql)).objects());
  });
}
