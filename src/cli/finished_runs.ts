/** Chooses runs by their end and age. */
import { join } from "node:path";

const day = 86_400_000;

/** Runs that ended well, so that nothing resumes them, and began at least so many days ago. */
export function finishedRuns(root: string, runIds: readonly string[], days: number): string[] {
  return runIds.filter((runId) => {
    const { status, started_at: start } = wordOf(root, runId);
    return status === "done" && Date.parse(`${start}`) <= Date.now() - days * day;
  });
}

function wordOf(root: string, runId: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(Deno.readTextFileSync(join(root, "runs", runId, "run.json")));
  } catch {
    return {};
  }
}
